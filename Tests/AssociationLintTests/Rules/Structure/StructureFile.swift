import AssociationLint
import Diagnostics
import Testing

/// A file for tests of the structure, and what is found in it; findings of other kinds are left out.
struct StructureFile {
    static let codes: Set<String> = [
        "not-an-object", "no-known-service", "nested-service", "misplaced-key", "misspelt-key", "unknown-key",
        "accidental-catch-all", "empty-component", "wrong-type", "details-as-dictionary", "missing-details",
        "missing-app-id", "missing-rules", "missing-service-apps", "empty-list", "missing-apps", "apps-not-empty",
        "conflicting-app-id", "ignored-paths", "mixed-generations", "same-app-twice", "duplicate-app-id",
        "pattern-in-defaults", "needs-newer-os", "root-not-matched", "apple-sample-rules",
    ]

    let marked: MarkedText
    let source: SourceText
    let findings: [Diagnostic]

    /// - Parameter text: The file; `@`, `@a`, `@b` are app IDs.
    init(_ text: String, minimumIOS: String? = nil) {
        marked = MarkedText(Self.expanded(text))
        let options = LintOptions(minimumIOS: minimumIOS.flatMap(SystemVersion.init))
        let result = Linter(options).check(marked.bytes)
        source = result.source
        findings = result.diagnostics.filter { Self.codes.contains($0.code.rawValue) }
    }

    var found: [String] { findings.map(\.code.rawValue) }

    /// The text after the first fix-it of a finding.
    func fixed(_ code: String) -> String? {
        guard let fixIt = findings.first(where: { $0.code.rawValue == code })?.fixIts.first else { return nil }
        var bytes = source.bytes
        for edit in fixIt.edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A file whose `applinks` has some members.
    static func links(_ members: String) -> String { #"{"applinks": {\#(members)}}"# }

    /// A file with some entries.
    static func entries(_ entries: String) -> String { links(#""apps": [], "details": [\#(entries)]"#) }

    /// A file with one entry, which has an app and some members.
    static func entry(_ members: String) -> String { entries(#"{"appIDs": [@], \#(members)}"#) }

    /// A file with one entry with some components.
    static func components(_ components: String) -> String { entry(#""components": [\#(components)]"#) }

    static func expanded(_ text: String) -> String {
        text.split(separator: "@", omittingEmptySubsequences: false).enumerated().map { index, part in
            guard index > 0 else { return String(part) }
            switch part.first {
            case "a", "b": return "\"7K3QWZ9PLM.com.shop.\(part.prefix(1))\"" + part.dropFirst()
            default: return "\"7K3QWZ9PLM.com.shop.app\"" + part
            }
        }.joined()
    }

}

/// A file and the codes that are found in it, in the order of their places.
struct StructureCase: CustomTestStringConvertible {
    let text: String
    let codes: [String]
    let minimumIOS: String?

    init(_ text: String, _ codes: String..., minimumIOS: String? = nil) {
        self.text = text
        self.codes = codes
        self.minimumIOS = minimumIOS
    }

    var testDescription: String { text }
}
