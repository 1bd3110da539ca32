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
    /// Whether the values have no common beginning, as far as their first bytes tell.
    let beginsUnlike: Bool
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
        // Four bytes hold the first character.
        let firsts = alternatives.map { Self.symbols(Array($0.prefix(4)), percentEncoded: percentEncoded).first }
        beginsUnlike = isPlain && Set(firsts).count > 1
        hasLetters = alternatives.contains { value in
            Self.symbols(value, percentEncoded: percentEncoded).contains {
                PatternSymbol.hasCase($0, percentEncoded: percentEncoded)
            }
        }
    }

    private static func symbols(_ value: [PatternElement], percentEncoded: Bool) -> [UInt32] {
        let bytes = value.compactMap { element -> UInt8? in if case .byte(let byte) = element { byte } else { nil } }
        return PatternSymbol.symbols(of: bytes, percentEncoded: percentEncoded)
    }
}

extension PatternElement {
    fileprivate var isByte: Bool { if case .byte = self { true } else { false } }
}
