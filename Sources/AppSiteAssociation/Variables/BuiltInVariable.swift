/// The variables that every file has (specification, "Substitution variables").
package enum BuiltInVariable: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit, region, lang

    package var meaning: VariableMeaning {
        switch self {
        case .alpha: .character(Self.upperCase.union(Self.lowerCase))
        case .upper: .character(Self.upperCase)
        case .lower: .character(Self.lowerCase)
        case .alnum: .character(Self.upperCase.union(Self.lowerCase).union(Self.digits))
        case .digit: .character(Self.digits)
        case .xdigit: .character(Self.digits.union(ByteSet(0x41...0x46)).union(ByteSet(0x61...0x66)))
        case .region: .values(OpenDecisions.regions)
        case .lang: .values(OpenDecisions.languages)
        }
    }

    private static let upperCase = ByteSet(0x41...0x5A)
    private static let lowerCase = ByteSet(0x61...0x7A)
    private static let digits = ByteSet(0x30...0x39)
}
