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
