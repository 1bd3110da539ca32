import AppSiteAssociation
import AssociationLint
import Diagnostics
import Fuzzing
import PatternAnalysis
import TestSupport
import Testing

@Suite("Patterns that are too large to decide")
struct TooLargeTests {
    private static let code = DiagnosticCode(rawValue: "too-large-to-decide")

    private func findings(_ text: String) -> [Diagnostic] {
        Linter().check(Array(text.utf8)).diagnostics.filter { $0.code == Self.code }
    }

    @Test(
        "are checked, fixed and compared in bounded work", arguments: HostileFiles.known)
    func known(file: HostileFiles.Known) throws {
        let bytes = Array(file.text.utf8)
        #expect(bytes.count <= HostileFiles.limit)
        let outcome = Fixer(Linter()).fix(bytes, path: "file")
        #expect(outcome.failure == nil && outcome.fixed.isEmpty)
        #expect(outcome.result.diagnostics.count { $0.code == Self.code } <= 1)
        let document = try AssociationDocument(bytes)
        let other = try AssociationDocument(Array(HostileFiles.known[0].text.replacing("/$", with: "/x$").utf8))
        #expect(LinkComparison(old: document, new: document).isWithoutChange)
        let comparison = LinkComparison(old: other, new: document)
        #expect(!comparison.isWithoutChange)
        #expect(comparison.work <= ComparisonLimits().work)
        let routes = [try RoutePattern("/a/{b}")]
        #expect(try RouteCoverage(of: document, routes: routes).routes.count == 1)
    }

    @Test("are one finding for the file, at the first of the rules")
    func once() throws {
        let rules = (0..<40).map { "{\"/\": \"/x\($0 % 10)$(end)????????????????????\($0)\"}" }
        let found = findings(
            """
            {"applinks": {"substitutionVariables": {"end": ["*-a", "*-b"]}, "details": [{
            "appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [
            {"/": "/$(end)?????????????????????*"},
            \(rules.joined(separator: ",\n"))
            ]}]}}
            """)
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.pointer == "/applinks/details/0/components/1")
        #expect(finding.severity == .warning)
        #expect(
            finding.message
                == "rule '/x0$(end)????????????????????0' is too large to compare with the rules before it")
        #expect(finding.notes.first?.hasSuffix(" more rules could not be compared with all others either") == true)
    }

    @Test("are not in large files of ordinary rules")
    func ordinary() {
        let words = ["buy", "help", "shop", "account", "news", "app", "video", "gift"]
        let rules = (0..<3_000).map { number in
            let word = words[number % words.count]
            return switch number % 6 {
            case 0: "{\"/\": \"/\(word)/\(number)/*\"}"
            case 1: "{\"/\": \"/$(lang)/\(word)\(number)\"}"
            case 2: "{\"/\": \"*/\(word)\(number)*\", \"exclude\": true}"
            case 3: "{\"/\": \"/\(word)/$(kind)/\(number)\"}"
            case 4: "{\"/\": \"/\(word)\", \"?\": {\"id\": \"\(number)?*\"}}"
            default: "{\"/\": \"/\(word)\", \"#\": \"*\(number)\", \"caseSensitive\": false}"
            }
        }
        let kinds = (0..<300).map { "\"a\($0)\"" }.joined(separator: ",")
        let text = """
            {"applinks": {"substitutionVariables": {"kind": [\(kinds)]}, "details": [{
            "appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [\(rules.joined(separator: ",\n"))]}]}}
            """
        #expect(findings(text).isEmpty)
    }

    @Test("leave what is reported about the other rules as it is")
    func others() {
        let codes = Linter().check(
            Array(
                """
                {"applinks": {"substitutionVariables": {"end": ["*-a", "*-b"]}, "details": [{
                "appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [
                {"/": "/buy/*"}, {"/": "/$(end)????????????????????"}, {"/": "/x$(end)????????????????????"},
                {"/": "/buy/x", "exclude": true}]}]}}
                """.utf8)
        ).diagnostics.map(\.code.rawValue)
        #expect(codes == ["too-large-to-decide", "dead-exclude"])
    }

    @Test("a code with more than 1,000 findings lists the first 1,000 and counts the others")
    func listed() throws {
        let paths = [String](repeating: "\"\"", count: 1_400).joined(separator: ",")
        let text =
            "{\"applinks\": {\"apps\": [], \"details\": [{\"appID\": \"A1B2C3D4E5.com.apple.a\", \"paths\": [\(paths)]}]}}"
        let empty = Linter().check(Array(text.utf8)).diagnostics.filter { $0.code.rawValue == "empty-pattern" }
        #expect(empty.count == DiagnosticCollector.shownLimit)
        #expect(empty.last?.notes.last == "400 more findings like this are not listed")
        #expect(empty.dropLast().allSatisfy { $0.notes.isEmpty })
    }

    @Test("all findings are fixed, also those that are not listed")
    func fixed() {
        let paths = [String](repeating: "\" /a\"", count: 1_500).joined(separator: ",")
        let text =
            "{\"applinks\":{\"apps\":[],\"details\":[{\"appID\":\"A1B2C3D4E5.com.apple.a\",\"paths\":[\(paths)]}]}}"
        let outcome = Fixer(Linter()).fix(Array(text.utf8), path: "file")
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == Array(text.replacing(" ", with: "").utf8))
    }
}
