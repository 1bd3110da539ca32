import Foundation
import TestSupport
import Testing

/// The pages about a store in the console of a node (console.md, section 3).
@Suite("The console of a node", .waiting, .needs(.postgres))
struct FleetConsoleTests {
    @Test("it shows the nodes, who has changed what, and what each change does to links")
    func fleet() throws {
        let rig = try StoreRig()
        func generation(_ outcome: Shell.Outcome) throws -> Int { try #require(outcome.object()["generation"] as? Int) }
        let first = try generation(rig.publish("a.example", "buy"))
        try rig.tool.write(StoreRig.document("shop"), to: "new.json")
        let second = try generation(
            rig.succeed("publish", "a.example", "new.json", "--message", "the <shop>", "--format", "json"))
        let third = try generation(rig.succeed("unpublish", "a.example", "--format", "json"))
        try rig.publish("b.example", "buy")
        let node = try rig.node("one")
        #expect(try node.waits(for: "buy", of: "b.example"))
        #expect(try Waiting.until { try rig.admin("one", "/console/fleet").contains(#"data-node="one""#) })
        let page = try rig.admin("one", "/console/fleet")
        for number in [first, second, third] { #expect(page.contains("data-generation=\"\(number)\""), "\(number)") }
        #expect(page.contains("a.example/apple-app-site-association") && page.contains("the &lt;shop&gt;"))
        #expect(page.contains(">postgres<") && page.contains(">remove<"))

        func change(_ generation: Int) throws -> String { try rig.admin("one", "/console/fleet/\(generation)") }
        let diff = try change(second)
        #expect(diff.contains(#"data-kind="opens""#) && diff.contains(#"data-kind="no longer opens""#))
        #expect(diff.contains("https://a.example/buy<") && diff.contains("https://a.example/shop<"))
        #expect(diff.contains("old: version 1:1:") && diff.contains("new: version 2:1:"))
        #expect(try change(first).contains("version 1, new"))
        #expect(try change(third).contains("version 3, removed"))
        #expect(try change(1_000_000).contains("The store has no change 1,000,000."))
        withExtendedLifetime(node) {}
    }

    @Test("of a change of many files the first ten are shown, and challenges of CAs are not")
    func many() throws {
        let rig = try StoreRig()
        let text = StoreRig.document("buy")
        try rig.database.sql(
            """
            INSERT INTO aasa.content(sha256, bytes) VALUES (sha256('\(text)'), '\(text)');
            INSERT INTO aasa.versions(domain, name, sha256)
                SELECT 'site-' || n || '.example', '\(StoreRig.name)', sha256('\(text)') FROM generate_series(1, 12) AS n;
            INSERT INTO aasa.acme_challenges(domain, kind, token, key_authorization, expires_at)
                VALUES ('a.example', 'http-01', 'x', 'x', now() + interval '1 hour');
            """)
        let generations = try rig.database.sql("SELECT generation FROM aasa.changes ORDER BY generation DESC LIMIT 2")
            .split(separator: "\n").map { String($0) }
        try #require(generations.count == 2)
        let node = try rig.node("one")
        let page = try rig.admin("one", "/console/fleet")
        #expect(page.contains("data-generation=\"\(generations[1])\"") && page.contains(">12 files<"))
        #expect(!page.contains("data-generation=\"\(generations[0])\""))
        let change = try rig.admin("one", "/console/fleet/\(generations[1])")
        #expect(change.contains("The first 10 of 12 files.") && change.components(separatedBy: "<section ").count == 11)
        #expect(try rig.admin("one", "/console/fleet/\(generations[0])").contains("has no change"))
        withExtendedLifetime(node) {}
    }

    @Test("a store that is away is said to be, and the nodes are what was known last")
    func away() throws {
        let rig = try StoreRig()
        try rig.publish("a.example", "buy")
        var node: RunningServer? = try rig.node("one")
        #expect(try #require(node).waits(for: "buy", of: "a.example"))
        #expect(rig.hasCache("one"))
        node?.signal(SIGKILL)
        node = nil
        let next = try rig.node("one", url: StoreRig.nowhere)
        for path in ["/console/fleet", "/console/fleet/1"] {
            #expect(try rig.admin("one", path).contains("The store does not answer."), "\(path)")
        }
        #expect(try rig.admin("one", "/console/").contains(#"href="fleet""#))
        withExtendedLifetime(next) {}
    }
}
