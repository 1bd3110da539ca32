internal import BoundedText

extension Punycode {
    /// A host as people write it: labels in Punycode are decoded (RFC 3492, section 6.2); those that cannot be stay.
    ///
    /// The result is for reading and searching. It can look like another name.
    package static func unicode(_ host: String) -> String {
        host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            guard label.hasPrefix("xn--"), let decoded = decoded(label.dropFirst(4)) else { return String(label) }
            return decoded
        }.joined(separator: ".")
    }

    private static func decoded(_ text: Substring) -> String? {
        let (base, tMin, tMax): (UInt32, UInt32, UInt32) = (36, 1, 26)
        var scalars: [Unicode.Scalar] = []
        var rest = text.utf8[...]
        if let delimiter = rest.lastIndex(of: UInt8(ascii: "-")) {
            scalars = rest[..<delimiter].map { Unicode.Scalar($0) }
            rest = rest[rest.index(after: delimiter)...]
        }
        var (n, i, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        while !rest.isEmpty {
            let old = i
            var (weight, k): (UInt32, UInt32) = (1, base)
            while true {
                guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
                let (product, isTooLarge) = digit.multipliedReportingOverflow(by: weight)
                let (sum, isTooLargeToo) = i.addingReportingOverflow(product)
                guard !isTooLarge, !isTooLargeToo else { return nil }
                i = sum
                let threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
                if digit < threshold { break }
                let (next, overflows) = weight.multipliedReportingOverflow(by: base - threshold)
                guard !overflows else { return nil }
                weight = next
                k += base
            }
            let count = UInt32(scalars.count) + 1
            bias = adapted(i - old, count, isFirst: old == 0)
            let (point, overflows) = n.addingReportingOverflow(i / count)
            guard !overflows, let scalar = Unicode.Scalar(point) else { return nil }
            n = point
            i %= count
            scalars.insert(scalar, at: Int(i))
            i += 1
        }
        return String(scalars: scalars)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// RFC 3492, section 6.1.
    private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k: UInt32 = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
