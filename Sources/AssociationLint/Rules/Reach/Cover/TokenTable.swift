internal import AppSiteAssociation

/// The sets and variables of a file's patterns, each with its number.
struct TokenTable {
    private(set) var sets: [ByteSet] = []
    private(set) var variables: [TokenVariable] = []
    private var setNumbers: [ByteSet: UInt32] = [:]
    /// By where the values are stored: a parser hands out the same ones each time.
    private var variableNumbers: [Place: UInt32] = [:]

    private struct Place: Hashable {
        let storage: UnsafeRawPointer
        let percentEncoded: Bool
    }

    mutating func token(_ set: ByteSet) -> UInt32 {
        if let known = setNumbers[set] { return known }
        let token = PatternToken.firstSet + UInt32(sets.count)
        setNumbers[set] = token
        sets.append(set)
        return token
    }

    /// - Parameter alternatives: not empty.
    mutating func token(_ alternatives: [[PatternElement]], percentEncoded: Bool) -> UInt32 {
        let place = alternatives.withUnsafeBytes { $0.baseAddress }.map {
            Place(storage: $0, percentEncoded: percentEncoded)
        }
        if let place, let known = variableNumbers[place] { return known }
        let token = PatternToken.firstVariable + UInt32(variables.count)
        if let place { variableNumbers[place] = token }
        variables.append(TokenVariable(alternatives, percentEncoded: percentEncoded))
        return token
    }

    func set(_ token: UInt32) -> ByteSet { sets[Int(token - PatternToken.firstSet)] }
    func variable(_ token: UInt32) -> TokenVariable { variables[Int(token - PatternToken.firstVariable)] }
}
