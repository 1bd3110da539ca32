import Foundation
import FuzzingSupport
import SystemSupport
import TestSupport
import Testing

/// Nodes and publishers that are killed at any instant (store.md, section 8).
@Suite("Nodes and publishers that are killed", .waiting, .needs(.postgres))
struct NodeKillTests {
    /// A file of a hundred kilobytes, so that a journal is soon folded into a new snapshot.
    private static func large(_ number: Int) -> String {
        let comment = String(repeating: "x", count: 100_000)
        return #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.n\#(number)"]},"_":"\#(comment)"}"#
    }

    @Test(
        "whenever a node is killed, also while it writes its cache, the next one starts from a whole cache",
        arguments: TestSeeds.of(1...1))
    func nodes(seed: UInt64) throws {
        let rig = try StoreRig()
        try rig.insert("example.com", Self.large(0))
        let first = try rig.node("one")
        #expect(rig.hasCache("one"))
        first.signal(SIGKILL)
        _ = first.exitStatus()
        let isEnding = Locked(false)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            var number = 1
            while !isEnding.withLock({ $0 }) {
                try? rig.insert("example.com", Self.large(number))
                number += 1
            }
            ended.signal()
        }.start()
        var generator = SplitMix64(seed: seed)
        for _ in 0..<6 {
            let milliseconds = Int.random(in: 20...400, using: &generator)
            let arguments = rig.nodeArguments("one", poll: "1").map { "'\($0)'" }.joined(separator: " ")
            let killed = try rig.tool.shell(
                "timeout -s KILL \(Double(milliseconds) / 1_000) $tool serve \(arguments)")
            #expect(killed.status == 137 || killed.status == 9, "\(milliseconds) ms: \(killed.errors)")
            #expect(!killed.errors.contains("store-cache-damaged"), "\(killed.errors)")
            // Without a database there is the cache alone.
            let next = try rig.node("one", url: StoreRig.nowhere)
            let (status, body) = try next.fetch("example.com")
            #expect(status == 200 && body.hasSuffix("\"}") && body.utf8.count > 100_000)
            #expect(!next.logText.contains("store-cache-damaged"), "\(milliseconds) ms: \(next.logText)")
            next.signal(SIGKILL)
            _ = next.exitStatus()
        }
        isEnding.withLock { $0 = true }
        ended.wait()
        let last = try rig.node("one")
        let newest = try rig.database.sql(
            "SELECT encode(sha256, 'hex') FROM aasa.current WHERE domain = 'example.com'")
        #expect(try Waiting.until { try rig.admin("one", "/sites").contains(newest) })
        #expect(!last.logText.contains("store-cache-damaged"))
    }

    @Test(
        "publishers that are killed leave all or nothing, and of many at once each leaves its version",
        arguments: TestSeeds.of(1...1))
    func publishers(seed: UInt64) throws {
        let rig = try StoreRig()
        let node = try rig.node("one")
        for number in 0..<20 { try rig.tool.write(StoreRig.document("n\(number)"), to: "\(number).json") }
        let url = "--store '\(rig.url)'"
        var generator = SplitMix64(seed: seed)
        let kills = (0..<20).map { number in
            let seconds = Double.random(in: 0.005...0.12, using: &generator)
            return "timeout -s KILL \(seconds) $tool publish killed.example \(number).json \(url)"
        }
        try rig.tool.shell(kills.joined(separator: "; "))
        // All of them at once.
        try rig.tool.shell((0..<20).map { "$tool publish example.com \($0).json \(url) & " }.joined() + "wait")
        #expect(try rig.database.sql("SELECT count(*) FROM aasa.versions WHERE domain = 'example.com'") == "20")
        let isWhole = try rig.database.sql(
            """
            SELECT bool_and(last = versions AND held) FROM (
                SELECT max(v.version) AS last, count(*) AS versions,
                    bool_and(v.version < c.version OR v.sha256 = c.sha256) AS held
                FROM aasa.versions AS v JOIN aasa.current AS c USING (domain, name) GROUP BY domain, name) AS files
            """)
        #expect(isWhole == "t")
        let counts = "SELECT generation, (SELECT count(*) FROM aasa.changes) - 1 FROM aasa.meta"
        let (generation, changes) = try split(rig.database.sql(counts))
        #expect(generation == changes)
        let newest = try rig.database.sql(
            """
            SELECT convert_from(bytes, 'UTF8') FROM aasa.current JOIN aasa.content USING (sha256)
            WHERE domain = 'example.com'
            """)
        #expect(try Waiting.until { try node.fetch("example.com").body == newest })
    }

    private func split(_ row: String) -> (Substring?, Substring?) {
        let parts = row.split(separator: "|")
        return (parts.first, parts.last)
    }

    @Test("of publishers with one --if-match exactly one wins, and the others say who has")
    func oneWinner() throws {
        let rig = try StoreRig()
        let digest = try #require(try rig.publish("example.com", "a").object()["sha256"] as? String)
        for number in 0..<8 { try rig.tool.write(StoreRig.document("n\(number)"), to: "\(number).json") }
        let outcome = try rig.tool.shell(
            (0..<8).map { number in
                "{ $tool publish example.com \(number).json --if-match \(digest) --store '\(rig.url)' >/dev/null; echo $?; } & "
            }.joined() + "wait")
        let statuses = outcome.text.split(separator: "\n")
        #expect(statuses.count == 8 && statuses.count { $0 == "0" } == 1 && statuses.count { $0 == "1" } == 7)
        #expect(outcome.errors.contains("published by postgres"))
        #expect(try rig.database.sql("SELECT count(*) FROM aasa.versions") == "2")
    }
}
