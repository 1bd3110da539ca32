/// Where the patterns of an automaton are behind a text.
struct JointState: Hashable {
    /// The states that are reached, ascending.
    var live: [Int32]
    /// What else the text has decided, ascending (see the walks).
    var decided: [Int32] = []
    var ending: Ending = []

    /// What the end of the text means for what may follow.
    struct Ending: OptionSet, Hashable {
        let rawValue: UInt8

        /// A percent sign that begins no escape.
        static let percent = Ending(rawValue: 1)
        /// Such a sign and a digit.
        static let percentDigit = Ending(rawValue: 2)
        /// An escaped byte that belongs to no character.
        static let strayByte = Ending(rawValue: 4)
        /// A slash of the path.
        static let slash = Ending(rawValue: 8)
        /// A slash of the path, escaped or not.
        static let decodedSlash = Ending(rawValue: 16)
        /// Nothing but slashes, escaped or not, or nothing at all.
        static let nothing = Ending(rawValue: 32)
        /// Within the value of an item.
        static let value = Ending(rawValue: 64)

        /// The end behind another symbol, as far as escapes go; nil if the symbol cannot follow.
        func following(_ kind: URLSymbol.Kind) -> Ending? {
            if kind.contains(.strayTail), contains(.strayByte) { return nil }
            if kind.contains(.hexDigit) {
                if contains(.percentDigit) { return nil }
                return contains(.percent) ? .percentDigit : []
            }
            if kind.contains(.percent) { return .percent }
            return kind.contains(.strayByte) ? .strayByte : []
        }
    }
}
