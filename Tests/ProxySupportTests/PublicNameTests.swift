import ProxySupport
import Testing

@Suite("Public names")
struct PublicNameTests {
    @Test(
        "a name is public if it has two labels and is not below a name for local use",
        arguments: [
            ("example.com", true), ("shop.example.com", true), ("xn--bcher-kva.de", true), ("notlocal.de", true),
            ("home.arpa.example.org", true), ("1.2.3.example.com", true), ("mylocalhost.net", true), ("com", false),
            ("localhost", false), ("", false), (".", false), ("a.localhost", false), ("printer.local", false),
            ("db.internal", false), ("x.test", false), ("x.invalid", false), ("shop.example", false),
            ("abc.onion", false), ("home.arpa", false), ("nas.home.arpa", false), ("192.0.2.1", false),
            ("2001:db8::1", false), ("::ffff:192.0.2.1", false), ("arpa.net", true),
        ])
    func names(name: String, isPossible: Bool) {
        #expect(PublicName.isPossible(name) == isPossible)
        #expect(PublicName.isPossible("x\(name)".dropFirst()) == isPossible)
    }
}
