import Foundation
import TestSupport
import Testing

@Suite("aasa store", .waiting, .needs(.postgres))
struct StoreCommandTests {
    @Test("a store is set up once, also by psql with the SQL that is printed")
    func initialise() throws {
        let rig = try StoreRig(isInitialised: false)
        #expect(try rig.succeed("store", "init").text == "initialised, schema 3\n")
        #expect(try rig.succeed("store", "init").text == "already initialised, schema 3\n")
        #expect(try rig.succeed("store", "migrate").text == "nothing to migrate, schema 3\n")
        let other = try StoreRig(isInitialised: false)
        try other.database.sql(try other.tool.run("store", "init", "--print").text)
        try other.publish("example.com", "a")
        let status = try other.run("store", "status", "--format", "json")
        #expect(status.status == 0, "\(status.text)\(status.errors)")
        #expect(try status.object()["files"] as? Int == 1)
    }

    @Test("an import is exported byte for byte, and repeated it changes nothing")
    func importAndExport() throws {
        let rig = try StoreRig()
        let files = [
            "sites/example.com/apple-app-site-association": StoreRig.document("a"),
            "sites/example.com/assetlinks.json": "[ ]\n",
            "sites/_wildcard.example.org/apple-app-site-association": StoreRig.document("%C3%BC"),
            "sites/example.com/.aasa.json": #"{"severity":{"odd-team-prefix":"off"}}"#,
        ]
        for (path, text) in files { try rig.tool.write(text, to: path) }
        try rig.tool.write("{", to: "sites/bad.example/apple-app-site-association")
        try rig.tool.write("x", to: "sites/example.com/readme.txt")
        let first = try rig.run("store", "import", "sites", "--format", "json")
        #expect(first.status == 1)
        #expect(try first.object()["published"] as? Int == 3)
        #expect(try first.object()["refused"] as? Int == 1)
        #expect(try rig.run("store", "import", "sites", "--format", "json").object()["published"] as? Int == 0)
        try rig.succeed("store", "export", "out/sites")
        for (path, text) in files { #expect(try rig.tool.text("out/\(path)") == text) }
        #expect(try rig.run("store", "export", "out/sites").status == 1)
        try FileManager.default.removeItem(
            at: rig.tool.folder.url.appendingPathComponent("sites/_wildcard.example.org"))
        let pruned = try rig.run("store", "import", "sites", "--prune", "--format", "json").object()
        #expect(pruned["removed"] as? Int == 1)
        #expect(!(try rig.succeed("sites").text.contains("example.org")))
    }

    @Test("links.json is imported after the images that it names, repeatedly, is exported, and is not served by itself")
    func links() throws {
        let rig = try StoreRig()
        try rig.tool.write(StoreRig.document("a"), to: "sites/example.com/\(StoreRig.name)")
        let links = """
            {"app": {"name": "Shop", "icon": "icon.webp"}, "pages": [{"route": "/b/{id}", "image": "b.webp"}],
             "links": {"/s": {"image": "s.webp"}, "/t": {"image": "https://www.example.com/t.png"}, "/u": {"image": "s.webp"}}}
            """
        func image(_ text: String) -> String { "RIFF\u{4}\u{0}\u{0}\u{0}WEBP\(text)" }
        let images = ["icon.webp": image("icon"), "b.webp": image("page"), "s.webp": image("link")]
        try rig.tool.write(links, to: "sites/example.com/links.json")
        for (name, text) in images { try rig.tool.write(text, to: "sites/example.com/\(name)") }
        try rig.tool.write("x", to: "sites/example.com/other.png")
        let first = try rig.succeed("store", "import", "sites")
        #expect(first.text.contains("5 files: 5 published") && first.text.contains("other.png: left"))
        let order = try rig.database.sql(
            "SELECT string_agg(name, ' ' ORDER BY version, name = 'links.json') FROM aasa.versions WHERE name LIKE '%.%'"
        )
        #expect(order.hasSuffix("links.json"))
        try rig.tool.write(image("icon 2"), to: "sites/example.com/icon.webp")
        #expect(try rig.succeed("store", "import", "sites").text.contains("5 files: 1 published"))
        #expect(try rig.succeed("store", "import", "sites").text.contains("5 files: 0 published"))
        try rig.succeed("store", "export", "out")
        #expect(try rig.tool.shell("diff -r sites out").text == "Only in sites/example.com: other.png\n")
        let node = try rig.node("one")
        #expect(try node.fetch("example.com").status == 200)
        for name in ["links.json", "icon.webp", "s.webp"] {
            #expect(try node.fetch("example.com", name).status == 404)
        }
        // One that names what cannot be there is left.
        for (name, text) in [("gone.png", "does not exist"), ("../s.webp", "is not a file in the folder")] {
            try rig.tool.write(#"{"app": {"icon": "\#(name)"}}"#, to: "sites/example.com/links.json")
            let outcome = try rig.run("store", "import", "sites")
            #expect(outcome.status == 1 && outcome.text.contains(text), "\(outcome.text)")
        }
        #expect(try rig.succeed("history", "example.com", "--name", "links.json", "--print", "1").text == links)
    }

    @Test("--prune removes nothing if the folder has no site")
    func pruneNothing() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        try rig.tool.shell("mkdir empty")
        let outcome = try rig.run("store", "import", "empty", "--prune")
        #expect(outcome.status == 1 && outcome.errors.contains("has no site"))
        #expect(try rig.succeed("sites").text.contains("example.com"))
    }

    @Test("a new key has another name than those of the key file")
    func keyNames() throws {
        let tool = try BuiltTool()
        try tool.shell("umask 077; $tool store key > one; { $tool store key --store-key-file one; cat one; } > two")
        try tool.shell("$tool store key --store-key-file two > three")
        let names = try ["one", "two", "three"].map { try tool.text($0).prefix { $0 != " " } }
        #expect(names[1] == "\(names[0])-2" && names[2] == "\(names[0])-3")
        #expect(try tool.run("store", "key", "--store-key-file", "none").status == 65)
    }

    @Test("keys of certificates are encrypted in the store, change with rekey, and come out as they were")
    func certificates() throws {
        let rig = try StoreRig()
        try rig.tool.shell("umask 077; $tool store key > old.key; mkdir sites")
        try TestCertificate.make(["DNS:localhost"], in: rig.tool.folder.url.appendingPathComponent("certs/localhost"))
        let old = ["--store-key-file", "old.key", "--certs", "certs"]
        try rig.succeed("store", "import", "sites", old[0], old[1], old[2], old[3])
        let sealed = { try rig.database.sql("SELECT key_id, encode(key_sealed, 'hex') FROM aasa.certificates") }
        let before = try sealed()
        let key = try rig.tool.text("certs/localhost/privkey.pem")
        #expect(
            try rig.database.sql("SELECT position('PRIVATE' IN encode(key_sealed, 'escape')) FROM aasa.certificates")
                == "0")
        try rig.tool.shell("umask 077; { $tool store key | sed 's/^k/n/'; cat old.key; } > new.key")
        #expect(try rig.run("store", "status", "--store-key-file", "new.key").text.contains("aasa store rekey"))
        #expect(try rig.succeed("store", "rekey", "--store-key-file", "new.key").text.contains("1 secret encrypted"))
        #expect(try rig.succeed("store", "rekey", "--store-key-file", "new.key").text.contains("nothing to do"))
        #expect(try sealed() != before)
        try rig.succeed("store", "export", "out", "--certs", "outcerts", "--store-key-file", "new.key")
        #expect(try rig.tool.text("outcerts/localhost/privkey.pem") == key)
        #expect(try rig.tool.shell("stat -c %a outcerts/localhost/privkey.pem").text == "600\n")
        let wrong = try rig.run("store", "rekey", "--store-key-file", "old.key", "--format", "json")
        #expect(wrong.status == 1 && wrong.errors.contains("[store-key-missing]"))
        #expect(try rig.run("store", "rekey").status == 64)
    }
}
