import AssociationServer
import Diagnostics
import SiteStore
import TestSupport
import Testing

/// `limits.sites`, and what the log says of many sites (server.md, section 7).
@Suite("The number of sites", .waiting)
struct SiteLimitTests {
    @Test("a folder with too many sites keeps those that are served, and says how many are not loaded")
    func folder() throws {
        let sites = try SitesFolder()
        sites.configuration.limits.sites = 2
        try sites.write(SitesFolder.document, "m.example")
        try sites.write(SitesFolder.document, "n.example")
        try sites.load()
        #expect(sites.otherFindings.isEmpty)
        for name in ["a.example", "b.example", "z.example"] { try sites.write(SitesFolder.document, name) }
        try sites.load()
        #expect(sites.sites.map(\.domain) == ["m.example", "n.example"])
        #expect(sites.catalog.content.refusedEntries == 3)
        #expect(
            sites.otherFindings.map(\.message) == [
                "the folder has more than 2 sites; 'a.example' and 2 more are not loaded"
            ])
        // The first of the others take the room that there is.
        try sites.remove("m.example")
        try sites.load()
        #expect(sites.catalog.content.refusedEntries == 2)
        #expect(sites.sites.map(\.domain) == ["a.example", "n.example"])
        sites.configuration.limits.sites = 4
        try sites.load()
        #expect(sites.otherFindings.isEmpty)
    }

    @Test("sites of a store that are too many are not served, until it is read again with a higher limit")
    func store() throws {
        let followed = try FollowedServer { $0.limits.sites = 3 }
        let files = (0..<5).map {
            FollowedServer.file("\($0).example", FollowedServer.association, 1, FollowedServer.document())
        }
        let outcome = followed.apply(files, isComplete: true)
        #expect(outcome.sites == 3)
        let line = "there are more than 3 sites; others, such as '3.example', are not served"
        #expect(followed.log.wait(for: line))
        #expect(try followed.get("4.example").status == 404)
        // Those that are served change all the same.
        let changed = FollowedServer.file(
            "0.example", FollowedServer.association, 2, FollowedServer.document("other"))
        followed.apply([changed])
        #expect(try followed.get("0.example").body == FollowedServer.document("other"))
        followed.reload { $0.limits.sites = 5 }
        #expect(followed.apply(files, isComplete: true).sites == 5)
        #expect(try followed.get("4.example").status == 200)
        #expect(!followed.server.findings.contains { $0.message.contains("there are more than") })
    }

    @Test("files of a store that were left out are one error until the store is read without any")
    func omitted() throws {
        let followed = try FollowedServer {
            $0.limits.sites = 7
            $0.limits.fileBytes = 100
        }
        // A quarter of the memory, unless it is set.
        #expect(followed.server.storeLimits.bytes > 1 << 20)
        followed.reload {
            ($0.limits.sites, $0.limits.storeBytes, $0.limits.fileBytes) = (7, 1_000_000, 100)
        }
        #expect(followed.server.storeLimits == StoreLimits(sites: 7, bytes: 1_000_000, fileBytes: 100))
        let key = StoreFileKey(domain: "b.example", name: "assetlinks.json")
        let file = FollowedServer.file("a.example", FollowedServer.association, 1, "{}")
        let line =
            "the files take more than 1,000,000 bytes; others, or newer versions, such as 'b.example/assetlinks.json', are not served"
        followed.apply([file], omitted: StoreOmission(limit: .bytes(1_000_000), first: key))
        #expect(followed.log.wait(for: line))
        followed.apply([], omitted: nil)
        #expect(followed.server.findings.contains { $0.message == line })
        followed.apply([file], isComplete: true)
        #expect(!followed.server.findings.contains { $0.message == line })
        followed.apply([file], omitted: StoreOmission(limit: .sites(7), first: key))
        #expect(followed.log.wait(for: "there are more than 7 sites; others, such as 'b.example', are not served"))
    }

    @Test("a batch of many bad sites has a hundred lines in the log, and one for all others")
    func log() throws {
        let followed = try FollowedServer()
        let files = (0..<1_000).map { FollowedServer.file("\($0).example", FollowedServer.association, 1, "{") }
        followed.apply(files)
        #expect(followed.log.wait(for: "900 more files with findings, 900 of them rejected; 'aasa status'"))
        #expect(followed.log.lines.count { $0.contains(": file rejected") } == 100)
        #expect(followed.log.lines.count < 150)
    }
}
