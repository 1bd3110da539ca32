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
        #expect(codes.isSuperset(of: ["case-failed", "no-cases", "unsupported-config-value", "invalid-target"]))
        #expect(codes.filter { RuleRegistry.description(of: $0) == nil } == [])
    }

    @Test("Every rule is in a file with the name of its code, and in the registry")
    func rules() throws {
        let module = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/AssociationLint").standardized
        let registry = try String(contentsOf: module.appending(path: "RuleRegistry.swift"), encoding: .utf8)
        let rules = module.appending(path: "Rules")
        let files = try FileManager.default.contentsOfDirectory(atPath: rules.path)
        #expect(files.count > 60)
        for file in files {
            let name = String(file.dropLast(".swift".count))
            let text = try String(contentsOf: rules.appending(path: file), encoding: .utf8)
            let description = try #require(text.firstMatch(of: #/RuleDescription\(\s*"([a-z-]+)"/#), "\(file)")
            #expect(text.contains("\nenum \(name): "))
            #expect(registry.contains(" \(name).self,"))
            #expect(name.lowercased() == description.1.replacing("-", with: "") + "rule")
            #expect(text.matches(of: #/RuleDescription\(/#).count == 1)
        }
    }
}
