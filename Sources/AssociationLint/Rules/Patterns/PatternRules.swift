/// The rules of this kind, in the order of their table.
enum PatternRules {
    static let all: [any LintRule.Type] = [
        MalformedNotRule.self, NotInComponentRule.self, WhitespaceAroundPatternRule.self, EmptyPatternRule.self,
        URLInPathRule.self, FragmentInPathRule.self, QueryInPathRule.self, AmbiguousQuestionMarkRule.self,
        MissingLeadingSlashRule.self, RouterPlaceholderRule.self, RegexInPatternRule.self,
        UnencodedCharacterRule.self, PercentEscapeRule.self, EscapeWithDecodingRule.self, DoubleSlashRule.self,
        DotSegmentRule.self, RepeatedWildcardRule.self, ParentPathRule.self, LeadingHashRule.self,
        LeadingQuestionMarkRule.self, QueryOrderRule.self, NonStringQueryValueRule.self, QueryStarRule.self,
        UndefinedVariableRule.self, UnclosedVariableRule.self, NestedVariableRule.self, VariableNameRule.self,
        EmptyVariableValueRule.self,
    ]
}
