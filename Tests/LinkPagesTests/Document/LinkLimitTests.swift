import Diagnostics
import DomainNames
import FuzzingSupport
import LinkPages
import Testing

@Suite("Limits of links.json")
struct LinkLimitTests {
    private static func app(_ content: String) -> String { "{ \"app\": { \"name\": \"A\" }, \(content) }" }

    private static func codes(_ text: String) -> [String] { read(text).diagnostics.map(\.code.rawValue) }

    @Test("a text, a URL, a path, and captures of a route are counted; one more is an error")
    func counts() {
        let url = "https://x.example/"
        for (content, limit) in [
            ({ #""links": { "/a": { "title": "\#($0)" } }"# }, 200),
            ({ #""links": { "/a": { "description": { "en": "\#($0)" } } }"# }, 500),
            ({ #""links": { "/a": { "to": "\#(url + $0)" } }"# }, 2_000 - url.utf8.count),
            ({ #""links": { "/\#($0)": {} }"# }, 1_999),
        ] as [((String) -> String, Int)] {
            let isPath = limit == 1_999
            #expect(Self.codes(Self.app(content(String(repeating: "x", count: limit)))).isEmpty)
            let codes = Self.codes(Self.app(content(String(repeating: "x", count: limit + 1))))
            #expect(codes == [isPath ? "invalid-link-path" : "invalid-links-value"])
        }
        // Characters, and not bytes.
        #expect(
            Self.codes(Self.app(#""links": { "/a": { "title": "\#(String(repeating: "é", count: 200))" } }"#)).isEmpty)
        for (count, codes) in [(16, []), (17, ["invalid-links-value"])] {
            let captures = (0..<count).map { "{c\($0)}" }.joined(separator: "/")
            #expect(Self.codes(Self.app(#""pages": [{ "route": "/\#(captures)" }]"#)) == codes)
        }
    }

    @Test("1,000 pages are read, and one more is an error")
    func pages() {
        func codes(_ count: Int) -> [String] {
            let pages = (0..<count).map { #"{ "route": "/p\#($0)/{id}" }"# }.joined(separator: ",")
            return Self.codes(Self.app("\"pages\": [\(pages)]"))
        }
        #expect(codes(1_000).isEmpty)
        #expect(codes(1_001) == ["invalid-links-value"])
    }

    @Test("50,000 links are read and found, and one more is an error")
    func links() throws {
        func text(_ count: Int) -> String {
            let links = (0..<count).map { "\"/l\($0)\":{\"title\":\"T\($0)\"}" }.joined(separator: ",")
            return Self.app("\"links\":{\(links)}")
        }
        let table = try table(text(50_000))
        for index in [0, 1, 777, 49_999] {
            #expect(LinkPagesTests.text(page(table, "/l\(index)/")?.title?.bytes) == "T\(index)")
        }
        #expect(page(table, "/l50000") == nil)
        #expect(Self.codes(text(50_001)) == ["invalid-links-value"])
    }

    @Test("a file of more bytes than are asked for is not read")
    func bytes() {
        let text = Array(Self.app(#""robots": "index""#).utf8)
        let document = LinksDocument.read(text, domain: nil, maxBytes: text.count - 1, images: nil)
        #expect(document.diagnostics.map(\.code.rawValue) == ["file-too-large"])
        #expect(document.content == nil)
        #expect(LinksDocument.read(text, domain: nil, maxBytes: text.count, images: nil).content?.isIndexed == true)
    }

    @Test("images have a limit together")
    func images() {
        let names = (0..<70).map { #""/\#($0)": { "image": "i\#($0).png" }"# }.joined(separator: ",")
        let image = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: (1 << 20) - 8)
        let text = Array(Self.app("\"links\": { \(names) }").utf8)
        let document = LinksDocument.read(text, domain: nil) { name, _ in
            .found(image, sha256: Array(name.utf8) + [UInt8](repeating: 0, count: 32))
        }
        #expect(document.diagnostics.count == 6)
        #expect(document.diagnostics.allSatisfy { $0.code.rawValue == "unusable-image" })
    }

    @Test("of very many findings the first are kept, and an error still refuses the file")
    func findings() {
        let links = (0..<1_200).map { #""/\#($0)": { "to": "https://go.example.com/" }"# }.joined(separator: ",")
        let document = read(Self.app("\"links\": { \(links), \"x\": {} }"))
        #expect(document.diagnostics.count { $0.severity == .warning } == 1_000)
        #expect(document.diagnostics.count { $0.severity == .error } == 1)
        #expect(document.content == nil)
    }

    @Test("text with endless runs of marks is read, and refused where it cannot be used", arguments: HostileText.kinds)
    func hostileText(kind: HostileText) {
        let text = kind.text(60_000)
        for (content, code) in [
            ("\"links\": { \"/a\": { \"title\": \"\(text)\" } }", "invalid-links-value"),
            ("\"links\": { \"/\(text)\": {} }", "invalid-link-path"), ("\"\(text)\": 1", "unknown-links-key"),
        ] {
            let codes = Self.codes(Self.app(content))
            #expect(codes.contains(code) || kind.isExcessive && codes == ["combining-marks"], "\(codes)")
        }
    }
}
