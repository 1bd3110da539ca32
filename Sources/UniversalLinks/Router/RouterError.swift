/// Why a router could not be built.
public struct RouterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case invalidDomain, duplicateDomain }
        private let value: Value

        /// The text is no domain.
        public static let invalidDomain = Code(value: .invalidDomain)
        /// The domain has a document already.
        public static let duplicateDomain = Code(value: .duplicateDomain)
    }

    public let code: Code
    /// The domain as it was given.
    public let domain: String

    init(_ code: Code, _ domain: String) {
        self.code = code
        self.domain = domain
    }

    public var description: String {
        code == .invalidDomain
            ? "'\(domain)' is no domain; expected a name like example.com or *.example.com, without scheme, port and path"
            : "'\(domain)' has an association file already; expected one for each domain"
    }
}
