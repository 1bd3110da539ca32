/// An IPv4 or IPv6 address without a port.
///
/// An IPv4 address is one in each of its spellings: `::ffff:192.0.2.1` is `192.0.2.1` (RFC 4291, section 2.5.5.2).
package struct IPAddress: Hashable, Sendable, BitwiseCopyable {
    /// The first eight of the sixteen bytes, as a number.
    package let high: UInt64
    /// The last eight.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter ipv4: The four bytes as a number.
    package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4)) }

    package var isIPv6: Bool { high != 0 || low >> 32 != 0xFFFF }

    /// The address without what tells neighbors apart: the first 24 bits of IPv4, and 48 of IPv6.
    package var network: IPAddress {
        isIPv6 ? IPAddress(high: high & ~0xFFFF, low: 0) : IPAddress(high: high, low: low & ~0xFF)
    }
}

extension IPAddress: CustomStringConvertible {
    /// The length of the longest text.
    @inlinable package static var longestText: Int { 39 }

    /// Writes `192.0.2.1`, or an IPv6 address as RFC 5952 wants it: `2001:db8::1`.
    ///
    /// - Parameter output: has room for `longestText` bytes.
    /// - Returns: how many were written.
    package func write(to output: UnsafeMutablePointer<UInt8>) -> Int {
        isIPv6 ? writeIPv6(to: output) : writeIPv4(to: output)
    }

    package var description: String {
        String(unsafeUninitializedCapacity: Self.longestText) { buffer in
            buffer.baseAddress.map(write) ?? 0
        }
    }

    private func writeIPv4(to output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var shift: UInt64 = 24
        while true {
            let value = UInt8(truncatingIfNeeded: low >> shift)
            if value >= 100 { output.put(UInt8(ascii: "0") &+ value / 100, &count) }
            if value >= 10 { output.put(UInt8(ascii: "0") &+ value / 10 % 10, &count) }
            output.put(UInt8(ascii: "0") &+ value % 10, &count)
            if shift == 0 { return count }
            output.put(UInt8(ascii: "."), &count)
            shift &-= 8
        }
    }

    private func writeIPv6(to output: UnsafeMutablePointer<UInt8>) -> Int {
        let zeros = longestZeros
        var count = 0
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound {
                output.put(UInt8(ascii: ":"), &count)
                output.put(UInt8(ascii: ":"), &count)
                index = zeros.upperBound
                continue
            }
            if index > 0, index != zeros.upperBound { output.put(UInt8(ascii: ":"), &count) }
            let group = group(index)
            var shift = group >= 0x1000 ? 12 : group >= 0x100 ? 8 : group >= 0x10 ? 4 : 0
            while shift >= 0 {
                let digit = UInt8(truncatingIfNeeded: group >> shift) & 0xF
                output.put(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10), &count)
                shift &-= 4
            }
            index &+= 1
        }
        return count
    }

    /// The groups that `::` stands for: the longest run of zeros, of two at least; of equal ones the first. Outside of
    /// 0…7 if there is none.
    private var longestZeros: Range<Int> {
        var longest = 8..<8
        var start = 0
        for index in 0..<8 {
            if group(index) != 0 {
                start = index &+ 1
            } else if index &+ 1 &- start > max(longest.count, 1) {
                longest = start..<index &+ 1
            }
        }
        return longest
    }

    private func group(_ index: Int) -> UInt64 {
        (index < 4 ? high : low) >> UInt64(truncatingIfNeeded: 48 &- 16 &* (index & 3)) & 0xFFFF
    }
}

extension UnsafeMutablePointer<UInt8> {
    @inline(__always)
    fileprivate func put(_ byte: UInt8, _ count: inout Int) {
        self[count] = byte
        count &+= 1
    }
}

extension IPAddress {
    /// Reads an address in its usual text form, such as `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(_ text: String) {
        var text = text
        let address = text.withUTF8 { utf8 in
            IPAddress.ipv4(utf8.span, 0..<utf8.count) ?? IPAddress.ipv6(utf8.span, 0..<utf8.count)
        }
        guard let address else { return nil }
        self = address
    }

    /// Reads four decimal numbers without leading zeros.
    package static func ipv4(_ bytes: Span<UInt8>, _ range: Range<Int>) -> IPAddress? {
        ipv4Number(bytes, range).map(IPAddress.init(ipv4:))
    }

    private static func ipv4Number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        guard 7...15 ~= range.count else { return nil }
        var number: UInt32 = 0
        var part: UInt32 = 0
        var digits = 0
        var dots = 0
        for index in range {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
                number = number << 8 | part
                (part, digits) = (0, 0)
                dots &+= 1
            } else if byte &- 0x30 < 10, digits == 0 || part > 0 {
                part = part &* 10 &+ UInt32(byte &- 0x30)
                digits &+= 1
                guard part <= 255 else { return nil }
            } else {
                return nil
            }
        }
        return dots == 3 && digits > 0 ? number << 8 | part : nil
    }

    /// Reads the text form of RFC 4291, section 2.2, also with an IPv4 address as its end; without a zone.
    package static func ipv6(_ bytes: Span<UInt8>, _ range: Range<Int>) -> IPAddress? {
        guard 2...45 ~= range.count else { return nil }
        var head = Groups()
        var tail = Groups()
        var isCompressed = false
        var index = range.lowerBound
        // A lone colon begins no address; two do.
        if bytes[index] == Self.colon {
            guard bytes[index &+ 1] == Self.colon else { return nil }
            isCompressed = true
            index &+= 2
        }
        while index < range.upperBound {
            let start = index
            var value: UInt64 = 0
            while index < range.upperBound, index &- start < 5, let digit = hexadecimalDigit(bytes[index]) {
                value = value << 4 | UInt64(digit)
                index &+= 1
            }
            if index < range.upperBound, bytes[index] == UInt8(ascii: ".") {
                guard let number = ipv4Number(bytes, start..<range.upperBound) else { return nil }
                index = range.upperBound
                let isAppended =
                    isCompressed
                    ? tail.append(UInt64(number >> 16)) && tail.append(UInt64(number & 0xFFFF))
                    : head.append(UInt64(number >> 16)) && head.append(UInt64(number & 0xFFFF))
                guard isAppended else { return nil }
                break
            }
            guard 1...4 ~= index &- start, isCompressed ? tail.append(value) : head.append(value) else { return nil }
            guard index < range.upperBound else { break }
            guard bytes[index] == Self.colon else { return nil }
            index &+= 1
            if index < range.upperBound, bytes[index] == Self.colon {
                guard !isCompressed else { return nil }
                isCompressed = true
                index &+= 1
            } else if index == range.upperBound {
                return nil
            }
        }
        let count = head.count &+ tail.count
        guard isCompressed ? count < 8 : count == 8 else { return nil }
        return head.address(with: tail)
    }

    private static let colon = UInt8(ascii: ":")

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x61...0x66: byte &- 0x61 &+ 10
        case 0x41...0x46: byte &- 0x41 &+ 10
        default: nil
        }
    }

    /// Up to eight numbers of 16 bits, from the left.
    private struct Groups {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0

        mutating func append(_ value: UInt64) -> Bool {
            guard count < 8 else { return false }
            high = high << 16 | low >> 48
            low = low << 16 | value
            count &+= 1
            return true
        }

        /// The address that begins with these groups and ends with `tail`.
        func address(with tail: Groups) -> IPAddress {
            let shift = UInt64(8 &- count) &* 16
            let shiftedHigh: UInt64
            let shiftedLow: UInt64
            switch shift {
            case 0: (shiftedHigh, shiftedLow) = (high, low)
            case 1..<64: (shiftedHigh, shiftedLow) = (high << shift | low >> (64 &- shift), low << shift)
            case 64..<128: (shiftedHigh, shiftedLow) = (low << (shift &- 64), 0)
            default: (shiftedHigh, shiftedLow) = (0, 0)
            }
            return IPAddress(high: shiftedHigh | tail.high, low: shiftedLow | tail.low)
        }
    }
}

/// The spellings of IPv4 addresses that inet_aton(3) reads, and with it most programs that are given a host.
extension IPAddress {
    /// Reads an address in its usual text form, or an IPv4 address in another one: with fewer than four numbers, the
    /// last of which has the remaining bytes, and with numbers in octal (`0177`) or hexadecimal (`0x7f`). One final dot
    /// is ignored, as it is in names.
    package init?(anySpelling text: String) {
        if let address = IPAddress(text) {
            self = address
            return
        }
        guard let number = Self.ipv4(anySpelling: text) else { return nil }
        self.init(ipv4: number)
    }

    /// Whether the last label of a host is a number, so that it is an address or a mistake, but not a name (URL
    /// Standard, "ends in a number checker").
    package static func endsInNumber(_ host: String) -> Bool {
        guard let last = labels(of: host).last else { return false }
        return !last.isEmpty && last.utf8.allSatisfy { 0x30...0x39 ~= $0 } || number(last) != nil
    }

    private static func labels(of host: String) -> [Substring] {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return labels
    }

    private static func ipv4(anySpelling text: String) -> UInt32? {
        let labels = labels(of: text)
        let numbers = labels.compactMap(number)
        guard 1...4 ~= labels.count, numbers.count == labels.count, let last = numbers.last else { return nil }
        var address: UInt64 = 0
        for number in numbers.dropLast() {
            guard number <= 255 else { return nil }
            address = address << 8 | number
        }
        let bits = UInt64(8 * (5 - numbers.count))
        guard last >> bits == 0 else { return nil }
        return UInt32(truncatingIfNeeded: address << bits | last)
    }

    /// Decimal, octal after `0`, hexadecimal after `0x`; nil if it does not fit in 32 bits.
    private static func number(_ label: Substring) -> UInt64? {
        var digits = label.utf8[...]
        var radix: UInt64 = 10
        if digits.first == UInt8(ascii: "0"), digits.count > 1 {
            digits.removeFirst()
            radix = 8
            if digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X") {
                digits.removeFirst()
                radix = 16
            }
        }
        // Nothing after `0x` is a zero to some readers.
        guard !digits.isEmpty || radix == 16 else { return nil }
        var number: UInt64 = 0
        for byte in digits {
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte - 0x30)
            case 0x41...0x46: digit = UInt64(byte - 0x41 + 10)
            case 0x61...0x66: digit = UInt64(byte - 0x61 + 10)
            default: return nil
            }
            guard digit < radix else { return nil }
            number = number * radix + digit
            guard number <= 0xFFFF_FFFF else { return nil }
        }
        return number
    }
}
