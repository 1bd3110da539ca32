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

    /// What earlier rules of the file leave to later ones: all but the last are found by one search, `RuleOrderCheck`.
    static let reachRules: [any LintRule.Type] = [
        DeadExcludeRule.self,
        BlockedIncludeRule.self,
        UnreachableRuleRule.self,
        TrailingExcludeRule.self,
        TooLargeToDecideRule.self,
        GenerationsDifferRule.self,
    ]

    /// All findings by their subjects.
    ///
    /// Made without an array of all rules: to convert the types of the others to it, the runtime would search all
    /// conformances of the program, for each of them, at every start.
    public static let groups: [RuleGroup] = {
        let settings = ConfigurationDescriptions.all
        func isSetting(_ rule: RuleDescription) -> Bool {
            [.lintConfiguration, .serverConfiguration].contains(rule.subject)
        }
        return [
            RuleGroup("The file and its syntax", SyntaxDescriptions.all + FileDescriptions.access),
            RuleGroup("Structure", structureRules.map { $0.description }),
            RuleGroup("App IDs", appIDRules.map { $0.description }),
            RuleGroup("Patterns and variables", patternRules.map { $0.description }),
            RuleGroup("Order of rules", reachRules.map { $0.description }),
            RuleGroup("assetlinks.json, for Android", AssetLinksDescriptions.all),
            RuleGroup("Files of a server", FileDescriptions.published),
            RuleGroup("Settings: .aasa.json and server.json", settings.filter(isSetting)),
            RuleGroup(
                "Cases and routes of aasa test", settings.filter { !isSetting($0) } + RouteDescriptions.all),
            RuleGroup("Hosts, as aasa doctor finds them", HostDescriptions.all),
            RuleGroup("Copies that Apple and Google keep", CopyDescriptions.all),
            RuleGroup("Apps and their entitlements", AppDescriptions.all),
            RuleGroup("Links, as aasa doctor finds them", LinkDescriptions.all),
            RuleGroup("Automatic certificates (ACME)", IssuanceDescriptions.all),
        ]
    }()

    /// The descriptions of all codes, in the order of the tables.
    public static let all: [RuleDescription] = groups.flatMap(\.rules)

    /// The description of a code; nil if there is none.
    public static func description(of code: String) -> RuleDescription? {
        byCode[DiagnosticCode(rawValue: code)]
    }

    /// The codes that a name may have been meant to be, the nearest first.
    public static func codes(near name: String) -> [String] {
        let name = String(name.lowercased().prefix(64))
        let scored = all.map { rule in
            let code = rule.code.rawValue
            let shares = code.contains(name) || name.contains(code)
            return (code: code, distance: shares && name.utf8.count > 3 ? 1 : Spelling.distance(name, code))
        }
        let near = scored.filter { $0.distance <= 3 }.sorted { ($0.distance, $0.code) < ($1.distance, $1.code) }
        return near.prefix(3).map(\.code)
    }

    /// Whether no check of a file finds a code: it is about a host, a copy, a link, or the app's side.
    package static func isFoundByDoctorAlone(_ code: DiagnosticCode) -> Bool {
        byCode[code].map { $0.subject.isLive || $0.subject == .app } ?? false
    }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The severities of all codes that are on by default.
    static let severities: [DiagnosticCode: Severity] = Dictionary(
        all.filter(\.isOnByDefault).map { ($0.code, $0.severity) }, uniquingKeysWith: { first, _ in first })
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

    private static let unchangeable = Set(
        (FileDescriptions.access + SyntaxDescriptions.all).filter { $0.severity == .error }.map(\.code))

    /// The errors that say that the file is not what it should be, whatever its syntax is.
    private static let fileErrors = Set(
        (FileDescriptions.access + SyntaxDescriptions.files + SyntaxDescriptions.signatures).map(\.code))
}
