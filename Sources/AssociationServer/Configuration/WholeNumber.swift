/// Numbers as JSON writes them (RFC 8259, section 6).
enum WholeNumber {
    /// The value of a number that is whole, however it is written: `1000`, `1e3`, `10.0`; nil if it is not, or too large.
    static func parse(_ literal: String) -> Int? {
        var rest = Array(literal.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : []
        var digits = Array(parts[0]) + fraction
        guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
        let trailing = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        if trailing == digits.count { return 0 }
        digits.removeLast(trailing)
        // The exponent of the last digit that is not zero.
        guard let exponent = exponent(rest.dropFirst(mantissa.count)) else { return nil }
        let (zeros, overflow) = exponent.addingReportingOverflow(trailing - fraction.count)
        guard !overflow, (0...18).contains(zeros) else { return nil }
        return value(digits + [UInt8](repeating: UInt8(ascii: "0"), count: zeros), isNegative: isNegative)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// - Parameter text: `e3`, `E-3`, `e+3`, or nothing.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        text.isEmpty ? 0 : Int(String(decoding: text.dropFirst(), as: UTF8.self))
    }

    private static func value(_ digits: [UInt8], isNegative: Bool) -> Int? {
        Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
    }
}
