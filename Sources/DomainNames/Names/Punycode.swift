internal import BoundedText

/// The ASCII form of internationalised hosts (RFC 3492, RFC 5890).
///
/// Only simple case folding is done of the mapping of UTS 46, without its transitional part: `ς` stays. There is no
/// normalization, of combining marks for instance: hosts arrive composed from browsers.
package enum Punycode {
    /// Writes the ASCII form of a host in UTF-8.
    ///
    /// Escapes are decoded first (RFC 3986, section 3.2.2); a `%` without two hexadecimal digits stays. Labels end at `.`
    /// or at an ideographic full stop (U+3002, U+FF0E, U+FF61). ASCII letters become lower case; a label with other
    /// characters is folded, encoded (RFC 3492, section 6.3) and gets the prefix `xn--`. A label that has the prefix
    /// already is not looked into, and no label is checked for what IDNA forbids.
    ///
    /// - Parameter target: must not overlap the host.
    /// - Returns: the number of bytes written, or nil if the host is not well-formed UTF-8, does not fit, or has a label
    ///   whose encoding overflows.
    package static func ascii(host: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int? {
        var scalars = Scalars(host)
        var output = Output(target)
        while true {
            let label = scalars
            let start = output.count
            var length: UInt32 = 0
            var isASCII = true
            var end = scalars.next()
            while case .character(let scalar) = end {
                if scalar < 0x80 {
                    guard output.append(UInt8(truncatingIfNeeded: scalar)) else { return nil }
                } else {
                    isASCII = false
                }
                length += 1
                // A label has at least a byte for each of its scalars.
                guard Int(length) <= target.count - start else { return nil }
                end = scalars.next()
            }
            if !isASCII {
                output.count = start
                guard encode(Label(scalars: label), length: length, to: &output) else { return nil }
            }
            switch end {
            case .fullStop: guard output.append(UInt8(ascii: ".")) else { return nil }
            case .end: return output.count
            case .character, .malformed: return nil
            }
        }
    }

    /// The ASCII form of a host, or nil if it has none or is longer than a domain name and a full stop can be.
    package static func ascii(_ host: String) -> String? {
        var host = host
        return host.withUTF8 { source in
            withUnsafeTemporaryAllocation(byteCount: DNSName.maxLength + 1, alignment: 1) { target in
                guard let count = ascii(host: UnsafeRawBufferPointer(source), into: target) else { return nil }
                return String(text: UnsafeRawBufferPointer(rebasing: target[..<count]))
            }
        }
    }

    /// The encoding procedure of RFC 3492, section 6.3; the names are its names.
    ///
    /// - Parameter length: the number of the label's scalars.
    private static func encode(_ label: Label, length: UInt32, to output: inout Output) -> Bool {
        guard output.append("xn--") else { return false }
        let start = output.count
        for scalar in label where scalar < 0x80 {
            guard output.append(UInt8(truncatingIfNeeded: scalar)) else { return false }
        }
        let basic = UInt32(output.count - start)
        if basic > 0, !output.append("-") { return false }

        var (n, delta, bias) = (UInt32(0x80), UInt32(0), UInt32(72))
        var handled = basic
        while handled < length {
            var next = UInt32.max
            for scalar in label where scalar >= n { next = min(next, scalar) }
            let (skipped, tooFar) = (next - n).multipliedReportingOverflow(by: handled + 1)
            let (sum, tooMuch) = delta.addingReportingOverflow(skipped)
            if tooFar || tooMuch { return false }
            (n, delta) = (next, sum)
            for scalar in label where scalar <= n {
                if scalar < n {
                    guard delta < .max else { return false }
                    delta += 1
                } else {
                    guard output.append(variableLength: delta, bias: bias) else { return false }
                    bias = adapt(delta, points: handled + 1, isFirst: handled == basic)
                    delta = 0
                    handled += 1
                }
            }
            guard delta < .max else { return false }
            delta += 1
            n += 1
        }
        return true
    }

    /// RFC 3492, section 6.1.
    private static func adapt(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var bias: UInt32 = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}

/// The folded scalars of a host, from one offset on.
private struct Scalars {
    enum Step {
        case character(UInt32)
        case fullStop, end, malformed
    }

    private var bytes: DecodedBytes
    private var codec = UTF8()

    init(_ host: UnsafeRawBufferPointer) { bytes = DecodedBytes(source: host) }

    mutating func next() -> Step {
        switch codec.decode(&bytes) {
        case .emptyInput: return .end
        case .error: return .malformed
        case .scalarValue(let scalar):
            switch scalar.value {
            case 0x2E, 0x3002, 0xFF0E, 0xFF61: return .fullStop
            // The final sigma is a letter of its own in today's host names.
            case 0x03C2: return .character(scalar.value)
            default: return .character(CaseFolding.simple(scalar.value))
            }
        }
    }
}

/// The folded scalars of one label.
private struct Label: Sequence, IteratorProtocol {
    var scalars: Scalars

    mutating func next() -> UInt32? { if case .character(let scalar) = scalars.next() { scalar } else { nil } }
}

/// The bytes of a host, with `%` and two hexadecimal digits for a byte (RFC 3986, section 2.1).
private struct DecodedBytes: IteratorProtocol {
    let source: UnsafeRawBufferPointer
    private var offset = 0

    init(source: UnsafeRawBufferPointer) { self.source = source }

    mutating func next() -> UInt8? {
        guard offset < source.count else { return nil }
        let byte = source[offset]
        offset += 1
        guard byte == UInt8(ascii: "%"), source.count - offset >= 2,
            let high = IPAddress.hexadecimalDigit(source[offset]),
            let low = IPAddress.hexadecimalDigit(source[offset + 1])
        else { return byte }
        offset += 2
        return high << 4 | low
    }
}

/// The buffer that is written to, and how much of it is.
private struct Output {
    private let target: UnsafeMutableRawBufferPointer
    var count = 0

    init(_ target: UnsafeMutableRawBufferPointer) { self.target = target }

    mutating func append(_ byte: UInt8) -> Bool {
        guard count < target.count else { return false }
        target[count] = byte
        count += 1
        return true
    }

    mutating func append(_ text: StaticString) -> Bool {
        for index in 0..<text.utf8CodeUnitCount where !append(text.utf8Start[index]) { return false }
        return true
    }

    /// A number of RFC 3492, section 3.3.
    mutating func append(variableLength number: UInt32, bias: UInt32) -> Bool {
        var rest = number
        var position: UInt32 = 36
        while true {
            let threshold = position <= bias ? 1 : min(position - bias, 26)
            guard rest >= threshold else { return append(digit: rest) }
            guard append(digit: threshold + (rest - threshold) % (36 - threshold)) else { return false }
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
    }

    /// RFC 3492, section 5: `a` to `z` are 0 to 25, `0` to `9` are 26 to 35.
    private mutating func append(digit: UInt32) -> Bool {
        append(UInt8(truncatingIfNeeded: digit < 26 ? digit + 0x61 : digit - 26 + 0x30))
    }
}

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
        return String(scalars: output)
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
