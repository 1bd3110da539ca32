internal import HTTP1

/// Answers the requests that `RequestGuard` lets through: pages, their assets, and the API.
///
/// It keeps nothing between requests, and may be used from any thread.
package struct ConsoleResponder: Sendable {
    package init() {}

    /// - Parameters:
    ///   - request: With its body.
    ///   - now: In seconds since 1970.
    package func answer(_ request: ConsoleRequest, _ content: ConsoleContent, now: Int64) -> ConsoleAnswer {
        switch ConsoleRoute(path: request.path, isServer: content.isServer) {
        case .asset(let name)?:
            ConsoleAsset.named(name)?.answer(ifNoneMatch: request.ifNoneMatch) ?? .text(.notFound, "not found")
        default: .text(.notFound, "not found")
        }
    }
}
