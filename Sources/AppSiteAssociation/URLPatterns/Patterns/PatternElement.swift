/// A part of a pattern.
package enum PatternElement: Equatable, Sendable {
    /// A byte that stands for itself.
    case byte(UInt8)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: any run of characters, also none.
    case anyRun
    /// Exactly one character other than `/`. No file can say it; routes can.
    case segmentCharacter
    /// Any run of characters other than `/`, also none. No file can say it; routes can.
    case segmentRun
    /// A variable for one character of a set.
    indirect case character(ByteSet)
    /// A variable for one of several texts, which have no variables; nothing if there is none.
    case oneOf([[PatternElement]])
}

/// A set of bytes.
package struct ByteSet: Hashable, Sendable {
    /// A bit a byte: byte `b` is bit `b % 64` of word `b / 64`.
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) {
        self.init(Array(bytes))
    }

    package init(_ bytes: [UInt8]) {
        var (low, letters, upper, top): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                let bit: UInt64 = 1 &<< UInt64(byte & 63)
                switch byte >> 6 {
                case 0: low |= bit
                case 1: letters |= bit
                case 2: upper |= bit
                default: top |= bit
                }
            }
        }
        words = (low, letters, upper, top)
    }

    package mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    package func union(_ other: ByteSet) -> ByteSet {
        ByteSet(bytes + other.bytes)
    }

    package func isSubset(of other: ByteSet) -> Bool {
        words.0 & ~other.words.0 == 0 && words.1 & ~other.words.1 == 0 && words.2 & ~other.words.2 == 0
            && words.3 & ~other.words.3 == 0
    }

    /// The bytes, ascending.
    package var bytes: [UInt8] { (0...255).filter(contains) }

    package static func == (a: ByteSet, b: ByteSet) -> Bool {
        a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2 && a.words.3 == b.words.3
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
