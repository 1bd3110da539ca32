internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// The parts of a pattern: read once, before the rules look at it.
///
/// All ranges are offsets in the UTF-8 form of the string. A class, for every rule looks at it.
final class ParsedPattern: Sendable {
    /// The string as it is.
    let text: [UInt8]
    /// The string, with variables and placeholders blanked: they are left out of the tests.
    let bytes: [UInt8]
    /// The bytes that occur in ``bytes``.
    let present: ByteSet
    /// The pattern without white space around it and without a word that excludes.
    let body: Range<Int>
    /// The word at the start that excludes, or is meant to.
    let exclusion: Range<Int>?
    /// Whether the word that excludes is `NOT ` as it has to be.
    let isExclusionValid: Bool
    /// Scheme and host at the beginning of a path.
    let origin: Range<Int>?
    /// A fragment in a path, with its `#`.
    let fragment: Range<Int>?
    /// A query in a path, with its `?`.
    let query: Range<Int>?
    /// Where rules look for single characters: in a path everything before a query or fragment.
    let examined: Range<Int>
    /// Placeholders of a router, like `:id`.
    let placeholders: [Range<Int>]
    /// Placeholders that no URL has as they are, like `{id}` in a path.
    let unmatchablePlaceholders: [Range<Int>]
    /// The first sign of a regular expression.
    let regex: Range<Int>?
    /// All `$(name)`, as the system takes them.
    let variables: [Range<Int>]
    /// The first `$(` that begins no variable, to the end.
    let unclosedVariable: Range<Int>?

    /// - Parameter isAndroid: Whether a `#` in a path is meant as in a URL, though paths are compared decoded.
    init(_ kind: FilePattern.Kind, _ string: String, percentEncoded: Bool, isAndroid: Bool = false) {
        var string = string
        let text = string.withUTF8 { Array($0) }
        self.text = text
        let (blanked, variables) = Self.withoutVariables(text)
        self.variables = variables
        let isPath = kind == .path || kind == .legacyPath

        let start = WhiteSpace.end(from: 0, in: blanked)
        let word = isPath ? ExclusionWord(blanked, at: start, isLegacy: kind == .legacyPath) : nil
        exclusion = word?.range
        isExclusionValid = word?.isValid ?? false
        let begin = word?.range.upperBound ?? start
        body = begin..<WhiteSpace.start(of: blanked.count, in: blanked, notBefore: begin)

        var present = ByteSet(blanked)
        let path = isPath ? PathParts(blanked, body, present, percentEncoded: percentEncoded || isAndroid) : nil
        origin = path?.origin
        fragment = path?.fragment
        query = path?.query
        examined = path?.path ?? body

        let hasSegments = isPath || kind == .fragment
        let placeholders =
            present.intersects(Self.inPlaceholders)
            ? Placeholders.find(in: blanked, examined, segments: hasSegments) : []
        // Where URLs are decoded, brackets may be in them.
        let unmatchable = percentEncoded ? Placeholders.unmatchable(placeholders, in: blanked, examined, kind) : []
        unmatchablePlaceholders = unmatchable
        let left = Set(unmatchable)
        self.placeholders = placeholders.filter { !left.contains($0) }
        bytes = Self.blank(placeholders, in: blanked)
        if !placeholders.isEmpty { present = ByteSet(bytes) }
        self.present = present
        regex = present.intersects(Self.inExpressions) ? RegularExpressionSign.first(in: bytes, examined) : nil
        unclosedVariable = Self.opening(in: blanked).map { $0..<blanked.count }
    }

    /// One of these is in every placeholder, or regular expression.
    private static let inPlaceholders = ByteSet("{<:[".utf8)
    private static let inExpressions = ByteSet(#"^$.\([|"#.utf8)

    /// The characters of regular expressions that no URL has.
    static let ofExpressions = ByteSet(#"\^{}|"#.utf8)

    /// Whether it is a regular expression with characters that no URL has.
    var isImpossibleExpression: Bool { regex != nil && bytes[examined].contains(where: Self.ofExpressions.contains) }

    /// The text of a part.
    func string(_ range: Range<Int>) -> String {
        String(text: text[range.clamped(to: text.indices)])
    }

    private static func withoutVariables(_ text: [UInt8]) -> ([UInt8], [Range<Int>]) {
        guard opening(in: text) != nil else { return (text, []) }
        let variables: [Range<Int>] = PatternParser.pieces(text).compactMap { piece in
            if case .variable(let name) = piece { name.startIndex - 2..<name.endIndex + 1 } else { nil }
        }
        return (blank(variables, in: text), variables)
    }

    private static func blank(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
        guard !ranges.isEmpty else { return bytes }
        var bytes = bytes
        for range in ranges {
            for offset in range { bytes[offset] = .blank }
        }
        return bytes
    }

    /// The first `$(`.
    private static func opening(in bytes: [UInt8]) -> Int? {
        guard var offset = bytes.firstIndex(of: UInt8(ascii: "$")) else { return nil }
        while offset + 1 < bytes.count {
            if bytes[offset] == UInt8(ascii: "$"), bytes[offset + 1] == UInt8(ascii: "(") { return offset }
            offset += 1
        }
        return nil
    }
}

/// A word before a path that excludes, or is meant to: `NOT `, `not `, `!`.
struct ExclusionWord {
    let range: Range<Int>
    /// Whether it is `NOT ` with exactly one space.
    let isValid: Bool

    /// - Parameter isLegacy: Whether it is one of the legacy `paths`; in a component only a whole word with white space
    ///   after it is taken for one, for nothing excludes there anyway.
    init?(_ bytes: [UInt8], at start: Int, isLegacy: Bool) {
        guard start < bytes.count else { return nil }
        if isLegacy, bytes[start] == UInt8(ascii: "!") {
            let end = WhiteSpace.end(from: start + 1, in: bytes)
            self.init(range: start..<Self.endOfRepetition(from: end, in: bytes), isValid: false)
            return
        }
        let wordEnd = start + 3
        guard wordEnd <= bytes.count, bytes[start..<wordEnd].lazy.map(\.lowercased).elementsEqual("not".utf8) else {
            return nil
        }
        let end = WhiteSpace.end(from: wordEnd, in: bytes)
        let isCapital = bytes[start..<wordEnd].elementsEqual("NOT".utf8)
        let isBeforePath = end == bytes.count || bytes[end] == UInt8(ascii: "/") || bytes[end] == UInt8(ascii: "*")
        if end > wordEnd {
            guard isLegacy || isCapital || isBeforePath else { return nil }
            let last = Self.endOfRepetition(from: end, in: bytes)
            let isValid = isCapital && bytes[wordEnd..<end].elementsEqual([0x20]) && last == end
            self.init(range: start..<last, isValid: isValid)
        } else {
            guard isLegacy, isCapital, isBeforePath else { return nil }
            self.init(range: start..<end, isValid: false)
        }
    }

    /// Skips repetitions of the word: twice is not a double negation.
    private static func endOfRepetition(from start: Int, in bytes: [UInt8]) -> Int {
        var end = start
        while bytes[end...].starts(with: "NOT".utf8) {
            let next = WhiteSpace.end(from: end + 3, in: bytes)
            guard next > end + 3 else { break }
            end = next
        }
        return end
    }

    private init(range: Range<Int>, isValid: Bool) {
        self.range = range
        self.isValid = isValid
    }
}

extension ParsedPattern {
    /// A star for each of some placeholders, unless there is one beside it.
    func stars(for placeholders: [Range<Int>]) -> [(range: Range<Int>, text: String)] {
        let star = UInt8(ascii: "*")
        var starEnd: Int?
        return placeholders.map { range in
            let hasStar =
                starEnd == range.lowerBound || range.lowerBound > 0 && bytes[range.lowerBound - 1] == star
                || range.upperBound < bytes.count && bytes[range.upperBound] == star
            starEnd = range.upperBound
            return (range, hasStar ? "" : "*")
        }
    }
}

extension Placeholders {
    /// Those that no URL can have as they are: in a path all with characters that are percent-encoded there, and anywhere
    /// those in curly or angle brackets that are only part of a segment or, in a query, of a value.
    fileprivate static func unmatchable(
        _ placeholders: [Range<Int>], in bytes: [UInt8], _ range: Range<Int>, _ kind: FilePattern.Kind
    ) -> [Range<Int>] {
        func isBoundary(_ byte: UInt8) -> Bool {
            switch kind {
            case .path, .legacyPath, .fragment, .variableValue: byte == UInt8(ascii: "/")
            case .query: byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            case .queryItem: false
            }
        }
        return placeholders.filter { placeholder in
            let (start, end) = (placeholder.lowerBound, placeholder.upperBound)
            if bytes[placeholder].contains(where: isEncoded(in: kind)) { return true }
            guard bytes[start] != UInt8(ascii: ":"), bytes[start] != UInt8(ascii: "[") else { return false }
            return start > range.lowerBound && !isBoundary(bytes[start - 1])
                || end < range.upperBound && !isBoundary(bytes[end])
        }
    }

    /// Whether browsers encode the byte; curly brackets only in paths.
    private static func isEncoded(in kind: FilePattern.Kind) -> (UInt8) -> Bool {
        switch kind {
        case .path, .legacyPath: \.isUnencoded
        case .query, .queryItem, .fragment, .variableValue:
            { $0 != .blank && ($0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")) }
        }
    }
}
