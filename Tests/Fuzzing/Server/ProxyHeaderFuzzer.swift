import AssociationServer
import DomainNames
import FuzzingSupport
import Glibc

/// Reads PROXY headers that are sound, nearly sound or nothing of the kind, whole and in pieces.
struct ProxyHeaderFuzzer {
    private(set) var outcomes: [String: Int] = [:]

    /// Checks one more input; returns what is wrong with the answers.
    mutating func check(_ random: inout SplitMix64) -> (input: [UInt8], violation: String?) {
        var input = Self.header(&random)
        for _ in 0..<random.pick([0, 0, 0, 1, 1, 3]) { Self.mutate(&input, &random) }
        if random.chance(70) { input += random.pick(Self.tails) }
        let reading = ProxyHeader.read(input.span)
        let expected = ProxyHeaderReference.judge(input)
        outcomes[expected.name, default: 0] += 1
        guard ProxyHeaderReference.Verdict(reading) == expected else {
            return (input, "\(reading) instead of \(expected)")
        }
        return (input, Self.violation(inPiecesOf: input, expected, &random))
    }

    /// Leads a connection to the end of its header, as the pieces come.
    private static func violation(
        inPiecesOf input: [UInt8], _ whole: ProxyHeaderReference.Verdict, _ random: inout SplitMix64
    ) -> String? {
        let kind = random.pick([ConnectionState.Kind.tls, .plain])
        var state = ConnectionState(kind, expectsProxyHeader: true, acceptedAt: 0)
        var held: [UInt8] = []
        var start = 0
        while start < input.count {
            let most = random.pick([1, 1, 3, 20, 200, 5_000])
            let piece = input[start..<min(input.count, start + random.number(1...most))]
            start = piece.endIndex
            let action = state.received(piece.count, first: piece.first ?? 0)
            guard action == .readProxyHeader else { return "\(action) after \(held.count) bytes of a header" }
            held += piece
            let reading = ProxyHeader.read(held.span)
            var next: UInt8?
            if case .header(let header) = reading { next = held[header.count...].first }
            let after = state.proxyHeaderRead(reading, next: next, at: 1)
            switch reading {
            case .incomplete(let needed):
                if after != .keepInput || held.count >= ProxyHeader.longestBinary { return "\(after) at \(held.count)" }
                if case .header(_, let count) = whole, needed > count || needed <= held.count {
                    return "\(needed) bytes are needed for \(count)"
                }
            case .malformed:
                // What was refused early is never accepted.
                if case .header = whole { return "malformed after \(held.count) bytes" }
                return after == .close(.proxyHeader) ? nil : "\(after) for no header"
            case .header(let header):
                guard ProxyHeaderReference.Verdict(reading) == whole, header.count <= held.count,
                    held.count - piece.count < header.count
                else { return "\(reading) after \(held.count) bytes" }
                return violation(in: after, next, kind)
            }
        }
        if case .incomplete = whole { return nil }
        return whole == .malformed ? "not refused" : "no header"
    }

    /// The first byte after the header decides what follows.
    private static func violation(
        in action: ConnectionState.Action, _ next: UInt8?, _ kind: ConnectionState.Kind
    ) -> String? {
        let expected: ConnectionState.Action
        switch (next, kind) {
        case (nil, _): expected = .wait
        case (_, .plain): expected = .read
        case (22, .tls): expected = .handshake
        case (let byte?, .tls):
            let isLetter = (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
            expected = isLetter ? .sendPlaintextError : .close(.notTLS)
        }
        return action == expected ? nil : "\(action) before \(next ?? 0)"
    }

    private static func header(_ random: inout SplitMix64) -> [UInt8] {
        random.chance(50) ? line(&random) : binary(&random)
    }

    private static func line(_ random: inout SplitMix64) -> [UInt8] {
        if random.chance(15) { return Array("PROXY UNKNOWN\(random.pick(["", " ", " a b", "\0 \u{7F}"]))\r\n".utf8) }
        let isIPv6 = random.chance(50)
        let addresses = isIPv6 ? ipv6 : ipv4
        func pick(_ good: [String], _ bad: [String]) -> String { random.pick(random.chance(97) ? good : bad) }
        let words = [
            "PROXY", pick([isIPv6 ? "TCP6" : "TCP4"], ["TCP", "UDP4", "tcp4", "TCP4", "TCP6", "UNKNOWN", ""]),
            pick(addresses, noAddresses), pick(addresses, noAddresses), pick(ports, noPorts), pick(ports, noPorts),
        ]
        return Array("\(words.joined(separator: random.chance(97) ? " " : "  "))\(random.pick(lineEnds))".utf8)
    }

    private static func binary(_ random: inout SplitMix64) -> [UInt8] {
        let command = random.chance(85) ? 0x21 : random.pick([0x20, 0x20, 0x22, 0x11, 0x31, 0x2F] as [UInt8])
        let family = random.chance(70) ? random.pick([0x11, 0x21] as [UInt8]) : random.byte()
        let exact = family == 0x21 ? 36 : 12
        let count = random.chance(60) ? exact : random.pick([0, 11, 13, 35, 37, 60, 216, 4_079, 4_080, 4_081, 65_535])
        var block = (0..<min(count, 5_000)).map { _ in random.byte() }
        if family == 0x21, random.chance(20) {
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
            block.replaceSubrange(0..<min(12, block.count), with: mapped.prefix(min(12, block.count)))
        }
        return signature + [command, family, UInt8(count >> 8), UInt8(count & 0xFF)] + block
    }

    private static func mutate(_ input: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.number(0...min(input.count, 120))
        switch random.number(0...5) {
        case 0 where start < input.count: input[start] ^= 1 << random.number(below: 8)
        case 1 where start < input.count: input[start] = random.byte()
        case 2: input.removeSubrange(start..<min(input.count, start + random.number(0...4)))
        case 3: input.insert(contentsOf: Array(random.pick(pieces).utf8), at: start)
        case 4: input.removeSubrange(start...)
        default: input.insert(random.byte(), at: start)
        }
    }

    private static let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
    private static let ipv4 = ["192.0.2.1", "0.0.0.0", "255.255.255.255", "10.20.30.40"]
    private static let ipv6 = [
        "2001:db8::1", "::", "::ffff:192.0.2.9", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1:2:3:4:5:6:1.2.3.4",
        "::FFFF",
    ]
    private static let noAddresses = [
        "1.2.3.04", "256.1.1.1", "1.2.3", "1.2.3.4.5", "fe80::1%lo", ":::1", "1:2:3:4:5:6:7", "1::2::3", "::1.2.3",
        "00001::", "[::1]", "", "192.0.2.1", "2001:db8::1", "localhost",
    ]
    private static let ports = ["0", "1", "443", "8080", "65535"]
    private static let noPorts = ["65536", "00", "080", "-1", "", "99999", "999999", "4 3", "+1"]
    private static let lineEnds = [String](repeating: "\r\n", count: 40) + ["\n", "\r", " \r\n", "\r\r\n", ""]
    private static let pieces = [
        " ", "\r\n", "\n", "\r", "PROXY ", "TCP4 ", ":", ".", "0", String(repeating: "x", count: 60),
    ]
    private static let tails = ["\u{16}\u{3}\u{1}", "GET / HTTP/1.1\r\n", "PROXY UNKNOWN\r\n", "\r\n", "\0"].map {
        Array($0.utf8)
    }
}

/// The beginning of a connection, read slowly from docs/spec/deploy.md, A3.
enum ProxyHeaderReference {
    enum Verdict: Equatable {
        case header(source: [UInt8]?, count: Int)
        case incomplete, malformed

        var name: String {
            switch self {
            case .header(let source, _): source == nil ? "no source" : "source"
            case .incomplete: "incomplete"
            case .malformed: "malformed"
            }
        }

        init(_ reading: ProxyHeader.Reading) {
            switch reading {
            case .header(let header):
                self = .header(source: header.source.map(AddressReference.bytes), count: header.count)
            case .incomplete: self = .incomplete
            case .malformed: self = .malformed
            }
        }
    }

    static func judge(_ bytes: [UInt8]) -> Verdict {
        guard let first = bytes.first else { return .incomplete }
        return first == UInt8(ascii: "P") ? line(bytes) : binary(bytes)
    }

    private static func line(_ bytes: [UInt8]) -> Verdict {
        let begin = Array("PROXY ".utf8)
        guard bytes.prefix(6).elementsEqual(begin.prefix(bytes.count)) else { return .malformed }
        let text = bytes.prefix(107).prefix { $0 != 13 && $0 != 10 }
        if text.count == bytes.count { return bytes.count < 107 ? .incomplete : .malformed }
        guard text.count < 106, bytes[text.count] == 13 else { return .malformed }
        guard text.count + 1 < bytes.count else { return .incomplete }
        guard bytes[text.count + 1] == 10 else { return .malformed }
        let count = text.count + 2
        let words = text.split(separator: 32, omittingEmptySubsequences: false).map(Array.init)
        if words[1] == Array("UNKNOWN".utf8) { return .header(source: nil, count: count) }
        let isIPv6 = words[1] == Array("TCP6".utf8)
        guard words.count == 6, isIPv6 || words[1] == Array("TCP4".utf8), words[4...].allSatisfy(isPort),
            let source = AddressReference.read(words[2], isIPv6: isIPv6),
            AddressReference.read(words[3], isIPv6: isIPv6) != nil
        else { return .malformed }
        return .header(source: source, count: count)
    }

    private static func isPort(_ word: [UInt8]) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        return UInt16(text).map { "\($0)" == text } ?? false
    }

    private static func binary(_ bytes: [UInt8]) -> Verdict {
        let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
        guard bytes.prefix(12).elementsEqual(signature.prefix(bytes.count)) else { return .malformed }
        guard bytes.count >= 16 else { return .incomplete }
        let length = Int(bytes[14]) * 256 + Int(bytes[15])
        guard length <= 4_080, bytes[12] == 0x20 || bytes[12] == 0x21 else { return .malformed }
        let (family, transport) = (bytes[13] / 16, bytes[13] % 16)
        var addresses = 0
        if bytes[12] == 0x21 {
            guard family < 4, transport < 3 else { return .malformed }
            if transport == 1 { addresses = [0, 4, 16, 0][Int(family)] }
        }
        guard addresses == 0 || length >= 2 * addresses + 4 else { return .malformed }
        guard bytes.count >= 16 + length else { return .incomplete }
        let source = Array(bytes[16..<16 + addresses])
        return .header(source: addresses == 0 ? nil : AddressReference.mapped(source), count: 16 + length)
    }
}

/// Addresses as the system's library reads them.
enum AddressReference {
    /// Sixteen bytes, of IPv4 as in IPv6.
    static func bytes(_ address: IPAddress) -> [UInt8] {
        [address.high, address.low].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
    }

    static func mapped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.count == 4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes
    }

    static func read(_ text: [UInt8], isIPv6: Bool) -> [UInt8]? {
        guard !text.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        let result = inet_pton(isIPv6 ? AF_INET6 : AF_INET, String(decoding: text, as: UTF8.self), &bytes)
        return result == 1 ? mapped(bytes) : nil
    }
}
