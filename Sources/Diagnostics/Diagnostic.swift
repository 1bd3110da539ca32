/// A finding: what is wrong, where, and what to do.
public struct Diagnostic: Hashable, Sendable {
    public var code: DiagnosticCode
    public var severity: Severity
    /// One clause, lower case, without a final period; the value in single quotes.
    public var message: String
    public var range: SourceRange
    /// Where in the JSON text, as an RFC 6901 pointer; nil for findings about its syntax.
    public var pointer: String?
    public var notes: [String]
    public var fixIts: [FixIt]

    public init(
        code: DiagnosticCode, severity: Severity, message: String, range: SourceRange, pointer: String? = nil,
        notes: [String] = [], fixIts: [FixIt] = []
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.range = range
        self.pointer = pointer
        self.notes = notes
        self.fixIts = fixIts
    }

    /// The line that tools read: `PATH:LINE:COLUMN: error: message [code]`.
    public func line(in source: SourceText) -> String {
        let position = source.position(at: range.start)
        return "\(source.path):\(position.line):\(position.column): \(severity.rawValue): \(message) [\(code)]"
    }
}
