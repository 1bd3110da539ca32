import Foundation
import TestSupport
import Testing

@Suite("aasa store import", .waiting, .needs(.postgres))
struct StoreImportTests {
    private let rig: StoreRig

    init() throws { rig = try StoreRig() }

    private func write(_ domain: String, _ path: String, name: String = StoreRig.name) throws {
        try rig.tool.write(StoreRig.document(path), to: "sites/\(domain)/\(name)")
    }

    private func generation() throws -> String { try rig.database.sql("SELECT generation FROM aasa.meta") }

    @Test("what changes is shown with its links before it is written, the first 20 files or all")
    func changes() throws {
        for number in 10..<32 { try write("d\(number).example", "a") }
        try rig.tool.write("[]", to: "sites/d10.example/assetlinks.json")
        let dry = try rig.succeed("store", "import", "sites", "--dry-run")
        #expect(dry.text.contains("d10.example/\(StoreRig.name): new\n"))
        #expect(dry.text.contains("and 3 other files; '--all' shows all"))
        #expect(dry.text.contains("23 files: 23 would be published"))
        let all = try rig.succeed("store", "import", "sites", "--dry-run", "--all")
        #expect(all.text.contains("d31.example/\(StoreRig.name): new\n") && !all.text.contains("'--all'"))
        #expect(try generation() == "0")
        let done = try rig.succeed("store", "import", "sites", "--message", "first")
        #expect(done.text.contains("23 published, generation 1"))
        #expect(try rig.database.sql("SELECT DISTINCT message FROM aasa.versions") == "first")
        try write("d10.example", "b")
        try FileManager.default.removeItem(
            at: rig.tool.folder.url.appendingPathComponent("sites/d10.example/assetlinks.json"))
        try FileManager.default.removeItem(at: rig.tool.folder.url.appendingPathComponent("sites/d31.example"))
        let json = try rig.succeed("store", "import", "sites", "--prune", "--dry-run", "--format", "json").object()
        let shown = try #require(json["changes"] as? [[String: Any]])
        #expect(
            shown.map { "\($0["domain"] ?? "") \($0["name"] ?? "") \($0["change"] ?? "")" } == [
                "d10.example \(StoreRig.name) changed", "d10.example assetlinks.json removed",
                "d31.example \(StoreRig.name) removed",
            ])
        #expect(shown[0]["diff"] is [String: Any] && shown[2]["diff"] is NSNull)
        #expect(json["removed"] as? Int == 1 && json["removedFiles"] as? Int == 2)
        let text = try rig.succeed("store", "import", "sites", "--prune", "--dry-run").text
        #expect(text.contains("/b/") && text.contains("2 files would be removed, which ends 1 domain"))
        #expect(try generation() == "1")
        // Files, also single ones, are served no more.
        let node = try rig.node("one")
        #expect(try node.fetch("d10.example", "assetlinks.json").status == 200)
        let pruned = try rig.succeed(
            "store", "import", "sites", "--prune", "--wait", "\(Patience.seconds)", "--nodes", "1")
        #expect(pruned.text.contains("2 files removed, which ends 1 domain, generation 2; served by 1 of 1 node"))
        #expect(try node.fetch("d10.example") == (200, StoreRig.document("b")))
        for (domain, name) in [("d10.example", "assetlinks.json"), ("d31.example", StoreRig.name)] {
            #expect(try node.fetch(domain, name).status == 404)
        }
        #expect(try rig.succeed("store", "import", "sites", "--prune").text.contains("0 published"))
    }

    @Test("a file that cannot be published is in the folder, and is not removed")
    func refusedFile() throws {
        try write("a.example", "a")
        try rig.tool.write("[]", to: "sites/a.example/other.json")
        try rig.publish("a.example", "a")
        try rig.succeed("publish", "a.example", "sites/a.example/other.json", "--name", "other.json")
        try rig.tool.write("{", to: "sites/a.example/\(StoreRig.name)")
        let outcome = try rig.run("store", "import", "sites", "--prune", "--format", "json")
        #expect(outcome.status == 1)
        #expect(try outcome.object()["removedFiles"] as? Int == 0)
        #expect(try rig.run("store", "import", "sites", "--removes", "1").status == 64)
    }

    @Test("--prune ends many sites only if it is told how many, and the nodes then believe it")
    func massRemoval() throws {
        for number in 10..<40 { try write("d\(number).example", "a") }
        try rig.succeed("store", "import", "sites")
        let node = try rig.node("one")
        for number in 20..<40 {
            try FileManager.default.removeItem(
                at: rig.tool.folder.url.appendingPathComponent("sites/d\(number).example"))
        }
        try write("d10.example", "b")
        for arguments in [[], ["--removes", "19"]] {
            let outcome = try rig.tool.shell(
                "$tool store import sites --prune \(arguments.joined(separator: " ")) --store '\(rig.url)'")
            #expect(outcome.status == 1 && outcome.errors.contains("would end 20 of 30 sites"))
            #expect(outcome.errors.contains("'--removes 20'"))
        }
        #expect(try generation() == "1")
        #expect(
            try rig.succeed("store", "import", "sites", "--prune", "--dry-run").text.contains(
                "'--removes 20' is needed"))
        try rig.succeed(
            "store", "import", "sites", "--prune", "--removes", "20", "--wait", "\(Patience.seconds)", "--nodes", "1")
        #expect(try node.fetch("d39.example").status == 404)
        #expect(try node.fetch("d10.example") == (200, StoreRig.document("b")))
        #expect(!node.logText.contains("store-mass-removal"))
    }

    @Test("after the database was made anew, an import brings everything back without a failed request")
    func remedy() throws {
        for number in 10..<40 { try write("d\(number).example", "a") }
        try rig.tool.shell("umask 077; $tool store key > store.key")
        try TestCertificate.make(["DNS:localhost"], in: rig.tool.folder.url.appendingPathComponent("certs/localhost"))
        let arguments = ["--certs", "certs", "--store-key-file", "store.key"]
        try rig.succeed("store", "import", "sites", arguments[0], arguments[1], arguments[2], arguments[3])
        let node = try rig.node("one")
        #expect(rig.hasCache("one"))
        try rig.database.sql("DROP SCHEMA aasa CASCADE")
        try rig.succeed("store", "init")
        #expect(node.waitForLog("[store-emptied]"))
        // A single file is not what the store is meant to have.
        try rig.publish("d10.example", "b")
        #expect(node.waitForLog("[store-mass-removal]"))
        #expect(try node.fetch("d39.example").status == 200)
        let behind = try rig.run("publish", "d11.example", "d10.example.json", "--wait", "0", "--nodes", "1")
        #expect(behind.status == 1 && behind.errors.contains("served only by 0 of 1 node"))
        try rig.succeed(
            "store", "import", "sites", arguments[0], arguments[1], arguments[2], arguments[3], "--wait",
            "\(Patience.seconds)", "--nodes", "1")
        for number in 10..<40 { #expect(try node.fetch("d\(number).example") == (200, StoreRig.document("a"))) }
        #expect(try rig.admin("one", "/sites").contains("store-mass-removal") == false)
    }

    @Test("a removal by SQL is taken over once somebody confirms its generation")
    func confirm() throws {
        for number in 10..<40 { try write("d\(number).example", "a") }
        try rig.succeed("store", "import", "sites")
        let node = try rig.node("one")
        try rig.database.sql("INSERT INTO aasa.versions (domain, name) SELECT domain, name FROM aasa.current")
        #expect(node.waitForLog("generation 2 of the store would end 30 of 30 sites; what was served before stays"))
        #expect(try node.fetch("d39.example").status == 200)
        let early = try rig.run("store", "confirm", "3", "--format", "json")
        #expect(early.status == 1 && early.text.contains("not-in-store"))
        #expect(try rig.run("store", "confirm", "--wait", "5", "x").status == 64)
        let done = try rig.succeed("store", "confirm", "2", "--wait", "\(Patience.seconds)", "--nodes", "1")
        #expect(done.text == "confirmed generation 2, generation 3; served by 1 of 1 node\n")
        #expect(try node.fetch("d39.example").status == 404)
    }
}
