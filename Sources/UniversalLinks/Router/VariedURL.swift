internal import AppSiteAssociation
internal import URLPatterns

/// A URL, and what somebody may have meant instead, one kind of difference at a time.
struct VariedURL {
    let bytes: [UInt8]
    let parts: URLParts

    init(_ bytes: [UInt8], _ parts: URLParts) {
        self.bytes = bytes
        self.parts = parts
    }

    func replacing(_ range: Range<Int>, with part: [UInt8]) -> [UInt8] {
        Array(bytes[..<range.lowerBound]) + part + bytes[range.upperBound...]
    }

    /// Escapes in uppercase and in lowercase, what must be encoded encoded, what was encoded twice decoded once, and all
    /// decoded that may be.
    var percentEncodings: [[UInt8]] {
        let tail = parts.path.lowerBound..<bytes.count
        let text = Array(bytes[tail])
        let encoded = EncodedURL.encoded(text)
        return [
            Self.escapes(text) { Self.escape($0, Self.uppercaseDigits) },
            Self.escapes(text) { Self.escape($0, Self.lowercaseDigits) },
            encoded, Self.escapes(encoded) { Self.escape($0, Self.uppercaseDigits) },
            Self.escapes(text) { $0 == UInt8(ascii: "%") ? [$0] : Self.escape($0, Self.uppercaseDigits) },
            Self.escapes(text) { Self.isUnreserved($0) ? [$0] : Self.escape($0, Self.uppercaseDigits) },
            Self.escapes(text) { Self.isUnreserved($0) || $0 >= 0x80 ? [$0] : Self.escape($0, Self.uppercaseDigits) },
        ].map { replacing(tail, with: $0) }
    }

    private static let uppercaseDigits = Array("0123456789ABCDEF".utf8)
    private static let lowercaseDigits = Array("0123456789abcdef".utf8)

    private static func escape(_ byte: UInt8, _ digits: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Replaces the escapes of a text by something for the bytes that they stand for.
    private static func escapes(_ text: [UInt8], _ replacement: (UInt8) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        while offset < text.count {
            if let byte = escapedByte(text, at: offset) {
                result += replacement(byte)
                offset += 3
            } else {
                result.append(text[offset])
                offset += 1
            }
        }
        return result
    }

    private static func escapedByte(_ text: [UInt8], at offset: Int) -> UInt8? {
        guard text[offset] == UInt8(ascii: "%"), offset + 2 < text.count else { return nil }
        return OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The path in lowercase, the path with letters as in the pattern of each rule, and query and fragment in lowercase.
    func letterCases(like rules: some Sequence<Rule>, _ budget: inout WorkBudget) -> [[UInt8]] {
        let path = Array(bytes[parts.path])
        var paths = [Self.lowercased(path)]
        for rule in rules {
            budget.spend(100 + 4 * rule.path.utf8.count)
            if budget.isSpent { break }
            if let aligned = Self.aligned(path, to: Array(rule.path.utf8), &budget) { paths.append(aligned) }
        }
        let tail = parts.path.upperBound..<bytes.count
        return (paths.filter { $0 != path }.map { replacing(parts.path, with: $0) })
            + [replacing(tail, with: Self.lowercased(Array(bytes[tail])))]
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// In lowercase, but for escapes, which are not letters.
    static func lowercased(_ text: [UInt8]) -> [UInt8] {
        var result = text
        var offset = 0
        while offset < text.count {
            if escapedByte(text, at: offset) != nil {
                offset += 3
            } else {
                result[offset] = lowercased(text[offset])
                offset += 1
            }
        }
        return result
    }

    /// A path with the letters of a pattern where both differ in their case only; nil if the pattern does not fit.
    ///
    /// What is between wildcards and variables is looked for from left to right.
    static func aligned(_ path: [UInt8], to pattern: [UInt8], _ budget: inout WorkBudget) -> [UInt8]? {
        var result = path
        var start = 0
        for (number, run) in literalRuns(pattern).enumerated() where !run.isEmpty {
            let last = path.count - run.count
            guard start <= last else { return nil }
            let range = number == 0 ? 0...0 : start...last
            let found = range.first { offset in
                let length = run.indices.prefix { lowercased(path[offset + $0]) == lowercased(run[$0]) }.count
                budget.spend(4 + length)
                return length == run.count || budget.isSpent
            }
            guard let found, !budget.isSpent else { return nil }
            result.replaceSubrange(found..<(found + run.count), with: run)
            start = found + run.count
        }
        return result
    }

    /// The texts before, between and after the wildcards and variables of a pattern.
    private static func literalRuns(_ pattern: [UInt8]) -> [[UInt8]] {
        var runs: [[UInt8]] = [[]]
        var offset = 0
        while offset < pattern.count {
            let byte = pattern[offset]
            if byte == UInt8(ascii: "$"), offset + 1 < pattern.count, pattern[offset + 1] == UInt8(ascii: "(") {
                offset = pattern[offset...].firstIndex(of: UInt8(ascii: ")")) ?? pattern.count - 1
                runs.append([])
            } else if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") {
                runs.append([])
            } else {
                runs[runs.count - 1].append(byte)
            }
            offset += 1
        }
        return runs
    }

    /// The host with `www.` if it has none, and without it if it has.
    var hosts: [[UInt8]] {
        let host = Array(bytes[parts.host])
        let prefix = Array("www.".utf8)
        let isPrefixed = host.prefix(prefix.count).map(Self.lowercased) == prefix
        return [replacing(parts.host, with: isPrefixed ? Array(host.dropFirst(prefix.count)) : prefix + host)]
    }

    private static let slash = UInt8(ascii: "/")

    /// The paths with one more segment: a letter, a digit, a language, and a longer number.
    var withOneMoreSegment: [[UInt8]] {
        let path = Array(bytes[parts.path])
        guard path.contains(where: { $0 != Self.slash }) else { return [] }
        let start = path.last == Self.slash ? path : path + [Self.slash]
        return ["x", "1", "en", "1234"].map { replacing(parts.path, with: start + Array($0.utf8)) }
    }

    /// The paths without the last segment, unless that leaves the root.
    var withOneSegmentLess: [[UInt8]] {
        var path = bytes[parts.path]
        while path.last == Self.slash { path = path.dropLast() }
        while let last = path.last, last != Self.slash { path = path.dropLast() }
        guard path.contains(where: { $0 != Self.slash }) else { return [] }
        return [Array(path.dropLast()), Array(path)].map { replacing(parts.path, with: $0) }
    }
}
