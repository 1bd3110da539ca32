internal import Diagnostics

/// A captured text is not what a handler asks for.
public struct RouteParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the capture.
    public let name: String
    /// Its text, percent-decoded; nil if the route has no capture of the name.
    public let value: String?
    /// What was expected: `a whole number`.
    public let expected: String
    /// The route, as it was written.
    public let route: String

    public var description: String {
        guard let value else {
            return "the route \(quoted(route)) has no capture \(quoted(name)); expected \(expected)"
        }
        return "\(quoted(name)) is \(quoted(value)) in \(quoted(route)); expected \(expected)"
    }
}
