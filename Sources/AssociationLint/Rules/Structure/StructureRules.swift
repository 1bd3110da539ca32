/// The rules of this kind, in the order of their table.
enum StructureRules {
    static let all: [any LintRule.Type] = [
        TopLevelRule.self, NestedServiceRule.self, AccidentalCatchAllRule.self, MisplacedKeyRule.self,
        MisspeltKeyRule.self, UnknownKeyRule.self,
        EmptyComponentRule.self, WrongTypeRule.self, DetailsDictionaryRule.self, MissingDetailsRule.self,
        IncompleteEntryRule.self, MissingServiceAppsRule.self, EmptyListRule.self, LegacyAppsRule.self,
        ConflictingAppIDRule.self, IgnoredPathsRule.self, MixedGenerationsRule.self, RepeatedAppIDRule.self,
        PatternInDefaultsRule.self, NewerSystemRule.self, RootNotMatchedRule.self, AppleSampleRule.self,
    ]
}
