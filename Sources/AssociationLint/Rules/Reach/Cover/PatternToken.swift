internal import AppSiteAssociation

/// A pattern as a row of numbers, quick to compare: symbols (``PatternSymbol``), the wildcards, and numbers for sets of
/// characters and for variables.
enum PatternToken {
    static let anyCharacter: UInt32 = 0x8000_0000
    static let anyRun: UInt32 = 0x8000_0001
    static let firstSet: UInt32 = 0x9000_0000
    static let firstVariable: UInt32 = 0xA000_0000

    static func isSymbol(_ token: UInt32) -> Bool { token < anyCharacter }
    static func isSet(_ token: UInt32) -> Bool { token >= firstSet && token < firstVariable }
    static func isVariable(_ token: UInt32) -> Bool { token >= firstVariable }
}

extension PatternSymbol {
    /// Whether folding can make another symbol of this one, or this one of another.
    static func hasCase(_ symbol: UInt32, percentEncoded: Bool) -> Bool {
        if symbol < 0x80 { return (symbol | 0x20) &- 0x61 < 26 }
        guard OpenDecisions.foldsBeyondASCII(percentEncoded: percentEncoded), let scalar = Unicode.Scalar(symbol) else {
            return false
        }
        let properties = scalar.properties
        return properties.isCased || properties.changesWhenCaseMapped || properties.changesWhenCaseFolded
    }
}
