import AssociationLint
import Diagnostics
import TestSupport
import Testing

struct HostilePatternTests {
    /// Only the rules about patterns and app IDs.
    private static let linter = Linter(
        LintOptions(
            settings: Dictionary(
                ["dead-exclude", "blocked-include", "unreachable-rule", "trailing-exclude"].map {
                    (DiagnosticCode(rawValue: $0), .off)
                }, uniquingKeysWith: { first, _ in first })))

    /// Many times what it takes in a debug build, and a small part of what quadratic work would take.
    private static let noTrouble: Duration = .seconds(30 * Patience.slowness)

    /// Files with one pattern in all places.
    private func files(_ pattern: String) -> [[UInt8]] {
        let files = [
            #"{"applinks": {"apps": [], "details": [{"appID": "7K3QWZ9PLM.com.shop.app", "paths": ["\#(pattern)"]}]}}"#,
            """
            {"applinks": {"substitutionVariables": {"x": ["\(pattern)"]}, "details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"],
            "components": [{"/": "/$(x)"}, {"/": "\(pattern)", "#": "\(pattern)", "?": {"x": "\(pattern)"}},
            {"?": "\(pattern)", "percentEncoded": false}]}]}}
            """,
        ]
        return files.map { Array($0.utf8) }
    }

    private func check(_ pattern: String) {
        for file in files(pattern) { #expect(Self.linter.check(file).isTreeReliable) }
    }

    /// The time for checking the files of a pattern of so many bytes.
    private func time(_ unit: String, _ size: Int) -> Duration {
        ThreadTime.measure { check(String(repeating: unit, count: size / unit.utf8.count)) }
    }

    @Test(
        "The time for a large pattern is linear in its size",
        arguments: [
            "{", "%", "$(", "*", "$(x)", "$(a)$(b)", "?", "?a", "?a=", "[", "(", "(|", "/:a", "/:a(", "{a}", "{{a", "<",
            " ", "é",
            "/", "//", "/.", "/..", ".+", "&a=1", "%c3", "#", "!", "NOT ", "\\u0020", "\\u00e9a", "\\/:a", "\\/%c3",
            "\\/{a}",
            "\\u2003", "\\/$(x)", "**\\/", "\\\\d", "[a-", "://", "http", "a{b}", "\\/a{b}é", "\\\\d{a}|",
        ])
    func large(unit: String) {
        // Four times the size: four times the time if it is linear, sixteen times if it is quadratic, however often it is
        // measured; a busy machine may be busier at one of the two sizes.
        var times: [(small: Duration, large: Duration)] = []
        func isLinear() -> Bool { times.contains { $0.large < $0.small * 9 + .milliseconds(10) } }
        repeat {
            times.append((time(unit, 600), time(unit, 2_400)))
        } while !isLinear() && times.count < 5
        #expect(isLinear(), "\(times)")
        for file in files(String(repeating: unit, count: 7)) {
            #expect(Fixer(Self.linter).fix(file, path: "file").failure == nil)
        }
    }

    @Test("The time for a pattern whose parts are compared with each other has a limit")
    func budget() {
        // Two seconds in a debug build, most of it for the work that the rule may do; without that limit it would be half a minute.
        #expect(time("**/", 8_000) < .seconds(10 * Patience.slowness))
    }

    @Test("Many variables of different names are no trouble")
    func variables() {
        let names = (0..<8_000).map { "$(v\($0))" }.joined()
        #expect(ThreadTime.measure { for pattern in [names, "\\/" + names] { check(pattern) } } < Self.noTrouble)
        let definitions = (0..<8_000).map { "\"v\($0)\": [\"é\"]" }.joined(separator: ", ")
        let file = """
            {"applinks": {"substitutionVariables": {\(definitions)}, "details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"],
            "components": [{"/": "/$(w1)/$(lnag)"}]}]}}
            """
        var findings: [Diagnostic] = []
        #expect(ThreadTime.measure { findings = Self.linter.check(Array(file.utf8)).diagnostics } < Self.noTrouble)
        let codes = findings.map(\.code.rawValue)
        #expect(codes.count { $0 == "unused-variable" } == DiagnosticCollector.shownLimit)
        let rest = findings.last { $0.code.rawValue == "unused-variable" }?.notes.last
        #expect(rest == "6,999 more findings like this are not listed")
        #expect(codes.count { $0 == "undefined-variable" } == 2)
    }

    @Test("Many app IDs are no trouble")
    func appIDs() {
        let list = (0..<20_000).map { "\"TODO\($0) \"" }.joined(separator: ",")
        let file = Array("{\"webcredentials\": {\"apps\": [\(list)]}}".utf8)
        var found: [Diagnostic] = []
        #expect(ThreadTime.measure { found = Self.linter.check(file).diagnostics } < Self.noTrouble)
        #expect(found.count { $0.code.rawValue == "whitespace-in-app-id" } == DiagnosticCollector.shownLimit)
    }

    @Test(
        "Many short patterns are no trouble", arguments: ["/x/**", "a b", "/$(y)", "x?a=1"])
    func many(pattern: String) {
        let components = (0..<2_000).map { "{\"/\": \"\($0)\(pattern)\"}, {\"/\": \"/x/\($0)/**\", \"exclude\": true}" }
        let file = """
            {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
            \(components.joined(separator: ", "))]}]}}
            """
        var count = 0
        #expect(ThreadTime.measure { count = Self.linter.check(Array(file.utf8)).diagnostics.count } < Self.noTrouble)
        #expect(count >= 2_000)
    }
}
