/// Why a server cannot be started.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    public struct Code: Equatable, Sendable {
        private enum Kind: Equatable, Sendable {
            case configuration, unreadable, addressUnavailable, nothingToServe, refused, setUp
        }

        private let kind: Kind

        /// server.json cannot be used.
        public static let configuration = Code(kind: .configuration)
        /// A file or folder is missing or unreadable.
        public static let unreadable = Code(kind: .unreadable)
        /// An address cannot be bound.
        public static let addressUnavailable = Code(kind: .addressUnavailable)
        /// No site or no certificate is usable.
        public static let nothingToServe = Code(kind: .nothingToServe)
        /// A site or a certificate is refused, and that was to be an error.
        public static let refused = Code(kind: .refused)
        /// The operating system or OpenSSL does not give what every server needs.
        public static let setUp = Code(kind: .setUp)
    }

    public let code: Code
    /// What was found in files and folders, each with its place.
    public let findings: [Finding]
    /// What, where, what was expected, what to do: a line each, the blocks of the findings first.
    public let messages: [String]
    /// The messages that are not about findings.
    package let statements: [String]
    /// What of server.json can be used all the same, to find out what else is wrong; `nil` if that would be guessing.
    package let usableConfiguration: ServerConfiguration?

    public init(_ code: Code, _ messages: [String], findings: [Finding] = []) {
        self.init(code, messages, findings: findings, usableConfiguration: nil)
    }

    package init(
        _ code: Code, _ messages: [String], findings: [Finding], usableConfiguration: ServerConfiguration?
    ) {
        self.code = code
        self.findings = findings
        self.messages = findings.flatMap(\.block) + messages
        statements = messages
        self.usableConfiguration = usableConfiguration
    }

    init(_ code: Code, _ message: String) { self.init(code, [message]) }

    /// For logs: one line for each finding, then the statements.
    package var logLines: [String] { findings.map(\.logLine) + statements }

    public var description: String { messages.joined(separator: "\n") }
}
