public import Diagnostics

/// Why a server cannot be started.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: Sendable {
        /// server.json cannot be used.
        case configuration
        /// Options of the command contradict each other, or server.json.
        case usage
        /// A file or folder is missing or unreadable.
        case unreadable
        /// An address cannot be bound.
        case addressUnavailable
        /// No site or no certificate is usable.
        case nothingToServe
        /// A site or a certificate is refused, and that was to be an error.
        case refused
        /// The operating system or OpenSSL does not give what every server needs.
        case setUp
    }

    public let code: Code
    /// The findings in files and folders.
    public let findings: [LocatedDiagnostic]
    /// The other problems, such as an address that cannot be bound.
    public let causes: [Diagnostic]
    /// The usable part of server.json, to find out what else is wrong; `nil` if that would be guessing.
    package let usableConfiguration: ServerConfiguration?

    /// - Parameter causes: what is wrong besides the findings.
    package init(
        _ code: Code, _ causes: [Diagnostic] = [], findings: [LocatedDiagnostic],
        usableConfiguration: ServerConfiguration? = nil
    ) {
        self.code = code
        self.findings = findings
        self.causes = causes
        self.usableConfiguration = usableConfiguration
    }

    /// - Parameters:
    ///   - message: one clause, lowercase, without a period.
    ///   - help: what to do.
    public init(_ code: Code, _ message: String, help: String? = nil) {
        self.init(code, [Self.cause(message, help: help)], findings: [])
    }

    package static func cause(_ message: String, help: String? = nil) -> Diagnostic {
        Diagnostic(
            code: .unnamed, severity: .error, message: message, subject: .item("", path: nil, index: nil), advice: help)
    }

    /// The lines of the message: the blocks of the findings, then the causes.
    public var messages: [String] { findings.flatMap(\.block) + causes.flatMap(\.block) }

    /// The lines for a log: one for each finding and cause.
    package var logLines: [String] { findings.map(\.logLine) + causes.map(\.logText) }

    /// The lines for logs.
    public var description: String { logLines.joined(separator: "\n") }
}
