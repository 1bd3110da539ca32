import Foundation
import TestSupport
import Testing

@Suite("aasa rollback, unpublish, history and sites", .waiting, .needs(.postgres))
struct VersionsTests {
    @Test("a rollback publishes the bytes of the version before as a new one")
    func rollback() throws {
        let rig = try StoreRig()
        for path in ["a", "b"] { try rig.publish("example.com", path) }
        let back = try rig.succeed("rollback", "example.com", "--format", "json").object()
        #expect(back["result"] as? String == "published")
        #expect(back["fileVersion"] as? Int == 3)
        let history = try rig.succeed("history", "example.com", "--format", "json").object()
        let versions = try #require(history["versions"] as? [[String: Any]])
        #expect(versions.map { $0["fileVersion"] as? Int } == [3, 2, 1])
        #expect(versions[0]["sha256"] as? String == versions[2]["sha256"] as? String)
        #expect(versions[0]["message"] as? String == "rollback to version 1")
        #expect(versions[0]["current"] as? Bool == true)
        #expect(versions[0]["publishedBy"] as? String == "postgres")
        #expect(try rig.succeed("history", "example.com", "--print", "2").text == StoreRig.document("b"))
        for version in ["9", "1"] {
            let outcome = try rig.run("rollback", "example.com", version)
            #expect(outcome.status == (version == "9" ? 1 : 0))
        }
    }

    @Test("a version with errors under today's rules is not published again")
    func badVersion() throws {
        let rig = try StoreRig()
        try rig.insert("example.com", "{")
        try rig.publish("example.com", "a")
        let outcome = try rig.run("rollback", "example.com", "1", "--format", "json")
        #expect(outcome.status == 1)
        #expect(try outcome.object()["result"] as? String == "refused")
    }

    @Test("a removal is a version, repeated it changes nothing, and a rollback ends it")
    func unpublish() throws {
        let rig = try StoreRig()
        #expect(try rig.run("unpublish", "example.com").status == 1)
        try rig.publish("example.com", "a")
        let removed = try rig.succeed("unpublish", "example.com", "--format", "json").object()
        #expect(removed["result"] as? String == "removed")
        #expect(
            try rig.succeed("unpublish", "example.com", "--format", "json").object()["result"] as? String == "unchanged"
        )
        #expect(
            try rig.succeed("unpublish", "example.com", "--name", StoreRig.name, "--format", "json").object()["result"]
                as? String == "unchanged")
        let waited = try rig.succeed("unpublish", "example.com", "--wait", "0", "--format", "json").object()
        #expect(waited["nodes"] is [String: Any] && waited["generation"] as? Int == 2)
        #expect(try rig.run("unpublish", "example.com", "--if-match", "none").status == 64)
        #expect(try rig.run("history", "example.com", "--print", "2").status == 1)
        #expect(try rig.run("rollback", "example.com", "2").status == 1)
        let back = try rig.succeed("rollback", "example.com", "--format", "json").object()
        #expect(back["fileVersion"] as? Int == 3)
    }

    @Test("sites are listed by domain, with patterns, removed ones on request, and nodes")
    func sites() throws {
        let rig = try StoreRig()
        for domain in ["a.example.com", "b.example.org", "*.example.com"] { try rig.publish(domain, "a") }
        // Longer than its column.
        let long = "a-rather-long-name-of-a-site.example.net"
        try rig.publish(long, "a")
        #expect(try rig.succeed("sites", long).text.hasPrefix("\(long)  \(StoreRig.name) "))
        try rig.succeed("unpublish", long)
        #expect(try rig.succeed("sites", long, "--all").text.contains("removed"))
        try rig.succeed("unpublish", "b.example.org")
        func domains(_ arguments: String...) throws -> [String?] {
            let outcome = try rig.tool.shell(
                "$tool sites --format json --store '\(rig.url)' \(arguments.joined(separator: " "))")
            let sites = try #require(outcome.object()["sites"] as? [[String: Any]])
            return sites.map { $0["domain"] as? String }
        }
        #expect(try domains() == ["*.example.com", "a.example.com"])
        #expect(try domains("--all") == ["*.example.com", long, "a.example.com", "b.example.org"])
        #expect(try domains("'A.*'") == ["a.example.com"])
        #expect(try domains("'*.org'", "--all") == ["b.example.org"])
        let object = try rig.succeed("sites", "--nodes", "--format", "json").object()
        #expect((object["nodes"] as? [Any])?.isEmpty == true)
        #expect(object["generation"] as? Int != nil)
        #expect(try rig.succeed("sites").text.contains("a.example.com"))
    }
}
