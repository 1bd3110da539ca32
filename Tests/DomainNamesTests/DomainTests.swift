import DomainNames
import Testing

struct DomainTests {
    @Test(
        "a person writes a domain in any case, in Unicode or Punycode, as a wildcard, as a folder, or with the dot of the root",
        arguments: [
            ("example.com", "example.com"), ("Example.COM", "example.com"), ("*.Example.com", "*.example.com"),
            ("_wildcard.example.com", "*.example.com"), ("_WILDCARD.Example.com", "*.example.com"),
            ("münchen.example", "xn--mnchen-3ya.example"), ("MÜNCHEN.example", "xn--mnchen-3ya.example"),
            ("*.münchen.example", "*.xn--mnchen-3ya.example"), ("XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"),
            ("例え。jp", "xn--r8jz45g.jp"), ("localhost", "localhost"), ("Example.com.", "example.com"),
            ("*.example.com.", "*.example.com"), ("例え。jp。", "xn--r8jz45g.jp"), ("127.0.0.1", "127.0.0.1"),
        ])
    func text(text: String, identifier: String) throws {
        let domain = try Domain(text: text)
        #expect(domain.identifier == identifier)
        #expect(Domain(row: identifier) == domain)
        #expect(Domain(identifier.uppercased()) == domain)
        #expect(try Domain(folder: domain.folderName) == domain)
        #expect(Domain(domain.folderName) == domain)
        #expect(try Domain(text: domain.unicode ?? domain.identifier) == domain)
    }

    @Test(
        "what cannot be a domain is none in any spelling",
        arguments: [
            "", ".", "..", "a..b", ".example.com", "example.com..", "-a.example.com", "a-.example.com", "*", "*.",
            "*..",
            "**.a.b", "a.*.example.com", "*.*.a", "_wildcard.", "_wildcard.*.example.com", "*._wildcard.example.com",
            "example.com/x", "exa%6Dple.com", "exa mple.com", "example.com:443", "[::1]", "::1", "../etc", "a\u{0}b",
            "_dmarc.example.com", String(repeating: "a", count: 64) + ".com",
            "*." + String(repeating: "abcdefg.", count: 31) + "abcd", "exam\u{1B}[31mple.com",
            String(repeating: "日", count: 10_000),
        ])
    func none(text: String) {
        let error = #expect(throws: DomainError.self) { try Domain(text: text) }
        #expect(error?.message == "is not a domain; expected one like 'example.com' or '*.example.com'")
        #expect(error?.help == nil)
        #expect(throws: DomainError.self) { try Domain(folder: text) }
        #expect(Domain(text) == nil)
        #expect(Domain(row: text) == nil)
    }

    @Test("certificates, CAs and rows have ASCII only, and no dot at the end", arguments: ["bücher.example", "a.com."])
    func spellings(text: String) {
        #expect(Domain(text) == nil)
        #expect(Domain(row: text) == nil)
    }

    @Test("a row has the identifier as it is", arguments: ["Example.com", "_wildcard.example.com"])
    func rows(text: String) {
        #expect(Domain(text) != nil)
        #expect(Domain(row: text) == nil)
    }

    @Test("the error for a URL names its domain")
    func urls() {
        let error = #expect(throws: DomainError.self) { try Domain(text: "https://Example.com/a?b") }
        #expect(error?.help == "use 'example.com'")
    }

    @Test(
        "a folder has its name in lowercase and Punycode, and the error says which",
        arguments: [
            ("Example.com", "is not in lowercase", "rename it to 'example.com'"),
            ("_WILDCARD.example.com", "is not in lowercase", "rename it to '_wildcard.example.com'"),
            ("bücher.example", "is not a host name", "use Punycode: 'xn--bcher-kva.example'"),
            ("_wildcard.bücher.example", "is not a host name", "use Punycode: '_wildcard.xn--bcher-kva.example'"),
            (
                "*.example.com", "is not a host name; expected one like 'example.com' or '_wildcard.example.com'", nil
            ),
            ("_wildcard.", "is not a host name; expected one like 'example.com' or '_wildcard.example.com'", nil),
            ("lost+found", "is not a host name; expected one like 'example.com' or '_wildcard.example.com'", nil),
        ])
    func folders(name: String, message: String, help: String?) {
        let error = #expect(throws: DomainError.self) { try Domain(folder: name) }
        #expect(error?.message == message)
        #expect(error?.help == help)
    }

    @Test("the longest domain has 253 bytes, with the start of a wildcard")
    func longest() throws {
        let base = String(repeating: "abcdefg.", count: 31)
        #expect(try Domain(text: base + "abcde").identifier.utf8.count == 253)
        #expect(try Domain(text: base + "abcde.").identifier.utf8.count == 253)
        #expect(try Domain(text: "*." + base + "abc").identifier.utf8.count == 253)
        #expect(throws: DomainError.self) { try Domain(text: base + "abcdef") }
        #expect(throws: DomainError.self) { try Domain(text: "*." + base + "abcd") }
    }

    @Test(
        "a name has the wildcard that stands for it",
        arguments: [
            ("shop.example.com", "*.example.com"), ("example.com", "*.com"), ("localhost", nil), ("*.example.com", nil),
        ])
    func wildcards(name: String, wildcard: String?) throws {
        #expect(try #require(Domain(name)).wildcard?.identifier == wildcard)
    }

    @Test(
        "an example of a host is one that the domain stands for",
        arguments: [("example.com", "example.com"), ("*.example.com", "www.example.com")])
    func hosts(name: String, host: String) throws { #expect(try #require(Domain(name)).exampleHost == host) }

    @Test("domains are sorted as their folders are")
    func order() {
        let names = ["z.com", "*.a.com", "a.com", "_wildcard.b.com"]
        #expect(
            names.compactMap { Domain($0) }.sorted().map(\.folderName)
                == names.compactMap { Domain($0)?.folderName }.sorted())
    }

    @Test(
        "a domain is public if it has two labels and is not below a name for local use",
        arguments: [
            ("example.com", true), ("shop.example.com", true), ("xn--bcher-kva.de", true), ("notlocal.de", true),
            ("home.arpa.example.org", true), ("1.2.3.example.com", true), ("mylocalhost.net", true), ("com", false),
            ("localhost", false), ("a.localhost", false), ("printer.local", false), ("db.internal", false),
            ("x.test", false), ("x.invalid", false), ("a.b.invalid", false), ("shop.example", false),
            ("abc.onion", false), ("home.arpa", false), ("nas.home.arpa", false), ("192.0.2.1", false),
            ("arpa.net", true), ("*.example.com", true), ("*.com", false),
        ])
    func isPublic(name: String, isPublic: Bool) throws {
        #expect(try #require(Domain(name)).isPublic == isPublic)
    }
}
