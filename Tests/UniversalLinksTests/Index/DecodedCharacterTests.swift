import AppSiteAssociation
import Testing
import URLPatterns
import UniversalLinks

/// The characters of URLs that are decoded: with `percentEncoded: false` a `*` takes whole ones, and never ends inside
/// of one.
@Suite("Characters of decoded URLs")
struct DecodedCharacterTests {
    @Test(
        "a question mark behind a star counts characters, not bytes",
        arguments: [
            ("/*??", "/%E1%BA%9E", false), ("/*?*?", "/%E1%BA%9E", false), ("/*?", "/%E1%BA%9E", true),
            ("/*??", "/%E1%BA%9Ea", true), ("/*???", "/%F0%9F%98%80", false), ("/*?b", "/%F0%9F%98%80b", true),
            ("/*??b", "/%F0%9F%98%80b", false), ("/a*?$(digit)", "/a%C3%A97", true), ("/*??", "/%FF%FE", true),
            ("/*??", "/%E1%BA", true), ("/*???", "/%E1%BA", false), ("/*é?", "/x%C3%A9%C3%A9", true),
        ])
    func scalars(pattern: String, path: String, opens: Bool) throws {
        let document = try AssociationDocument(
            """
            {"applinks":{"details":[{"appIDs":["ABCDE12345.a"],
            "components":[{"/":"\(pattern)","percentEncoded":false}]}]}}
            """)
        let url = "https://example.com\(path)"
        let web = try #require(WebURL(url.utf8))
        #expect((ReferenceMatcher(document).decide(web).outcome == .open) == opens)
        #expect((UniversalLinkRouter(anyDomain: document).decide(url).outcome == .open) == opens)
    }
}
