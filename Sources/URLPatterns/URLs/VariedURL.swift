/// A URL, and URLs that may have been meant instead, one kind of difference at a time.
package struct VariedURL: Sendable {
    /// A longer URL is not varied.
    package static let maxBytes = 2_048

    package let bytes: [UInt8]
    package let parts: URLParts

    package init(_ bytes: [UInt8], _ parts: URLParts) {
        self.bytes = bytes
        self.parts = parts
    }

    package func replacing(_ range: Range<Int>, with part: [UInt8]) -> [UInt8] {
        Array(bytes[..<range.lowerBound]) + part + bytes[range.upperBound...]
    }

    /// Escapes in uppercase and in lowercase, what must be encoded encoded, what was encoded twice decoded once, and all
    /// decoded that may be.
    package var percentEncodings: [[UInt8]] {
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

    private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isWord || "-.~".utf8.contains(byte) }

    /// The path in lowercase, the path with letters as in each of some patterns, and query and fragment in lowercase.
    package func letterCases(like patterns: some Sequence<String>, _ budget: inout WorkBudget) -> [[UInt8]] {
        let path = Array(bytes[parts.path])
        var paths = [Self.lowercased(path)]
        for pattern in patterns {
            budget.spend(100 + 4 * pattern.utf8.count)
            if budget.isSpent { break }
            if let aligned = Self.aligned(path, to: Array(pattern.utf8), &budget) { paths.append(aligned) }
        }
        let tail = parts.path.upperBound..<bytes.count
        return (paths.filter { $0 != path }.map { replacing(parts.path, with: $0) })
            + [replacing(tail, with: Self.lowercased(Array(bytes[tail])))]
    }

    /// In lowercase, but for escapes, which are not letters.
    package static func lowercased(_ text: [UInt8]) -> [UInt8] {
        var result = text
        var offset = 0
        while offset < text.count {
            if escapedByte(text, at: offset) != nil {
                offset += 3
            } else {
                result[offset] = text[offset].lowercased
                offset += 1
            }
        }
        return result
    }

    /// A path with the letters of a pattern where both differ in their case only; nil if the pattern does not fit.
    ///
    /// What is between wildcards and variables is looked for from left to right.
    package static func aligned(_ path: [UInt8], to pattern: [UInt8], _ budget: inout WorkBudget) -> [UInt8]? {
        var result = path
        var start = 0
        for (number, run) in literalRuns(pattern).enumerated() where !run.isEmpty {
            let last = path.count - run.count
            guard start <= last else { return nil }
            let range = number == 0 ? 0...0 : start...last
            let found = range.first { offset in
                let length = run.indices.prefix { path[offset + $0].lowercased == run[$0].lowercased }.count
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
    package var hosts: [[UInt8]] {
        let host = Array(bytes[parts.host])
        let prefix = Array("www.".utf8)
        let isPrefixed = host.prefix(prefix.count).map(\.lowercased) == prefix
        return [replacing(parts.host, with: isPrefixed ? Array(host.dropFirst(prefix.count)) : prefix + host)]
    }

    private static let slash = UInt8(ascii: "/")

    /// The paths with one more segment: a letter, a digit, a language, and a longer number.
    package var withOneMoreSegment: [[UInt8]] {
        let path = Array(bytes[parts.path])
        guard path.contains(where: { $0 != Self.slash }) else { return [] }
        let start = path.last == Self.slash ? path : path + [Self.slash]
        return ["x", "1", "en", "1234"].map { replacing(parts.path, with: start + Array($0.utf8)) }
    }

    /// The paths without the last segment, unless that leaves the root.
    package var withOneSegmentLess: [[UInt8]] {
        var path = bytes[parts.path]
        while path.last == Self.slash { path = path.dropLast() }
        while let last = path.last, last != Self.slash { path = path.dropLast() }
        guard path.contains(where: { $0 != Self.slash }) else { return [] }
        return [Array(path.dropLast()), Array(path)].map { replacing(parts.path, with: $0) }
    }

    /// The path with a `/` at its end if it has none, and without it if it has.
    package var otherSlash: [[UInt8]] {
        let path = Array(bytes[parts.path])
        guard path.last == Self.slash else { return [replacing(parts.path, with: path + [Self.slash])] }
        return path.count > 1 ? [replacing(parts.path, with: Array(path.dropLast()))] : []
    }

    package var withoutQuery: [[UInt8]] {
        parts.query.lowerBound > parts.path.upperBound
            ? [replacing(parts.path.upperBound..<parts.query.upperBound, with: [])] : []
    }

    package var withoutFragment: [[UInt8]] {
        let end = parts.query.upperBound
        return end < bytes.count ? [replacing(end..<bytes.count, with: [])] : []
    }

    package var withoutPort: [[UInt8]] {
        parts.path.lowerBound > parts.host.upperBound
            ? [replacing(parts.host.upperBound..<parts.path.lowerBound, with: [])] : []
    }

    /// `http` for `https`, and the other way round.
    package var otherScheme: [[UInt8]] {
        let isSecure = Self.lowercased(Array(bytes[parts.scheme])) == Array("https".utf8)
        return [replacing(parts.scheme, with: Array((isSecure ? "http" : "https").utf8))]
    }
}

/// The difference between a URL that opens nothing and one that does, in the order in which they are tried.
package enum URLChange: String, CaseIterable, Sendable {
    case scheme
    /// ASCII letters of the path or the query, as the pattern has them.
    case letterCase = "letter-case"
    /// `www.` at the beginning of the host.
    case www
    case withoutPort = "without-port"
    /// A `/` at the end of the path, where it counts.
    case trailingSlash = "trailing-slash"
    /// The last segment, or what follows a pattern without wildcards, is removed.
    case trailingSegment = "trailing-segment"
    case withoutQuery = "without-query"
    case withoutFragment = "without-fragment"
    /// One level of percent-encoding more or less.
    case percentEncoding = "percent-encoding"
    /// A rule would open the URL, but an exclusion before it decides.
    case earlierExclude = "earlier-exclude"

    /// One clause: which rule opens which URL, and what is different.
    ///
    /// - Parameter subject: The URL that the rule opens, or for an exclusion where it is.
    package func message(_ rule: String, _ subject: String) -> String {
        let start = "\(rule) opens \(subject)"
        return switch self {
        case .scheme: "\(start): 'http' and 'https' differ"
        case .letterCase: "\(start): uppercase and lowercase letters differ"
        case .www: "\(start): each host needs its own file"
        case .withoutPort: "\(start), without the port"
        case .trailingSlash: "\(start): a '/' at the end counts"
        case .trailingSegment: "\(start), without the end of the path"
        case .withoutQuery: "\(start), without the query"
        case .withoutFragment: "\(start), without the fragment"
        case .percentEncoding: "\(start), which is encoded differently"
        case .earlierExclude: "\(rule) matches, too, but the exclusion on \(subject) comes first"
        }
    }
}

/// Decides about variations of a URL until one opens something, each variation once and not more than some dozens.
package struct URLTrial: Sendable {
    private static let maxDecisions = 64

    private var tried: Set<[UInt8]>

    package init(_ asked: [UInt8]) { tried = [asked] }

    /// The first of some URLs that opens something; nil if none does, or if it takes too long to find.
    ///
    /// - Parameter opener: What opens a URL; nil if nothing does.
    package mutating func first<Opener>(
        _ candidates: [[UInt8]], _ budget: inout WorkBudget,
        opener: (_ url: [UInt8], _ budget: inout WorkBudget) -> Opener?
    ) -> (url: [UInt8], opener: Opener)? {
        for candidate in candidates where tried.insert(candidate).inserted {
            guard tried.count <= Self.maxDecisions, !budget.isSpent else { return nil }
            if let found = opener(candidate, &budget) { return (candidate, found) }
        }
        return nil
    }

    /// Those of some URLs that the system leaves as they are; it encodes others before rules are asked.
    package static func ready(_ candidates: [[UInt8]]) -> [[UInt8]] {
        candidates.filter { $0.withUnsafeBytes { EncodedURL.bytes(of: $0) } == nil }
    }
}
