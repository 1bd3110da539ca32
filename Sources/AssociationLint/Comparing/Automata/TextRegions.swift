/// Texts that the same patterns match, and the shortest of them.
struct TextRegion {
    /// What matches, ascending.
    let matched: [Int32]
    let text: [UInt8]
}

/// The kinds of texts that there are.
struct TextRegions {
    /// The shortest first.
    var regions: [TextRegion] = []
    /// Whether there are no others.
    var isComplete = true
}
