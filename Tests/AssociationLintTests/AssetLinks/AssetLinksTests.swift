import AssociationLint
import Diagnostics
import JSONSyntax
import Testing

/// Statements as Android and Google's service read them; most cases are those of Google's compatibility tests.
@Suite("Digital Asset Links")
struct AssetLinksTests {
    private static let fingerprint: String =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    private static let relation: String = #""relation": ["delegate_permission/common.handle_all_urls"]"#
    /// A relation that a site may have.
    private static let shares: String = #""relation": ["delegate_permission/common.get_login_creds"]"#
    private static let web: String = #""target": {"namespace": "web", "site": "https://a.example"}"#
    private static let app: String =
        #""target": {"namespace": "android_app", "package_name": "com.a.b", "sha256_cert_fingerprints": ["\#(fingerprint)"]}"#

    private func check(_ text: String) -> LintResult { Linter().checkAssetLinks(Array(text.utf8)) }

    /// The codes of a file, with the severity of errors.
    private func codes(_ text: String) -> [String] {
        check(text).diagnostics.map { ($0.severity == .error ? "error " : "") + $0.code.rawValue }
    }

    @Test(
        "good lists of statements give no findings",
        arguments: [
            "[{\(shares), \(web)}]", "[{\(relation), \(app)}]\n", "[{\(app), \(relation)}, {\(shares), \(web)}]",
            #"[{"include": "https://a.example/more.json"}]"#, #"[{"include": "https://a.example:8443/more.json"}]"#,
            #"[{"magic": {"foo": "bar"}, "include": "https://a.example/i.json"}]"#,
            #"[{"relation": ["delegate_permission/write_on_the_walls", "navigate/yellow_brick_road"], \#(web)}]"#,
            #"[{\#(shares), "target": {"namespace": "web", "site": "https://a.example."}}]"#,
            #"[{\#(shares), "target": {"namespace": "web", "site": "HtTpS://a.example:8443"}}]"#,
            #"[{\#(shares), "target": {"namespace": "web", "site": "http://a.example"}}]"#,
            // What newer systems read besides.
            #"[{\#(relation), \#(app), "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [{"/": "/a*", "exclude": true}, {"/": "*"}]}}}]"#,
            #"[{"include": "", \#(relation), \#(app)}]"#,
        ])
    func good(text: String) { #expect(codes(text).isEmpty, "\(check(text).diagnostics)") }

    @Test(
        "a file that cannot be used at all is an error",
        arguments: [
            ("{\(shares), \(web)}", "no-statement-list"), ("42", "no-statement-list"),
            (#""foo""#, "no-statement-list"), ("null", "no-statement-list"),
            (#"{"applinks": {}}"#, "no-statement-list"), ("[1]", "statement-not-an-object"),
            ("[{\(shares), \(web)}, null]", "statement-not-an-object"), ("[{}]", "no-usable-statement"),
            ("", "empty-file"), ("[{", "unclosed-bracket"), ("<html>", "html-instead-of-json"),
            (#"[{"relation": ["delegate_permission/common.handle_all_urls",], \#(web)}]"#, "trailing-comma"),
            ("[{\(relation), \(shares), \(web)}]", "duplicate-key"),
        ])
    func unusable(text: String, code: String) {
        #expect(codes(text).filter { $0.hasPrefix("error ") }.first == "error \(code)", "\(codes(text))")
    }

    @Test(
        "a statement that cannot be used is a warning beside others, and an error alone",
        arguments: [
            (relation, "incomplete-statement"), (web, "incomplete-statement"),
            (#"\#(relation), "targets": {}"#, "incomplete-statement"),
            (#"\#(relation), "target": "https://a.example""#, "invalid-target"),
            (#"\#(relation), "target": {"site": "https://a.example"}"#, "invalid-target"),
            (#"\#(relation), "target": {"namespace": "internets", "site": "https://a.example"}"#, "invalid-target"),
            (#"\#(relation), "target": {"namespace": {}, "site": "https://a.example"}"#, "invalid-target"),
            (#""relation": "delegate_permission/common.handle_all_urls", \#(web)"#, "invalid-relation"),
            (#""relation": [], \#(web)"#, "invalid-relation"), (#""relation": [{}], \#(web)"#, "invalid-relation"),
            (#""relation": [""], \#(web)"#, "invalid-relation"), (#""relation": ["/"], \#(web)"#, "invalid-relation"),
            (#""relation": ["delegate_permission/*"], \#(web)"#, "invalid-relation"),
            (#""relation": ["INVALID_KIND/write"], \#(web)"#, "invalid-relation"),
            (#""relation": ["/write"], \#(web)"#, "invalid-relation"),
            (#""relation": ["write_on_the_walls"], \#(web)"#, "invalid-relation"),
            (#""relation": ["delegate_permission/write/foo"], \#(web)"#, "invalid-relation"),
            (#""relation": ["delegate_permission/"], \#(web)"#, "invalid-relation"),
            (#""relation": ["delegate_permission/write on"], \#(web)"#, "invalid-relation"),
            (#""relation": ["delegate_permission/write_WALLS"], \#(web)"#, "invalid-relation"),
            (#""relation": [" delegate_permission/write"], \#(web)"#, "invalid-relation"),
            (#"\#(shares), "target": {"namespace": "web"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": ["https://a.example"]}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://a.example:999999"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "mailto://user@a.example"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://x:y@a.example"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://a.example?bar"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://a.example#bar"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://a.example/x/"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://a.example/*"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "a.example"}"#, "invalid-site"),
            (#"\#(shares), "target": {"namespace": "web", "site": "https://"}"#, "invalid-site"),
            (#""include": "http://a.example/i.json""#, "invalid-include"),
            (#""include": "more.json""#, "invalid-include"), (#""include": ["https://a.example/"]"#, "invalid-include"),
        ])
    func statement(text: String, code: String) {
        let good = "{\(Self.relation), \(Self.app)}"
        let other = good.replacing("com.a.b", with: "com.c.d.e")
        let beside = check("[\(good), {\(text)}, \(other)]").diagnostics
        #expect(beside.map(\.code.rawValue) == [code], "\(beside)")
        #expect(beside.first?.severity == .warning)
        #expect(beside.first?.pointer?.hasPrefix("/1") == true)
        #expect(codes("[{\(text)}]").sorted() == ["error no-usable-statement", code], "\(codes("[{\(text)}]"))")
    }

    @Test(
        "keys that nobody reads are named, and those of Android 15 are not",
        arguments: [
            (#""conditions": {"paths": ["/x"]}"#, "", ["/0/conditions"]),
            ("", #", "paths": ["/buy/*"]"#, ["/0/target/paths"]),
            (#""paths": [], "exclude": []"#, "", ["/0/paths", "/0/exclude"]),
            (#""comment": "x", "_by": "y""#, #", "//": "z""#, []),
            (
                #""relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [{"/": "*"}]}}"#,
                "", []
            ),
        ])
    func keys(statement: String, target: String, pointers: [String]) {
        let app =
            #""namespace": "android_app", "package_name": "com.a.b", "sha256_cert_fingerprints": ["\#(Self.fingerprint)"]"#
        let text =
            #"[{\#(Self.relation), "target": {\#(app)\#(target)}\#(statement.isEmpty ? "" : ", " + statement)}]"#
        let found = check(text).diagnostics
        #expect(found.map(\.code.rawValue) == pointers.map { _ in "unknown-key" })
        #expect(found.compactMap(\.pointer) == pointers)
        #expect(found.allSatisfy { $0.help?.contains("relation_extensions") ?? false })
    }

    @Test(
        "an app has a package name",
        arguments: [
            (#""package_name": "com.a.b""#, true), (#""package_name": "com.A_1.b2""#, true), (#""x": """#, false),
            (#""package_name": """#, false), (#""package_name": "B A D""#, false), (#""package_name": "com""#, false),
            (#""package_name": "com.1a""#, false), (#""package_name": "com..a""#, false),
            (#""package_name": 1"#, false),
            (#""package_name": "com.a-b""#, false), (#""package": "com.a.b""#, false),
        ])
    func packageName(member: String, isGood: Bool) {
        let text =
            #"[{\#(Self.relation), "target": {"namespace": "android_app", \#(member), "sha256_cert_fingerprints": ["\#(Self.fingerprint)"]}}]"#
        #expect(codes(text).contains("invalid-package-name") == !isGood)
        #expect(codes(text).contains("error no-usable-statement") == !isGood)
    }

    @Test(
        "a fingerprint is 32 pairs of capitals with colons, and is written so if it has these digits",
        arguments: [
            (fingerprint, nil, true), ("", "'' is not valid", false), ("B A D", "is not valid", false),
            (fingerprint.lowercased(), "is in lowercase", true),
            (fingerprint.filter { $0 != ":" }, "is not in the required form", false),
            (fingerprint.lowercased().filter { $0 != ":" }, "is not in the required form", false),
            ("SHA256: " + fingerprint, "is not in the required form", false),
            (" " + fingerprint, "is not in the required form", false),
            (String(fingerprint.dropFirst(3)), "is not valid", false),
            ("GG" + fingerprint.dropFirst(2), "is not valid", false),
            (String(fingerprint.prefix(59)), "is a SHA-1 fingerprint", false),
            (String(repeating: "0", count: 100_000), "is not valid", false),
        ] as [(String, String?, Bool)])
    func fingerprints(text: String, problem: String?, isUsable: Bool) throws {
        let app = #""namespace": "android_app", "package_name": "com.a.b""#
        let file = #"[{\#(Self.relation), "target": {\#(app), "sha256_cert_fingerprints": ["\#(text)"]}}]"#
        let result = check(file)
        let finding = result.diagnostics.first { $0.code.rawValue == "invalid-fingerprint" }
        #expect((finding == nil) == (problem == nil))
        if let problem { #expect(finding?.message.contains(problem) == true, "\(finding?.message ?? "")") }
        #expect(result.hasErrors == !isUsable)
        guard let fix = finding?.fixIts.first else { return }
        let fixed = TextEdit.applied(fix.edits, to: Array(file.utf8))
        #expect(check(String(decoding: fixed, as: UTF8.self)).diagnostics.isEmpty)
    }

    @Test(
        "what only one of the readers takes is a warning",
        arguments: [
            (#"{\#(shares), "target": {"namespace": "web", "site": "https://a.example/"}}"#, "invalid-site"),
            (#"{\#(relation), \#(app), "version": 1}"#, "number-in-statement"),
            (#"{\#(relation), \#(app), "x": {"y": [true]}}"#, "number-in-statement"),
            (#"{\#(relation), \#(app), "x": null, "y": 2}"#, "number-in-statement"),
            (#"{"include": "https://a.example/i.json", "target": {}}"#, "invalid-include"),
            (#"{"relation": ["delegate_permission/common.get_login_cred"], \#(web)}"#, "invalid-relation"),
        ])
    func oneReader(statement: String, code: String) { #expect(codes("[\(statement)]") == [code]) }

    @Test("an empty list is a way to take permissions back, and only a warning")
    func empty() { #expect(codes("[ ]") == ["empty-statement-list"]) }

    @Test(
        "a fix leaves nothing of the finding",
        arguments: [
            "{\(relation), \(app)}", #"[{"relations": ["delegate_permission/common.handle_all_urls"], \#(app)}]"#,
            #"[{"relation": "delegate_permission/common.handle_all_urls", \#(app)}]"#,
            #"[{"relation": ["delegate_permission/common.handle_all_url"], \#(app)}]"#,
            #"[{"relation": ["delegate_permission/common.Handle_all_urls"], \#(app)}]"#,
            #"[{\#(shares), "Target": {"namespace": "web", "site": "https://a.example"}}]"#,
            #"[{\#(shares), "target": {"namespace": "wed", "site": "https://a.example"}}]"#,
            #"[{\#(shares), "target": {"namespace": "web", "site": "https://a.example/x?y"}}]"#,
            #"[{\#(relation), "target": {"namespace": "android_app", "package_name": "com.a.b", "sha256_cert_fingerprint": ["\#(fingerprint)"]}}]"#,
            #"[{\#(relation), "target": {"namespace": "android_app", "package_name": "com.a.b", "sha256_cert_fingerprints": "\#(fingerprint)"}}]"#,
        ])
    func fixes(text: String) throws {
        let fix = try #require(check(text).diagnostics.first { !$0.fixIts.isEmpty }?.fixIts.first)
        let fixed = TextEdit.applied(fix.edits, to: Array(text.utf8))
        #expect(codes(String(decoding: fixed, as: UTF8.self)).isEmpty, "\(String(decoding: fixed, as: UTF8.self))")
    }

    @Test("other files that lie under the name are told apart")
    func others() {
        #expect(check(#"{"applinks": {}}"#).diagnostics.first?.notes.first?.contains("Apple") == true)
        #expect(check(#"{"statements": []}"#).diagnostics.first?.notes.first?.contains("response") == true)
    }

    @Test("severities and ignores of '.aasa.json' hold for these codes, too")
    func options() {
        let text = #"[{\#(Self.relation), \#(Self.app), "version": 1}, {\#(Self.relation)}]"#
        let code = DiagnosticCode(rawValue: "number-in-statement")
        var options = LintOptions(settings: [code: .error])
        options.ignores = [
            Ignore(code: DiagnosticCode(rawValue: "incomplete-statement"), pointer: "/1", reason: "known")
        ]
        let result = Linter(options).checkAssetLinks(Array(text.utf8))
        #expect(result.diagnostics.map(\.code) == [code])
        #expect(result.hasErrors)
        #expect(result.ignored.count == 1)
    }

    @Test("any JSON is sound JSON, and nothing else")
    func anyJSON() {
        for text in ["{}", "[1, null]", "7", "\"\"", " true "] {
            #expect(Linter().checkJSON(Array(text.utf8), path: "x").diagnostics.isEmpty, "\(text)")
        }
        for text in ["", "{", "{} {}", "x", "[1,]"] {
            #expect(Linter().checkJSON(Array(text.utf8), path: "x").hasErrors, "\(text)")
        }
    }

    @Test("brackets, and statements, of any number come to an end")
    func hostile() {
        let deep = String(repeating: "[", count: 10_000)
        #expect(check(deep).hasErrors)
        #expect(check(#"[{"relation": "# + deep).hasErrors)
        #expect(
            check(
                #"[{"a": "# + String(repeating: #"{"a":"#, count: 300) + "1" + String(repeating: "}", count: 300) + "}]"
            ).hasErrors)
        #expect(check("[" + String(repeating: "{},", count: 3_000) + "{}]").hasErrors)
        let keys = (0..<2_000).map { #""relatio\#($0)": """# }.joined(separator: ",")
        #expect(check("[{\(keys)}]").hasErrors)
    }

    static let descriptions = RuleRegistry.catalogue.rules.filter { $0.subject == .assetLinks }

    @Test("a bad example yields its code at the marked place", arguments: descriptions)
    func badExample(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = check(String(decoding: marked.bytes, as: UTF8.self)).diagnostics
        let diagnostic = found.first { $0.code == rule.code }
        // That nothing can be used has reasons, which are told too.
        #expect(found.count == 1 || rule.code.rawValue == "no-usable-statement", "\(found)")
        #expect(diagnostic?.range == marked.range)
        #expect(diagnostic?.severity == rule.severity)
        #expect(diagnostic?.fixIts.first?.applicability == rule.fix)
        #expect(diagnostic?.pointer != nil)
        for text in found.flatMap({ [$0.message] + $0.notes + $0.fixIts.map(\.title) }) + [rule.summary] {
            #expect(text.first?.isUppercase == false, "\(text)")
            #expect(!text.hasSuffix("."), "\(text)")
        }
        #expect(rule.reason.hasSuffix("."))
    }

    @Test("a good example yields nothing", arguments: descriptions)
    func goodExample(rule: RuleDescription) { #expect(codes(rule.good).isEmpty, "\(codes(rule.good))") }
}
