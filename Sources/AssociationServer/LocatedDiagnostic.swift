public import Diagnostics

/// A finding with the file or folder that it is about, and what it takes to show it when the text of the file is gone.
///
/// An error says that something is not used as it is now, a warning that it is used all the same.
public struct LocatedDiagnostic: Hashable, Sendable, CustomStringConvertible {
    public let diagnostic: Diagnostic
    public let path: String
    /// Where it begins in the text of the file; `nil` for what is not about a text.
    public let start: SourcePosition?
    /// After its last byte.
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

    /// A finding about a text.
    package init(_ diagnostic: Diagnostic, in source: SourceText) {
        self.diagnostic = diagnostic
        path = source.path
        start = source.position(at: diagnostic.range.start)
        end = source.position(at: diagnostic.range.end)
        excerpt =
            source.bytes.count <= Self.largestKeptSource
            ? .source(source) : .block(Self.renderer.render(diagnostic, in: source))
    }

    private init(_ severity: Severity, _ path: String, _ message: String, code: DiagnosticCode, help: String?) {
        diagnostic = Diagnostic(
            code: code, severity: severity, message: message, subject: .file(path), advice: help)
        self.path = path
        start = nil
        end = nil
        excerpt = .none
    }

    /// That something is not used as it is.
    package static func error(
        _ path: String, _ message: String, code: DiagnosticCode = .unnamed, help: String? = nil
    ) -> LocatedDiagnostic {
        LocatedDiagnostic(.error, path, message, code: code, help: help)
    }

    /// That something is used, although it is hardly as meant.
    package static func warning(
        _ path: String, _ message: String, code: DiagnosticCode = .unnamed, help: String? = nil
    ) -> LocatedDiagnostic {
        LocatedDiagnostic(.warning, path, message, code: code, help: help)
    }

    public var severity: Severity { diagnostic.severity }
    public var message: String { diagnostic.message }

    package var isError: Bool { severity >= .error }

    fileprivate static var renderer: TextRenderer { TextRenderer(style: TextStyle(isColored: false), width: nil) }

    /// `PATH:LINE:COLUMN: error: message [code]`, or `PATH: error: message`.
    public var description: String {
        guard let start else { return diagnostic.line }
        return "\(path):\(start.line):\(start.column): \(severity.rawValue): \(diagnostic.message) [\(diagnostic.code)]"
    }

    /// For people: the description, the line of the source with the range marked, the notes, and what to do.
    public var block: [String] {
        switch excerpt {
        case .none: diagnostic.block
        case .source(let source): Self.renderer.render(diagnostic, in: source)
        case .block(let block): block
        }
    }

    /// For logs, which have a level of their own: `PATH:LINE:COLUMN: message [code]; help: what to do`.
    public var logLine: String {
        guard let start else { return "\(path): \(diagnostic.logText)" }
        return "\(path):\(start.line):\(start.column): \(diagnostic.logText)"
    }

    /// Without the path, for a line that names it: `line 1:36 message [code]; help: what to do`.
    var shortLogLine: String {
        // What is about the whole file has no line.
        guard let start, diagnostic.range.end > 0 else { return diagnostic.logText }
        return "line \(start.line):\(start.column) \(diagnostic.logText)"
    }

    /// The members that `aasa validate` gives a finding.
    package var members: [String: JSONOutput] {
        if case .source(let source) = excerpt { return diagnostic.members(in: source) }
        guard let start, let end else { return diagnostic.members }
        return diagnostic.members(path: path, from: start, to: end)
    }

    // Two findings are the same if they say the same, whatever is around the range.

    public static func == (left: LocatedDiagnostic, right: LocatedDiagnostic) -> Bool {
        left.path == right.path && left.diagnostic == right.diagnostic && left.start == right.start
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(diagnostic.message)
        hasher.combine(diagnostic.range)
    }
}

extension Diagnostic {
    /// For people, line by line, of a finding that is not about a text.
    var block: [String] { LocatedDiagnostic.renderer.render(self) }
}
