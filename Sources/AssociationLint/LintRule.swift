public import Diagnostics

/// A rule: one code, with what it reports, why, and an example.
protocol LintRule: SendableMetatype {
    static var description: RuleDescription { get }
}

/// A rule that looks at a whole file.
protocol FileRule: LintRule {
    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector)
}

/// A rule that looks at each pattern alone.
protocol PatternRule: FileRule {
    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector)
}

extension PatternRule {
    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns { check(pattern, &diagnostics) }
    }
}

/// A rule about single app IDs; of several that apply to one app ID the first in the registry counts.
protocol AppIDRule: LintRule {
    /// Reports an app ID if the rule applies to it.
    ///
    /// - Returns: Whether it does; then no other rule looks at the app ID.
    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool
}

/// A rule that looks at a whole `assetlinks.json`.
protocol AssetLinksRule: LintRule {
    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector)
}

extension AssetLinksRule where Self: PatternRule {
    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        check(file.context, &diagnostics)
    }
}

/// A rule that looks at each statement of an `assetlinks.json` alone.
protocol StatementRule: AssetLinksRule {
    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector)
}

extension StatementRule {
    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for statement in file.statements { check(statement, &diagnostics) }
    }
}

extension RuleDescription {
    /// The bad example as a file.
    public var badBytes: [UInt8] { MarkedText(bad).bytes }

    /// The findings of the rules in an example of this description.
    package func check(_ example: [UInt8], unwrap: (@Sendable ([UInt8]) -> SignedFile?)? = nil) -> LintResult {
        var options = LintOptions(minimumIOS: minimumIOS.flatMap(SystemVersion.init))
        if !isOnByDefault { options.settings[code] = LintOptions.Setting(severity) }
        return Linter(options, unwrap: unwrap).check(example, path: "apple-app-site-association")
    }
}
