import SiteStore
import Testing

@Suite("Names in a store")
struct StoreNamesTests {
    @Test(
        "the name of a file is one that 'wellKnown' may have",
        arguments: [
            ("apple-app-site-association", true), ("assetlinks.json", true), ("a", true), ("", false), (".a", false),
            ("..", false), ("a/b", false), ("a b", false), ("a%20", false), ("a?", false), ("a~", false), ("~a", true),
            ("a.swp", false), ("a\"b", false), ("$&'()*+,;=:@!", true), ("ä", false), ("a\n", false),
            ("a\u{7F}", false),
            (String(repeating: "a", count: 255), true), (String(repeating: "a", count: 256), false),
        ])
    func files(name: String, isName: Bool) throws {
        #expect(StoreNames.isFileName(name) == isName)
        if isName {
            #expect(try StoreNames.fileName(name) == name)
        } else {
            #expect(throws: StoreNameError.self) { try StoreNames.fileName(name) }
        }
    }

    @Test(
        "a node is named by letters, digits, dots, underscores and hyphens",
        arguments: [
            ("edge-1.example_X", true), ("a", true), ("", false), ("a b", false), ("ü", false), ("a/b", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ])
    func nodes(name: String, isName: Bool) { #expect(StoreNames.isNodeName(name) == isName) }

    @Test(
        "a node without a name is named by its machine and the digits of its cache",
        arguments: ["edge-1", "", "höst name", String(repeating: "a", count: 300)])
    func defaultNode(host: String) {
        let name = StoreNames.nodeName(host: host, id: "0123abcd")
        #expect(StoreNames.isNodeName(name))
        #expect(name.hasSuffix("-0123abcd"))
        #expect(host != "edge-1" || name == "edge-1-0123abcd")
    }

    @Test(
        "a pattern covers domains",
        arguments: [
            ("*", "example.com", true), ("*", "*.example.com", true), ("example.com", "example.com", true),
            ("Example.com", "example.com", true), ("example.com", "www.example.com", false),
            ("*.example.com", "www.example.com", true), ("*.example.com", "*.example.com", true),
            ("*.example.com", "a.b.example.com", true), ("*.example.com", "example.com", false),
            ("shop-?.example.com", "shop-1.example.com", true), ("shop-?.example.com", "shop-.example.com", false),
            ("*shop*", "myshop.example", true), ("*.münchen.example", "a.xn--mnchen-3ya.example", true),
            ("a*b*c", "axxbxxbxc", true), ("a*b*c", "axxbxxbx", false), ("example.co", "example.com", false),
        ])
    func globs(pattern: String, domain: String, isCovered: Bool) throws {
        #expect(try DomainGlob(pattern).matches(domain) == isCovered)
    }

    @Test(
        "what cannot be in a domain cannot be in a pattern",
        arguments: ["", "a b", "a/b", "mün*.example", "[a]", "a%", String(repeating: "a", count: 254)])
    func noGlobs(pattern: String) { #expect(throws: StoreNameError.self) { try DomainGlob(pattern) } }

    @Test("a pattern of many stars takes no time")
    func stars() throws {
        let pattern = try DomainGlob(String(repeating: "*a", count: 126))
        #expect(!pattern.matches(String(repeating: "a", count: 125) + String(repeating: "b", count: 128)))
    }
}
