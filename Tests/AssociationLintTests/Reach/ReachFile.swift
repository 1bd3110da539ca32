import AssociationLint
import Diagnostics

/// A file with some rules, each in a line, and what the reach rules say about it.
struct ReachFile {
    static let codes = ["dead-exclude", "blocked-include", "unreachable-rule", "trailing-exclude"]

    let text: String
    let findings: [Diagnostic]

    /// One entry with these components, the first of them in line 2. They are written with single quotes.
    init(_ components: String...) { self.init(components) }

    init(_ components: [String]) {
        let lines = components.map { $0.replacing("'", with: "\"") }
        self.init(
            text: """
                {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [
                \(lines.joined(separator: ",\n"))
                ]}], "substitutionVariables": {
                  "v": ["a", "bc"], "two": ["a", "bc", "d"], "same": ["ab", "ac"], "tail": ["/*"], "opt": ["", "y"],
                  "slash": ["/", "/a/"], "none": [], "only": ["x"]
                }}}
                """)
    }

    init(text: String) {
        self.text = text
        findings = Linter().check(Array(text.utf8)).diagnostics.filter { Self.codes.contains($0.code.rawValue) }
    }

    var codes: [String] { findings.map(\.code.rawValue) }
    var pointers: [String] { findings.compactMap(\.pointer) }
    var notes: [[String]] { findings.map(\.notes) }
    var messages: [String] { findings.map(\.message) }
    /// The line of the earlier rule of each finding, as its label says.
    var earlierLines: [Int] {
        let source = SourceText(Array(text.utf8), path: "")
        return findings.compactMap { $0.labels.first.map { source.position(at: $0.range.start).line } }
    }
}
