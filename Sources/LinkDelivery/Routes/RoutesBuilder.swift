/// Puts routes in their order (``RouteTable``).
@resultBuilder
public enum RoutesBuilder {
    public static func buildExpression(_ route: Route) -> [Route] { [route] }
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    public static func buildExpression(_ table: RouteTable) -> [Route] { table.routes }
    public static func buildBlock(_ routes: [Route]...) -> [Route] { routes.flatMap(\.self) }
    public static func buildOptional(_ routes: [Route]?) -> [Route] { routes ?? [] }
    public static func buildEither(first routes: [Route]) -> [Route] { routes }
    public static func buildEither(second routes: [Route]) -> [Route] { routes }
    public static func buildArray(_ routes: [[Route]]) -> [Route] { routes.flatMap(\.self) }
    public static func buildLimitedAvailability(_ routes: [Route]) -> [Route] { routes }
}
