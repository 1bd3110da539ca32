import EventLoops
import Testing

struct SocketAddressTests {
    @Test(
        "An address is read and written in one form",
        arguments: [
            ("0.0.0.0:443", [0, 0, 0, 0], 443, nil),
            ("127.0.0.1:0", [127, 0, 0, 1], 0, nil),
            ("255.255.255.255:65535", [255, 255, 255, 255], 65_535, nil),
            ("192.0.2.1:00080", [192, 0, 2, 1], 80, "192.0.2.1:80"),
            ("[::]:443", [UInt8](repeating: 0, count: 16), 443, nil),
            ("[::1]:8443", [UInt8](repeating: 0, count: 15) + [1], 8_443, nil),
            ("[2001:db8::1]:1", [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], 1, nil),
            (
                "[2001:DB8:0:0:0:0:0:1]:1", [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], 1,
                "[2001:db8::1]:1"
            ),
            ("[::ffff:192.0.2.1]:80", [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1], 80, nil),
        ] as [(String, [UInt8], UInt16, String?)])
    func reading(text: String, bytes: [UInt8], port: UInt16, written: String?) throws {
        let address = try #require(SocketAddress(text))
        #expect(address.bytes == bytes)
        #expect(address.port == port)
        #expect(address.isIPv6 == text.hasPrefix("["))
        #expect(address.description == written ?? text)
        #expect(SocketAddress(address.description) == address)
    }

    @Test(
        "What is no address is none",
        arguments: [
            "", ":", "443", ":443", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1", "127.0.0.1:+1",
            "127.0.0.1:65536", "127.0.0.1:99999999999999999999", "127.0.0.1: 80", "127.0.0.1:80 ", " 127.0.0.1:80",
            "127.0.0.1:8٣", "127.0.0.1:80:80", "127.1:80", "127.0.0.256:80", "127.0.0.1.:80", "0x7f.0.0.1:80",
            "2130706433:80", "localhost:80", "*:80", "[127.0.0.1]:80", "::1:80", "[::1]", "[::1]:", "[::1]80",
            "[::1]:65536", "[::1:80", "::1]:80", "[[::1]]:80", "[]:80", "[:80", "]:80", "[::g]:80", "[:::]:80",
            "[1:2:3:4:5:6:7]:80", "[1:2:3:4:5:6:7:8:9]:80", "[fe80::1%lo]:80", "https://127.0.0.1:80", "127.0.0.1:80/",
            "127.0.0.1\0junk:80", "[::1\0junk]:80",
        ])
    func junk(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test("Every port is read and written")
    func ports() {
        for port in 0...UInt16.max {
            guard let address = SocketAddress("10.0.0.1:\(port)"), address.port == port else {
                Issue.record("port \(port)")
                return
            }
        }
    }
}

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
