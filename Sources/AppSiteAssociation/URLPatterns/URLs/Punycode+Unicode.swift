extension Punycode {
    /// A host as people read it, with the labels that begin with `xn--` decoded.
    ///
    /// - Parameter host: in ASCII and lower case.
    /// - Returns: nil if no label is encoded, or one is not what its Unicode form is encoded to.
    package static func unicode(_ host: String) -> String? {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.contains(where: { $0.hasPrefix(prefix) }) else { return nil }
        var decoded: [String] = []
        for label in labels {
            guard let text = label.hasPrefix(prefix) ? decode(label.utf8.dropFirst(prefix.utf8.count)) : String(label)
            else { return nil }
            decoded.append(text)
        }
        let text = decoded.joined(separator: ".")
        return ascii(text) == host ? text : nil
    }

    private static let prefix = "xn--"

    /// The decoding procedure of RFC 3492, section 6.2; the names are its names.
    private static func decode(_ label: Substring.UTF8View) -> String? {
        let bytes = Array(label)
        let delimiter = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = bytes[..<(delimiter ?? 0)].map { Unicode.Scalar($0) }
        var index = delimiter.map { $0 + 1 } ?? 0
        var (n, i, bias) = (UInt32(0x80), UInt32(0), UInt32(72))
        while index < bytes.count {
            let start = i
            guard add(&i, bytes, &index, bias) else { return nil }
            let count = UInt32(output.count + 1)
            bias = adapt(i - start, points: count, isFirst: start == 0)
            let (sum, isTooLarge) = n.addingReportingOverflow(i / count)
            n = sum
            i %= count
            guard !isTooLarge, let scalar = Unicode.Scalar(n) else { return nil }
            output.insert(scalar, at: Int(i))
            i += 1
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: output)
        return text
    }

    /// Adds a number of variable length (RFC 3492, section 3.3); false if it is malformed or too large.
    private static func add(_ i: inout UInt32, _ bytes: [UInt8], _ index: inout Int, _ bias: UInt32) -> Bool {
        var (w, k) = (UInt32(1), UInt32(36))
        while index < bytes.count, let digit = digit(bytes[index]) {
            index += 1
            let (part, isPartTooLarge) = digit.multipliedReportingOverflow(by: w)
            let (sum, isSumTooLarge) = i.addingReportingOverflow(part)
            if isPartTooLarge || isSumTooLarge { return false }
            i = sum
            let threshold = k <= bias ? 1 : min(k - bias, 26)
            if digit < threshold { return true }
            let (next, isNextTooLarge) = w.multipliedReportingOverflow(by: 36 - threshold)
            if isNextTooLarge { return false }
            w = next
            k += 36
        }
        return false
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }
}
