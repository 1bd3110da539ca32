import AssociationServer
import DomainNames
import FuzzingSupport
import Testing

@Suite("What forwarded fields say")
struct ForwardedFieldsTests {
    private static let trusted = CIDRSet(CIDRBlock.private + CIDRBlock.loopback)

    /// Puts the fields into one run of bytes, as they are in a head.
    private func withFields<Result>(
        _ fields: [String], _ body: (Span<UInt8>, UnsafeBufferPointer<Range<Int>>) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for field in fields {
            bytes += Array("x: ".utf8)
            ranges.append(bytes.count..<bytes.count + field.utf8.count)
            bytes += Array(field.utf8) + Array("\r\n".utf8)
        }
        return ranges.withUnsafeBufferPointer { body(bytes.span, $0) }
    }

    private func client(_ fields: [String], _ family: ForwardedFields.Family, peer: String? = "10.0.0.1") -> String? {
        withFields(fields) { bytes, ranges in
            Self.trusted.withView {
                ForwardedFields.client(from: peer.flatMap { IPAddress($0) }, in: bytes, ranges, family, trusted: $0)?
                    .description
            }
        }
    }

    @Test(
        "the client of X-Forwarded-For is the first address from the right that is not trusted",
        arguments: [
            ([], "10.0.0.1"), (["203.0.113.9"], "203.0.113.9"), (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            (["203.0.113.9, 10.0.0.2, 192.168.1.1"], "203.0.113.9"), (["203.0.113.9", "10.0.0.2"], "203.0.113.9"),
            (["198.51.100.1", "203.0.113.9,10.0.0.2"], "203.0.113.9"), (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            (["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"), (["nonsense"], "10.0.0.1"), ([""], "10.0.0.1"),
            ([" ,, 203.0.113.9 , , "], "203.0.113.9"), (["2001:db8::1"], "2001:db8::1"),
            (["[2001:db8::1]"], "2001:db8::1"),
            (["[2001:db8::1]:443"], "2001:db8::1"), (["203.0.113.9:443"], "203.0.113.9"),
            (["::ffff:203.0.113.9"], "203.0.113.9"),
            (["::ffff:10.0.0.7"], "10.0.0.7"), (["203.0.113.9:"], "10.0.0.1"), (["203.0.113.9:x"], "10.0.0.1"),
            (["[203.0.113.9]"], "10.0.0.1"), (["[2001:db8::1"], "10.0.0.1"), (["203.0.113.9:123456"], "10.0.0.1"),
        ] as [([String], String)])
    func list(fields: [String], expected: String) {
        #expect(client(fields, .xForwarded) == expected)
    }

    @Test(
        "the client of Forwarded",
        arguments: [
            (["for=203.0.113.9"], "203.0.113.9"), (["For=\"203.0.113.9:80\";proto=https;by=10.0.0.1"], "203.0.113.9"),
            (["for=198.51.100.1, for=203.0.113.9, for=10.0.0.2"], "203.0.113.9"),
            (["for=198.51.100.1, for=203.0.113.9", "FOR=10.0.0.2"], "203.0.113.9"),
            (["for=\"[2001:db8::1]:80\""], "2001:db8::1"), (["for=\"[2001:db8::1]:_port\""], "2001:db8::1"),
            (["for=203.0.113.9, for=unknown, for=10.0.0.2"], "10.0.0.2"), (["for=_hidden"], "10.0.0.1"),
            (["proto=https"], "10.0.0.1"), (["for=203.0.113.9;secret=\"a, for=10.0.0.3\""], "203.0.113.9"),
            (["for=203.0.113.9;;proto=http;"], "203.0.113.9"), ([" , for=203.0.113.9 ,"], "203.0.113.9"),
            // Fields that do not parse count for nothing, all of them.
            (["for=203.0.113.9, for"], "10.0.0.1"), (["for=203.0.113.9; proto =https"], "10.0.0.1"),
            (["for=\"203.0.113.9"], "10.0.0.1"), (["for=203.0.113.9 proto=https"], "10.0.0.1"), (["for="], "10.0.0.1"),
            (["for=10.0.0.5;for=203.0.113.9"], "10.0.0.1"), (["for=203.0.113.9", "for=\"x"], "203.0.113.9"),
            (["for=[2001:db8::1]"], "10.0.0.1"),
        ] as [([String], String)])
    func forwarded(fields: [String], expected: String) {
        #expect(client(fields, .forwarded) == expected)
    }

    @Test("a proxy on a Unix socket has no address of its own")
    func unixSocket() {
        #expect(client(["203.0.113.9, 10.0.0.2"], .xForwarded, peer: nil) == "203.0.113.9")
        #expect(client(["unknown"], .xForwarded, peer: nil) == nil)
        #expect(client([], .forwarded, peer: nil) == nil)
        #expect(client(["203.0.113.9"], .none) == "10.0.0.1")
    }

    @Test("no more than 32 elements are read, from the right", arguments: [31, 32, 33, 200])
    func limit(count: Int) {
        let proxies = (0..<count).map { "10.0.1.\($0)" }
        let expected = count < 32 ? "203.0.113.9" : "10.0.1.\(count - 32)"
        #expect(client([(["203.0.113.9"] + proxies).joined(separator: ", ")], .xForwarded) == expected)
        #expect(client(["203.0.113.9"] + proxies, .xForwarded) == expected)
        let elements = (["203.0.113.9"] + proxies).map { "for=\($0)" }
        #expect(client([elements.joined(separator: ", ")], .forwarded) == expected)
        #expect(client(elements, .forwarded) == expected)
    }

    @Test(
        "the scheme",
        arguments: [
            (["https"], [], .https), (["http"], [], .http), (["HTTPS"], [], .https), (["http, https"], [], .https),
            (["https", "http"], [], .https), (["ftp"], [], nil), ([], [], nil), (["httpss"], [], nil),
            ([], ["proto=https"], .https), ([], ["for=x;proto=HTTP"], .http), ([], ["proto=https, proto=http"], .http),
            ([], ["proto=http", "for=_a;Proto=\"https\", for=_b"], .https),
            ([], ["proto=https", "proto=\"http"], .https),
        ] as [([String], [String], ForwardedFields.Scheme?)])
    func scheme(list: [String], forwarded: [String], expected: ForwardedFields.Scheme?) {
        if forwarded.isEmpty {
            #expect(withFields(list) { ForwardedFields.scheme(in: $0, $1, .xForwarded) } == expected)
        }
        if list.isEmpty {
            #expect(withFields(forwarded) { ForwardedFields.scheme(in: $0, $1, .forwarded) } == expected)
        }
        #expect(withFields(list) { ForwardedFields.scheme(in: $0, $1, .none) } == nil)
    }

    @Test(
        "no bytes make it fail, and what it says does not depend on what is around the fields",
        arguments: TestSeeds.of(11...11))
    func anyBytes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "for=", "proto=", "https", "\"", "\\", ",", ";", " ", "=", "10.0.0.1", "203.0.113.9", "[::1]", ":80", "_x",
            "\t",
        ]
        for _ in 0..<20_000 {
            let text = random.list(of: pieces, upTo: 11).joined()
            for family in ForwardedFields.Family.allCases {
                let alone = client([text], family)
                #expect(alone == client([text, "a b"], family) || family != .forwarded)
                _ = withFields([text]) { ForwardedFields.scheme(in: $0, $1, family) }
            }
        }
    }
}
