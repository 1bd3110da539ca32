/// Compares a text with a pattern, element by element.
///
/// It keeps the set of all places in the text that the elements so far can reach, so its time is the length of the
/// pattern times the length of the text, whatever they are. This is the matcher to read; the router's index has another
/// one that is quick, and is tested against this one.
package enum PatternMatcher {
    /// Whether the pattern covers the whole text.
    package static func matches(_ pattern: [PatternElement], _ text: [UInt8], percentEncoded: Bool) -> Bool {
        var reach = Reach(text, percentEncoded: percentEncoded)
        for element in pattern {
            reach.advance(element)
            if reach.isLost { return false }
        }
        return reach.isAtEnd
    }

    /// Whether a path pattern covers a path.
    ///
    /// Both lose the slashes at their ends, and a pattern that ends in `/*` also matches what is left without that tail.
    package static func matchesPath(_ pattern: [PatternElement], _ path: [UInt8], percentEncoded: Bool) -> Bool {
        let slash = UInt8(ascii: "/")
        let trimmed = path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed()
        var reach = PathReach(
            Reach(Array(trimmed), percentEncoded: percentEncoded), canOmitTail: OpenDecisions.canOmitTail(pattern))
        for element in pattern {
            reach.advance(element)
            if reach.isLost { return false }
        }
        return reach.isAccepted
    }
}

/// The places in a text that a pattern can reach.
struct Reach {
    private let text: [UInt8]
    private let percentEncoded: Bool
    /// The offsets that can be reached, ascending; the length of the text is its end.
    private var places: [Int]

    /// At the beginning of a text.
    init(_ text: [UInt8], percentEncoded: Bool) {
        self.text = text
        self.percentEncoded = percentEncoded
        places = [0]
    }

    var isAtEnd: Bool { places.last == text.count }
    /// Whether no place is left, so that nothing can match any more.
    var isLost: Bool { places.isEmpty }

    /// The same text, with no place reached.
    var nowhere: Reach {
        var result = self
        result.places = []
        return result
    }

    mutating func formUnion(_ other: Reach) {
        guard !other.places.isEmpty, places != other.places else { return }
        if places.isEmpty {
            places = other.places
            return
        }
        // Both ascend.
        var union: [Int] = []
        union.reserveCapacity(places.count + other.places.count)
        var index = 0
        for place in places {
            while index < other.places.count, other.places[index] < place {
                union.append(other.places[index])
                index += 1
            }
            if index < other.places.count, other.places[index] == place { index += 1 }
            union.append(place)
        }
        places = union + other.places[index...]
    }

    mutating func advance(_ element: PatternElement) {
        switch element {
        case .byte(let byte):
            places = stepped { text[$0] == byte ? 1 : nil }
        case .anyCharacter:
            places = text.withUnsafeBytes { bytes in
                stepped { offset in
                    guard OpenDecisions.questionMarkMatchesSlash || bytes[offset] != UInt8(ascii: "/") else {
                        return nil
                    }
                    return OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                }
            }
        case .anyRun:
            if let first = places.first { places = characterStarts(from: first) }
        case .segmentCharacter:
            places = text.withUnsafeBytes { bytes in
                stepped { offset in
                    guard bytes[offset] != UInt8(ascii: "/") else { return nil }
                    return OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                }
            }
        case .segmentRun:
            places = segmentPlaces()
        case .character(let set):
            places = stepped { set.contains(text[$0]) ? 1 : nil }
        case .oneOf(let alternatives):
            var union = nowhere
            for alternative in alternatives where canBegin(alternative) {
                var reach = self
                for element in alternative { reach.advance(element) }
                union.formUnion(reach)
            }
            self = union
        }
    }

    /// Whether the first byte of a pattern, if it begins with one, stands at any of the places.
    func canBegin(_ pattern: [PatternElement]) -> Bool {
        guard case .byte(let byte) = pattern.first else { return true }
        return places.contains { $0 < text.count && text[$0] == byte }
    }

    /// The places where a character begins, from one of them on, and the end.
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

    /// All places, and those that follow each up to the next slash.
    private func segmentPlaces() -> [Int] {
        var result: [Int] = []
        text.withUnsafeBytes { bytes in
            for place in places where place > result.last ?? -1 {
                var offset = place
                result.append(offset)
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "/") {
                    offset += OpenDecisions.characterLength(bytes, at: offset, percentEncoded: percentEncoded)
                    result.append(offset)
                }
            }
        }
        return result
    }

    /// Every place moved by what an element takes there; nil if the element does not match there.
    ///
    /// All places are beginnings of characters, so they stay in order.
    private func stepped(_ taken: (Int) -> Int?) -> [Int] {
        var next: [Int] = []
        for offset in places where offset < text.count {
            guard let count = taken(offset), next.last != offset + count else { continue }
            next.append(offset + count)
        }
        return next
    }
}

/// The places in a path that a path pattern can reach, with what is special about slashes.
///
/// A variable stands for one of its values, so the slashes at the ends of a pattern, and its tail `/*`, may come from a
/// variable. Therefore nothing is cut off a pattern. Instead there are, beside the usual places, three more.
struct PathReach {
    /// The path lost its slashes, so this never needs one at the beginning.
    private var reach: Reach
    /// At the beginning, behind nothing but slashes of the pattern, which do not count there.
    private var isBehindLeadingSlashes = true
    /// At the end, behind nothing but slashes of the pattern, which do not count there either.
    private var isBehindTrailingSlashes = false
    /// At the end, behind slashes, one star and again slashes: the tail that may be left out.
    private var isBehindOptionalTail = false

    init(_ reach: Reach, canOmitTail: Bool) {
        self.reach = reach.nowhere
        start = reach
        self.canOmitTail = canOmitTail
    }

    private let start: Reach
    private let canOmitTail: Bool

    /// Whether no place is left, so that nothing can match any more.
    var isLost: Bool { reach.isLost && !isBehindLeadingSlashes && !isBehindTrailingSlashes && !isBehindOptionalTail }

    var isAccepted: Bool { isAtEnd || isBehindTrailingSlashes || isBehindOptionalTail }

    private var isAtEnd: Bool { reach.isAtEnd || isBehindLeadingSlashes && start.isAtEnd }

    mutating func advance(_ element: PatternElement) {
        switch element {
        case .byte(UInt8(ascii: "/")):
            isBehindTrailingSlashes = isBehindTrailingSlashes || isAtEnd
            reach.advance(element)
        case .oneOf(let alternatives):
            var union = nowhere
            for alternative in alternatives where canBegin(alternative) {
                var next = self
                for element in alternative { next.advance(element) }
                union.formUnion(next)
            }
            self = union
        default:
            isBehindOptionalTail = canOmitTail && isBehindTrailingSlashes && element == .anyRun
            isBehindTrailingSlashes = false
            if isBehindLeadingSlashes { reach.formUnion(start) }
            isBehindLeadingSlashes = false
            reach.advance(element)
        }
    }

    /// Whether a value of a variable can lead anywhere.
    private func canBegin(_ value: [PatternElement]) -> Bool {
        value.first == .byte(UInt8(ascii: "/")) || reach.canBegin(value)
            || isBehindLeadingSlashes && start.canBegin(value)
    }

    private var nowhere: PathReach {
        var result = self
        result.reach = reach.nowhere
        result.isBehindLeadingSlashes = false
        result.isBehindTrailingSlashes = false
        result.isBehindOptionalTail = false
        return result
    }

    private mutating func formUnion(_ other: PathReach) {
        reach.formUnion(other.reach)
        isBehindLeadingSlashes = isBehindLeadingSlashes || other.isBehindLeadingSlashes
        isBehindTrailingSlashes = isBehindTrailingSlashes || other.isBehindTrailingSlashes
        isBehindOptionalTail = isBehindOptionalTail || other.isBehindOptionalTail
    }
}
