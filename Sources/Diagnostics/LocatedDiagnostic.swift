/// A finding with the file, folder, host or URL that it is about, and what it takes to show it when the text is gone.
public struct LocatedDiagnostic: Hashable, Sendable, CustomStringConvertible {
    public package(set) var diagnostic: Diagnostic
    /// A path, a host or a URL.
    public let path: String
    /// The first byte of its range in the text; nil for a finding that is not about a text.
    public let start: SourcePosition?
    /// The position after the last byte.
    public let end: SourcePosition?
    private let excerpt: Excerpt

    /// The source of the block, which is made when it is asked for: hardly one of thousands of findings is ever shown.
    private enum Excerpt: Sendable {
        case none
        case source(SourceText)
        case block([String])
        case evidence([String])
    }

    /// A finding about a text.
    ///
    /// - Parameter largestSource: A larger text, in bytes, is not kept: then the finding has its block without colors.
    package init(_ diagnostic: Diagnostic, in source: SourceText, largestSource: Int = 16_384) {
        self.diagnostic = diagnostic
        path = source.path
        start = source.position(at: diagnostic.range.start)
        end = source.position(at: diagnostic.range.end)
        excerpt =
            source.bytes.count <= largestSource
            ? .source(source) : .block(Self.renderer.render(diagnostic, in: source))
    }

    /// A finding that is not about a text.
    ///
    /// - Parameter evidence: The lines that were seen, in place of an excerpt; received bytes.
    package init(_ diagnostic: Diagnostic, at path: String, evidence: [String] = []) {
        self.diagnostic = diagnostic
        self.path = path
        start = nil
        end = nil
        excerpt = evidence.isEmpty ? .none : .evidence(evidence)
    }

    /// A finding about a file, a folder, a setting or a site.
    package init(
        _ rule: RuleDescription, as severity: Severity? = nil, _ path: String, _ message: String, help: String? = nil
    ) {
        self.init(Diagnostic(rule, as: severity, message, subject: .file(path), advice: help), at: path)
    }

    /// An error without a code: a file or folder that is not used as it is.
    package static func error(_ path: String, _ message: String, help: String? = nil) -> LocatedDiagnostic {
        unnamed(.error, path, message, help)
    }

    /// A warning without a code: a file or folder that is used, although it is hardly as meant.
    package static func warning(_ path: String, _ message: String, help: String? = nil) -> LocatedDiagnostic {
        unnamed(.warning, path, message, help)
    }

    private static func unnamed(
        _ severity: Severity, _ path: String, _ message: String, _ help: String?
    ) -> LocatedDiagnostic {
        LocatedDiagnostic(
            Diagnostic(code: .unnamed, severity: severity, message: message, subject: .file(path), advice: help),
            at: path)
    }

    public var severity: Severity { diagnostic.severity }
    public var message: String { diagnostic.message }

    package var isError: Bool { severity >= .error }

    /// The text that the ranges refer to; nil if there is none, or it is not kept.
    package var source: SourceText? { if case .source(let source) = excerpt { source } else { nil } }

    /// The lines that were seen; empty for a finding about a text.
    package var evidence: [String] { if case .evidence(let lines) = excerpt { lines } else { [] } }

    fileprivate static var renderer: TextRenderer { TextRenderer(style: TextStyle(isColored: false), width: nil) }

    /// `PATH:LINE:COLUMN: error: message [code]`, or `PATH: error: message`.
    public var description: String {
        guard let start else { return diagnostic.line }
        return diagnostic.line(in: path, at: start)
    }

    /// For people: the description, the line of the source with the range marked, the notes, and what to do.
    public var block: [String] {
        switch excerpt {
        case .none, .evidence: diagnostic.block
        case .source(let source): Self.renderer.render(diagnostic, in: source)
        case .block(let block): block
        }
    }

    /// For logs, which have a level of their own: `PATH:LINE:COLUMN: message [code]; help: what to do`.
    public var logLine: String {
        guard let start else { return "\(path): \(diagnostic.logText)" }
        return "\(path):\(start.line):\(start.column): \(diagnostic.logText)"
    }

    /// The finding without the path, for a line that names it: `line 1:36 message [code]; help: what to do`.
    package var shortLogLine: String {
        // A finding about the whole file has no line.
        guard let start, diagnostic.range.end > 0 else { return diagnostic.logText }
        return "line \(start.line):\(start.column) \(diagnostic.logText)"
    }

    /// The members that `aasa validate` gives a finding.
    package var members: [String: JSONOutput] {
        if let source { return diagnostic.members(in: source) }
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
    /// The lines for people of a finding that is not about a text.
    package var block: [String] { LocatedDiagnostic.renderer.render(self) }
}
