import AssociationLint
import Diagnostics
import JSONSyntax
import TestSupport
import Testing

struct SchemaTests {
    private static let shapes: Set<String> = [
        "not-an-object", "wrong-type", "missing-app-id", "missing-service-apps", "nested-service", "misplaced-key",
        "non-string-query-value",
    ]
    private static let statements: Set<String> = [
        "no-statement-list", "statement-not-an-object", "incomplete-statement", "number-in-statement", "invalid-target",
        "invalid-relation", "invalid-package-name", "invalid-fingerprint", "dynamic-rules-discarded",
    ]
    static let rules = RuleRegistry.catalogue.rules.filter {
        [.associationFile, .assetLinks].contains($0.subject) && !SyntaxRules.all.map(\.code).contains($0.code)
    }

    @Test("The schema rejects the examples of wrong shapes and types, and accepts all others", arguments: rules)
    func examples(rule: RuleDescription) {
        let isLinks = rule.subject == .assetLinks
        let validator = SchemaValidator(isLinks ? AssetLinksSchema.schema : AssociationSchema.schema)
        for bytes in [MarkedText(rule.bad).bytes, Array(rule.good.utf8)] {
            let document = JSONReader.read(bytes, path: "", limits: .configuration)
            guard document.findings.isEmpty, let root = document.root else { continue }
            let result = Linter().check(bytes, path: "", as: isLinks ? .assetLinks : .association)
            let codes = Set(result.diagnostics.map(\.code.rawValue))
            // They stand for errors of shape.
            if !codes.isDisjoint(with: ["misspelt-key", "accidental-catch-all"]) { continue }
            let isWrong = !codes.isDisjoint(with: isLinks ? Self.statements : Self.shapes)
            #expect(validator.accepts(root) == !isWrong, "\(codes)")
        }
    }

    @Test(
        "The schema of .aasa.json takes what the reader of that file takes",
        arguments: [
            (#"{}"#, true), (#"{ "$schema": "x", "_note": 1, "minimumIOS": "13.0" }"#, true),
            (#"{ "minimumIOS": 13 }"#, false), (#"{ "minimumIOS": "13.0.0.0" }"#, false),
            (#"{ "severity": { "missing-rules": "off" } }"#, true),
            (#"{ "severity": { "missing-rules": "on" } }"#, false),
            (#"{ "severity": { "no-such-code": "off" } }"#, false),
            (#"{ "severity": { "invalid-json": "off" } }"#, false),
            (#"{ "ignore": [{ "code": "missing-rules", "reason": "x", "pointer": "/a", "path": "b" }] }"#, true),
            (#"{ "ignore": [{ "code": "missing-rules" }] }"#, false), (#"{ "ignore": {} }"#, false),
            (#"{ "ignore": [{ "code": "missing-rules", "reason": " " }] }"#, false),
            (#"{ "ignore": [{ "code": "missing-rules", "reason": "x", "pointer": "a" }] }"#, false),
            (#"{ "ignores": [] }"#, false), (#"[]"#, false),
        ])
    func configurations(text: String, isTaken: Bool) {
        let rules = RuleRegistry.catalogue
        #expect(SchemaValidator(LintConfiguration.schema(rules)).accepts(text) == isTaken)
        let configuration = LintConfiguration(Array(text.utf8), path: ".aasa.json", rules: rules)
        #expect(configuration.diagnostics.isEmpty == isTaken, "\(configuration.diagnostics.map(\.message))")
    }

    @Test(
        "The schema of a list of cases takes what 'aasa test' takes",
        arguments: [
            (#"[]"#, true), (#"[{ "url": "https://a.example/", "opens": "any", "note": "x" }]"#, true),
            (#"[{ "url": "https://a.example/", "opens": ["A"], "android": { "excluded": true } }]"#, true),
            (#"[{ "url": "https://a.example/", "excluded": true }]"#, true),
            (#"[{ "url": "https://a.example/", "excluded": false }]"#, false),
            (#"[{ "url": "https://a.example/", "opens": "some" }]"#, false),
            (#"[{ "url": "https://a.example/" }]"#, false), (#"[{ "opens": [] }]"#, false),
            (#"[{ "url": "https://a.example/", "opens": [], "excluded": true }]"#, false),
            (#"[{ "url": "https://a.example/", "android": {} }]"#, false),
            (#"[{ "url": "https://a.example/", "opens": [], "expect": 1 }]"#, false), (#"{}"#, false),
        ])
    func cases(text: String, isTaken: Bool) {
        #expect(SchemaValidator(CaseList.schema).accepts(text) == isTaken)
        let list = CaseList.read(Array(text.utf8), path: "cases.json")
        #expect(list.diagnostics.isEmpty == isTaken, "\(list.diagnostics.map(\.message))")
    }
}
