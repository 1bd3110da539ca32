package import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
package import URLPatterns

/// Looks for a link that the legacy paths of an entry open and its components do not, or the other way round.
package struct GenerationSearch {
    package enum Difference {
        case none
        case found(witness: String, isOpenedByPaths: Bool)
        /// The patterns are too large to find out.
        case unknown
    }

    private let variables: SubstitutionVariables
    /// The rest of the limits for all entries of the file.
    private var limits: ComparisonLimits
    /// The work that was spent on all entries.
    package var work: Int { Self.maxWork - max(limits.work, 0) }
    private static let maxWork = 10_000_000
    /// Many entries have the same lists.
    private var known: [Lists: Difference] = [:]

    private struct Lists: Hashable {
        let paths: [RuleKey]
        let components: [RuleKey]
    }

    private struct RuleKey: Hashable {
        let path: String
        let excludes: Bool
        let isConditional: Bool
        let caseSensitive: Bool
        let percentEncoded: Bool

        init(_ rule: Rule) {
            path = rule.path
            excludes = rule.excludes
            isConditional = rule.isConditional
            caseSensitive = rule.caseSensitive
            percentEncoded = rule.percentEncoded
        }
    }

    package init(_ variables: SubstitutionVariables) {
        self.variables = variables
        limits = ComparisonLimits()
        limits.states = 5_000
        limits.automata = 50_000
        limits.held = 500_000
        limits.work = Self.maxWork
    }

    package mutating func difference(_ paths: [Rule], _ components: [Rule]) -> Difference {
        let lists = Lists(paths: paths.map(RuleKey.init), components: components.map(RuleKey.init))
        if let known = known[lists] { return known }
        let result = search(paths, components)
        known[lists] = result
        return result
    }

    private mutating func search(_ paths: [Rule], _ components: [Rule]) -> Difference {
        // iOS 12 knows no variables.
        guard !paths.contains(where: \.hasVariables) else { return .none }
        var isUnknown = false
        // Without parents first: they are as good as never meant.
        for dropsParents in [true, false] {
            let old = Self.document(paths.map { ($0, $0.path) }, dropsParents: dropsParents)
            let isExact = components.allSatisfy(\.isExact)
            for opensMost in isExact ? [true] : [true, false] {
                let new = Self.document(Self.rounded(components, opensMost: opensMost), dropsParents: dropsParents)
                let comparison = LinkComparison(old: old, new: new, limits: limits)
                limits.work -= comparison.work
                if !comparison.undecided.isEmpty { isUnknown = true }
                for change in comparison.changes {
                    let isOpenedByPaths = change.old.outcome == .open
                    guard isOpenedByPaths != (change.new.outcome == .open), isExact || isOpenedByPaths == opensMost,
                        !isParent(change.witness, of: paths + components),
                        isProved(change.witness, paths, components, isOpenedByPaths)
                    else { continue }
                    return .found(witness: change.witness, isOpenedByPaths: isOpenedByPaths)
                }
            }
        }
        return isUnknown || limits.work <= 0 ? .unknown : .none
    }

    /// The components without all that paths cannot say: they open as much as they could, or as little.
    private static func rounded(_ components: [Rule], opensMost: Bool) -> [(rule: Rule, path: String)] {
        components.compactMap { rule in
            if rule.isExact { return (rule, rule.path) }
            return rule.excludes != opensMost ? (rule, rule.widerPath) : nil
        }
    }

    private static func document(_ rules: [(rule: Rule, path: String)], dropsParents: Bool) -> AssociationDocument {
        let written = rules.enumerated().map { index, rule in
            let hasParent = dropsParents && rule.path.hasSuffix("/*") && rule.path.utf8.count > 2
            return Rule(
                path: hasParent ? rule.path.dropLast() + "?*" : rule.path, excludes: rule.rule.excludes,
                caseSensitive: rule.rule.caseSensitive, index: index)
        }
        return document(written, SubstitutionVariables())
    }

    private static func document(_ rules: [Rule], _ variables: SubstitutionVariables) -> AssociationDocument {
        AssociationDocument(
            appLinks: AppLinks([Detail(app: "app", rules: rules)], variables), source: SourceText([], path: ""))
    }

    /// Whether a link is what is left of a pattern without its tail `/*`.
    private func isParent(_ witness: String, of rules: [Rule]) -> Bool {
        guard let url = WebURL(witness.utf8) else { return false }
        let path = String(text: url.path)
        return rules.contains { $0.path.hasSuffix("/*") && $0.path.utf8.count > 2 && $0.path.dropLast(2) == path }
    }

    /// Asks the rules as they are written.
    private mutating func isProved(
        _ witness: String, _ paths: [Rule], _ components: [Rule], _ isOpenedByPaths: Bool
    ) -> Bool {
        guard let url = WebURL(witness.utf8) else { return false }
        var budget = WorkBudget(limits.work)
        defer { limits.work = budget.left }
        budget.spend(10 * (paths.count + components.count))
        let old = ReferenceMatcher(Self.document(paths, SubstitutionVariables())).decide(url, &budget)
        let new = ReferenceMatcher(Self.document(components, variables)).decide(url, &budget)
        guard let old, let new else { return false }
        return (old.outcome == .open) == isOpenedByPaths && (new.outcome == .open) != isOpenedByPaths
    }
}

extension Rule {
    fileprivate var hasVariables: Bool { path.contains("$(") }

    /// Whether it asks for more than the path.
    fileprivate var isConditional: Bool {
        if fragment != "*" { return true }
        return switch query {
        case .void: false
        case .text(let text): text != "*"
        case .items(let items): items.contains { $0.value != "*" }
        }
    }

    /// Whether a legacy path can say the same.
    fileprivate var isExact: Bool { !isConditional && !hasVariables && caseSensitive && isPlain }

    private var isPlain: Bool { percentEncoded || path.utf8.allSatisfy { $0 < 0x80 } }

    /// The path with a star for all that a legacy path cannot say.
    fileprivate var widerPath: String {
        let pieces = PatternParser.pieces(Array(path.utf8))
        let bytes = pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .variable: [UInt8(ascii: "*")]
            case .text(let text): isPlain ? Array(text) : text.map { $0 < 0x80 ? $0 : UInt8(ascii: "*") }
            }
        }
        return String(text: bytes)
    }
}
