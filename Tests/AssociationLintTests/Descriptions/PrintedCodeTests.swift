import AssociationLint
import Foundation
import TestSupport
import Testing

struct PrintedCodeTests {
    @Test("Every code that the sources make a finding of has a description")
    func descriptions() throws {
        let files = try #require(
            FileManager.default.enumerator(at: Repository.url("Sources"), includingPropertiesForKeys: nil))
        var codes = Set<String>()
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(
                of: #/(?:DiagnosticCode\(rawValue: |(?:report|add)\(\s*)"([a-z0-9]+(?:-[a-z0-9]+)+)"/#)
            {
                codes.insert(String(match.1))
            }
        }
        #expect(codes.isSuperset(of: ["case-failed", "no-cases", "unsupported-config-value", "misplaced-key"]))
        #expect(codes.filter { RuleRegistry.description(of: $0) == nil } == [])
    }
}
