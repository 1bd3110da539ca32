/// The rules of this kind, in the order of their table.
enum ReachRules {
    static let all: [any LintRule.Type] = [UnreachableRules.self, GenerationsRule.self]
}
