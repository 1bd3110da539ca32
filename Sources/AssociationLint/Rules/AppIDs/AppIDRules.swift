internal import Diagnostics

/// The rules of this kind, in the order of their table.
enum AppIDRules {
    static let all: [any LintRule.Type] = [FirstAppIDProblem.self]

    fileprivate static let checks: [any AppIDCheck.Type] = [
        WhitespaceInAppID.self, PlaceholderAppID.self, InvalidAppID.self, AppStoreIDPrefix.self, ExampleAppID.self,
        OddTeamPrefix.self, WildcardAppID.self, OddBundleID.self,
    ]
}

/// What may be wrong with an app ID; of several the first that applies counts.
protocol AppIDCheck: SendableMetatype {
    static var description: RuleDescription { get }
    /// Reports an app ID if this is what is wrong with it.
    ///
    /// - Returns: Whether it is, and nothing else has to be looked at.
    static func report(_ id: AppID, _ findings: inout Findings) -> Bool
}

private enum FirstAppIDProblem: LintRule {
    static let descriptions = AppIDRules.checks.map { $0.description }

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.appIDs {
            let id = AppID(place)
            for check in AppIDRules.checks where check.report(id, &findings) { break }
        }
    }
}
