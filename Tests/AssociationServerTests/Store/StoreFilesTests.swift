import AssociationServer
import Diagnostics
import Foundation
import FuzzingSupport
import ServiceHealth
import SiteStore
import TestSupport
import Testing

/// The files of a store on a server (store.md, section 7).
@Suite("Files of a store", .waiting)
struct StoreFilesTests {
    private let followed: FollowedServer
    private static let key = StoreFileKey(domain: "a.example", name: FollowedServer.association)

    init() throws { followed = try FollowedServer() }

    private func file(
        _ version: Int64, _ text: String?, _ domain: String = "a.example", _ name: String = FollowedServer.association,
        lint: String? = nil, publishedAt: Int64 = FollowedServer.newYear
    ) -> StoredFile {
        FollowedServer.file(domain, name, version, text, lint: lint, publishedAt: publishedAt)
    }

    private var states: [String] { followed.server.facts.sites.map { "\($0.domain) \($0.site.state.rawValue)" } }

    @Test("nothing published is no error, and the first publication makes the server ready")
    func beginning() throws {
        #expect(followed.server.servingState == .nothingPublished)
        #expect(try followed.get("a.example").status == 404)
        let outcome = followed.apply([file(1, FollowedServer.document())], isComplete: true)
        #expect(outcome.sites == 1 && outcome.stale == 0 && outcome.refused == 0)
        #expect(followed.server.servingState == .ready)
        let answer = try followed.get("a.example")
        #expect(answer.status == 200 && answer.body == FollowedServer.document())
        #expect(answer.field("Last-Modified") == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(answer.field("ETag") == "\"\(ContentDigest(of: Array(FollowedServer.document().utf8)).hex)\"")
        #expect(answer.field("Content-Type") == "application/json")
        #expect(followed.log.wait(for: "store: generation 1: 1 site added (a.example); now 1 site; "))
    }

    @Test("a new version replaces the old one, and a removed one ends at once")
    func changes() throws {
        followed.apply([file(1, FollowedServer.document()), file(1, FollowedServer.document(), "b.example")])
        followed.apply([file(2, FollowedServer.document("other"), publishedAt: FollowedServer.newYear + 1_999_999)])
        let answer = try followed.get("a.example")
        #expect(answer.body == FollowedServer.document("other"))
        #expect(answer.field("Last-Modified") == "Thu, 01 Jan 2026 00:00:01 GMT")
        #expect(followed.log.wait(for: "store: generation 1 → 2: 1 site changed (a.example); now 2 sites"))
        let outcome = followed.apply([file(3, nil)])
        #expect(outcome.sites == 1 && states == ["b.example published"])
        #expect(try followed.get("a.example").status == 404)
        #expect(try followed.get("b.example").status == 200)
        followed.apply([file(4, FollowedServer.document())])
        #expect(try followed.get("a.example").status == 200)
    }

    @Test("the same bytes published anew have another time, as on a node that has seen nothing before")
    func sameBytes() throws {
        followed.apply([file(1, FollowedServer.document())])
        followed.apply([file(2, FollowedServer.document(), publishedAt: FollowedServer.newYear + 5_000_000)])
        #expect(try followed.get("a.example").field("Last-Modified") == "Thu, 01 Jan 2026 00:00:05 GMT")
    }

    @Test("a bad version leaves the last good one served, and the next good one ends that")
    func stale() throws {
        let good = file(1, FollowedServer.document())
        followed.apply([good])
        let outcome = followed.apply([file(2, "{")])
        #expect(outcome.stale == 1 && outcome.refused == 0 && outcome.withoutGoodVersion.isEmpty)
        #expect(outcome.servedOlder.map(\.version) == [1])
        #expect(try followed.get("a.example").body == FollowedServer.document())
        #expect(states == ["a.example stale"])
        #expect(followed.log.wait(for: "error a.example: new file rejected (1 error), still serving version"))
        #expect(followed.log.wait(for: "aasa history 'a.example' --print 2 | aasa validate -"))
        let finding = followed.server.facts.sites[0].site.lastError?.diagnostics.first
        #expect(finding?.path == "store:a.example/apple-app-site-association@2")
        let recovered = followed.apply([file(3, FollowedServer.document("new"))])
        #expect(recovered.stale == 0 && states == ["a.example published"])
        #expect(try followed.get("a.example").body == FollowedServer.document("new"))
    }

    @Test("a bad version without a good one is 503, until an older one comes to stand in")
    func olderVersions() throws {
        let bad = file(5, "{")
        let outcome = followed.apply([bad])
        #expect(outcome.withoutGoodVersion == [Self.key] && outcome.refused == 1 && outcome.stale == 0)
        #expect(try followed.get("a.example").status == 503)
        #expect(followed.server.servingState == .nothingPublished)
        let versions = [
            file(4, "[", publishedAt: FollowedServer.newYear + 4_000_000), file(3, nil),
            file(2, FollowedServer.document("two"), publishedAt: FollowedServer.newYear + 2_000_000),
            file(1, FollowedServer.document("one")),
        ]
        let second = followed.apply([bad], older: [Self.key: versions])
        #expect(second.withoutGoodVersion.isEmpty && second.stale == 1 && second.refused == 0)
        #expect(second.servedOlder.map(\.version) == [2])
        let answer = try followed.get("a.example")
        #expect(answer.body == FollowedServer.document("two"))
        #expect(answer.field("Last-Modified") == "Thu, 01 Jan 2026 00:00:02 GMT")
        // Seen again, as by a full read: it stays.
        let third = followed.apply([bad], isComplete: true)
        #expect(third.servedOlder.map(\.version) == [2] && third.stale == 1)
        #expect(followed.apply([file(6, "{")], older: [Self.key: [file(4, "[")]]).servedOlder.map(\.version) == [2])
    }

    @Test("older versions that change nothing are no line in the log, and those that do are one of the same generation")
    func oneLine() throws {
        let bad = file(1, "{")
        followed.apply([bad])
        followed.applyAgain([bad], older: [Self.key: []])
        let lines = { followed.log.lines.filter { $0.contains("store: generation ") } }
        #expect(lines().count == 1)
        followed.applyAgain([bad], older: [Self.key: [file(0, FollowedServer.document())]])
        #expect(lines().count == 2)
        #expect(lines()[1].contains("store: generation 1: 1 site changed (a.example), 1 file refused"))
        #expect(!lines().contains { $0.contains("→") })
    }

    @Test("a site without an association file answers 404 for it, and serves what it has")
    func withoutAssociation() throws {
        followed.apply([file(1, SitesFolder.links, "a.example", "assetlinks.json")])
        #expect(try followed.get("a.example", "assetlinks.json").body == SitesFolder.links)
        #expect(try followed.get("a.example").status == 404)
        #expect(states == ["a.example published"] && followed.server.servingState == .ready)
        followed.apply([file(1, FollowedServer.document())])
        #expect(try followed.get("a.example").status == 200)
        followed.apply([file(2, nil)])
        #expect(try followed.get("a.example").status == 404)
        #expect(try followed.get("a.example", "assetlinks.json").status == 200)
    }

    @Test("a name that 'wellKnown' does not list is kept, and served once it does")
    func allowList() throws {
        followed.apply([
            file(1, FollowedServer.document()), file(1, "Contact: mailto:a@a.example\n", "a.example", "security.txt"),
            file(1, "alone", "b.example", "security.txt"),
        ])
        #expect(states == ["a.example published"])
        #expect(try followed.get("a.example", "security.txt").status == 404)
        followed.reload { $0.wellKnown = [.init(name: "security.txt", contentType: "text/plain")] }
        let answer = try followed.get("a.example", "security.txt")
        #expect(answer.status == 200 && answer.field("Content-Type") == "text/plain")
        #expect(try followed.get("b.example", "security.txt").body == "alone")
        #expect(try followed.get("b.example").status == 404)
        followed.reload()
        #expect(try followed.get("a.example", "security.txt").status == 404)
        #expect(states == ["a.example published"])
    }

    @Test("other limits and ages of server.json hold for the files of the store, too")
    func settings() throws {
        followed.apply([file(1, FollowedServer.document())])
        followed.reload { $0.cacheMaxAge = 60 }
        #expect(try followed.get("a.example").field("Cache-Control") == "public, max-age=60")
        followed.reload { $0.limits.fileBytes = 10 }
        #expect(states == ["a.example stale"])
        followed.apply([file(1, FollowedServer.document(), "b.example")])
        #expect(try followed.get("b.example").status == 503)
        followed.reload()
        #expect(states == ["a.example published", "b.example published"])
        #expect(try followed.get("b.example").status == 200)
    }

    @Test("rows that can be no files are findings, and harm no others")
    func invalidRows() throws {
        let outcome = followed.apply([
            file(1, FollowedServer.document(), "A.example"), file(1, FollowedServer.document(), "a\u{1B}[2J.example"),
            file(1, FollowedServer.document(), "a.example", "../x"), file(1, FollowedServer.document(), "b.example"),
        ])
        #expect(outcome.sites == 1 && outcome.refused == 3 && states == ["b.example published"])
        let paths = followed.server.findings.map(\.path).sorted()
        #expect(paths.count == 3 && paths.allSatisfy { !$0.utf8.contains(0x1B) })
        #expect(followed.log.wait(for: "'A.example' is not a domain in lowercase and Punycode"))
        #expect(followed.apply([file(2, nil, "A.example")]).refused == 2)
    }

    @Test("bytes that do not have the SHA-256 of their row are an error like another")
    func damaged() throws {
        followed.apply([file(1, FollowedServer.document())])
        let damaged = StoredFile(
            key: Self.key, version: 2,
            contents: StoredContents(
                digest: ContentDigest(of: [1]), bytes: Array(FollowedServer.document("evil").utf8)), lint: nil,
            publishedAt: FollowedServer.newYear, generation: 2)
        #expect(followed.apply([damaged]).stale == 1)
        #expect(try followed.get("a.example").body == FollowedServer.document())
        // Also where nobody looks at the contents.
        #expect(followed.apply([damaged], isChecked: true).stale == 1)
    }

    @Test("a file is judged by the '.aasa.json' of its row, whose own mistakes are no fault of the file")
    func lint() throws {
        let text = #"{"applinks":{"details":[{"appIDs":["com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#
        let codes = followed.server.findings.count
        #expect(codes == 0)
        #expect(followed.apply([file(1, text)]).refused == 1)
        let code = try #require(followed.server.findings.first { $0.severity >= .error }?.diagnostic.code.rawValue)
        let settings = #"{"severity":{"\#(code)":"off"}}"#
        #expect(followed.apply([file(2, text, lint: settings)]).refused == 0)
        #expect(try followed.get("a.example").body == text)
        let outcome = followed.apply([file(1, FollowedServer.document(), "b.example", lint: "{ no JSON")])
        #expect(outcome.refused == 0)
        #expect(try followed.get("b.example").status == 200)
        #expect(followed.server.findings.contains { $0.path == "store:b.example/.aasa.json" })
    }

    @Test("a private key is refused, and never quoted")
    func privateKey() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
        #expect(followed.apply([file(1, key)]).refused == 1)
        #expect(followed.server.findings.first?.isError == true)
        #expect(!followed.log.lines.contains { $0.contains("c2VjcmV0") })
    }

    @Test("what the same program has checked before is not checked again")
    func alreadyChecked() throws {
        #expect(followed.apply([file(1, "{")], isComplete: true, isChecked: true).refused == 0)
        #expect(try followed.get("a.example").body == "{")
    }

    @Test("a full read ends what it lacks, but one without any file changes nothing")
    func fullReads() throws {
        followed.apply([file(1, FollowedServer.document()), file(1, FollowedServer.document(), "b.example")])
        let outcome = followed.apply([file(1, FollowedServer.document(), "b.example")], isComplete: true)
        #expect(outcome.sites == 1 && states == ["b.example published"])
        for files in [[], [file(2, nil, "b.example")]] {
            let emptied = followed.apply(files, isComplete: true)
            #expect(emptied.sites == 1 && states == ["b.example published"])
        }
        #expect(try followed.get("b.example").status == 200)
        #expect(followed.apply([file(2, nil, "b.example")]).sites == 0)
        #expect(followed.server.servingState == .nothingPublished)
    }

    @Test("a wildcard site answers for the names below it")
    func wildcard() throws {
        followed.apply([file(1, FollowedServer.document(), "*.a.example")])
        #expect(try followed.get("x.a.example").status == 200)
        #expect(try followed.get("a.example").status == 404)
    }

    @Test(
        "after any order of changes the same is served as by a server that has seen only their end",
        arguments: TestSeeds.of(1...2))
    func anyOrder(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let texts: [String?] = [nil, FollowedServer.document("one"), FollowedServer.document("two"), SitesFolder.links]
        let names = [FollowedServer.association, "assetlinks.json"]
        let domains = (0..<6).map { "\($0).example" }
        var current: [StoreFileKey: StoredFile] = [:]
        for round in 1...40 {
            let files = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let name = names.randomElement(using: &generator) ?? ""
                let good = name == names[0] ? Array(texts[0...2]) : [texts[0], texts[3]]
                return file(
                    Int64(round), good.randomElement(using: &generator) ?? nil,
                    domains.randomElement(using: &generator) ?? "", name,
                    publishedAt: FollowedServer.newYear + Int64(round) * 1_000_000)
            }
            for file in files { current[file.key] = file }
            followed.apply(files)
        }
        let other = try FollowedServer()
        other.apply(Array(current.values), isComplete: true)
        for domain in domains {
            for name in names {
                let (left, right) = (try followed.get(domain, name), try other.get(domain, name))
                #expect(left.status == right.status && left.body == right.body)
                #expect(left.field("Last-Modified") == right.field("Last-Modified"))
                #expect(left.field("ETag") == right.field("ETag"))
                #expect((left.status == 200) == (current[.init(domain: domain, name: name)]?.contents != nil))
            }
        }
    }
}
