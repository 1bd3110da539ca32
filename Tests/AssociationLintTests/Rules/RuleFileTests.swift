import AssociationLint
import Foundation
import TestSupport
import Testing

struct RuleFileTests {
    @Test("No source makes a code out of a text, or compares one with it: codes are members, which the compiler knows")
    func literals() {
        var found: [String] = []
        for source in SourceText.swift(in: "Sources/") {
            for line in source.lines(with: "rawValue") {
                let uses = line.matches(of: #/(?:DiagnosticCode\(rawValue: |code\.rawValue [!=]= )"[^"]/#)
                found += uses.map { "\(source.path): \($0.0)" }
            }
        }
        #expect(found == [])
    }

    @Test("Every rule is in a file with the name of its code, and in the registry")
    func rules() throws {
        let module = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/AssociationLint").standardized
        let registry = try String(contentsOf: module.appending(path: "RuleRegistry.swift"), encoding: .utf8)
        // The checker of statements has the rule that it calls by itself.
        let statements = try String(
            contentsOf: module.appending(path: "AssetLinks/AssetLinksRules.swift"), encoding: .utf8)
        let files = try ["Rules", "AssetLinks/Rules"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: module.appending(path: folder).path).map {
                "\(folder)/\($0)"
            }
        }
        #expect(files.count > 80)
        for file in files {
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent
            let text = try String(contentsOf: module.appending(path: file), encoding: .utf8)
            let declaration =
                #/static let description = RuleDescription(?:(?:\.assetLinks)?\(\s*"([a-z-]+)"|\.(\w+)\s)/#
            let description = try #require(text.firstMatch(of: declaration), "\(file)")
            let code = String(description.1 ?? description.2 ?? "").lowercased().filter { $0 != "-" }
            #expect(text.contains("\nenum \(name): "))
            #expect(
                registry.contains(" \(name).self,") || registry.contains(" \(name).self\n")
                    || statements.contains("\(name).description,"), "\(name)")
            #expect(name.lowercased() == code + "rule")
            #expect(text.matches(of: declaration).count == 1)
        }
    }
}
