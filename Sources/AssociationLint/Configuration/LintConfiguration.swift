public import Diagnostics

/// What `.aasa.json` says (validation.md, 4).
public struct LintConfiguration: Sendable {
    /// The name of the file.
    public static let fileName = ".aasa.json"

    /// An ignore and what it is about.
    public struct Entry: Sendable {
        public let ignore: Ignore
        /// Which files, relative to the folder of `.aasa.json`; nil is all.
        public let path: Glob?
        /// Where it is in `.aasa.json`.
        public let range: SourceRange
    }

    public let source: SourceText
    /// What is wrong with it. What is right is used all the same.
    public let diagnostics: [Diagnostic]
    public let minimumIOS: SystemVersion?
    public let settings: [DiagnosticCode: LintOptions.Setting]
    public let entries: [Entry]

    /// What is to be ignored in a file.
    ///
    /// - Parameter path: The file's path, relative to the folder of `.aasa.json`, with `/` between its parts.
    public func ignores(forFileAt path: String) -> [Ignore] {
        entries.filter { $0.path?.matches(path) ?? true }.map(\.ignore)
    }

    /// A finding for each entry that covered nothing in the files it is about.
    package func findings(unused: Set<Ignore>) -> [Diagnostic] {
        entries.filter { unused.contains($0.ignore) }.map { entry in
            Diagnostic(
                code: DiagnosticCode(rawValue: "unused-suppression"), severity: .warning,
                message: "unused suppression: no \(quoted(entry.ignore.code.rawValue)) finding matches this entry",
                range: entry.range, pointer: entry.ignore.entry,
                notes: ["its reason was \(quoted(entry.ignore.reason))"])
        }
    }

    /// What is to be said about it: its mistakes, and the entries that covered nothing.
    ///
    /// - Parameters:
    ///   - unused: The ignores of these entries.
    ///   - options: What wins over the settings of this configuration.
    public func findings(unused: Set<Ignore>, _ options: LintOptions) -> [Diagnostic] {
        let merged = LintOptions(settings: settings.merging(options.settings) { _, option in option })
        let severities = merged.severities
        // What an option has turned off could not be found.
        let reported = unused.filter { options.settings[$0.code] != .off }
        let findings = (diagnostics + findings(unused: reported)).compactMap { finding -> Diagnostic? in
            guard let severity = severities[finding.code] else { return nil }
            var finding = finding
            finding.severity = severity
            return finding
        }
        return findings.sorted { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
    }
}
