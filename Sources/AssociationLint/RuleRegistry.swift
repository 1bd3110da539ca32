internal import Android
public import Diagnostics
internal import JSONSyntax

/// All rules, in the order of the tables: of two that report the same range the first counts.
public enum RuleRegistry {
    static let structureRules: [any FileRule.Type] = [
        NotAnObjectRule.self,
        NoKnownServiceRule.self,
        NestedServiceRule.self,
        AccidentalCatchAllRule.self,
        MisplacedKeyRule.self,
        MisspeltKeyRule.self,
        UnknownKeyRule.self,
        EmptyComponentRule.self,
        WrongTypeRule.self,
        DetailsAsDictionaryRule.self,
        MissingDetailsRule.self,
        MissingAppIDRule.self,
        MissingRulesRule.self,
        MissingServiceAppsRule.self,
        EmptyListRule.self,
        MissingAppsRule.self,
        AppsNotEmptyRule.self,
        ConflictingAppIDRule.self,
        IgnoredPathsRule.self,
        MixedGenerationsRule.self,
        SameAppTwiceRule.self,
        DuplicateAppIDRule.self,
        SimilarAppIDsRule.self,
        PatternInDefaultsRule.self,
        NeedsNewerOSRule.self,
        RootNotMatchedRule.self,
        AppleSampleRulesRule.self,
    ]

    static let appIDRules: [any AppIDRule.Type] = [
        WhitespaceInAppIDRule.self,
        PlaceholderAppIDRule.self,
        InvalidAppIDRule.self,
        AppStoreIDPrefixRule.self,
        ExampleAppIDRule.self,
        OddTeamPrefixRule.self,
        WildcardAppIDRule.self,
        OddBundleIDRule.self,
    ]

    static let patternRules: [any FileRule.Type] = [
        MalformedNotRule.self,
        NotInComponentRule.self,
        WhitespaceAroundPatternRule.self,
        EmptyPatternRule.self,
        URLInPathRule.self,
        FragmentInPathRule.self,
        QueryInPathRule.self,
        AmbiguousQuestionMarkRule.self,
        HostInPathRule.self,
        MissingLeadingSlashRule.self,
        TopLevelNotMatchedRule.self,
        RouterPlaceholderRule.self,
        RegexInPatternRule.self,
        UnencodedCharacterRule.self,
        InvalidPercentEscapeRule.self,
        LowercasePercentEscapeRule.self,
        EscapeWithDecodingRule.self,
        DoubleSlashInPatternRule.self,
        DotSegmentInPatternRule.self,
        RepeatedWildcardRule.self,
        ParentPathIncludedRule.self,
        LeadingHashInFragmentRule.self,
        LeadingQuestionMarkInQueryRule.self,
        QueryOrderMattersRule.self,
        NonStringQueryValueRule.self,
        QueryStarMatchesAbsentRule.self,
        FragmentStarMatchesAbsentRule.self,
        OddQueryValueRule.self,
        UndefinedVariableRule.self,
        UnclosedVariableRule.self,
        NestedVariableRule.self,
        InvalidVariableNameRule.self,
        UnusedVariableRule.self,
        ShadowedVariableRule.self,
        EmptyVariableValueRule.self,
    ]

    /// The rules about `assetlinks.json` besides those of `AssetLinksRules`.
    static let assetLinksRules: [any AssetLinksRule.Type] = [
        DuplicateFingerprintRule.self,
        DebugFingerprintRule.self,
        ExampleFingerprintRule.self,
        PlaceholderPackageNameRule.self,
        DuplicateStatementRule.self,
        SimilarPackageNamesRule.self,
        NoLinkStatementRule.self,
        SiteHandlesUrlsRule.self,
        UnlistedExtensionRule.self,
        SecondDynamicListRule.self,
        OnlyExclusionsRule.self,
        AppleOnlyKeyRule.self,
        ComponentMatchesNothingRule.self,
        VariableOnAndroidRule.self,
        EncodedOnAndroidRule.self,
        StarBeforeWildcardRule.self,
        StarStopsEarlyRule.self,
        OddQueryNameRule.self,
    ]

    /// The rules about `assetlinks.json` and the apps that it is compared with.
    static let signerRules: [any AssetLinksRule.Type] = [
        FingerprintNotListedRule.self, UploadKeyFingerprintRule.self,
    ]

    /// The rules about keys that look at statements and dynamic rules, too.
    static let sharedKeyRules: [any FileRule.Type] = [
        MisplacedKeyRule.self, MisspeltKeyRule.self, UnknownKeyRule.self,
    ]

    /// The rules about patterns that look at those of dynamic rules, too.
    static let sharedPatternRules: [any FileRule.Type] = [
        NotInComponentRule.self, WhitespaceAroundPatternRule.self, URLInPathRule.self, FragmentInPathRule.self,
        QueryInPathRule.self, MissingLeadingSlashRule.self, RouterPlaceholderRule.self, RegexInPatternRule.self,
        LeadingHashInFragmentRule.self,
    ]

    /// The rules about what earlier rules of the file leave to later ones: all but the last are found by one search,
    /// `RuleOrderCheck`.
    static let reachRules: [any LintRule.Type] = [
        DeadExcludeRule.self,
        BlockedIncludeRule.self,
        UnreachableRuleRule.self,
        TrailingExcludeRule.self,
        TooLargeToDecideRule.self,
        GenerationsDifferRule.self,
    ]

    /// The rules about association files and asset links, by their subjects.
    ///
    /// Made without an array of all rules: to convert the types of the others to it, the runtime would search all
    /// conformances of the program, for each of them, at every start.
    package static let fileGroups = [
        RuleGroup("The file and its syntax", syntax + [.unreadableFile]),
        RuleGroup("Structure", structureRules.map { $0.description }),
        RuleGroup("App IDs", appIDRules.map { $0.description }),
        RuleGroup("Patterns and variables", patternRules.map { $0.description }),
        RuleGroup("Order of rules", reachRules.map { $0.description }),
        RuleGroup(
            "assetlinks.json, for Android",
            AssetLinksRules.all + assetLinksRules.map { $0.description } + signerRules.map { $0.description }),
        RuleGroup("AndroidManifest.xml", ManifestRules.all + [.manifestAssetStatements]),
    ]

    /// The rules about settings, lists of cases and lists of routes.
    package static let settingGroups = [
        RuleGroup("Settings: .aasa.json and server.json", ConfigurationRules.all + [.unusedSuppression]),
        RuleGroup("Cases and routes of aasa test", CaseRules.all + RouteRules.all),
        RuleGroup("Association files that are converted for Android", ConversionRules.all),
    ]

    /// All rules of this library, in the order of the tables.
    public static let catalogue = RuleCatalogue(fileGroups + settingGroups)

    /// A signature is found where the kind of a file is.
    private static let syntax = SyntaxRules.all.flatMap { rule in
        rule === RuleDescription.androidAssetLinks ? [rule] + signatures : [rule]
    }

    private static let signatures: [RuleDescription] = [.signedFile, .unreadableSignature]

    /// The severities of all codes that are on by default.
    static let severities: [DiagnosticCode: Severity] = Dictionary(
        catalogue.rules.filter(\.isOnByDefault).map { ($0.code, $0.severity) }, uniquingKeysWith: { first, _ in first })
}

// Errors of the file itself and of its syntax have a fixed severity and cannot be suppressed.
extension RuleRegistry {
    package static func isUnchangeable(_ code: DiagnosticCode) -> Bool { unchangeable.contains(code) }

    /// Why a code cannot be suppressed or given another severity; nil if it can.
    package static func objection(toChanging code: DiagnosticCode) -> String? {
        guard isUnchangeable(code) else { return nil }
        return "'\(code)' is \(fileErrors.contains(code) ? "an error of the file itself" : "a syntax error")"
            + " and cannot be suppressed"
    }

    private static let unchangeable = Set(fileGroups[0].rules.filter { $0.severity == .error }.map(\.code))

    /// The errors that say that the file is not what it should be, whatever its syntax is.
    private static let fileErrors = Set((SyntaxRules.files + signatures + [.unreadableFile]).map(\.code))
}
