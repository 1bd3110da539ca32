import AssociationLint
import Diagnostics
import Testing

@Suite("Rules that iOS 12 reads and rules that it does not")
struct OldEntriesTests {
    /// Entries of one app, which are written with single quotes.
    private static func file(_ entries: [String]) -> [UInt8] {
        let details = entries.map { $0.replacing("'", with: "\"") }.joined(separator: ",\n")
        return Array("{\"applinks\": {\"apps\": [], \"details\": [\n\(details)\n]}}".utf8)
    }

    private static func findings(_ entries: [String], _ minimumIOS: SystemVersion? = nil) -> [String] {
        let codes = ["dead-exclude", "blocked-include", "unreachable-rule", "trailing-exclude"]
        return Linter(LintOptions(minimumIOS: minimumIOS)).check(file(entries)).diagnostics
            .filter { codes.contains($0.code.rawValue) }.map { "\($0.code) \($0.pointer ?? "")" }
    }

    private static func new(_ components: String) -> String { "{'appIDs': ['\(app)'], 'components': [\(components)]}" }
    private static func old(_ paths: String) -> String { "{'appID': '\(app)', 'paths': [\(paths)]}" }
    private static let app = "7K3QWZ9PLM.com.shop.app"
    private static let pointer = "/applinks/details/1/paths/"

    @Test(
        "what iOS 12 reads is covered by what it reads only",
        arguments: [
            (
                [new("{'/': '/help/*'}"), old("'NOT /help/x', '/help/*'")], [],
                ["dead-exclude 0", "unreachable-rule 1"]
            ),
            ([new("{'/': '*', 'exclude': true}"), old("'/a'")], [], ["blocked-include 0"]),
            ([new("{'/': '/a'}"), old("'/a', '/b'")], [], ["unreachable-rule 0"]),
            // Its own list covers it, or no later rule opens what it excludes.
            (
                [new("{'/': '*'}"), old("'/x/*', 'NOT /x/y', '/x/z', 'NOT /q'")],
                ["dead-exclude 1", "unreachable-rule 2", "trailing-exclude 3"],
                ["unreachable-rule 0", "dead-exclude 1", "unreachable-rule 2", "dead-exclude 3"]
            ),
            // iOS 12 does not know 'appIDs' beside 'paths' either.
            (
                ["{'appIDs': ['\(app)'], 'paths': ['/x/*']}", old("'NOT /x/y', '/x/*'")], [],
                ["dead-exclude 0", "unreachable-rule 1"]
            ),
            // What it reads before covers it.
            ([old("'/x/*'"), old("'/x/y'")], ["unreachable-rule 0"], ["unreachable-rule 0"]),
            // Newer systems read both.
            (
                [new("{'/': '/x/y'}"), "{'appIDs': ['\(app)'], 'paths': ['/x/y']}"], ["unreachable-rule 0"],
                ["unreachable-rule 0"]
            ),
        ] as [([String], [String], [String])])
    func covered(entries: [String], expected: [String], ifOnlyNew: [String]) {
        func full(_ findings: [String]) -> [String] {
            findings.map { $0.replacing(" ", with: " " + Self.pointer) }
        }
        #expect(Self.findings(entries) == full(expected))
        #expect(Self.findings(entries, SystemVersion(12)) == full(expected))
        #expect(Self.findings(entries, SystemVersion(13)) == full(ifOnlyNew))
    }

    @Test("components are covered by the 'paths' of an earlier entry, as iOS 13 reads both")
    func components() {
        #expect(
            Self.findings([Self.old("'/x/*'"), Self.new("{'/': '/x/y', 'exclude': true}, {'/': '/z'}")])
                == ["dead-exclude /applinks/details/1/components/0"])
    }

    @Test("the documented entry for iOS 12 keeps its rules, unless the file is for newer systems only")
    func fixes() {
        let file = Self.file([Self.new("{'/': '/help/*'}"), Self.old("'NOT /help/x', '/help/*', '/buy'")])
        func fixed(_ minimumIOS: SystemVersion?) -> Fixer.Outcome {
            Fixer(Linter(LintOptions(minimumIOS: minimumIOS)), upTo: .suggested).fix(file, path: "file")
        }
        #expect(fixed(nil).bytes == file)
        #expect(fixed(SystemVersion(12)).bytes == file)
        #expect(fixed(SystemVersion(13)).fixed.map(\.diagnostic.code.rawValue) == ["unreachable-rule"])
    }

    @Test("a rule that another entry covers is not deleted while iOS 12 may read its entry alone")
    func alone() throws {
        let file = Self.file([Self.old("'/x/*'"), Self.old("'/x/y', '/z'")])
        let finding = try #require(Linter().check(file).diagnostics.first { $0.code.rawValue == "unreachable-rule" })
        #expect(finding.fixIts.isEmpty)
        #expect(finding.notes == ["iOS 12 and older may read only one of the two entries of the app"])
        #expect(Fixer(Linter(), upTo: .suggested).fix(file, path: "file").bytes == file)
    }

    @Test("links that only iOS 12 stops opening are named")
    func named() {
        let file = Self.file([Self.new("{'/': '*'}"), Self.old("'/help/*', 'NOT /help/x'")])
        let outcome = Fixer(Linter(), upTo: .suggested).fix(file, path: "file")
        #expect(
            outcome.notes.map(\.message) == [
                "with the fixes, links such as 'https://example.com/help/x' no longer open an app on iOS 12 and older"
            ])
    }
}
