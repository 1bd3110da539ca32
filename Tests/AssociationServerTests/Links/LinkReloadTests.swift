import AssociationServer
import Diagnostics
import Foundation
import ServiceHealth
import TestSupport
import Testing

/// `links.json` as one more file of a site, apart from the association file (docs/spec/server.md, sections 2, 5 and 6).
@Suite("Reloading links and pages", .waiting)
struct LinkReloadTests {
    private static let broken = #"{"app": {"name": "Shop"}, "links": {"/x": {"to": "http://www.example.com"}}}"#

    /// The paths that links never answer, as they are asked for on each kind of listener.
    private static let reserved = [
        LinkedServer.association, "/apple-app-site-association", "/apple-app-site-association?x",
        "/.well-known/apple-app-site-associatio%6E", "/.well-known/apple-app-site-association/", "/.well-known/x",
        "/.well-known/assetlinks.json", "/.well-known/links.json", "/apple-app-site-associationx", "/assetlinks.json",
        "/%2Ewell-known/x",
    ]

    private static func answers(_ linked: LinkedServer) throws -> [[String]] {
        try [false, true].flatMap { isPlain in
            try reserved.flatMap { target in
                try ["GET", "HEAD", "PUT"].map { method in
                    let answer = try linked.answer(target, isPlain: isPlain, method: method)
                    return answer.timeless.filter { !$0.hasPrefix("Last-Modified: ") } + [answer.text]
                }
            }
        }
    }

    @Test("association paths are byte for byte the same with links, without, with a fallback, and with faulty ones")
    func sameBytes() throws {
        let without = try Self.answers(LinkedServer(nil))
        let fallback = #"{"fallback": {"redirect": "https://www.example.com"}}"#
        for text in [LinkedServer.links(), fallback, Self.broken] {
            let linked = try LinkedServer(text)
            #expect(try Self.answers(linked) == without)
            #expect(try Self.answers(linked).allSatisfy { !$0.contains { $0.hasPrefix("Location: ") } })
        }
        let linked = try LinkedServer(fallback)
        #expect(try linked.answer("/any/where?x=1")["Location"] == "https://www.example.com/any/where?x=1")
    }

    @Test("a site without links, and one whose pages are off, answers other paths as before")
    func off() throws {
        let without = try LinkedServer(nil)
        let linked = try LinkedServer { $0.pages = false }
        for target in ["/summer", "/", "/_links/x", "/../x"] {
            let answer = try linked.answer(target)
            #expect(answer.status == 404 && answer.text == "not found\n")
            #expect(try without.answer(target).timeless == answer.timeless)
        }
        #expect(linked.states == ["none", "published"])
        linked.served.reload { $0.pages = true }
        #expect(try linked.answer("/summer").status == 200 && linked.states == ["published", "published"])
    }

    @Test("neither file's faults touch the other's answers, and the last good ones stay")
    func lastGood() throws {
        let linked = try LinkedServer()
        let document = try linked.answer(LinkedServer.association).text
        try linked.write(Self.broken)
        linked.reload()
        #expect(linked.states == ["stale", "published"])
        #expect(try linked.answer("/go").status == 302)
        #expect(try linked.answer(LinkedServer.association).text == document)
        try linked.write("{", "apple-app-site-association")
        try linked.write(LinkedServer.links(sale: "https://www.example.com/new"))
        linked.reload()
        #expect(linked.states == ["published", "stale"])
        #expect(try linked.answer("/summer").text.contains("https://www.example.com/new"))
        #expect(try linked.answer(LinkedServer.association).text == document)
        try linked.remove("links.json")
        linked.reload()
        #expect(linked.states == ["stale", "stale"])
        #expect(try linked.answer("/summer").text.contains("https://www.example.com/new"))
    }

    @Test("without a good version other paths are the plain 404, and the site's links are refused")
    func refused() throws {
        let linked = try LinkedServer(Self.broken)
        #expect(linked.states == ["refused", "published"])
        let answer = try linked.answer("/x")
        #expect(answer.status == 404 && answer["Content-Type"] == "text/plain" && answer.text == "not found\n")
        #expect(try linked.answer(LinkedServer.association).status == 200)
        let problem = SiteHealth(linked.served.server.facts, now: 1_000).problems.first { $0.kind == .fileRefused }
        #expect(problem?.domain == "localhost" && problem?.message.hasPrefix("links.json is not used: ") == true)
        #expect(linked.served.server.refusedCount == 1)
        #expect(linked.served.log.wait(for: "error localhost/links.json: file rejected (1 error), no link answers"))
    }

    @Test("an image is a part of the file: replaced, gone, and back again")
    func images() throws {
        let linked = try LinkedServer()
        func path() throws -> String {
            let page = try linked.answer("/summer").text
            return try String(#require(page.firstMatch(of: #/(\/_links\/[0-9a-f]{16}\.webp)/#)).output.1)
        }
        let first = try path()
        try linked.write(LinkedServer.image("autumn"), "summer.webp")
        linked.reload()
        let second = try path()
        #expect(second != first && linked.states == ["published", "published"])
        #expect(try linked.answer(second).text == LinkedServer.image("autumn"))
        #expect(try linked.answer(first).status == 404)
        try linked.remove("summer.webp")
        linked.reload()
        #expect(linked.states == ["stale", "published"])
        #expect(try linked.answer(second).status == 200)
        try linked.write("text", "summer.webp")
        linked.reload()
        #expect(linked.states == ["stale", "published"])
        try linked.write(LinkedServer.image("winter"), "summer.webp")
        linked.reload()
        #expect(try linked.states == ["published", "published"] && path() != second)
    }

    @Test("answers that a loop has kept are forgotten with a reload")
    func kept() throws {
        let linked = try LinkedServer()
        for _ in 0..<3 { #expect(try linked.answer("/summer").text.contains("Summer sale")) }
        let tag = try linked.answer("/summer")["ETag"]
        try linked.write(LinkedServer.links(title: "Winter sale"))
        linked.reload()
        for _ in 0..<6 {
            let answer = try linked.answer("/summer")
            #expect(answer.text.contains("Winter sale") && answer["ETag"] != tag)
        }
    }

    @Test("a change on disk of the file, or of an image, is noticed")
    func watched() throws {
        let linked = try LinkedServer()
        try linked.write(LinkedServer.links(title: "Spring sale"))
        #expect(try Waiting.until { try linked.answer("/summer").text.contains("Spring sale") })
        let page = try linked.answer("/summer").text
        try linked.write(LinkedServer.image("spring"), "summer.webp")
        #expect(try Waiting.until { try linked.answer("/summer").text != page })
    }

    @Test("/sites has the state of the links, their number, and why they are refused")
    func sites() throws {
        func links(_ linked: LinkedServer) -> [String: Any]? {
            let members = linked.served.server.facts.sites[0].members(directory: "", now: 0)
            let text = members["links"]?.text ?? "null"
            return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        }
        let good = try #require(links(try LinkedServer()))
        #expect(good["state"] as? String == "published" && (good["sha256"] as? String)?.count == 64)
        #expect(good["links"] as? Int == 3 && good["pages"] as? Int == 1 && good["lastError"] is NSNull)
        let bad = try #require(links(try LinkedServer(Self.broken)))
        #expect(bad["state"] as? String == "refused" && bad["sha256"] is NSNull && bad["links"] is NSNull)
        #expect((bad["lastError"] as? [String: Any])?["message"] != nil)
        #expect(links(try LinkedServer(nil)) == nil)
    }

    @Test("a site may have links alone: then its association paths are 404")
    func alone() throws {
        let linked = try LinkedServer(nil)
        try linked.served.folder.write(
            #"{"links": {"/a": {"to": "https://www.example.com", "answer": "redirect"}}}"#,
            to: "sites/a.example/links.json")
        linked.reload()
        let site = linked.served.server.facts.sites.first { $0.domain == "a.example" }
        #expect(site?.site.files.map(\.name) == ["links.json"])
        let socket = try linked.served.connect(1)
        socket.send("GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n")
        socket.send("GET \(LinkedServer.association) HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
        let statuses = socket.rest().matches(of: #/HTTP\/1\.1 ([0-9]{3}) /#).map { String($0.output.1) }
        #expect(statuses == ["302", "404"])
    }
}
