import AssociationServer
import FuzzingSupport
import LinkPages
import TestSupport
import Testing

/// The answers that a loop keeps, whatever it is asked for.
@Suite("Kept answers by links and pages")
struct LinkCacheTests {
    private static var site: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 0x1000) }
    private static var otherSite: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 0x2000) }
    private static let variant = LinkVariant(language: .english)
    private let table: LinksTable

    init() throws {
        let text = #"{"fallback": {"redirect": "https://www.example.com"}}"#
        let document = LinksDocument.read(Array(text.utf8), domain: nil) { _, _ in .missing }
        table = LinksTable(try #require(document.content))
    }

    /// A redirect to that path, as only a file of links makes one.
    private func response(_ path: String) throws -> LinkResponse {
        var location: [UInt8] = []
        let answer = Array(path.utf8).withUnsafeBufferPointer { path in
            let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            let request = LinkRequest(
                host: none, path: path, query: nil, accept: none, acceptLanguage: none, userAgent: none)
            return table.answer(for: request, Self.variant, into: &location)
        }
        guard case .redirect(let redirect) = answer else { throw TestFailure("no redirect to \(path)") }
        return LinkResponse(redirect, location[redirect.location])
    }

    private struct Question {
        let host: String
        let target: String
        var variant = LinkCacheTests.variant
        var site = LinkCacheTests.site

        var hash: UInt64 { UInt64(truncatingIfNeeded: (host + target).hashValue) }

        func keep(_ response: LinkResponse, in cache: inout LinkCache) throws {
            let key = LinkCache.Key(links: try #require(site), variant: variant, text: Array("\(host)\n\(target)".utf8))
            cache.keep(response, key, hash)
        }

        func find(in cache: LinkCache, _ hash: UInt64? = nil) throws -> LinkResponse? {
            let site = try #require(site)
            return Array(host.utf8).withUnsafeBufferPointer { host in
                Array(target.utf8).withUnsafeBufferPointer { target in
                    cache.find(hash ?? self.hash, site, variant, host, target)
                }
            }
        }
    }

    @Test("an answer is found by all that it depends on, and by nothing less")
    func key() throws {
        var cache = LinkCache()
        let question = Question(host: "a.example", target: "/x?y")
        #expect(try question.find(in: cache) == nil)
        let response = try self.response("/x")
        try question.keep(response, in: &cache)
        #expect(try question.find(in: cache) === response)
        let german = LinkVariant(language: .german)
        let json = LinkVariant(representation: .json, language: .english)
        let android = LinkVariant(language: .english, platform: .android)
        let others = [
            Question(host: "b.example", target: "/x?y"), Question(host: "a.example", target: "/x?z"),
            Question(host: "a.example", target: "/x?"), Question(host: "a.exampl", target: "e/x?y"),
            Question(host: "a.example/", target: "x?y"),
            Question(host: "a.example", target: "/x?y", variant: german),
            Question(host: "a.example", target: "/x?y", variant: json),
            Question(host: "a.example", target: "/x?y", variant: android),
            Question(host: "a.example", target: "/x?y", site: Self.otherSite),
        ]
        // Even where all hashes are the same.
        for other in others { #expect(try other.find(in: cache, question.hash) == nil, "\(other)") }
        cache.removeAll()
        #expect(try question.find(in: cache) == nil && cache.bytes == 0)
    }

    @Test("a flood of other targets takes no more than there is room for, and leaves what is asked for all the time")
    func flood() throws {
        var cache = LinkCache()
        let hot = Question(host: "a.example", target: "/hot")
        let response = try self.response("/hot")
        try hot.keep(response, in: &cache)
        var random = SplitMix64(seed: 1)
        var (most, found) = (0, 0)
        for number in 0..<30_000 {
            let size = random.number(1...3_000)
            try Question(host: "a.example", target: "/\(number)").keep(
                self.response("/" + String(repeating: "x", count: size)), in: &cache)
            most = max(most, cache.bytes)
            // Its place may be taken by chance.
            if try hot.find(in: cache) === response { found += 1 } else { try hot.keep(response, in: &cache) }
        }
        #expect(most <= LinkCache.maxBytes && most > LinkCache.maxBytes / 2)
        #expect(found > 29_900)
    }
}
