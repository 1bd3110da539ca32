import AssociationFiles
import AssociationLint
import Diagnostics
import Testing

struct SignedAssociationFileTests {
    @Test("The examples of signed files show what they say", arguments: ["signed-file", "unreadable-signature"])
    func examples(code: String) throws {
        let rule = try #require(RuleRegistry.catalogue[code])
        let found = rule.check(rule.badBytes, unwrap: SignedAssociationFile.unwrap)
        #expect(found.diagnostics.map(\.code.rawValue) == [code])
        #expect(found.diagnostics.first?.severity == rule.severity)
        #expect(found.diagnostics.first?.range == SourceRange(start: 0, end: 0))
        #expect(rule.check(Array(rule.good.utf8), unwrap: SignedAssociationFile.unwrap).diagnostics.isEmpty)
    }
}
