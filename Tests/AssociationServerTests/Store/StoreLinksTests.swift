import AssociationServer
import ServiceHealth
import SiteStore
import TestSupport
import Testing

/// `links.json` of a store, with the images that it names (store.md, sections 1 and 7).
@Suite("Links of a store", .waiting)
struct StoreLinksTests {
    private let followed: FollowedServer

    init() throws {
        followed = try FollowedServer { $0.plainRedirect = false }
        followed.apply([FollowedServer.file("a.example", FollowedServer.association, 1, FollowedServer.document())])
    }

    private static let links = LinkedServer.links()

    private func file(_ name: String, _ version: Int64, _ text: String?) -> StoredFile {
        FollowedServer.file("a.example", name, version, text)
    }

    private func get(_ target: String) throws -> FollowedServer.Answer {
        let socket = try RawSocket(port: followed.port())
        socket.send("GET \(target) HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
        return try FollowedServer.Answer(socket.rest())
    }

    private var state: String {
        followed.server.facts.sites.first?.site["links.json"]?.state.rawValue ?? "none"
    }

    @Test("links answer with the images of the same change, in whatever order they come")
    func oneChange() throws {
        #expect(try get("/summer").status == 404 && state == "none")
        let outcome = followed.apply([
            file("links.json", 1, Self.links), file("summer.webp", 1, LinkedServer.image("summer")),
            file("icon.webp", 1, LinkedServer.image("icon")),
        ])
        #expect(outcome.refused == 0 && outcome.stale == 0 && state == "published")
        let page = try get("/summer")
        #expect(page.status == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
        #expect(try get("/go").field("Location") == "https://www.example.com/go")
        // Nothing of it is a file that is served.
        for name in ["links.json", "summer.webp"] { #expect(try followed.get("a.example", name).status == 404) }
        #expect(try followed.get("a.example").body == FollowedServer.document())
    }

    @Test("a missing image refuses the file, and the image heals it")
    func images() throws {
        let key = StoreFileKey(domain: "a.example", name: "links.json")
        let images = [
            file("icon.webp", 1, LinkedServer.image("icon")), file("summer.webp", 1, LinkedServer.image("summer")),
        ]
        #expect(followed.apply([file("links.json", 1, Self.links)]).withoutGoodVersion == [key])
        #expect(try state == "refused" && get("/go").status == 404)
        followed.apply([images[0]])
        #expect(state == "refused")
        followed.apply([images[1]])
        #expect(try state == "published" && get("/go").status == 302)
        // The last good answers stay when it is removed.
        #expect(followed.apply([file("summer.webp", 2, nil)]).stale == 1)
        #expect(try state == "stale" && get("/summer").status == 200)
        followed.apply([file("summer.webp", 3, LinkedServer.image("other"))])
        #expect(state == "published")
    }

    @Test(
        "a faulty version leaves the last good one, a removed one ends at once, and the association file is untouched")
    func versions() throws {
        followed.apply([
            file("icon.webp", 1, LinkedServer.image("icon")), file("summer.webp", 1, LinkedServer.image("summer")),
            file("links.json", 1, Self.links),
        ])
        #expect(followed.apply([file("links.json", 2, "{")]).stale == 1)
        #expect(try state == "stale" && get("/go").status == 302)
        followed.apply([file(FollowedServer.association, 2, "{")])
        followed.apply([file("links.json", 3, LinkedServer.links(sale: "https://www.example.com/new"))])
        #expect(try state == "published" && get("/summer").body.contains("https://www.example.com/new"))
        #expect(try followed.get("a.example").body == FollowedServer.document())
        followed.apply([file("links.json", 4, nil)])
        #expect(try state == "none" && get("/go").status == 404)
    }

    @Test("what a cache has was judged before, and is read all the same")
    func cached() throws {
        followed.apply(
            [
                file("icon.webp", 1, LinkedServer.image("icon")), file("links.json", 1, Self.links),
                file("summer.webp", 1, LinkedServer.image("summer")),
            ], isChecked: true)
        #expect(try state == "published" && get("/stay").status == 307)
    }

    @Test("a node whose pages are off keeps the rows, and answers when they are on")
    func off() throws {
        followed.reload { $0.pages = false }
        followed.apply([
            file("icon.webp", 1, LinkedServer.image("icon")), file("summer.webp", 1, LinkedServer.image("summer")),
            file("links.json", 1, Self.links),
        ])
        #expect(try state == "none" && get("/go").status == 404)
        #expect(!followed.server.serving([]).names.contains("links.json"))
        followed.reload()
        #expect(try state == "published" && get("/go").status == 302)
        #expect(followed.server.serving([]).names.contains("links.json"))
    }
}
