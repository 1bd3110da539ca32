/// Which rules may decide.
protocol RuleSelection {
    /// Whether every rule may, so that nobody needs to ask.
    static var isEverything: Bool { get }

    func allows(_ key: UInt32, _ group: Int) -> Bool
}

/// All rules may decide.
struct EveryRule: RuleSelection {
    @inline(__always) static var isEverything: Bool { true }

    @inline(__always)
    func allows(_ key: UInt32, _ group: Int) -> Bool { true }
}

/// Some apps have been decided already: the rules from a key on that are for others may decide.
struct RuleFilter: RuleSelection {
    /// The lowest key that counts.
    let first: UInt32
    /// The apps of each group, as bits, a row of words each.
    let groups: UnsafeRawPointer
    /// The apps that have been decided.
    let decided: UnsafeRawPointer
    /// How many words a set of apps has.
    let words: Int

    @inline(__always) static var isEverything: Bool { false }

    func allows(_ key: UInt32, _ group: Int) -> Bool {
        guard key >= first else { return false }
        var word = 0
        while word < words {
            if groups.word((group &* words &+ word) &* 8) & ~decided.word(word &* 8) != 0 { return true }
            word &+= 1
        }
        return false
    }
}
