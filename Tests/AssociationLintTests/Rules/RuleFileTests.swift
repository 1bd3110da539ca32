import AssociationLint
import Foundation
import TestSupport
import Testing

struct RuleFileTests {
    @Test("No source makes a code out of a text, or compares one with it: codes are members, which the compiler knows")
    func literals() throws {
        let files = try #require(
            FileManager.default.enumerator(at: Repository.url("Sources"), includingPropertiesForKeys: nil))
        var found: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let uses = text.matches(of: #/(?:DiagnosticCode\(rawValue: |code\.rawValue [!=]= )"[^"]/#)
            found += uses.map { "\(file.lastPathComponent): \($0.0)" }
        }
        #expect(found == [])
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
            let declaration = #/static let description = RuleDescription(?:\(\s*"([a-z-]+)"|\.(\w+))/#
            let description = try #require(text.firstMatch(of: declaration), "\(file)")
            let code = String(description.1 ?? description.2 ?? "").lowercased().filter { $0 != "-" }
            #expect(text.contains("\nenum \(name): "))
            #expect(registry.contains(" \(name).self,"))
            #expect(name.lowercased() == code + "rule")
            #expect(text.matches(of: declaration).count == 1)
        }
    }
}
