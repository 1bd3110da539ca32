public import Diagnostics

/// Something about a file or folder that whoever runs the server should know.
///
/// An error says that something is not used as it is now, a warning that it is used all the same.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
    public let severity: Severity
    public let path: String
    /// One clause, lower case, without a full stop.
    public let message: String
    /// What was found in the text of a file; `nil` for what is not about its text.
    public let diagnostic: Diagnostic?
    /// Where that begins.
    public let start: SourcePosition?
    /// Behind its last byte.
    public let end: SourcePosition?
    private let excerpt: Excerpt

    /// What the block is made of. Of thousands of findings hardly one is ever shown, so that it is made when it is asked for;
    /// but no large file is kept for it.
    private enum Excerpt: Sendable {
        case none
        case source(SourceText)
        case block([String])
    }

    private static let largestKeptSource = 16_384

    package init(_ diagnostic: Diagnostic, in source: SourceText) {
        severity = diagnostic.severity
        path = source.path
        message = diagnostic.message
        self.diagnostic = diagnostic
        start = source.position(at: diagnostic.range.start)
        end = source.position(at: diagnostic.range.end)
        excerpt =
            source.bytes.count <= Self.largestKeptSource
            ? .source(source) : .block(Self.render(diagnostic, in: source))
    }

    private init(_ severity: Severity, _ path: String, _ message: String) {
        self.severity = severity
        self.path = path
        self.message = message
        diagnostic = nil
        start = nil
        end = nil
        excerpt = .none
    }

    package static func error(_ path: String, _ message: String) -> Finding { Finding(.error, path, message) }
    package static func warning(_ path: String, _ message: String) -> Finding { Finding(.warning, path, message) }

    /// `PATH:LINE:COLUMN: error: message [code]`, or `PATH: error: message`.
    public var description: String {
        guard let diagnostic, let start else { return "\(path): \(severity.rawValue): \(message)" }
        return "\(path):\(start.line):\(start.column): \(severity.rawValue): \(message) [\(diagnostic.code)]"
    }

    /// For people: the description, the line of the source with the place marked, the notes, and what to do.
    public var block: [String] {
        switch excerpt {
        case .none: [description]
        case .source(let source): diagnostic.map { Self.render($0, in: source) } ?? [description]
        case .block(let block): block
        }
    }

    /// For logs, which have a level of their own: `PATH:LINE:COLUMN: message [code]; help: what to do`.
    public var logLine: String {
        guard let start else { return "\(path): \(statement)" }
        return "\(path):\(start.line):\(start.column): \(statement)"
    }

    /// Without the path, for a line that names it: `line 1:36 message [code]; help: what to do`.
    var shortLine: String {
        guard let start else { return statement }
        // What is about the whole file has no place in it.
        let isPlaced = diagnostic?.range.end ?? 0 > 0
        return isPlaced ? "line \(start.line):\(start.column) \(statement)" : statement
    }

    private var statement: String {
        guard let diagnostic else { return message }
        let help = diagnostic.fixIts.first.map { "; help: \($0.title)" } ?? ""
        return "\(message) [\(diagnostic.code)]\(help)"
    }

    private static func render(_ diagnostic: Diagnostic, in source: SourceText) -> [String] {
        TextRenderer(style: TextStyle(isColored: false), width: nil).render(diagnostic, in: source)
    }

    // Two findings are the same if they say the same, whatever stands around the place.

    public static func == (left: Finding, right: Finding) -> Bool {
        left.severity == right.severity && left.path == right.path && left.message == right.message
            && left.diagnostic == right.diagnostic && left.start == right.start
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(message)
        hasher.combine(diagnostic?.range)
    }
}
