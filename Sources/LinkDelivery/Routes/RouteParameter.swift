/// A type that a captured text can be turned into.
///
/// Strings, whole numbers, `Double`, `Bool`, `UUID` and optionals of them are, and enumerations with raw values of these
/// types become parameters by naming the protocol: `enum Size: String, RouteParameter { case small, large }`.
public protocol RouteParameter: Sendable {
    /// Takes the percent-decoded text of a capture; nil if it is not one of this type.
    init?(routeParameter text: String)

    /// What a text has to be, for messages: `a whole number`.
    static var expectedRouteParameter: String { get }

    /// Whether every text is one of this type, so that a route never fails because of it.
    static var takesEveryRouteParameter: Bool { get }
}

extension RouteParameter {
    public static var takesEveryRouteParameter: Bool { false }
}
