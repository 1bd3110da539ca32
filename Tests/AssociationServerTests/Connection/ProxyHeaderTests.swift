import AssociationServer
import DomainNames
import Testing

@Suite("The header of the PROXY protocol")
struct ProxyHeaderTests {
    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
    private static let ipv4: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 2, 0x1F, 0x90, 0x01, 0xBB]
    private static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 0xFE, count: 16) + [
            0, 1, 0, 2,
        ]

    private static func binary(_ version: UInt8, _ family: UInt8, _ block: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? block.count
        return signature + [version, family, UInt8(length >> 8), UInt8(length & 0xFF)] + block
    }

    private func read(_ bytes: [UInt8]) -> ProxyHeader.Reading { ProxyHeader.read(bytes.span) }

    private func source(_ bytes: [UInt8]) -> String? {
        guard case .header(let header) = read(bytes), header.count == bytes.count else { return nil }
        return header.source?.description ?? "none"
    }

    @Test(
        "version 1",
        arguments: [
            ("PROXY TCP4 192.0.2.1 198.51.100.2 8080 443", "192.0.2.1"),
            ("PROXY TCP4 0.0.0.0 255.255.255.255 0 65535", "0.0.0.0"),
            ("PROXY TCP6 2001:db8::1 fe80::2 1 2", "2001:db8::1"), ("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2", "192.0.2.1"),
            (
                "PROXY TCP6 1111:2222:3333:4444:5555:6666:7777:8888 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535",
                "1111:2222:3333:4444:5555:6666:7777:8888"
            ),
            ("PROXY UNKNOWN", "none"), ("PROXY UNKNOWN ", "none"), ("PROXY UNKNOWN what ever 1 2 3", "none"),
        ])
    func text(line: String, expected: String) {
        #expect(source(Array("\(line)\r\n".utf8)) == expected)
    }

    @Test(
        "what is not a header of version 1",
        arguments: [
            "PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\n", "PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r \n",
            "PROXY  TCP4 192.0.2.1 198.51.100.2 8080 443\r\n", "PROXY TCP4  192.0.2.1 198.51.100.2 8080 443\r\n",
            "PROXY TCP4 192.0.2.1 198.51.100.2 8080 443 \r\n", "PROXY TCP4 192.0.2.1 198.51.100.2 8080\r\n",
            "PROXY TCP4 192.0.2.01 198.51.100.2 8080 443\r\n", "PROXY TCP4 2001:db8::1 ::1 8080 443\r\n",
            "PROXY TCP6 192.0.2.1 ::1 8080 443\r\n", "PROXY TCP6 fe80::1%eth0 ::1 8080 443\r\n",
            "PROXY TCP4 192.0.2.1 198.51.100.2 65536 443\r\n", "PROXY TCP4 192.0.2.1 198.51.100.2 080 443\r\n",
            "PROXY TCP4 192.0.2.1 198.51.100.2 80 -1\r\n", "PROXY tcp4 192.0.2.1 198.51.100.2 80 443\r\n",
            "PROXY UDP4 192.0.2.1 198.51.100.2 80 443\r\n", "PROXY UNKNOWNS\r\n", "PROXY\r\n", "PROXY \r\n",
            "proxy TCP4",
            "GET / HTTP/1.1\r\n\r\n", "P\r\n", "\n",
        ])
    func malformedText(text: String) {
        #expect(read(Array(text.utf8)) == .malformed)
    }

    @Test("a line of version 1 has at most 107 bytes with its end")
    func longLine() {
        let longest = "PROXY UNKNOWN " + String(repeating: "x", count: 107 - 16) + "\r\n"
        #expect(source(Array(longest.utf8)) == "none")
        #expect(read(Array(("PROXY UNKNOWN " + String(repeating: "x", count: 107 - 15) + "\r\n").utf8)) == .malformed)
        #expect(read(Array(("PROXY UNKNOWN " + String(repeating: "x", count: 1_000)).utf8)) == .malformed)
    }

    @Test("version 2")
    func binaryHeaders() {
        #expect(source(Self.binary(0x21, 0x11, Self.ipv4)) == "192.0.2.1")
        #expect(source(Self.binary(0x21, 0x21, Self.ipv6)) == "2001:db8::1")
        #expect(source(Self.binary(0x21, 0x11, Self.ipv4 + [4, 0, 1, 0])) == "192.0.2.1")
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 9] + [UInt8](repeating: 0, count: 20)
        #expect(source(Self.binary(0x21, 0x21, mapped)) == "192.0.2.9")
        for family: UInt8 in [0x00, 0x01, 0x02, 0x10, 0x12, 0x20, 0x22, 0x30, 0x31, 0x32] {
            #expect(source(Self.binary(0x21, family, [1, 2, 3])) == "none", "\(family)")
        }
        // LOCAL, whatever its family.
        for family: UInt8 in [0x00, 0x11, 0x21, 0x4F, 0xFF] {
            #expect(source(Self.binary(0x20, family, [])) == "none", "\(family)")
        }
        #expect(source(Self.binary(0x21, 0x11, Self.ipv4 + [UInt8](repeating: 0, count: 4_080 - 12))) == "192.0.2.1")
    }

    @Test("what is not a header of version 2")
    func malformedBinary() {
        #expect(read(Self.binary(0x11, 0x11, Self.ipv4)) == .malformed)
        #expect(read(Self.binary(0x31, 0x11, Self.ipv4)) == .malformed)
        #expect(read(Self.binary(0x22, 0x11, Self.ipv4)) == .malformed)
        for family: UInt8 in [0x41, 0xF1, 0x13, 0x1F, 0x44] {
            #expect(read(Self.binary(0x21, family, Self.ipv6)) == .malformed, "\(family)")
        }
        #expect(read(Self.binary(0x21, 0x11, Array(Self.ipv4.dropLast()))) == .malformed)
        #expect(read(Self.binary(0x21, 0x21, Array(Self.ipv6.dropLast()))) == .malformed)
        // Announced is already too much.
        #expect(read(Self.binary(0x21, 0x11, [], length: 4_081)) == .malformed)
        #expect(read(Self.binary(0x20, 0x00, [], length: 65_535)) == .malformed)
    }

    @Test(
        "byte by byte, with what follows, a header is read when it is complete, and never before",
        arguments: [
            Array("PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n".utf8), Array("PROXY UNKNOWN\r\n".utf8),
            binary(0x21, 0x11, ipv4), binary(0x21, 0x21, ipv6 + [1, 2, 3]), binary(0x20, 0, []),
        ])
    func fragments(header: [UInt8]) {
        let bytes = header + Array("\r\nGET / HTTP/1.1\r\n".utf8)
        for count in 0..<header.count {
            guard case .incomplete(let needed) = read(Array(bytes.prefix(count))) else {
                Issue.record("not incomplete after \(count) bytes")
                continue
            }
            #expect(needed > count && needed <= header.count)
        }
        for count in header.count...bytes.count {
            guard case .header(let found) = read(Array(bytes.prefix(count))) else {
                Issue.record("no header after \(count) bytes")
                continue
            }
            #expect(found.count == header.count)
        }
    }

    @Test("one changed byte never makes a header longer than its bytes, and never changes the answer to a prefix")
    func changes() {
        for header in [
            Array("PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n".utf8), Self.binary(0x21, 0x11, Self.ipv4),
        ] {
            for index in header.indices {
                for value in UInt8.min...UInt8.max {
                    var changed = header
                    changed[index] = value
                    var final: ProxyHeader.Reading?
                    // What ends before the change was read with the first value.
                    for count in (value == 0 ? 0 : index + 1)...changed.count {
                        let reading = read(Array(changed.prefix(count)))
                        if let final { #expect(reading == final, "\(index) \(value) \(count)") }
                        switch reading {
                        case .incomplete(let needed): #expect(needed > count)
                        case .malformed: final = reading
                        case .header(let header):
                            #expect(header.count <= count)
                            final = reading
                        }
                    }
                }
            }
        }
    }

    @Test("a listener that expects no header knows one when it sees it")
    func likeliness() {
        func isLikely(_ bytes: [UInt8]) -> Bool { ProxyHeader.isLikely(bytes.span) }
        #expect(isLikely(Array("PROXY TCP4 ".utf8)))
        #expect(isLikely(Self.binary(0x21, 0x11, [])))
        #expect(!isLikely(Array("PROXY".utf8)))
        #expect(!isLikely(Array("POST / HTTP/1.1".utf8)))
        #expect(!isLikely([0x16, 3, 1]))
    }
}
