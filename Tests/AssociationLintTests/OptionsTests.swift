import AssociationLint
import Diagnostics
import Testing

struct OptionsTests {
    private static let odd = #"{"webcredentials": {"apps": ["Odd.com.shop.app"]}, "surprise": 1}"#

    private func codes(_ text: String, _ options: LintOptions) -> [String] {
        Linter(options).check(Array(text.utf8)).diagnostics.map { "\($0.code)=\($0.severity)" }
    }

    private func code(_ name: String) -> DiagnosticCode { DiagnosticCode(rawValue: name) }

    @Test("A code can be switched off, and be made an error or a warning")
    func settings() {
        #expect(codes(Self.odd, LintOptions()) == ["odd-team-prefix=warning", "unknown-key=warning"])
        let options = LintOptions(settings: [code("odd-team-prefix"): .off, code("unknown-key"): .error])
        #expect(codes(Self.odd, options) == ["unknown-key=error"])
    }

    @Test("Errors of the syntax cannot be changed, warnings can")
    func syntax() {
        let options = LintOptions(settings: [code("trailing-comma"): .off, code("byte-order-mark"): .off])
        #expect(codes("\u{FEFF}{\"_\": 1,}", options).contains("trailing-comma=error"))
        #expect(!codes("\u{FEFF}{\"_\": 1,}", options).contains { $0.hasPrefix("byte-order-mark") })
    }

    @Test(
        "An ignore covers its code at its place and below",
        arguments: [
            (nil, true), ("", true), ("/webcredentials", true), ("/webcredentials/apps/0", true),
            ("/webcredentials/apps/1", false),
            ("/web", false), ("/surprise", false),
        ])
    func ignores(pointer: String?, isCovered: Bool) {
        let ignore = Ignore(code: code("odd-team-prefix"), pointer: pointer, reason: "it is so")
        let result = Linter(LintOptions(ignores: [ignore])).check(Array(Self.odd.utf8))
        #expect(result.diagnostics.contains { $0.code.rawValue == "odd-team-prefix" } == !isCovered)
        #expect(result.ignored.map(\.ignore) == (isCovered ? [ignore] : []))
    }

    @Test(
        "Versions are read strictly",
        arguments: [
            ("13", "13.0"), ("13.5", "13.5"), ("13.5.1", "13.5"), ("", nil), ("13.", nil), ("iOS 13", nil),
            ("13.0.0.0", nil), ("9999", nil),
        ])
    func versions(text: String, expected: String?) {
        #expect(SystemVersion(text)?.description == expected)
    }

    @Test("A code that is mistyped has a nearest one")
    func near() {
        #expect(RuleRegistry.catalogue.codes(near: "mising-app-id").first == "missing-app-id")
        #expect(RuleRegistry.catalogue.codes(near: "Trailing-Comma").first == "trailing-comma")
        #expect(RuleRegistry.catalogue.codes(near: "utterly-different-thing").isEmpty)
    }
}
