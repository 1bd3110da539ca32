public import Diagnostics
import LinkImport
public import Testing

extension RuleDescription: CustomTestStringConvertible {
    public var testDescription: String { code.rawValue }
}

struct ImportRuleTests {
    @Test("A bad example yields its code at the marked place, and nothing else", arguments: ImportRules.all)
    func bad(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = ImportExample.report(marked.bytes)
        #expect(found.diagnostics.map(\.code) == [rule.code], "\(found.diagnostics.map { $0.line(in: found.source) })")
        #expect(found.diagnostics.first?.range == marked.range)
        #expect(found.diagnostics.first?.severity == rule.severity)
        for text in found.diagnostics.flatMap({ [$0.message] + $0.notes }) + [rule.summary] {
            #expect(text.first?.isUppercase == false && !text.hasSuffix("."), "\(text)")
        }
    }

    @Test("A good example yields nothing", arguments: ImportRules.all)
    func good(rule: RuleDescription) {
        #expect(ImportExample.report(Array(rule.good.utf8)).diagnostics.isEmpty)
    }
}
