package import Diagnostics

/// A rule, or a few that are one thought.
package protocol LintRule: SendableMetatype {
    /// What the rule can find.
    static var descriptions: [RuleDescription] { get }
    static func check(_ file: FileOutline, _ findings: inout Findings)
}
