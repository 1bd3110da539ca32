import AssociationLint
import Diagnostics
import FindingCatalogue
import Foundation
import TestSupport
import Testing

/// 'aasa validate', 'aasa serve --check' and 'aasa publish' judge a file alike (validation.md, section 1). That a node does, too,
/// is shown without processes.
@Suite("aasa: one judgement", .waiting)
struct OneJudgementTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(
            """
            {"sites": "sites", "listen": ["http://127.0.0.1:0"], "limits": {"fileBytes": 130000},
             "wellKnown": {"note.txt": "text/plain", "data.json": "application/json"}}
            """, to: "server.json")
    }

    /// The codes of the errors in objects that have a path, by that path, wherever they are in a document.
    private static func errors(in value: Any, _ errors: inout [String: Set<String>]) {
        if let list = value as? [Any] { for element in list { Self.errors(in: element, &errors) } }
        guard let object = value as? [String: Any] else { return }
        if let path = object["path"] as? String, let start = path.range(of: "sites/")?.lowerBound,
            object["severity"] as? String == "error"
        {
            errors[String(path[start...]), default: []].insert(object["code"] as? String ?? "")
        }
        for member in object.values { Self.errors(in: member, &errors) }
    }

    private static func errors(_ outcome: Shell.Outcome) throws -> [String: Set<String>] {
        var errors: [String: Set<String>] = [:]
        Self.errors(in: try outcome.object(), &errors)
        return errors
    }

    @Test("the examples of all rules, texts, keys and files around the limits have the same errors or none")
    func agreement() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI\n-----END PRIVATE KEY-----\n"
        let sizes = [129_999, 130_000, 130_001, 1 << 20, 1 << 20 + 1].map { size in
            Array((BuiltTool.sound + String(repeating: " ", count: size - BuiltTool.sound.utf8.count)).utf8)
        }
        let files = AllRules.catalogue.rules.map(\.badBytes) + sizes + [Array(key.utf8), [0x50, 0x4B, 3, 4, 0]]
        let names = ["apple-app-site-association", "assetlinks.json", "note.txt", "data.json"]
        var paths: [String] = []
        for (index, bytes) in files.enumerated() {
            // Of each site only some findings are listed.
            for (number, name) in names.enumerated() {
                paths.append("sites/s\(index)-\(number).example/\(name)")
                try tool.write(bytes, to: paths[paths.count - 1])
            }
        }
        let validated = try Self.errors(
            try tool.run(["validate", "--config", "server.json", "--format", "json"] + paths))
        let checked = try Self.errors(tool.run("serve", "--check", "--config", "server.json", "--format", "json"))
        for (index, path) in paths.enumerated() {
            let expected = validated[path, default: []]
            let found = checked[path, default: []]
            #expect(found.isEmpty == expected.isEmpty && found.isSubset(of: expected), "\(path)")
            guard index % 29 == 0 else { continue }
            let publication = try tool.run(
                "publish", "s.example", path, "--name", names[index % names.count], "--dry-run", "--format", "json",
                "--config", "server.json", "--store", "postgresql://127.0.0.1:1/none?connect_timeout=1")
            // What is not refused is compared with the store, of which there is none.
            #expect(publication.status == (expected.isEmpty ? 69 : 1), "\(path): \(publication.errors)")
            if !expected.isEmpty {
                #expect(try Self.errors(publication)[path] == expected, "\(path)")
            }
        }
        #expect(validated.count > 300 && validated.count < paths.count)
    }

    @Test("a server.json is told from an .aasa.json by its keys, and one that cannot be used is 65")
    func configurations() throws {
        try tool.write(String(repeating: " ", count: 131_000) + BuiltTool.sound, to: "apple-app-site-association")
        #expect(try tool.run("validate", "apple-app-site-association").status == 0)
        let lowered = try tool.run("validate", "--config", "server.json", "apple-app-site-association")
        #expect(lowered.status == 1)
        #expect(lowered.text.contains("the file has more than 130,000 bytes ('limits.fileBytes')"))
        try tool.write(BuiltTool.doubtful, to: "apple-app-site-association")
        try tool.write(#"{"severity": {"missing-rules": "error"}}"#, to: "lint.json")
        #expect(try tool.run("validate", "--config", "lint.json", "apple-app-site-association").status == 1)
        // With a server.json the nearest .aasa.json is used as ever.
        let strict = ["validate", "--strict", "--config", "server.json", "apple-app-site-association"]
        #expect(try tool.run(strict).status == 1)
        try tool.write(#"{"severity": {"missing-rules": "off"}}"#, to: ".aasa.json")
        #expect(try tool.run(strict).status == 0)
        try tool.write(#"{"limits": {"fileBytes": "x"}}"#, to: "bad.json")
        let bad = try tool.run("validate", "--config", "bad.json", "apple-app-site-association")
        #expect(bad.status == 65 && bad.errors.contains("limits.fileBytes"))
    }
}
