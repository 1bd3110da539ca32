/// The variables that every file has (matching.md, section 5).
package enum BuiltInVariable: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit, region, lang

    /// What the variable stands for, folded if case does not matter; made once, a pattern may name thousands.
    package func element(caseSensitive: Bool) -> PatternElement {
        switch self {
        case .region: caseSensitive ? Self.regions : Self.foldedRegions
        case .lang: Self.languages
        default: (caseSensitive ? Self.sets : Self.foldedSets)[self] ?? .character(characters)
        }
    }

    private static let sets = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, PatternElement.character($0.characters)) })
    private static let foldedSets = Dictionary(
        uniqueKeysWithValues: allCases.map {
            ($0, PatternElement.character(ByteSet($0.characters.bytes.map(CaseFolding.ascii))))
        })

    private var characters: ByteSet {
        switch self {
        case .alpha: Self.upperCase.union(Self.lowerCase)
        case .upper: Self.upperCase
        case .lower: Self.lowerCase
        case .alnum: Self.upperCase.union(Self.lowerCase).union(Self.digits)
        case .digit: Self.digits
        case .xdigit: Self.digits.union(ByteSet(0x41...0x46)).union(ByteSet(0x61...0x66))
        case .region, .lang: ByteSet()
        }
    }

    private static let regions = words(OpenDecisions.regions, isFolded: false)
    private static let foldedRegions = words(OpenDecisions.regions, isFolded: true)
    private static let languages = words(OpenDecisions.languages, isFolded: true)

    private static func words(_ codes: [String], isFolded: Bool) -> PatternElement {
        .oneOf(codes.map { code in code.utf8.map { .byte(isFolded ? CaseFolding.ascii($0) : $0) } })
    }

    private static let upperCase = ByteSet(0x41...0x5A)
    private static let lowerCase = ByteSet(0x61...0x7A)
    private static let digits = ByteSet(0x30...0x39)
}
