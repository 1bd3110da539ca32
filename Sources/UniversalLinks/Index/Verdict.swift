/// A decision in the terms of one document's index: two numbers.
package struct Verdict: Sendable {
    /// The key of the rule that decided, or `RuleKey.none`.
    package let key: UInt32
    /// The apps that open the URL, as bits; only of meaning if the document has several groups of apps and at most 64
    /// apps.
    package let apps: UInt64
    /// Whether apps open the URL, and are too many for that.
    package let hasManyApps: Bool
}
