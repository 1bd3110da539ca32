/// A condition for a URL: numbers of patterns, or nil for parts of which nothing is asked.
struct RuleCondition: Hashable, Comparable {
    let path: Int?
    let query: Int?
    let fragment: Int?
    var excludes: Bool

    static func < (left: RuleCondition, right: RuleCondition) -> Bool {
        (left.path ?? -1, left.query ?? -1, left.fragment ?? -1) < (
            right.path ?? -1, right.query ?? -1, right.fragment ?? -1
        )
    }

    /// Whether the path alone decides.
    var isPathOnly: Bool { query == nil && fragment == nil }
}
