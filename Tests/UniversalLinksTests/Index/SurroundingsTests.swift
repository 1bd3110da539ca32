import AppSiteAssociation
import Glibc
import Testing
import UniversalLinks

@Suite("What stands around a URL in memory")
struct SurroundingsTests {
    private static let urls =
        MixedRules.urls([0, 1]) + [
            "http://a", "http://a/", "https://ab", "https://u@example.com:1/exact-0", "https", "",
        ]
    /// Text that might be taken for a part of the URL.
    private static let junk =
        ["/", "?", "#", "a", "/exact-0", "?id=1&id=2", "#f1", "%2F", "0", "*", ".com", "\u{0}", "\u{E9}", "//////////"]
        .map { Array(String(repeating: $0, count: 80 / $0.utf8.count).utf8) } + [Array(repeating: 0xFF, count: 80)]

    @Test("does not change a decision", arguments: [20, 150])
    func junk(rules: Int) throws {
        let agreement = try Agreement(MixedRules.document(count: rules))
        for url in Self.urls {
            let expected = agreement.expect(url)
            for (number, junk) in Self.junk.enumerated() {
                let before = Array(junk.prefix(64 + number % 9))
                let bytes = before + Array(url.utf8) + junk
                let decision = bytes.withUnsafeBytes { bytes in
                    agreement.router.decide(
                        UnsafeRawBufferPointer(rebasing: bytes[before.count..<(before.count + url.utf8.count)]))
                }
                #expect(Agreement.text(decision) == expected, "\(url) in \(String(decoding: junk, as: UTF8.self))")
            }
        }
    }

    @Test("does not change the host that is looked for")
    func host() throws {
        var builder = UniversalLinkRouterBuilder()
        for domain in ["a", "example.com", "*.example.com", "com.a"] {
            try builder.add(AssociationDocument(SampleDocument("{}").json), domain: domain)
        }
        let router = builder.build()
        for url in [
            "http://a", "https://a", "https://example.com", "https://x.example.com", "https://com",
            "https://example.co", "http://u@a:1",
        ] {
            let expected = Agreement.text(router.decide(url))
            for junk in Self.junk {
                let bytes = junk + Array(url.utf8) + junk
                let decision = bytes.withUnsafeBytes {
                    router.decide(UnsafeRawBufferPointer(rebasing: $0[junk.count..<(junk.count + url.utf8.count)]))
                }
                #expect(Agreement.text(decision) == expected)
            }
        }
    }

    @Test("is not read", arguments: [20, 150])
    func guarded(rules: Int) throws {
        let agreement = try Agreement(MixedRules.document(count: rules))
        let domains = try UniversalLinkRouter(AssociationDocument(SampleDocument("{}").json), domain: "*.example.com")
        guard let page = GuardedPage() else {
            Issue.record("no memory")
            return
        }
        let long = (1...70).map { "https://example.com/" + String(repeating: "a/", count: $0) + "?id=\($0)#f" }
        for url in Self.urls + long {
            let expected = agreement.expect(url)
            page.withBytes(Array(url.utf8), atEnd: true) {
                #expect(Agreement.text(agreement.router.decide($0)) == expected)
            }
            page.withBytes(Array(url.utf8), atEnd: false) {
                #expect(Agreement.text(agreement.router.decide($0)) == expected)
            }
            page.withBytes(Array(url.utf8), atEnd: true) { _ = domains.decide($0) }
            page.withBytes(Array(url.utf8), atEnd: false) { _ = domains.decide($0) }
        }
    }
}

/// A page of memory between two that cannot be read.
private struct GuardedPage: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let size: Int

    init?() {
        let size = sysconf(Int32(_SC_PAGESIZE))
        guard let memory = mmap(nil, size * 3, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED,
            mprotect(memory + size, size, PROT_READ | PROT_WRITE) == 0
        else { return nil }
        self.memory = memory
        self.size = size
    }

    deinit {
        munmap(memory, size * 3)
    }

    /// Lends a copy of the bytes that touches the end of the page or its beginning.
    func withBytes(_ bytes: [UInt8], atEnd: Bool, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard bytes.count <= size else { return }
        let start = memory + size + (atEnd ? size - bytes.count : 0)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { start.copyMemory(from: base, byteCount: source.count) }
        }
        body(UnsafeRawBufferPointer(start: start, count: bytes.count))
    }
}
