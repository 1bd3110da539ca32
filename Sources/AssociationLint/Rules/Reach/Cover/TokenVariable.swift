internal import AppSiteAssociation

/// What is to be known of a variable without looking at its values again.
struct TokenVariable {
    /// Kept so that nothing else takes the place in memory by which it is known.
    let alternatives: [[PatternElement]]
    /// Whether each value is a text that is not empty and has no slashes at its ends: in a path it is the same everywhere.
    let isPlain: Bool
    /// A value, if all are plain.
    let sample: [UInt32]
    /// The length of the shortest value; wildcards count as nothing.
    let minimumLength: Int
    /// The longest beginning that all values have, if all are plain; cut at ``longestBeginning``.
    let commonBeginning: [UInt32]
    /// Whether some values are no longer than that, and others are.
    let endsWithCommonBeginning: Bool
    /// Whether all values are the same text, known whole.
    let isOneText: Bool
    /// The bytes of all values, and one for each.
    let size: Int
    /// Whether folding could change a value.
    let hasLetters: Bool

    init(_ alternatives: [[PatternElement]], percentEncoded: Bool) {
        self.alternatives = alternatives
        let slash = PatternElement.byte(UInt8(ascii: "/"))
        isPlain = alternatives.allSatisfy { value in
            !value.isEmpty && value.first != slash && value.last != slash && value.allSatisfy(\.isByte)
        }
        sample = isPlain ? Self.symbols(alternatives.first ?? [], percentEncoded: percentEncoded) : []
        // A character may have four bytes.
        let shortest = alternatives.lazy.map { $0.count { $0.isByte } }.min() ?? 0
        minimumLength = percentEncoded ? shortest : (shortest + 3) / 4
        size = alternatives.reduce(0) { $0 + $1.count + 1 }
        let texts = isPlain ? alternatives.map { Self.beginning($0, percentEncoded: percentEncoded) } : []
        let common = texts.dropFirst().reduce(texts.first ?? []) { common, text in
            Array(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        commonBeginning = common
        let isWhole = common.count < Self.longestBeginning
        isOneText = isPlain && isWhole && texts.allSatisfy { $0.count == common.count }
        endsWithCommonBeginning = !isOneText && isWhole && texts.contains { $0.count == common.count }
        hasLetters = alternatives.contains { value in
            Self.symbols(value, percentEncoded: percentEncoded).contains {
                PatternSymbol.hasCase($0, percentEncoded: percentEncoded)
            }
        }
    }

    /// No beginning is looked at any further.
    static let longestBeginning = 256

    private static func beginning(_ value: [PatternElement], percentEncoded: Bool) -> [UInt32] {
        // A character has four bytes at most.
        Array(
            symbols(Array(value.prefix(4 * longestBeginning)), percentEncoded: percentEncoded).prefix(longestBeginning))
    }

    private static func symbols(_ value: [PatternElement], percentEncoded: Bool) -> [UInt32] {
        let bytes = value.compactMap { element -> UInt8? in if case .byte(let byte) = element { byte } else { nil } }
        return PatternSymbol.symbols(of: bytes, percentEncoded: percentEncoded)
    }
}

extension PatternElement {
    fileprivate var isByte: Bool { if case .byte = self { true } else { false } }
}
