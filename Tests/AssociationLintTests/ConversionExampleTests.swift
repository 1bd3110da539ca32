import AssociationLint
import Diagnostics
import Testing

struct ConversionExampleTests {
    @Test(
        "The examples in the descriptions show what they say",
        arguments: RuleRegistry.catalogue.rules.filter { $0.subject == .convertedFile })
    func examples(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = ConversionRules.report(marked.bytes).diagnostics
        #expect(found.map(\.code) == [rule.code])
        #expect(found.first?.range == marked.range)
        #expect(found.first?.severity == rule.severity)
        for text in found.flatMap({ [$0.message] + $0.notes }) + [rule.summary] {
            #expect(text.first?.isUppercase == false && !text.hasSuffix("."), "\(text)")
        }
        #expect(ConversionRules.report(Array(rule.good.utf8)).diagnostics.isEmpty)
    }
}
