import AssociationLint
import Diagnostics
import Testing

struct LintConfigurationTests {
    private func read(_ text: String) -> LintConfiguration { LintConfiguration(Array(text.utf8), path: ".aasa.json") }

    @Test("What it says is taken over")
    func values() {
        let configuration = read(
            """
            {"minimumIOS": "13.5", "severity": {"odd-team-prefix": "off", "unknown-key": "error"},
             "ignore": [{"code": "missing-rules", "path": "old/**", "pointer": "/applinks/details/2", "reason": "r"}]}
            """)
        #expect(configuration.diagnostics.isEmpty)
        #expect(configuration.minimumIOS == SystemVersion(13, 5))
        #expect(configuration.settings[DiagnosticCode(rawValue: "odd-team-prefix")] == .off)
        #expect(configuration.settings[DiagnosticCode(rawValue: "unknown-key")] == .error)
        #expect(configuration.ignores(forFileAt: "old/x/apple-app-site-association").map(\.entry) == ["/ignore/0"])
        #expect(configuration.ignores(forFileAt: "new/apple-app-site-association").isEmpty)
    }

    @Test(
        "What is wrong with it is reported where it is",
        arguments: [
            (#"⟦[]⟧"#, "invalid-config-value"),
            (#"{⟦"minimumIos"⟧: "13"}"#, "unknown-config-key"),
            (#"{"minimumIOS": ⟦13⟧}"#, "invalid-config-value"),
            (#"{"minimumIOS": ⟦"13.x"⟧}"#, "invalid-config-value"),
            (#"{"severity": ⟦[]⟧}"#, "invalid-config-value"),
            (#"{"severity": {"unknown-key": ⟦"none"⟧}}"#, "invalid-config-value"),
            (#"{"severity": {"unknown-key": ⟦true⟧}}"#, "invalid-config-value"),
            (#"{"severity": {⟦"unknown-kye"⟧: "off"}}"#, "invalid-config-value"),
            (#"{"severity": {⟦"trailing-comma"⟧: "off"}}"#, "invalid-config-value"),
            (#"{"ignore": ⟦{}⟧}"#, "invalid-config-value"),
            (#"{"ignore": [⟦7⟧]}"#, "invalid-config-value"),
            (#"{"ignore": [⟦{"code": "unknown-key"}⟧]}"#, "invalid-config-value"),
            (#"{"ignore": [⟦{"code": "unknown-key", "reason": ""}⟧]}"#, "invalid-config-value"),
            (#"{"ignore": [⟦{"reason": "r"}⟧]}"#, "invalid-config-value"),
            (#"{"ignore": [{"code": ⟦"nothing"⟧, "reason": "r"}]}"#, "invalid-config-value"),
            (#"{"ignore": [{"code": ⟦"unclosed-string"⟧, "reason": "r"}]}"#, "invalid-config-value"),
            (#"{"ignore": [{"code": "unknown-key", "reason": "r", "path": ⟦1⟧}]}"#, "invalid-config-value"),
            (#"{"ignore": [{"code": "unknown-key", "reason": "r", "pointer": ⟦"a"⟧}]}"#, "invalid-config-value"),
            (#"{"ignore": [{"code": "unknown-key", "reason": "r", ⟦"file"⟧: "a"}]}"#, "unknown-config-key"),
            (#"{"severity": {}⟦,⟧}"#, "trailing-comma"),
        ])
    func mistakes(marked: String, code: String) {
        let marked = MarkedText(marked)
        let configuration = LintConfiguration(marked.bytes, path: ".aasa.json")
        #expect(configuration.diagnostics.map(\.code.rawValue) == [code])
        #expect(configuration.diagnostics.first?.range == marked.range)
        #expect(configuration.diagnostics.first?.severity == .error)
    }

    @Test(
        "What cannot be suppressed is called what it is",
        arguments: [
            ("trailing-comma", "a syntax error"), ("duplicate-key", "a syntax error"),
            ("file-too-large", "an error of the file itself"),
            ("html-instead-of-json", "an error of the file itself"),
            ("unreadable-signature", "an error of the file itself"),
        ])
    func unchangeable(code: String, kind: String) {
        #expect(
            read(#"{"severity": {"\#(code)": "off"}}"#).diagnostics.map(\.message) == [
                "'\(code)' is \(kind) and cannot be suppressed"
            ])
    }

    @Test("Remarks are no mistake")
    func remarks() {
        #expect(read(#"{"$schema": "x", "//": "y", "_z": 1, "comment": 2}"#).diagnostics.isEmpty)
    }

    @Test(
        "The examples in the descriptions show what they say",
        arguments: RuleRegistry.catalogue.rules.filter { $0.subject == .lintConfiguration })
    func examples(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let configuration = LintConfiguration(marked.bytes, path: ".aasa.json")
        let found = configuration.diagnostics + configuration.findings(unused: Set(configuration.entries.map(\.ignore)))
        #expect(found.map(\.code) == [rule.code])
        #expect(found.first?.range == marked.range)
        let good = read(rule.good)
        #expect((good.diagnostics + good.findings(unused: Set(good.entries.map(\.ignore)))).isEmpty)
    }
}
