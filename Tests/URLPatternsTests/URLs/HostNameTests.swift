import Testing
import URLPatterns

struct HostNameTests {
    @Test(
        "a host is compared in lower case and Punycode",
        arguments: [
            ("Example.COM", "example.com"), ("bücher.example", "xn--bcher-kva.example"), ("a_b.com", "a_b.com"),
            ("-a.com", "-a.com"), ("127.0.0.1", "127.0.0.1"), ("[2001:DB8::1]", "[2001:db8::1]"), ("", nil),
            ("a..b", nil), ("a.", nil), ("a b", nil), ("*.a.com", nil), ("[a]", nil), ("2001:db8::1", nil),
            (String(repeating: "a.", count: 127) + "b", nil),
        ])
    func urls(text: String, expected: String?) {
        #expect(HostName(text)?.ascii == expected)
    }

    @Test("only an IPv6 address is one")
    func addresses() {
        #expect(HostName("[::1]")?.isAddress == true)
        #expect(HostName("127.0.0.1")?.isAddress == false)
        #expect(HostName("a.com")?.isAddress == false)
    }

    @Test(
        "names in DNS are told from other names",
        arguments: [
            ("example.com", true), ("localhost", true), ("xn--bcher-kva.example", true), ("127.0.0.1", true),
            ("", false), ("a..b", false), (".a", false), ("a.", false), ("-a.com", false), ("a-.com", false),
            ("a_b.com", false), ("bücher.example", false), ("a b", false), (String(repeating: "a", count: 64), false),
            (String(repeating: "a.", count: 127) + "b", false),
        ])
    func dns(name: String, expected: Bool) {
        #expect((HostName(dns: name) != nil) == expected)
    }

    @Test("a name in DNS is kept in lower case, and a letter that only looks like one of ASCII is not one")
    func lowercase() {
        #expect(HostName(dns: "Example.COM")?.ascii == "example.com")
        #expect(HostName(dns: "\u{212A}.example") == nil)
    }
}
