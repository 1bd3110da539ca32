public import Diagnostics

/// A rule, or a few that are one thought.
package protocol LintRule: SendableMetatype {
    /// What the rule can find.
    static var descriptions: [RuleDescription] { get }
    static func check(_ file: FileOutline, _ findings: inout Findings)
}

extension RuleDescription {
    /// The bad example as a file.
    public var badBytes: [UInt8] { MarkedText(bad).bytes }

    /// What the rules say about an example of this description.
    package func check(_ example: [UInt8], unwrap: (@Sendable ([UInt8]) -> SignedFile?)? = nil) -> LintResult {
        var options = LintOptions(minimumIOS: minimumIOS.flatMap(SystemVersion.init))
        if !isOnByDefault { options.settings[code] = LintOptions.Setting(severity) }
        return Linter(options, unwrap: unwrap).check(example, path: "apple-app-site-association")
    }
}
