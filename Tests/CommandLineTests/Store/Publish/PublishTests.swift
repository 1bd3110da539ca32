import Foundation
import TestSupport
import Testing

@Suite("aasa publish", .waiting, .needs(.postgres))
struct PublishTests {
    private static let members: Set = [
        "version", "domain", "name", "result", "sha256", "previousSha256", "fileVersion", "generation", "diff",
        "diagnostics", "nodes",
    ]

    @Test("a file is published, the same bytes are unchanged, and other ones are a new version")
    func versions() throws {
        let rig = try StoreRig()
        let first = try rig.publish("example.com", "a").object()
        #expect(Set(first.keys) == Self.members)
        #expect(first["result"] as? String == "published")
        #expect(first["fileVersion"] as? Int == 1)
        #expect(first["previousSha256"] is NSNull)
        let generation = try #require(first["generation"] as? Int)

        let same = try rig.publish("EXAMPLE.com", "a")
        #expect(try same.object()["result"] as? String == "unchanged" || same.text.contains("unchanged"))
        let second = try rig.publish("example.com", "b").object()
        #expect(second["fileVersion"] as? Int == 2)
        #expect(second["generation"] as? Int == generation + 1)
        #expect(second["previousSha256"] as? String == first["sha256"] as? String)
        let diff = try #require(second["diff"] as? [String: Any])
        #expect((diff["changes"] as? [Any])?.isEmpty == false)
    }

    @Test("of other files the hashes and sizes are shown, and what it opens of association files")
    func text() throws {
        let rig = try StoreRig()
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        try rig.tool.write(StoreRig.document("b"), to: "b.json")
        let first = try rig.succeed("publish", "example.com", "a.json").text
        #expect(first.contains("published version 1 of example.com/apple-app-site-association"))
        let second = try rig.succeed("publish", "example.com", "b.json").text
        #expect(second.contains("+ opens") && second.contains("https://example.com/b\n"))
        try rig.tool.write("[]", to: "assetlinks.json")
        let other = try rig.succeed("publish", "example.com", "assetlinks.json", "--name", "assetlinks.json").text
        #expect(other.contains("2 bytes"))
    }

    @Test("what an .aasa.json ignores by path is ignored on nodes and in a rollback, and nothing else is")
    func scopedConfiguration() throws {
        let rig = try StoreRig()
        let file = #"{"webcredentials":{"apps":["com.shop.app"]}}"#
        try rig.tool.write(file, to: "sites/a/\(StoreRig.name)")
        try rig.tool.write(file, to: "sites/b/new.json")
        let first = try rig.run("publish", "a.example", "sites/a/\(StoreRig.name)", "--format", "json")
        let diagnostics = try #require(first.object()["diagnostics"] as? [[String: Any]])
        let code = try #require(diagnostics.first?["code"] as? String)
        try rig.tool.write(
            #"{"ignore": [{"code": "\#(code)", "path": "sites/a/*", "reason": "r"}]}"#, to: ".aasa.json")
        try rig.succeed("publish", "a.example", "sites/a/\(StoreRig.name)")
        #expect(try rig.run("publish", "b.example", "sites/b/new.json").status == 1)
        // About the name of the file here, which is another one there.
        try rig.tool.write(#"{"ignore": [{"code": "\#(code)", "path": "new.json", "reason": "r"}]}"#, to: ".aasa.json")
        try rig.succeed("publish", "b.example", "sites/b/new.json")
        // About the name there, which is another one here.
        let name = #"{"ignore": [{"code": "\#(code)", "path": "\#(StoreRig.name)", "reason": "r"}]}"#
        try rig.tool.write(name, to: ".aasa.json")
        #expect(try rig.run("publish", "c.example", "sites/b/new.json").status == 1)
        let node = try rig.node("one")
        for domain in ["a.example", "b.example"] {
            #expect(try node.fetch(domain) == (200, file))
            try rig.publish(domain, "a")
            try rig.succeed("rollback", domain, "1")
        }
        try rig.succeed("store", "export", "out")
        for domain in ["a.example", "b.example"] {
            #expect(try rig.tool.run("validate", "out/\(domain)/\(StoreRig.name)").status == 0)
        }
    }

    @Test("the changes are shown before they are made")
    func changesFirst() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        try rig.tool.write(StoreRig.document("b"), to: "b.json")
        // Nobody reads what comes: the command ends before it writes.
        try rig.tool.shell("{ $tool publish example.com b.json --store '\(rig.url)'; echo $? >status; } | true")
        let lines = try rig.succeed("publish", "example.com", "b.json").text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("+ opens") == true || lines.first?.hasPrefix("unchanged") == true)
        try rig.publish("example.com", "c")
        let text = try rig.succeed("publish", "example.com", "b.json").text
        let order = ["+ opens", "- no longer opens", "published version"].map { text.range(of: $0)?.lowerBound }
        #expect(!order.contains(nil) && order.compactMap { $0 } == order.compactMap { $0 }.sorted())
        let conflict = try rig.run("publish", "example.com", "a.json", "--if-match", "none")
        #expect(conflict.status == 66)
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        let other = try rig.run("publish", "example.com", "a.json", "--if-match", "none", "--format", "json")
        #expect(other.status == 1)
        #expect(try other.object()["diff"] is [String: Any])
    }

    @Test("a file with errors is refused before there is a connection")
    func refused() throws {
        let tool = try BuiltTool()
        try tool.write(BuiltTool.faulty, to: "bad.json")
        let nowhere = "postgresql://127.0.0.1:1/none"
        let outcome = try tool.run(
            "publish", "example.com", "bad.json", "--store", nowhere, "--format", "json")
        #expect(outcome.status == 1)
        let object = try outcome.object()
        #expect(object["result"] as? String == "refused")
        #expect((object["diagnostics"] as? [Any])?.count == 1)
        let text = try tool.run("publish", "example.com", "bad.json", "--store", nowhere)
        #expect(text.status == 1)
        #expect(text.findings == ["bad.json:1:28: error [incomplete-app-id]"] || text.findings.count == 1)
    }

    @Test(
        "an asset links file, warnings with --strict, and a private key are refused",
        arguments: [
            (
                #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"web"}}]"#, [],
                "publish it as 'assetlinks.json'"
            ), (BuiltTool.doubtful, ["--strict"], "warning"),
            ("-----BEGIN PRIVATE \("KEY")-----\nx", ["--name", "note.txt"], "private key"),
        ] as [(String, [String], String)])
    func refusedFiles(text: String, options: [String], reason: String) throws {
        let tool = try BuiltTool()
        try tool.write(text, to: "file")
        let outcome = try tool.shell(
            "$tool publish example.com file --store postgresql://127.0.0.1:1/none \(options.joined(separator: " "))")
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(reason), "\(outcome.text)")
    }

    @Test("--if-match lets exactly one of two publishers through, and names the other")
    func conditions() throws {
        let rig = try StoreRig()
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        try rig.tool.write(StoreRig.document("b"), to: "b.json")
        try rig.tool.write(StoreRig.document("c"), to: "c.json")
        let none = try rig.run("publish", "example.com", "a.json", "--if-match", "none", "--format", "json")
        #expect(none.status == 0)
        let digest = try #require(none.object()["sha256"] as? String)
        #expect(try rig.run("publish", "example.com", "b.json", "--if-match", "none").status == 1)
        #expect(try rig.run("publish", "example.com", "b.json", "--if-match", digest.uppercased()).status == 0)
        let lost = try rig.run("publish", "example.com", "c.json", "--if-match", digest, "--format", "json")
        #expect(lost.status == 1)
        #expect(try lost.object()["result"] as? String == "conflict")
        #expect(lost.errors.contains("published by postgres"))
        // A retry after a lost connection succeeds, whatever it expects.
        #expect(try rig.run("publish", "example.com", "b.json", "--if-match", digest).status == 0)
        #expect(try rig.run("publish", "example.com", "b.json", "--if-match", "abc").status == 64)
        // The first digits are enough, if they are those of one version.
        let history = try rig.succeed("history", "example.com", "--format", "json").object()
        let versions = try #require(history["versions"] as? [[String: Any]])
        let current = try #require(versions.first?["sha256"] as? String)
        #expect(try rig.run("publish", "example.com", "c.json", "--if-match", String(digest.prefix(12))).status == 1)
        #expect(
            try rig.run("publish", "example.com", "c.json", "--if-match", current.prefix(12).uppercased()).status == 0)
    }

    @Test("--dry-run writes nothing, and --wait for nodes that are not there fails, although it is published")
    func dryRunAndWait() throws {
        let rig = try StoreRig()
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        let dry = try rig.run("publish", "example.com", "a.json", "--dry-run", "--format", "json")
        #expect(dry.status == 0)
        #expect(try dry.object()["result"] as? String == "would-publish")
        #expect(try rig.run("history", "example.com").status == 1)
        let wait = try rig.run(
            "publish", "example.com", "a.json", "--wait", "0", "--nodes", "1", "--format", "json")
        #expect(wait.status == 1)
        let nodes = try #require(wait.object()["nodes"] as? [String: Any])
        #expect(nodes["total"] as? Int == 0)
        #expect(wait.errors.contains("is in the store"))
    }

    @Test(
        "arguments that cannot be used are exit code 64, a missing file is 66, and a store that is away 69",
        arguments: [
            (["publish", "exa mple.com", "a.json"], 64), (["publish", "example.com", "a.json", "--name", "../x"], 64),
            (["publish", "example.com", "a.json", "--name", "a%20b"], 64),
            (["publish", "example.com", "a.json", "--name", "a.swp"], 64),
            (["publish", "example.com", "a.json", "--nodes", "1"], 64), (["publish", "example.com", "none.json"], 66),
            (["publish", "example.com", "a.json"], 69), (["sites"], 69), (["history", "example.com"], 69),
            (["rollback", "example.com", "0"], 64), (["sites", "a b"], 64), (["store", "status"], 69),
        ] as [([String], Int32)])
    func exitCodes(arguments: [String], status: Int32) throws {
        let tool = try BuiltTool()
        try tool.write(StoreRig.document("a"), to: "a.json")
        let line = (["$tool"] + arguments.map { "'\($0)'" }).joined(separator: " ")
        let outcome = try tool.shell(line, environment: ["AASA_STORE": "postgresql://me:secret@127.0.0.1:1/none"])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret"))
        if status == 69 { #expect(outcome.errors.contains("[store-unreachable]")) }
        // Without any store.
        if status == 69 { #expect(try tool.shell(line).status == 64) }
    }

    @Test("a store that is not set up says how to do that")
    func notInitialised() throws {
        let rig = try StoreRig(isInitialised: false)
        let outcome = try rig.run("sites")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("aasa store init") && outcome.errors.contains("[store-not-initialised]"))
    }
}
