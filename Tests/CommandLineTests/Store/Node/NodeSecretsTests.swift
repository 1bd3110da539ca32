import Foundation
import TLSSamples
import TestSupport
import Testing

/// Certificates, session tickets and their keys across the processes of nodes (store.md, section 4).
@Suite("Secrets of nodes", .waitingForSeconds, .needs(.postgres))
struct NodeSecretsTests {
    private let rig: StoreRig

    init() throws {
        rig = try StoreRig()
        try rig.tool.shell("umask 077; $tool store key > keys")
        try rig.tool.write(StoreRig.document("a"), to: "sites/localhost/\(StoreRig.name)")
        try importCertificate()
    }

    /// Puts another certificate for localhost into the store.
    ///
    /// - Returns: its certificate, in DER.
    @discardableResult
    private func importCertificate(_ keyFile: String = "keys") throws -> [UInt8] {
        let folder = rig.tool.folder.url.appendingPathComponent("certs/localhost")
        try TestCertificate.make(["DNS:localhost"], in: folder)
        try rig.succeed("store", "import", "sites", "--certs", "certs", "--store-key-file", keyFile)
        let der = try rig.tool.shell("openssl x509 -in certs/localhost/fullchain.pem -outform DER")
        return Array(der.output)
    }

    private func presented(_ node: RunningServer) throws -> [UInt8] {
        let client = try HTTPSClient(port: node.port)
        try client.handshake()
        #expect(try client.get().status == 200)
        return client.presented
    }

    private func sharesKeys(_ node: String) throws -> Bool {
        try Waiting.until { try rig.admin(node, "/metrics").contains("\naasa_ticket_keys_shared 1\n") }
    }

    private func hasCaughtUp(_ node: String) throws -> Bool {
        let held = try rig.database.sql("SELECT generation FROM aasa.meta")
        return try Waiting.until {
            try rig.database.sql("SELECT generation FROM aasa.nodes WHERE node = '\(node)'") == held
        }
    }

    /// Whether a session of one node is resumed by another.
    private func resumes(_ first: RunningServer, _ second: RunningServer, _ version: SampleOffer.Version) throws -> Bool
    {
        let offer = SampleOffer { ($0.oldest, $0.newest) = (version, version) }
        let client = try HTTPSClient(port: first.port, offer)
        try client.handshake()
        #expect(try client.get().status == 200)
        client.sayGoodbye()
        let again = try HTTPSClient(port: second.port, offer, resuming: client.session)
        try again.handshake()
        #expect(try again.get().status == 200)
        return again.isResumed
    }

    @Test("a session of one node is resumed by another process")
    func resumption() throws {
        let nodes = try ["one", "two"].map { try rig.node($0, keyFile: "keys") }
        for name in ["one", "two"] { #expect(try sharesKeys(name)) }
        for version in [SampleOffer.Version.tls12, .tls13] {
            #expect(try resumes(nodes[0], nodes[1], version))
            #expect(try resumes(nodes[1], nodes[0], version))
        }
    }

    @Test(
        "nodes whose clocks differ by hours follow, are not silent, and share keys of session tickets",
        .enabled(if: FakeTime.isUsable, "libfaketime is not installed (in Debian: apt-get install faketime)"))
    func clocks() throws {
        let right = try rig.node("right", keyFile: "keys")
        for (name, distance) in [("early", "-5h"), ("late", "+7h")] {
            let clock = try rig.tool.folder.write(distance, to: "\(name).clock")
            let node = try rig.node(name, keyFile: "keys", launcher: FakeTime.launcher(clock: clock))
            #expect(try sharesKeys(name))
            #expect(try sharesKeys("right"))
            // TLS has its own idea of how long a session lasts: at worst there is another handshake.
            for (first, second) in [(right, node), (node, right)] { _ = try resumes(first, second, .tls13) }
            try rig.tool.write(StoreRig.document(name), to: "new.json")
            try rig.succeed("publish", "localhost", "new.json", "--wait", "\(Patience.seconds)", "--nodes", "2")
            let client = try HTTPSClient(port: node.port)
            try client.handshake()
            #expect(try client.get().text == StoreRig.document(name))
            // So that it signs off, and the next publication does not wait for it.
            node.signal(SIGTERM)
            #expect(node.exitStatus() == 0)
        }
    }

    @Test("keys are rotated under running nodes, which present the certificate all the time and after a restart")
    func rotation() throws {
        let node = try rig.node("one", keyFile: "keys")
        let before = try presented(node)
        try rig.tool.shell(
            "umask 077; { $tool store key --store-key-file keys; cat keys; } > both && mv both keys")
        node.signal(SIGHUP)
        #expect(node.waitForLog("reloaded: "))
        let status = try rig.run("store", "status", "--store-key-file", "keys")
        #expect(status.text.contains("run 'aasa store rekey'"), "\(status.text)")
        try rig.succeed("store", "rekey", "--store-key-file", "keys")
        try rig.tool.shell("umask 077; head -n 1 keys > new && mv new keys")
        node.signal(SIGHUP)
        #expect(node.waitForLogs("reloaded: ", count: 2))
        #expect(try presented(node) == before)
        #expect(!node.logText.contains("[store-key-"))
        #expect(rig.hasCache("one"))
        #expect(try hasCaughtUp("one"))
        node.signal(SIGTERM)
        #expect(node.exitStatus() == 0)
        let next = try rig.node("one", url: StoreRig.nowhere, keyFile: "keys")
        #expect(try presented(next) == before)
    }

    @Test("a certificate whose key is missing replaces nothing, also after a restart without the database")
    func lastGood() throws {
        let good = try presented(rig.node("first", keyFile: "keys"))
        let node = try rig.node("one", keyFile: "keys")
        #expect(rig.hasCache("one"))
        try rig.tool.shell("umask 077; { $tool store key | sed 's/^k/other-/'; } > other")
        try importCertificate("other")
        #expect(node.waitForLog("[store-key-missing]"))
        #expect(try presented(node) == good)
        #expect(try hasCaughtUp("one"))
        node.signal(SIGTERM)
        #expect(node.exitStatus() == 0)
        for _ in 0..<2 {
            let next = try rig.node("one", url: StoreRig.nowhere, keyFile: "keys")
            #expect(next.waitForLog("[store-key-missing]"))
            #expect(try presented(next) == good)
            next.signal(SIGTERM)
            #expect(next.exitStatus() == 0)
        }
    }

    @Test("no key and no password is in an output, a log, a cache or a dump")
    func nothingInTheOpen() throws {
        let secret = "hunter2-geheim"
        let url = rig.url.replacingOccurrences(of: "postgres@", with: "postgres:\(secret)@")
        let node = try rig.node("one", url: url, poll: "1", keyFile: "keys")
        #expect(try sharesKeys("one"))
        #expect(rig.hasCache("one"))
        var texts = [try rig.admin("one", "/sites"), try rig.admin("one", "/metrics")]
        for command in ["sites --nodes", "store status --store-key-file keys", "history localhost"] {
            for format in ["text", "json"] {
                let outcome = try rig.tool.shell("$tool \(command) --store '\(url)' --format \(format)")
                texts += [outcome.text, outcome.errors]
            }
        }
        try rig.insert("example.com", "{")
        try rig.database.sql("UPDATE aasa.certificates SET key_sealed = '\\x00'")
        #expect(node.waitForLog("[store-key-wrong]"))
        try rig.tool.write("k1 \(String(repeating: "z", count: 64))\n", to: "bad")
        texts.append(try rig.run("store", "rekey", "--store-key-file", "bad").errors)
        node.signal(SIGTERM)
        #expect(node.exitStatus() == 0)
        texts.append(node.logText)
        let folder = rig.database.cluster.socketFolder
        texts.append(try Shell.run(["pg_dump", "-h", folder, "-U", "postgres", rig.database.name]).text)
        for file in try FileManager.default.contentsOfDirectory(atPath: rig.cachePath("one")) {
            let path = "\(rig.cachePath("one"))/\(file)"
            texts.append(String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self))
        }
        #expect(texts.contains { $0.contains("CREATE TABLE aasa.certificates") })
        #expect(texts.contains { $0.contains("BEGIN CERTIFICATE") })
        let hex = try #require(try rig.tool.text("keys").split(whereSeparator: \.isWhitespace).last.map { String($0) })
        let lines = try rig.tool.text("certs/localhost/privkey.pem").split(separator: "\n").filter { $0.count > 40 }
        for secret in [secret, hex, "zzzz", "PRIVATE KEY"] + lines.map({ String($0) }) {
            for text in texts { #expect(!text.contains(secret), "\(text.prefix(200))") }
        }
    }
}
