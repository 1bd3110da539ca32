internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

extension UInt8 {
    /// Whether the name of a query item usually has the byte, encoded or not, or in a variable.
    var isInItemName: Bool { isWord || self == .blank || isUnencoded || Self.itemNameMarks.contains(self) }
    /// Whether no URL has it as it is.
    var isUnencoded: Bool {
        self <= 0x20 || self >= 0x7F && self != .blank || Self.excluded.contains(self)
    }

    private static let itemNameMarks = ByteSet("-.~[]%".utf8)
    private static let excluded = ByteSet(#""<>\^{}|`"#.utf8)
}

extension ByteSet {
    /// The bytes that no URL has as they are.
    static let unencoded: ByteSet = {
        var bytes = ByteSet()
        for byte in 0...UInt8.max where byte.isUnencoded { bytes.insert(byte) }
        return bytes
    }()

    func intersects(_ other: ByteSet) -> Bool {
        words.0 & other.words.0 | words.1 & other.words.1 | words.2 & other.words.2 | words.3 & other.words.3 != 0
    }
}

/// White space in UTF-8, invisible characters too.
enum WhiteSpace {
    /// The first offset at or after `start` with no white space.
    static func end(from start: Int, in bytes: [UInt8]) -> Int {
        var offset = start
        while offset < bytes.count, !bytes[offset].isGraphic {
            let length = (1...3).first { offset + $0 <= bytes.count && isSpace(bytes[offset..<offset + $0]) }
            guard let length else { break }
            offset += length
        }
        return offset
    }

    /// The first offset, not before `limit`, with nothing but white space from there to `end`.
    static func start(of end: Int, in bytes: [UInt8], notBefore limit: Int) -> Int {
        var offset = end
        while offset > limit, !bytes[offset - 1].isGraphic {
            let length = (1...3).first { offset - $0 >= limit && isSpace(bytes[offset - $0..<offset]) }
            guard let length else { break }
            offset -= length
        }
        return offset
    }

    private static func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        switch bytes.count {
        case 1: return first == 0x20 || (0x09...0x0D).contains(first)
        case 2: return first == 0xC2 && (last == 0x85 || last == 0xA0)
        default:
            switch (first, bytes[bytes.startIndex + 1]) {
            case (0xE1, 0x9A): return last == 0x80
            case (0xE2, 0x80): return (0x80...0x8B).contains(last) || [0xA8, 0xA9, 0xAF].contains(last)
            case (0xE2, 0x81): return last == 0x9F || last == 0xA0
            case (0xE3, 0x80): return last == 0x80
            case (0xEF, 0xBB): return last == 0xBF
            default: return false
            }
        }
    }
}

extension UInt8 {
    fileprivate var isGraphic: Bool { (0x21...0x7E).contains(self) }
}

/// A `%` in a pattern and the two characters after it.
struct PercentEscape {
    enum Kind {
        /// `%` without two digits or wildcards after it.
        case invalid
        /// Two hexadecimal digits, one of them a lowercase letter.
        case lowercase
        case uppercase
        /// Wildcards or variables may stand for the digits.
        case open
    }

    let kind: Kind
    /// The `%` alone if it is invalid, else the whole escape.
    let range: Range<Int>

    /// All escapes in the examined part of a pattern.
    static func all(in pattern: FilePattern) -> [PercentEscape] {
        let parsed = pattern.parsed
        guard parsed.present.contains(UInt8(ascii: "%")) else { return [] }
        let bytes = parsed.bytes[parsed.examined]
        // What follows on a value of a variable is not known.
        let end: UInt8? = pattern.isVariableValue ? .blank : nil
        var found: [PercentEscape] = []
        var offset = bytes.startIndex
        while let sign = bytes[offset...].firstIndex(of: UInt8(ascii: "%")) {
            func byte(_ offset: Int) -> UInt8? { offset < bytes.endIndex ? bytes[offset] : end }
            let kind = kind(byte(sign + 1), byte(sign + 2))
            let length = if case .invalid = kind { 1 } else if case .open = kind { 1 } else { 3 }
            found.append(PercentEscape(kind: kind, range: sign..<sign + length))
            offset = sign + length
        }
        return found
    }

    /// The texts that whole escapes stand for, one for escapes in a row; nil if one is not text, or has a byte that may not
    /// be written as it is.
    static func decoded(
        _ escapes: [Range<Int>], in parsed: ParsedPattern, except special: ByteSet
    ) -> [(range: Range<Int>, text: String)]? {
        var runs: [(range: Range<Int>, bytes: [UInt8])] = []
        for escape in escapes {
            let digits = parsed.text[escape].dropFirst()
            guard let byte = UInt8(String(text: digits), radix: 16), !special.contains(byte) else { return nil }
            if let last = runs.last, last.range.upperBound == escape.lowerBound {
                runs[runs.count - 1] = (last.range.lowerBound..<escape.upperBound, last.bytes + [byte])
            } else {
                runs.append((escape, [byte]))
            }
        }
        let parts = runs.map { (range: $0.range, text: String(text: $0.bytes)) }
        return zip(parts, runs).allSatisfy { $0.text.utf8.elementsEqual($1.bytes) } ? parts : nil
    }

    private static func kind(_ first: UInt8?, _ second: UInt8?) -> Kind {
        guard let first else { return .invalid }
        if first == UInt8(ascii: "*") || first == .blank { return .open }
        guard let second, first.isHexDigit || first == UInt8(ascii: "?") else { return .invalid }
        if second == UInt8(ascii: "*") || second == UInt8(ascii: "?") || second == .blank { return .open }
        guard second.isHexDigit else { return .invalid }
        if first == UInt8(ascii: "?") { return .open }
        return first >= 0x61 || second >= 0x61 ? .lowercase : .uppercase
    }
}

/// The variables that the patterns of a file use.
struct VariableUse {
    typealias Name = ArraySlice<UInt8>

    /// The names that patterns use, and those that a misspelt one is taken to mean.
    private(set) var used: Set<Name> = []
    /// The name that one that is not defined was probably meant to be; nil if there is nothing like it.
    private(set) var undefined: [Name: String?] = [:]

    init(_ context: LintContext) {
        let own = context.variables.map(\.name)
        let builtIn = BuiltInVariable.allCases.map(\.rawValue)
        let defined = Set((own + builtIn).map { Name($0.utf8) })
        // Spelling takes its time: a file with thousands of names gets no help.
        let candidates = Array((builtIn + own.filter { $0.utf8.count <= 32 }).prefix(100))
        for pattern in context.patterns {
            for name in pattern.parsed.variableNames {
                guard used.insert(name).inserted, !defined.contains(name) else { continue }
                let meant = undefined.count < 32 ? Self.closest(to: name, candidates) : nil
                undefined[name] = .some(meant)
                if let meant { used.insert(Name(meant.utf8)) }
            }
            // A variable without its closing bracket is meant to be used, too.
            if let name = pattern.parsed.unclosedName { used.insert(name) }
        }
    }

    private static func closest(to name: Name, _ candidates: [String]) -> String? {
        guard (2...32).contains(name.count) else { return nil }
        let word = String(text: name)
        guard let found = Spelling.closest(to: word, among: candidates) else { return nil }
        // Of a short word two changes leave nothing.
        return word.utf8.count > 4 || Spelling.distance(word.lowercased(), found.lowercased()) < 2 ? found : nil
    }
}

extension ParsedPattern {
    /// The names of the variables, as often as they are used.
    var variableNames: some Sequence<ArraySlice<UInt8>> {
        variables.lazy.map { [text] range in text[(range.lowerBound + 2)..<(range.upperBound - 1)] }
    }

    /// The word after the `$(` that is not closed.
    var unclosedName: ArraySlice<UInt8>? {
        guard let start = unclosedVariable?.lowerBound else { return nil }
        let name = text[(start + 2)...].prefix { $0.isWord || $0 == UInt8(ascii: "-") }
        return name.isEmpty ? nil : name
    }
}
