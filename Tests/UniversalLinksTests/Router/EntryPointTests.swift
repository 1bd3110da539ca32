import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("What is asked")
struct EntryPointTests {
    private static func router() throws -> UniversalLinkRouter {
        try UniversalLinkRouter(AssociationDocument(SampleDocument(#"{"/": "/a/*"}"#).json), domain: "example.com")
    }

    @Test(
        "what is no http or https URL with a host is no web URL",
        arguments: [
            "", " ", "a", "/", "//example.com/a", "example.com/a", "https", "https:", "https:/", "https://",
            "https:///a", "https://?a", "https://#",
            "https://:443/a", "https://u@/a", "https:example.com/a", "https:/example.com/a", "ftp://example.com/a",
            "httpx://example.com/a",
            "http+unix://example.com/a", "myapp://example.com/a", "mailto:a@example.com", "data:text/plain,a",
            "file:///a", " https://example.com/a",
            "\u{FEFF}https://example.com/a", "https ://example.com/a", "h\u{2019}ttps://example.com/a",
            "https://[::1/a", "https://[abc/a",
        ])
    func noWebURL(text: String) throws {
        for router in [
            try Self.router(), try UniversalLinkRouter(anyDomain: AssociationDocument(SampleDocument("{}").json)),
        ] {
            let decision = router.decide(text)
            #expect(!decision.isWebURL)
            #expect(decision.outcome == .noMatch)
            #expect(decision.appIDs.isEmpty && decision.rule == nil && decision.document == nil)
        }
    }

    @Test(
        "a web URL is one, whatever becomes of it",
        arguments: [
            "https://example.com/a", "https://example.com/b", "https://example.org", "HTTP://a", "https://u@[::1]:1/",
            "https://%FF/", "http://ü",
        ])
    func webURL(text: String) throws {
        #expect(try Self.router().decide(text).isWebURL)
    }

    @Test(
        "text and bytes give the same decision",
        arguments: ["https://example.com/a/b", "https://example.com/c", "https://example.com/a/é", "no URL"])
    func textAndBytes(url: String) throws {
        let router = try Self.router()
        let byText = router.decide(url)
        let byBytes = Array(url.utf8).withUnsafeBytes { router.decide($0) }
        #expect(Agreement.text(byText) == Agreement.text(byBytes))
        #expect(byText.isWebURL == byBytes.isWebURL)
    }

    @Test("text of every kind of storage is read")
    func storage() throws {
        let router = try Self.router()
        var built = "https://"
        for character in "example.com/a/long/path/that/was/put/together" { built.append(character) }
        let part = String("see https://example.com/a/b for more".dropFirst(4).prefix(23))
        let small = "http://x"
        let replaced = String(decoding: [0x68, 0x74, 0x74, 0x70, 0xFF], as: UTF8.self)
        #expect(router.decide(built).outcome == .open)
        #expect(router.decide(part).outcome == .open)
        #expect(router.decide("https://example.com/a").outcome == .open)
        #expect(router.decide(small).outcome == .noMatch && router.decide(small).isWebURL)
        #expect(!router.decide(replaced).isWebURL)
    }

    @Test("bytes that are no text are decided like others")
    func bytes() throws {
        let router = try Self.router()
        let open = Array("https://example.com/a/".utf8) + [0xFF, 0x00, 0xC3]
        #expect(open.withUnsafeBytes { router.decide($0) }.outcome == .open)
        let noMatch = Array("https://example.com/".utf8) + [0x00] + Array("/a/b".utf8)
        #expect(noMatch.withUnsafeBytes { router.decide($0) }.outcome == .noMatch)
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(!router.decide(empty).isWebURL)
    }

    @Test("a decision outlives its router")
    func lifetime() throws {
        let decision = try Self.router().decide("https://example.com/a/b")
        #expect(decision.appIDs == ["A"])
        #expect(decision.rule?.path == "/a/*")
        #expect(decision.document?.appLinks?.details.count == 1)
    }

    @Test("one router decides in many tasks at once")
    func tasks() async throws {
        let router = try Self.router()
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).count {
                        router.decide("https://example.com/\($0 % 2 == 0 ? "a" : "b")/\(task)").outcome == .open
                    }
                }
            }
            for await count in group { #expect(count == 250) }
        }
    }
}
