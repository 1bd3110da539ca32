import EventLoops
import Testing

@Suite("Addresses to listen on, as people write them")
struct ListenAddressTests {
    @Test(
        "an address, or less",
        arguments: [
            ("443", ["0.0.0.0:443", "[::]:443"]), (":8443", ["0.0.0.0:8443", "[::]:8443"]),
            ("*:8443", ["0.0.0.0:8443", "[::]:8443"]), ("localhost:8443", ["127.0.0.1:8443", "[::1]:8443"]),
            ("LOCALHOST:0", ["127.0.0.1:0", "[::1]:0"]), ("192.0.2.1:443", ["192.0.2.1:443"]),
            ("[2001:db8::1]:443", ["[2001:db8::1]:443"]), ("0", ["0.0.0.0:0", "[::]:0"]),
        ])
    func good(text: String, addresses: [String]) {
        #expect(ListenAddress(text)?.addresses.map(\.description) == addresses)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", ":", "x", "65536", ":65536", "-1", "+1", "١", "localhost", "localhost:", "localhost:x",
            "example.com:443",
            "192.0.2.1", "::1", "[::1]", "::1:443", "https://localhost:8443", "localhost:8443/", " 443", "443 ", "4 43",
            "a\0:443",
        ])
    func bad(text: String) { #expect(ListenAddress(text) == nil) }
}
