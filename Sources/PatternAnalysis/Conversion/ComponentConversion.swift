package import Android
package import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns

/// The rules of an association file for an app as dynamic rules of Android's.
///
/// Over ordinary URLs they open nothing that iOS leaves in the browser: what cannot be said exactly becomes narrower if it
/// opens links and wider if it excludes them. ``differences`` lists what is lost, found by comparing both.
package struct ComponentConversion: Sendable {
    /// A component, and the rule that it comes from.
    package struct Component: Sendable {
        package let path: String?
        package let query: [(name: String, value: String)]
        package let fragment: String?
        package let excludes: Bool
        /// Nil for one that says that nothing is opened.
        package let rule: Rule?

        /// Whether it excludes what an inclusion behind it would open too much.
        fileprivate var isGuard: Bool { excludes && rule?.excludes == false }
    }

    /// Links that open on iOS only.
    package struct Difference: Sendable {
        package let witness: String
        /// The rule because of which they do.
        package let rule: Rule?
        package let reason: String
    }

    package private(set) var components: [Component] = []
    package private(set) var differences: [Difference] = []
    /// Rules of which it is not known whether something is lost, because the search became too large.
    package private(set) var undecided: [Rule] = []
    /// A URL that opens on Android and not on iOS, which must never be.
    package private(set) var wrongWitness: String?

    /// The number of components that a rule may become, and all of them together.
    package static let ruleLimit = PatternExpansion.limit
    package static let limit = 2_000

    private var reasons: [String: String] = [:]

    /// - Parameters:
    ///   - app: The app of the association file.
    ///   - host: The host of the witnesses.
    package init(
        _ document: AssociationDocument, app: String, host: String = "example.com",
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        // Each rule is compared by itself, so there may be more to do than for the whole.
        let budget = ComparisonBudget(limits.work * 4)
        let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        var converter = RuleConverter(parsers, limits, budget)
        var seen = Set<[String]>()
        let details = (document.appLinks?.details ?? []).filter { detail in
            detail.canDecide && detail.appIDs.contains { $0.value.utf8.elementsEqual(app.utf8) }
        }
        rules: for rule in details.flatMap(\.rules) {
            var converted = converter.convert(rule)
            if components.count + converted.components.count >= Self.limit {
                let reason = "there are more than \(Self.limit) components"
                if rule.excludes {
                    components.append(
                        Component(path: "*", query: [], fragment: nil, excludes: true, rule: rule))
                    for later in details.flatMap(\.rules) { reasons[later.pointer] = reasons[later.pointer] ?? reason }
                    break rules
                }
                converted = (converted.reason ?? reason, [])
            }
            if let reason = converted.reason { reasons[rule.pointer] = reason }
            // Of the same conditions the first decide.
            components += converted.components.filter { seen.insert(Self.key($0)).inserted }
        }
        // What earlier ones decide has no effect.
        var coverage = DynamicCoverage(dynamicComponents)
        let covered = Set(coverage.covered().map(\.component))
        components = components.indices.filter { !covered.contains($0) }.map { components[$0] }
        if !components.contains(where: { !$0.excludes }) {
            components = [Component(path: "*", query: [], fragment: nil, excludes: true, rule: nil)]
        }
        check(document, app, host, limits)
    }

    private static func key(_ component: Component) -> [String] {
        [component.path ?? "", component.fragment ?? ""]
            + component.query.sorted { $0.name < $1.name }.flatMap { [$0.name, $0.value] }
    }

    /// The components as Android reads them.
    package var dynamicComponents: [DynamicComponent] { Self.dynamic(components) }

    private static func dynamic(_ components: [Component]) -> [DynamicComponent] {
        components.enumerated().map { index, component in
            DynamicComponent(
                path: component.path, query: component.query, fragment: component.fragment,
                excludes: component.excludes, index: index)
        }
    }

    private mutating func check(
        _ document: AssociationDocument, _ app: String, _ host: String, _ limits: ComparisonLimits
    ) {
        func compare(_ components: [Component]) -> PlatformComparison {
            PlatformComparison(
                document, app: app, android: [ComparedAndroidApp("", components: Self.dynamic(components))], host: host,
                limits: limits)
        }
        var comparison = compare(components)
        // A guard keeps links in the browser that a later rule opens on iOS; often nothing is wrong without it.
        let costly = Set(
            comparison.changes.compactMap { change in
                change.kind == .onlyIOS ? change.android.component?.component : nil
            }
        ).filter { components[$0].isGuard }
        if !costly.isEmpty {
            let fewer = components.indices.filter { !costly.contains($0) }.map { components[$0] }
            let other = compare(fewer)
            if other.undecided.isEmpty, other.changes.allSatisfy({ $0.kind == .onlyIOS }) {
                components = fewer
                comparison = other
            }
        }
        for change in comparison.changes {
            guard change.kind == .onlyIOS else {
                wrongWitness = wrongWitness ?? change.witness
                continue
            }
            let excluding = change.android.component.flatMap { components[$0.component].rule }
            let own = change.ios.rule.flatMap { reasons[$0.pointer] }
            var other = excluding.flatMap { reasons[$0.pointer] }
            if let excluding, excluding.excludes, let reason = other {
                other = "the exclusion of \(quoted(excluding.path)) takes more on Android: \(reason)"
            }
            differences.append(
                Difference(
                    witness: change.witness, rule: change.ios.rule,
                    reason: other ?? own ?? "no rule on Android opens the same links"))
        }
        undecided = comparison.undecided.compactMap {
            $0.ios ?? $0.android?.component.flatMap { components[$0.component].rule }
        }
    }
}

/// Converts rules, one by one.
struct RuleConverter {
    private let parsers: PatternParsers
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private let variables = PatternVariables()

    init(_ parsers: PatternParsers, _ limits: ComparisonLimits, _ budget: ComparisonBudget) {
        self.parsers = parsers
        self.limits = limits
        self.budget = budget
    }

    /// The components of a rule, and why they do not say the same; no reason if they do.
    mutating func convert(_ rule: Rule) -> (reason: String?, components: [ComponentConversion.Component]) {
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        // Letters are converted as they are written.
        let parser = parsers.parser(Comparison(caseSensitive: true, percentEncoded: rule.percentEncoded))
        func expansion(_ text: String) -> PatternExpansion {
            PatternExpansion(parser.parse(text), comparison, excludes: rule.excludes)
        }
        let path =
            rule.path == "*"
            ? nil
            : PathTranslation(
                parsers.parser(comparison).parse(rule.path), comparison, expansion(rule.path), excludes: rule.excludes,
                variables, limits, budget)
        let fragment = TextTranslation(
            expansion(rule.fragment), start: "", absent: "a URL without a fragment", excludes: rule.excludes)
        let query = QueryTranslation(rule, parser, comparison)
        let reason = path?.reason ?? query.reason ?? fragment.reason

        var paths: [(pattern: String?, excludes: Bool)] = []
        for pattern in path?.guards ?? [] { paths.append((pattern, true)) }
        if let patterns = path?.patterns {
            for pattern in patterns { paths.append((pattern, rule.excludes)) }
        } else {
            paths.append((nil, rule.excludes))
        }
        let fragments: [String?] = fragment.patterns.map { $0.map { $0 } } ?? [nil]
        let count = paths.count * query.choices.count * fragments.count
        guard count <= ComponentConversion.ruleLimit else {
            let reason = reason ?? "it takes more than \(ComponentConversion.ruleLimit) components"
            guard rule.excludes else { return (reason, []) }
            let all = ComponentConversion.Component(path: "*", query: [], fragment: nil, excludes: true, rule: rule)
            return (reason, [all])
        }
        var components: [ComponentConversion.Component] = []
        for (path, excludes) in paths {
            for items in query.choices {
                for fragment in fragments {
                    // Without any pattern it would match no URL.
                    let isEmpty = path == nil && items.isEmpty && fragment == nil
                    components.append(
                        ComponentConversion.Component(
                            path: isEmpty ? "*" : path, query: items, fragment: fragment, excludes: excludes,
                            rule: rule))
                }
            }
        }
        return (reason, components)
    }
}
