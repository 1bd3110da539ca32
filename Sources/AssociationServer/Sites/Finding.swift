/// Something about a file or folder that whoever runs the server should know.
public struct Finding: Equatable, Sendable, CustomStringConvertible {
    public enum Severity: String, Sendable {
        /// It is not used.
        case error
        /// It is used all the same.
        case warning
    }

    public let severity: Severity
    public let path: String
    /// One clause, lower case, without a full stop.
    public let message: String

    public var description: String { "\(path): \(severity.rawValue): \(message)" }

    static func error(_ path: String, _ message: String) -> Finding {
        Finding(severity: .error, path: path, message: message)
    }

    static func warning(_ path: String, _ message: String) -> Finding {
        Finding(severity: .warning, path: path, message: message)
    }
}
