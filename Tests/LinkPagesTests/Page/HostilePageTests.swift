import FuzzingSupport
import LinkPages
import Testing

/// Pages of requests that try to become more than text.
struct HostilePageTests {
    private static let pieces = [
        "<", ">", "\"", "'", "&", "&lt;", "&amp", "<script>", "</script>", "</style>", "</title>", "<!--", "-->", "]]>",
        "</h1>", "</bdi>", "javascript:", "data:text/html,", "//evil.example", "\\", "{{", "}}", "${", "`", "=", "%",
        "%2",
        "%00", "%0D%0A", "%09", "%1B", "%7F", "%C2%80", "%E2%80%AE", "%E2%81%A6", "%E2%80%8F", "%FF", "%C0%AF",
        "%3Cscript%3E", "%22onerror=", "#Intent;scheme=javascript;end", ";S.browser_fallback_url=http:", "é", "💥", ",",
        " ",
    ]

    private static func hostile(_ random: inout SplitMix64) -> String {
        // A slash or a question mark would lead to another route.
        let text = (0..<random.number(1...12)).map { _ in random.pick(pieces) }.joined()
        return "x" + text.filter { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    @Test("every page has the same elements whatever is in its URL", arguments: TestSeeds.of(1...8))
    func structure(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let site = try PageSite()
        var count = 0
        for agent in [PageTests.iPhone, PageTests.android, ""] {
            let plain = try site.answer("/products/7?ref=a", agent: agent).markup()
            for _ in 0..<20 {
                let (id, ref) = (Self.hostile(&random), Self.hostile(&random))
                let target = "/products/\(id)?ref=\(ref)"
                let answer = try site.answer(target, agent: agent)
                guard answer.isFound else { continue }
                count += 1
                let page = try answer.markup()
                #expect(page.elements == plain.elements, "\(target)")
                #expect(
                    page.tags.map { Set($0.attributes.keys) } == plain.tags.map { Set($0.attributes.keys) }, "\(target)"
                )
                try check(page, answer.body, target)
            }
        }
        #expect(count > 40)
    }

    private func check(_ page: Markup, _ body: String, _ target: String) throws {
        for scalar in body.unicodeScalars {
            let isHidden = HostilePageTests.isHidden(scalar)
            #expect(!isHidden, "\(target): U+\(String(scalar.value, radix: 16))")
        }
        for tag in page.tags {
            guard let address = tag.attributes["href"] else { continue }
            let schemes = ["https://", "intent://", "shop:", "data:image/png;"]
            #expect(schemes.contains { address.hasPrefix($0) }, "\(target): \(address)")
            let isURL = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
            #expect(isURL, "\(target): \(address)")
            if address.hasPrefix("intent:") {
                // What an app is asked for is after the last number sign.
                let parts = address.components("#Intent;")
                #expect(parts.count == 2 && parts[1].hasPrefix("scheme=https;package=com.example.shop;"), "\(target)")
                #expect(parts[1].components(";").count == 4, "\(target): \(address)")
            }
        }
        let banner = try #require(page.meta("apple-itunes-app"))
        #expect(banner.components(",").count == 2, "\(target): \(banner)")
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    @Test(
        "a capture is text in every context of the page",
        arguments: [
            ("%3Cb%3E", "&lt;b&gt;"), ("%22'", "&quot;&#39;"), ("a&b", "a&amp;b"), ("%E2%80%AEx", "\u{FFFD}x"),
            ("a%09b", "a\u{FFFD}b"), ("a%0Ab", "a\u{FFFD}b"), ("a%C2%85b", "a\u{FFFD}b"),
            ("%E2%81%A9x", "\u{FFFD}x"), ("caf%C3%A9", "café"),
        ])
    func contexts(capture: String, text: String) throws {
        let body = try PageSite().answer("/plain/\(capture)").body
        #expect(body.contains("<title>Product \(text)</title>"))
        #expect(body.contains("<meta property=\"og:title\" content=\"Product \(text)\">"))
        #expect(body.contains("<h1><bdi>Product <bdi>\(text)</bdi></bdi></h1>"))
    }

    @Test("a capture is cut at 100 characters, and its marks are few")
    func length() throws {
        let site = try PageSite()
        let long = String(repeating: "é", count: 400)
        #expect(try !site.answer("/plain/\(long)").markup().text.contains(String(repeating: "é", count: 101)))
        let marks = "a" + String(repeating: "%CC%81", count: 90)
        let page = try site.answer("/plain/\(marks)").markup()
        let count = page.text.unicodeScalars.count { $0.value == 0x301 }
        // Once in the title, once in the heading.
        #expect(count <= 2 * 30)
    }

    @Test("texts of the file are escaped as well")
    func file() throws {
        let site = try PageSite(
            #"""
            { "app": { "name": "<b>A&\"'</b>", "stores": [{"name": "</a><i>", "url": "https://store.example/?a='&b"}] },
              "links": { "/a": { "title": "</title><script>", "description": "</p>\u202E" } } }
            """#)
        let page = try site.answer("/a").markup()
        #expect(page.count("script") == 0 && page.count("i") == 0 && page.count("b") == 0 && page.count("title") == 1)
        #expect(page.text.contains("<b>A&\"'</b>") && page.text.contains("</p>\u{FFFD}"))
        #expect(page.meta("og:site_name") == "<b>A&\"'</b>")
    }
}
