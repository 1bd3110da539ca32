/// Compares a text with a pattern, element by element.
///
/// It keeps the set of all offsets in the text that the elements so far can reach, so its time is the length of the
/// pattern times the length of the text, whatever they are. This is the matcher to read; the router's index has another
/// one that is quick, and is tested against this one.
package enum PatternMatcher {
    /// Whether the pattern covers the whole text; nil if to find out takes more than is left.
    package static func matches(
        _ pattern: [PatternElement], _ text: [UInt8], percentEncoded: Bool, _ budget: inout WorkBudget
    ) -> Bool? {
        var reach = Reach(text, percentEncoded: percentEncoded)
        for element in pattern {
            reach.advance(element, &budget)
            if budget.isSpent { return nil }
            if reach.isLost { return false }
        }
        return reach.isAtEnd
    }

    /// Whether a path pattern covers a path; nil if to find out takes more than is left.
    ///
    /// Both lose the slashes at their ends, and a pattern that ends in `/*` also matches what is left without that tail.
    package static func matchesPath(
        _ pattern: [PatternElement], _ path: [UInt8], percentEncoded: Bool, _ budget: inout WorkBudget
    ) -> Bool? {
        let slash = UInt8(ascii: "/")
        let trimmed = path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed()
        return matchesTrimmedPath(pattern, Array(trimmed), percentEncoded: percentEncoded, &budget)
    }

    /// The same for a path that has no slashes at its ends.
    package static func matchesTrimmedPath(
        _ pattern: [PatternElement], _ path: [UInt8], percentEncoded: Bool, _ budget: inout WorkBudget
    ) -> Bool? {
        var reach = PathReach(
            Reach(path, percentEncoded: percentEncoded), canOmitTail: OpenDecisions.canOmitTail(pattern))
        for element in pattern {
            reach.advance(element, &budget)
            if budget.isSpent { return nil }
            if reach.isLost { return false }
        }
        return reach.isAccepted
    }
}

/// The offsets in a text that a pattern can reach.
struct Reach {
    private let text: [UInt8]
    private let percentEncoded: Bool
    /// The offsets that can be reached, ascending; the length of the text is its end.
    private var offsets: [Int]

    /// At the beginning of a text.
    init(_ text: [UInt8], percentEncoded: Bool) {
        self.text = text
        self.percentEncoded = percentEncoded
        offsets = [0]
    }

    var isAtEnd: Bool { offsets.last == text.count }
    /// The number of offsets that are reached.
    var count: Int { offsets.count }
    /// Whether no offset is left, so that nothing can match any more.
    var isLost: Bool { offsets.isEmpty }

    /// The same text, with no offset reached.
    var nowhere: Reach {
        var result = self
        result.offsets = []
        return result
    }

    mutating func formUnion(_ other: Reach, _ budget: inout WorkBudget) {
        guard !other.offsets.isEmpty else { return }
        budget.spend(offsets.count + other.offsets.count)
        guard offsets != other.offsets else { return }
        if offsets.isEmpty {
            offsets = other.offsets
            return
        }
        // Both ascend.
        var union: [Int] = []
        union.reserveCapacity(offsets.count + other.offsets.count)
        var index = 0
        for offset in offsets {
            while index < other.offsets.count, other.offsets[index] < offset {
                union.append(other.offsets[index])
                index += 1
            }
            if index < other.offsets.count, other.offsets[index] == offset { index += 1 }
            union.append(offset)
        }
        offsets = union + other.offsets[index...]
    }

    /// Goes on by an element; where the budget is spent on the way, what is reached means nothing.
    mutating func advance(_ element: PatternElement, _ budget: inout WorkBudget) {
        budget.spend(8 + offsets.count)
        switch element {
        case .byte(let byte):
            offsets = stepped { text[$0] == byte ? 1 : nil }
        case .anyCharacter:
            offsets = text.withUnsafeBytes { bytes in
                stepped { offset in
                    guard OpenDecisions.questionMarkMatchesSlash || bytes[offset] != UInt8(ascii: "/") else {
                        return nil
                    }
                    return OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                }
            }
        case .anyRun:
            if let first = offsets.first {
                budget.spend(text.count - first)
                offsets = characterStarts(from: first)
            }
        case .segmentCharacter:
            offsets = text.withUnsafeBytes { bytes in
                stepped { offset in
                    guard bytes[offset] != UInt8(ascii: "/") else { return nil }
                    return OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                }
            }
        case .segmentRun:
            budget.spend(text.count)
            offsets = segmentOffsets()
        case .character(let set):
            offsets = stepped { set.contains(text[$0]) ? 1 : nil }
        case .oneOf(let alternatives):
            self = advanced(byOneOf: alternatives, beginningWith: nextBytes, &budget)
        }
    }

    /// The bytes at the offsets: with one of them has to begin what begins with a byte.
    var nextBytes: ByteSet { ByteSet(offsets.lazy.filter { $0 < text.count }.map { text[$0] }) }

    /// The offsets where a character begins, from one of them on, and the end.
    private func characterStarts(from first: Int) -> [Int] {
        guard !percentEncoded else { return Array(first...text.count) }
        var starts: [Int] = []
        var offset = first
        text.withUnsafeBytes { bytes in
            while offset < bytes.count {
                starts.append(offset)
                offset += OpenDecisions.characterLength(bytes, at: offset, percentEncoded: false)
            }
        }
        return starts + [text.count]
    }

    /// All offsets reached, and those that follow each up to the next slash.
    private func segmentOffsets() -> [Int] {
        var result: [Int] = []
        text.withUnsafeBytes { bytes in
            for start in offsets where start > result.last ?? -1 {
                var offset = start
                result.append(offset)
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "/") {
                    offset += OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                    result.append(offset)
                }
            }
        }
        return result
    }

    /// Every offset moved by what an element takes there; nil if the element does not match there.
    ///
    /// All offsets are beginnings of characters, so they stay in order.
    private func stepped(_ taken: (Int) -> Int?) -> [Int] {
        var next: [Int] = []
        for offset in offsets where offset < text.count {
            guard let count = taken(offset), next.last != offset + count else { continue }
            next.append(offset + count)
        }
        return next
    }
}

/// The offsets in a path that a path pattern can reach, with what is special about slashes.
///
/// A variable stands for one of its values, so the slashes at the ends of a pattern, and its tail `/*`, may come from a
/// variable. Therefore nothing is cut off a pattern. Instead there are, beside the usual offsets, three more.
struct PathReach {
    /// The path lost its slashes, so this never needs one at the beginning.
    private var reach: Reach
    /// At the beginning, after nothing but slashes of the pattern, which do not count there.
    private var isAfterLeadingSlashes = true
    /// At the end, after nothing but slashes of the pattern, which do not count there either.
    private var isAfterTrailingSlashes = false
    /// At the end, after slashes, one star and again slashes: the tail that may be left out.
    private var isAfterOptionalTail = false

    init(_ reach: Reach, canOmitTail: Bool) {
        self.reach = reach.nowhere
        start = reach
        self.canOmitTail = canOmitTail
    }

    private let start: Reach
    private let canOmitTail: Bool

    /// Whether no offset is left, so that nothing can match any more.
    var isLost: Bool { reach.isLost && !isAfterLeadingSlashes && !isAfterTrailingSlashes && !isAfterOptionalTail }

    var isAccepted: Bool { isAtEnd || isAfterTrailingSlashes || isAfterOptionalTail }

    private var isAtEnd: Bool { reach.isAtEnd || isAfterLeadingSlashes && start.isAtEnd }

    mutating func advance(_ element: PatternElement, _ budget: inout WorkBudget) {
        switch element {
        case .byte(UInt8(ascii: "/")):
            isAfterTrailingSlashes = isAfterTrailingSlashes || isAtEnd
            reach.advance(element, &budget)
        case .oneOf(let alternatives):
            budget.spend(8 + reach.count)
            var next = reach.nextBytes
            if isAfterLeadingSlashes { next = next.union(start.nextBytes) }
            next.insert(UInt8(ascii: "/"))
            self = advanced(byOneOf: alternatives, beginningWith: next, &budget)
        default:
            isAfterOptionalTail = canOmitTail && isAfterTrailingSlashes && element == .anyRun
            isAfterTrailingSlashes = false
            if isAfterLeadingSlashes { reach.formUnion(start, &budget) }
            isAfterLeadingSlashes = false
            reach.advance(element, &budget)
        }
    }

    fileprivate var nowhere: PathReach {
        var result = self
        result.reach = reach.nowhere
        result.isAfterLeadingSlashes = false
        result.isAfterTrailingSlashes = false
        result.isAfterOptionalTail = false
        return result
    }

    fileprivate mutating func formUnion(_ other: PathReach, _ budget: inout WorkBudget) {
        reach.formUnion(other.reach, &budget)
        isAfterLeadingSlashes = isAfterLeadingSlashes || other.isAfterLeadingSlashes
        isAfterTrailingSlashes = isAfterTrailingSlashes || other.isAfterTrailingSlashes
        isAfterOptionalTail = isAfterOptionalTail || other.isAfterOptionalTail
    }
}

/// Where a pattern may be in a text after some of its elements.
private protocol PatternReach {
    /// The same text without any offset.
    var nowhere: Self { get }
    var isLost: Bool { get }
    mutating func advance(_ element: PatternElement, _ budget: inout WorkBudget)
    mutating func formUnion(_ other: Self, _ budget: inout WorkBudget)
}

extension PatternReach {
    /// The union of what each of some patterns reaches, of those that can begin with one of the next bytes.
    func advanced(
        byOneOf alternatives: [[PatternElement]], beginningWith next: ByteSet, _ budget: inout WorkBudget
    ) -> Self {
        var union = nowhere
        for alternative in alternatives where !budget.isSpent {
            budget.spend(1)
            guard next.canBegin(alternative) else { continue }
            var reach = self
            for element in alternative {
                reach.advance(element, &budget)
                if reach.isLost || budget.isSpent { break }
            }
            union.formUnion(reach, &budget)
        }
        return union
    }
}

extension Reach: PatternReach {}
extension PathReach: PatternReach {}

extension ByteSet {
    /// Whether a pattern can match a text whose first byte is in the set.
    fileprivate func canBegin(_ pattern: [PatternElement]) -> Bool {
        if case .byte(let byte) = pattern.first { contains(byte) } else { true }
    }
}
