package import DomainNames

/// The header of the PROXY protocol, versions 1 and 2, with which a proxy begins a connection.
///
/// Source: "The PROXY protocol", versions 1 & 2, by HAProxy.
package struct ProxyHeader: Equatable, Sendable, BitwiseCopyable {
    /// The client that the proxy speaks for; nil if it speaks for itself, or does not say.
    package let source: IPAddress?
    /// The length in bytes; what follows is the connection's own.
    package let count: Int

    package enum Reading: Equatable, Sendable {
        case header(ProxyHeader)
        /// So far it can still become a header, which has at least `needed` bytes.
        case incomplete(needed: Int)
        case malformed
    }

    /// The longest header of version 1, with its CRLF.
    package static let longestText = 107
    /// The longest header of version 2 that is accepted, with all that it announces.
    package static let longestBinary = 4_096

    /// Reads the header at the beginning of a connection.
    ///
    /// - Parameter bytes: What has been received so far; what follows the header is not looked at.
    package static func read(_ bytes: Span<UInt8>) -> Reading {
        guard bytes.count > 0 else { return .incomplete(needed: shortest) }
        return bytes[0] == UInt8(ascii: "P") ? readText(bytes) : readBinary(bytes)
    }

    /// Whether a connection begins as a PROXY header does; for listeners that expect none.
    package static func isLikely(_ bytes: Span<UInt8>) -> Bool {
        matches(bytes, 6, textSignature) && bytes.count >= 6 || matches(bytes, 12, signature) && bytes.count >= 12
    }

    private static let shortest = 15
    /// `PROXY `
    private static let textSignature: StaticString = "PROXY "
    private static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"

    /// Whether the bytes agree with the first `count` of a signature, as far as they go.
    private static func matches(_ bytes: Span<UInt8>, _ count: Int, _ signature: StaticString) -> Bool {
        for index in 0..<min(bytes.count, count) where bytes[index] != signature.utf8Start[index] { return false }
        return true
    }
}

extension ProxyHeader {
    private static let fixedLength = 16

    private static func readBinary(_ bytes: Span<UInt8>) -> Reading {
        guard matches(bytes, 12, signature) else { return .malformed }
        guard bytes.count >= fixedLength else { return .incomplete(needed: fixedLength) }
        let version = bytes[12] >> 4
        let command = bytes[12] & 0xF
        let length = Int(bytes[14]) << 8 | Int(bytes[15])
        let count = fixedLength &+ length
        guard version == 2, command <= 1, count <= longestBinary else { return .malformed }
        var source: Source?
        // LOCAL: the proxy speaks for itself, whatever the block has.
        if command == 1 {
            let family = bytes[13] >> 4
            let transport = bytes[13] & 0xF
            guard family <= 3, transport <= 2 else { return .malformed }
            if transport == 1 { source = family == 1 ? .ipv4 : family == 2 ? .ipv6 : nil }
        }
        guard length >= source?.addressesLength ?? 0 else { return .malformed }
        guard bytes.count >= count else { return .incomplete(needed: count) }
        return .header(ProxyHeader(source: source.map { address(bytes, $0) }, count: count))
    }

    private enum Source {
        case ipv4, ipv6

        /// Two addresses and two ports.
        var addressesLength: Int { self == .ipv4 ? 12 : 36 }
    }

    private static func address(_ bytes: Span<UInt8>, _ source: Source) -> IPAddress {
        switch source {
        case .ipv4: IPAddress(ipv4: UInt32(truncatingIfNeeded: number(bytes, fixedLength, 4)))
        case .ipv6: IPAddress(high: number(bytes, fixedLength, 8), low: number(bytes, fixedLength &+ 8, 8))
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in start..<start &+ count { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}

extension ProxyHeader {
    private static func readText(_ bytes: Span<UInt8>) -> Reading {
        guard matches(bytes, 6, textSignature) else { return .malformed }
        let limit = min(bytes.count, longestText)
        var end = 6
        while end < limit, bytes[end] != UInt8(ascii: "\r"), bytes[end] != UInt8(ascii: "\n") { end &+= 1 }
        guard end < limit else {
            // Even a CR as the last byte that may come would leave no room for its LF.
            return bytes.count < longestText ? .incomplete(needed: max(shortest, bytes.count &+ 1)) : .malformed
        }
        guard bytes[end] == UInt8(ascii: "\r") else { return .malformed }
        guard end &+ 1 < longestText else { return .malformed }
        guard end &+ 1 < bytes.count else { return .incomplete(needed: end &+ 2) }
        guard bytes[end &+ 1] == UInt8(ascii: "\n") else { return .malformed }
        return line(bytes, 6..<end)
    }

    /// Reads what is between `PROXY ` and the line's end.
    private static func line(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Reading {
        let count = range.upperBound &+ 2
        var rest = range
        let family = word(bytes, &rest)
        if isWord(bytes, family, "UNKNOWN") { return .header(ProxyHeader(source: nil, count: count)) }
        let isIPv6 = isWord(bytes, family, "TCP6")
        guard isIPv6 || isWord(bytes, family, "TCP4") else { return .malformed }
        let source = word(bytes, &rest)
        let destination = word(bytes, &rest)
        let sourcePort = word(bytes, &rest)
        guard let address = address(bytes, source, isIPv6), self.address(bytes, destination, isIPv6) != nil,
            isPort(bytes, sourcePort), isPort(bytes, rest)
        else { return .malformed }
        return .header(ProxyHeader(source: address, count: count))
    }

    /// The bytes up to the next space, which is taken off, too.
    private static func word(_ bytes: Span<UInt8>, _ rest: inout Range<Int>) -> Range<Int> {
        var end = rest.lowerBound
        while end < rest.upperBound, bytes[end] != UInt8(ascii: " ") { end &+= 1 }
        defer { rest = min(end &+ 1, rest.upperBound)..<rest.upperBound }
        return rest.lowerBound..<end
    }

    private static func isWord(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where bytes[range.lowerBound &+ index] != word.utf8Start[index] { return false }
        return true
    }

    private static func address(_ bytes: Span<UInt8>, _ range: Range<Int>, _ isIPv6: Bool) -> IPAddress? {
        isIPv6 ? IPAddress.ipv6(bytes, range) : IPAddress.ipv4(bytes, range)
    }

    /// 0 to 65535, without leading zeros.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard 1...5 ~= range.count, range.count == 1 || bytes[range.lowerBound] != UInt8(ascii: "0") else {
            return false
        }
        var number = 0
        for index in range {
            guard 0x30...0x39 ~= bytes[index] else { return false }
            number = number &* 10 &+ Int(bytes[index] &- 0x30)
        }
        return number <= 65_535
    }
}
