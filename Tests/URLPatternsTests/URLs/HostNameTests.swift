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
}
