public import Diagnostics

/// A URL and what is to become of it.
public struct TestCase: Sendable {
    /// What is to become of a URL.
    public enum Expectation: Equatable, Sendable {
        /// Exactly these apps open it, in any order; none is as good as excluded.
        case opens([String])
        /// Any app opens it.
        case opensAny
        /// An app would have opened it, but a rule excludes it.
        case excluded
    }

    public let url: String
    public let expectation: Expectation
    /// The case in the list.
    public let range: SourceRange
    /// The same as an RFC 6901 pointer.
    public let pointer: String
}
