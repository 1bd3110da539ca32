/// The five ways in which `<data>` matches a text, by recursion, as the documentation of `<data>` and of
/// `android.os.PatternMatcher` describes them.
package enum SlowPattern {
    package typealias Units = ArraySlice<UInt16>

    /// The ends of the names of attributes, after `path`, `query`, `fragment` and `ssp`.
    package static let forms = ["", "Prefix", "Suffix", "Pattern", "AdvancedPattern"]

    package static func matches(_ form: String, _ pattern: String, _ text: Units) -> Bool {
        let pattern = Array(pattern.utf16)[...]
        switch form {
        case "": return pattern == text
        case "Prefix": return text.starts(with: pattern)
        case "Suffix": return text.reversed().starts(with: pattern.reversed())
        case "Pattern": return simple(pattern, text)
        default: return parsed(pattern).map { advanced($0[...], text) } ?? false
        }
    }

    private static func unit(_ character: Unicode.Scalar) -> UInt16 { UInt16(character.value) }

    // MARK: Patterns with `*`

    /// The character that a pattern begins with, whether it stands for any, and what comes after it.
    private static func head(_ pattern: Units) -> (unit: UInt16, isAny: Bool, rest: Units)? {
        guard let first = pattern.first else { return nil }
        let rest = pattern.dropFirst()
        guard first == unit("\\"), let escaped = rest.first else { return (first, first == unit("."), rest) }
        return (escaped, false, rest.dropFirst())
    }

    /// A `*` repeats the character before it, as often as possible. `.*` goes on to the first occurrence of the character
    /// after it. Nothing that was taken is given back.
    ///
    /// The documentation has a `*` match nothing at all, also where the text is over; Android's public source has it match
    /// only `.*` there, which is what devices do.
    private static func simple(_ pattern: Units, _ text: Units) -> Bool {
        guard let (first, isAny, rest) = head(pattern) else { return text.isEmpty }
        guard rest.first == unit("*") else {
            guard let next = text.first, isAny || next == first else { return false }
            return simple(rest, text.dropFirst())
        }
        let behind = rest.dropFirst()
        guard isAny else { return !text.isEmpty && simple(behind, text.drop { $0 == first }) }
        guard let next = head(behind) else { return true }
        guard let found = text.firstIndex(of: next.unit) else { return false }
        return simple(next.rest, text[(found + 1)...])
    }

    // MARK: Advanced patterns

    private struct Token {
        var isInverse = false
        var ranges: [ClosedRange<UInt16>]
        var least = 1
        var most = 1

        func matches(_ unit: UInt16) -> Bool { ranges.contains { $0.contains(unit) } != isInverse }
    }

    /// Each token takes as much as it can, with no backtracking.
    private static func advanced(_ tokens: ArraySlice<Token>, _ text: Units) -> Bool {
        guard let token = tokens.first else { return text.isEmpty }
        let taken = text.prefix(token.most).prefix { token.matches($0) }
        return taken.count >= token.least && advanced(tokens.dropFirst(), text.dropFirst(taken.count))
    }

    /// The tokens; nil if the pattern is malformed.
    private static func parsed(_ pattern: Units) -> [Token]? {
        var tokens: [Token] = []
        var rest = pattern
        var isAfterToken = false
        while let next = rest.popFirst() {
            switch next {
            case unit("*"), unit("+"), unit("{"):
                guard isAfterToken, let range = repetition(next, &rest) else { return nil }
                tokens[tokens.count - 1].least = range.lowerBound
                tokens[tokens.count - 1].most = range.upperBound
                isAfterToken = false
                continue
            case unit("."): tokens.append(Token(ranges: [0...UInt16.max]))
            case unit("["):
                guard let token = set(&rest) else { return nil }
                tokens.append(token)
            case unit("\\"):
                guard let escaped = rest.popFirst() else { return nil }
                tokens.append(Token(ranges: [escaped...escaped]))
            default: tokens.append(Token(ranges: [next...next]))
            }
            isAfterToken = true
        }
        return tokens
    }

    private static func repetition(_ sign: UInt16, _ rest: inout Units) -> ClosedRange<Int>? {
        guard sign == unit("{") else { return (sign == unit("*") ? 0 : 1)...Int.max }
        guard let end = rest.firstIndex(of: unit("}")) else { return nil }
        let inside = String(decoding: rest[..<end], as: UTF16.self)
        rest = rest[(end + 1)...]
        let numbers = inside.split(separator: ",", omittingEmptySubsequences: false)
        guard let least = Int(numbers[0]) else { return nil }
        guard numbers.count > 1 else { return least...least }
        guard !numbers[1].isEmpty else { return least...Int.max }
        guard numbers.count == 2, let most = Int(numbers[1]), least <= most else { return nil }
        return least...most
    }

    private static func set(_ rest: inout Units) -> Token? {
        var token = Token(ranges: [])
        if rest.first == unit("^") {
            token.isInverse = true
            rest.removeFirst()
        }
        while let next = rest.popFirst() {
            if next == unit("]") { return token.ranges.isEmpty ? nil : token }
            var low = next
            if next == unit("\\") {
                guard let escaped = rest.popFirst() else { return nil }
                low = escaped
            }
            if rest.first == unit("-"), let high = rest.dropFirst().first, high != unit("]") {
                guard low <= high else { return nil }
                token.ranges.append(low...high)
                rest = rest.dropFirst(2)
            } else {
                token.ranges.append(low...low)
            }
        }
        return nil
    }
}
