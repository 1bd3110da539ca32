import DomainDoctor
import Testing

@Suite("Targets")
struct TargetTests {
    private static let good: [(text: String, authority: String, urls: Int)] = [
        ("example.com", "example.com", 0), ("EXAMPLE.com.", "example.com", 0), ("example.com:443", "example.com", 0),
        ("example.com:8443", "example.com:8443", 0), ("*.example.com", "example.com", 0),
        ("*.example.com:8443", "example.com:8443", 0), ("bücher.example", "xn--bcher-kva.example", 0),
        ("xn--bcher-kva.example", "xn--bcher-kva.example", 0), ("_dmarc.example.com", "_dmarc.example.com", 0),
        ("localhost", "localhost", 0), ("https://example.com", "example.com", 1),
        ("https://Example.com/buy/7?x=1#top", "example.com", 1), ("http://example.com/", "example.com", 1),
        ("HTTPS://example.com:8443/", "example.com:8443", 1), ("http://example.com:80/", "example.com:80", 1),
        ("https://bücher.example?x", "xn--bcher-kva.example", 1), ("https://example.com/a@b", "example.com", 1),
        (String(repeating: "a", count: 63) + ".example", String(repeating: "a", count: 63) + ".example", 0),
    ]

    @Test("hosts and URLs are read", arguments: good)
    func accepted(text: String, authority: String, urls: Int) throws {
        let target = try Target(text, allowsAddresses: false)
        #expect(target.authority == authority && target.urls == (urls == 1 ? [text] : []))
        #expect(!target.isAddress && target.isNamedByUser)
    }

    @Test(
        "the URL of a file is its host, and one in a folder is known for what it is",
        arguments: [
            ("https://shop.example/.well-known/apple-app-site-association", nil),
            ("https://shop.example/apple-app-site-association?x=1", nil),
            (
                "https://shop.example/Repo/.well-known/apple-app-site-association#x",
                "/Repo/.well-known/apple-app-site-association"
            ),
            ("https://shop.example/a/b/.well-known/assetlinks.json", "/a/b/.well-known/assetlinks.json"),
        ] as [(String, String?)])
    func files(text: String, path: String?) throws {
        let target = try Target(text, allowsAddresses: false)
        #expect(target.authority == "shop.example" && target.urls.isEmpty && target.fileInFolder == path)
    }

    private static let bad: [(text: String, clause: String)] = [
        ("", "has no host"), (".", "has an empty label"), ("..", "has an empty label"), ("*.", "has no host"),
        ("a..example.com", "has an empty label"), (".example.com", "has an empty label"),
        ("example.com/path", "has a path and no scheme"), ("/path", "has a path and no scheme"),
        ("ftp://example.com", "has the scheme 'ftp'"), ("applinks:example.com", "has the port 'example.com'"),
        ("mailto://example.com", "has the scheme 'mailto'"), ("https://", "has no host"), ("https:///x", "has no host"),
        ("https://user@example.com/", "has a user name"), ("https://user:word@example.com/", "has a user name"),
        ("https://*.example.com/", "has a character"), ("*.*.example.com", "has a character"),
        ("exa mple.com", "has a character"), ("example.com?x", "has a character"), ("a\u{1b}.com", "has a character"),
        ("example.com:0", "has the port '0'"), ("example.com:65536", "has the port '65536'"),
        ("example.com:", "has the port ''"), ("example.com:+1", "has the port '+1'"),
        ("example.com:1e2", "has the port"),
        ("[example.com]", "has '[' and ']' around something else"), ("[::1", "has a '[' without ']'"),
        ("1.2.3.4.5", "ends in a number"), ("example.1", "ends in a number"),
        ("192.0.2.1", "is an IP address"), ("127.1", "is an IP address"), ("0x7f.1", "is an IP address"),
        ("2130706433", "is an IP address"), ("::1", "is an IP address"), ("[::1]:8443", "is an IP address"),
        ("https://[2001:db8::1]/x", "is an IP address"), ("https://192.0.2.1./", "is an IP address"),
        (String(repeating: "a", count: 64) + ".example", "has a label of more than 63 bytes"),
        (String(repeating: "aaaaaaaaa.", count: 26) + "com", "is longer than 253 bytes"),
    ]

    @Test("what is neither is refused, with the reason", arguments: bad)
    func refused(text: String, clause: String) {
        let error = #expect(throws: TargetError.self) { try Target(text, allowsAddresses: false) }
        #expect(error?.clause.hasPrefix(clause) == true, "\(error?.clause ?? "")")
    }

    @Test("addresses are read where they are permitted, in their usual form")
    func addresses() throws {
        let texts = [
            ("192.0.2.1", "192.0.2.1"), ("127.1", "127.0.0.1"), ("::1", "[::1]"),
            ("[2001:DB8::1]:8443", "[2001:db8::1]:8443"),
            ("https://[::1]:8443/buy", "[::1]:8443"), ("0x7f000001:8080", "127.0.0.1:8080"),
        ]
        for (text, authority) in texts {
            let target = try Target(text, allowsAddresses: true)
            #expect(target.authority == authority && target.isAddress)
        }
        #expect(try Target("[::1]", allowsAddresses: true).url("/x") == "https://[::1]/x")
    }

    @Test("what is received is quoted in a reason")
    func hostile() {
        let text = "\u{1b}[31m" + String(repeating: "x", count: 500) + "://example.com"
        let error = #expect(throws: TargetError.self) { try Target(text, allowsAddresses: false) }
        #expect(error?.clause.contains("\u{1b}") == false && (error?.clause.utf8.count ?? 0) < 200)
    }
}
