import DomainNames
import Testing

struct DNSNameTests {
    @Test(
        "names in DNS are told from other names",
        arguments: [
            ("example.com", true), ("localhost", true), ("xn--bcher-kva.example", true), ("127.0.0.1", true),
            ("", false), ("a..b", false), (".a", false), ("a.", false), ("-a.com", false), ("a-.com", false),
            ("a_b.com", false), ("bücher.example", false), ("a b", false), (String(repeating: "a", count: 64), false),
            (String(repeating: "a.", count: 127) + "b", false),
        ])
    func dns(name: String, expected: Bool) {
        #expect(DNSName.isValid(name) == expected)
    }

    @Test("case does not matter, and a letter that only looks like one of ASCII is not one")
    func cases() {
        #expect(DNSName.isValid("Example.COM"))
        #expect(!DNSName.isValid("\u{212A}.example"))
    }
}
