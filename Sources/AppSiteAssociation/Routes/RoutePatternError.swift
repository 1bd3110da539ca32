/// Why a text is not a route.
public struct RoutePatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case empty }
        private let value: Value

        /// There is nothing, or nothing where a pattern is expected.
        public static let empty = Code(value: .empty)
    }

    public let code: Code
    /// What is the matter, what was expected, and what to do.
    public let message: String
    /// Where in the text, in bytes of UTF-8 from 0.
    public let offset: Int

    public var description: String { "column \(offset + 1): \(message)" }
}
