/// A set of places in a text: before each symbol, and behind the last.
struct PlaceSet: Equatable {
    /// The last place, which is the number of symbols.
    private let last: Int
    /// A bit a place.
    private var words: [UInt64]

    init(symbols: Int) {
        last = symbols
        words = [UInt64](repeating: 0, count: symbols / 64 + 1)
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ place: Int) -> Bool {
        place >= 0 && place <= last && words[place / 64] >> UInt64(place % 64) & 1 == 1
    }

    mutating func insert(_ place: Int) {
        guard place >= 0, place <= last else { return }
        words[place / 64] |= 1 << UInt64(place % 64)
    }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    }

    /// The places, ascending.
    var places: [Int] {
        var result: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }

    /// Moves each place behind the symbol there, if that is taken; the others are lost.
    mutating func step(_ isTaken: (Int) -> Bool) {
        // From the end on, so that what was moved is not moved again.
        for index in words.indices.reversed() {
            var rest = words[index]
            words[index] = 0
            while rest != 0 {
                let bit = 63 - rest.leadingZeroBitCount
                rest &= ~(1 << UInt64(bit))
                let place = index * 64 + bit
                if place < last, isTaken(place) { insert(place + 1) }
            }
        }
    }

    /// Adds the places behind each run of symbols that are taken, from each place on.
    mutating func extend(_ isTaken: (Int) -> Bool) {
        guard let first = words.firstIndex(where: { $0 != 0 }) else { return }
        var isRunning = false
        for place in (first * 64)...max(first * 64, last) {
            if contains(place) { isRunning = true } else if isRunning { insert(place) }
            if isRunning, place < last, !isTaken(place) { isRunning = false }
        }
    }
}
