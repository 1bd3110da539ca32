public import Diagnostics
internal import JSONSyntax

/// All rules, in the order of the tables: of two that blame the same bytes the first counts.
public enum RuleRegistry {
    /// The rules about what a file means. Those of one group blame the same bytes only once; that a pattern is written badly
    /// and that it is of no use are two things.
    static let groups: [[any LintRule.Type]] = [
        StructureRules.all + AppIDRules.all + PatternRules.all, ReachRules.all,
    ]

    static let rules = groups.flatMap { $0 }

    /// The descriptions of all codes, in the order of the tables.
    public static let all: [RuleDescription] =
        SyntaxDescriptions.all + FileAccessDescriptions.all + rules.flatMap { $0.descriptions }
        + AssetLinksDescriptions.all
        + SiteFileDescriptions.all + ConfigurationDescriptions.all + RouteDescriptions.all
        + CoverageDescriptions.all

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

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The severities of all codes that are on by default.
    static let severities: [DiagnosticCode: Severity] = Dictionary(
        all.filter(\.isOnByDefault).map { ($0.code, $0.severity) }, uniquingKeysWith: { first, _ in first })

    /// Whether a code is an error of the syntax, which nobody can change.
    package static func isUnchangeable(_ code: DiagnosticCode) -> Bool { unchangeable.contains(code) }

    private static let unchangeable = Set(
        (FileAccessDescriptions.all + SyntaxDescriptions.all).filter { $0.severity == .error }.map(\.code))
}

extension RuleRegistry {
    /// What is said to somebody who wants to suppress an error of the file or its syntax; nil for other codes.
    package static func objection(toChanging code: DiagnosticCode) -> String? {
        guard isUnchangeable(code) else { return nil }
        let kind = errorsOfFiles.contains(code) ? "of the file itself" : "of the syntax"
        return "'\(code)' is an error \(kind), which cannot be suppressed"
    }

    /// The errors that say that the file is not what it should be, whatever its syntax is.
    private static let errorsOfFiles = Set(
        (FileAccessDescriptions.all + SyntaxDescriptions.files + SyntaxDescriptions.signatures).map(\.code))
}
