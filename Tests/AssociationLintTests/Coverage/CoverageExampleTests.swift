import AssociationLint
import Diagnostics
import Testing

struct CoverageExampleTests {
    @Test(
        "The examples in the descriptions show what they say",
        arguments: RuleRegistry.catalogue.rules.filter { [.routeRun, .routedFile].contains($0.subject) })
    func examples(rule: RuleDescription) {
        func report(_ bytes: [UInt8]) -> FileReport {
            rule.subject == .routeRun ? CoverageExample.report(routes: bytes) : CoverageExample.report(file: bytes)
        }
        let marked = MarkedText(rule.bad)
        let found = report(marked.bytes).diagnostics
        #expect(found.map(\.code) == [rule.code])
        #expect(found.first?.range == marked.range ?? SourceRange(start: 0, end: 0))
        #expect(found.first?.severity == rule.severity)
        for text in found.flatMap({ [$0.message] + $0.notes }) + [rule.summary] {
            #expect(text.first?.isUppercase == false && !text.hasSuffix("."), "\(text)")
        }
        #expect(report(Array(rule.good.utf8)).diagnostics.isEmpty)
    }
}
