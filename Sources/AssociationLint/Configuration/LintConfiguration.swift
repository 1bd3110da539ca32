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
        /// Where it stands in `.aasa.json`.
        public let range: SourceRange
        /// The same as an RFC 6901 pointer.
        public let pointer: String
    }

    public let source: SourceText
    /// What is wrong with it. What is right is used all the same.
    public let diagnostics: [Diagnostic]
    public let minimumIOS: SystemVersion?
    public let settings: [DiagnosticCode: LintOptions.Setting]
    public let entries: [Entry]

    /// The places of the entries that are about a file.
    ///
    /// - Parameter path: The file's path, relative to the folder of `.aasa.json`, with `/` between its parts.
    public func entries(forFileAt path: String) -> [Int] {
        entries.indices.filter { entries[$0].path?.matches(path) ?? true }
    }

    /// What is said about entries that covered no finding of the files they are about.
    package func unused(_ places: [Int]) -> [Diagnostic] {
        places.map { place in
            let entry = entries[place]
            return Diagnostic(
                code: DiagnosticCode(rawValue: "unused-suppression"), severity: .warning,
                message: "unused suppression: no \(quoted(entry.ignore.code.rawValue)) finding matches this entry",
                range: entry.range, pointer: entry.pointer,
                notes: ["its reason was \(quoted(entry.ignore.reason))"])
        }
    }

    /// What is to be said about it: its mistakes, and the entries that covered nothing.
    ///
    /// - Parameters:
    ///   - unused: The places of these entries.
    ///   - options: What wins over the settings of this configuration.
    public func findings(unused places: [Int], _ options: LintOptions = LintOptions()) -> [Diagnostic] {
        let merged = LintOptions(settings: settings.merging(options.settings) { _, option in option })
        let severities = merged.severities
        // What an option has turned off could not be found.
        let told = places.filter { options.settings[entries[$0].ignore.code] != .off }
        let findings = (diagnostics + unused(told)).compactMap { finding -> Diagnostic? in
            guard let severity = severities[finding.code] else { return nil }
            var finding = finding
            finding.severity = severity
            return finding
        }
        return findings.sorted { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
    }
}
