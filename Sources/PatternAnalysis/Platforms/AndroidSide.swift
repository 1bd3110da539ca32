package import Android
internal import BoundedText
package import Diagnostics
internal import URLPatterns

/// An app on the Android side of a comparison: its dynamic rules, its manifest, or both.
package struct ComparedAndroidApp: Sendable {
    let package: String
    /// The dynamic rules in force; nil if the manifest alone decides.
    let components: [DynamicComponent]?
    /// Nil if the filters take every link of the host.
    let manifest: (manifest: AppManifest, source: SourceText)?

    package init(
        _ package: String, components: [DynamicComponent]?, manifest: (manifest: AppManifest, source: SourceText)? = nil
    ) {
        self.package = package
        self.components = components
        self.manifest = manifest
    }
}

/// The part of a file that decides a URL on Android.
package enum AndroidDecider: Sendable {
    case component(DynamicComponent)
    case filter(Filter)

    /// A filter of a manifest.
    package struct Filter: Sendable {
        package let path: String
        package let position: SourcePosition
        /// The name of its activity, as it is written; nil if there is none.
        package let activity: String?
    }

    package var component: DynamicComponent? { if case .component(let component) = self { component } else { nil } }

    package var position: SourcePosition {
        switch self {
        case .component(let component): component.position
        case .filter(let filter): filter.position
        }
    }
}

/// The dynamic rules and manifests of some apps as one side of a comparison.
struct AndroidSide {
    /// All that can decide: the components of all apps in file order, then filters.
    private(set) var deciders: [AndroidDecider] = []
    private(set) var side = ComparedSide()
    private var apps: [App] = []
    /// The conditions of each filter as they are written, by the number of the filter.
    private var conditions: [Int: [String?]] = [:]

    private struct App {
        let app: ComparedAndroidApp
        let matcher: DynamicRuleMatcher?
        /// The numbers of its programs: each of its filters has one.
        var filters: Range<Int> = 0..<0
        var dynamic: Int?
    }

    /// - Parameter host: In lower case, in Punycode.
    init(
        _ apps: [ComparedAndroidApp], host: String, _ patterns: inout PatternTable, _ budget: ComparisonBudget
    ) {
        deciders = apps.flatMap { $0.components ?? [] }.map(AndroidDecider.component)
        var first = 0
        for app in apps {
            var own = App(app: app, matcher: app.components.map { DynamicRuleMatcher($0) })
            own.filters = addFilters(of: app, host, &patterns, budget)
            if let components = app.components {
                own.dynamic = side.programs.count
                side.programs.append(
                    components.enumerated().compactMap { index, component in
                        // Without a pattern it matches no URL.
                        component.isEmpty ? nil : Self.rule(component, first + index, &patterns, budget)
                    })
                first += components.count
            }
            self.apps.append(own)
        }
    }

    /// - Returns: The numbers of the programs.
    private mutating func addFilters(
        of app: ComparedAndroidApp, _ host: String, _ patterns: inout PatternTable, _ budget: ComparisonBudget
    ) -> Range<Int> {
        let start = side.programs.count
        guard let (manifest, source) = app.manifest,
            case .filters(let filters, let undivided) = manifest.rules(for: host)
        else { return start..<start }
        for (filter, rules) in filters {
            let program = rules.enumerated().compactMap { index, rule in
                Self.rule(rule, deciders.count, condition: index, &patterns, budget)
            }
            conditions[deciders.count] = rules.map(\.text)
            if program.count == rules.count {
                side.programs.append(program)
            } else {
                side.leftOut.append(deciders.count)
            }
            deciders.append(Self.decider(filter, source))
        }
        for filter in undivided {
            side.leftOut.append(deciders.count)
            deciders.append(Self.decider(filter, source))
        }
        return start..<side.programs.count
    }

    private static func rule(
        _ component: DynamicComponent, _ number: Int, _ patterns: inout PatternTable, _ budget: ComparisonBudget
    ) -> ComparedRule {
        var rule = ComparedRule(excludes: component.excludes, number: number)
        rule.path = component.path.flatMap { pattern in
            patterns.number(key(.path, pattern)) { PartPattern(pattern, budget) }
        }
        rule.fragment = component.fragment.flatMap { pattern in
            patterns.number(key(.fragment, pattern)) { PartPattern(pattern, budget) }
        }
        for item in component.query {
            let number = patterns.number(key(.query, item.pattern)) {
                var pattern = PartPattern(item.pattern, budget)
                pattern.names = [Array(item.name.utf8)]
                return pattern
            }
            if let number { rule.queries.append(patterns.queries.number(.entry(number))) }
        }
        return rule
    }

    /// A rule of a filter; nil if it cannot be said exactly, or if that takes too much.
    private static func rule(
        _ filterRule: FilterRule, _ number: Int, condition: Int, _ patterns: inout PatternTable,
        _ budget: ComparisonBudget
    ) -> ComparedRule? {
        var rule = ComparedRule(excludes: !filterRule.takes, number: number, condition: condition)
        for (part, pattern) in filterRule.conditions {
            guard !budget.isSpent, let made = PartPattern(pattern, budget) else { return nil }
            switch part {
            case .path:
                guard rule.path == nil else { return nil }
                rule.path = patterns.number(made, .path)
            case .fragment:
                guard rule.fragment == nil else { return nil }
                rule.fragment = patterns.number(made, .fragment)
            case .query: rule.queries.append(patterns.queries.number(.entry(patterns.number(made, .query))))
            }
        }
        return rule
    }

    private static func key(_ part: PatternTable.Part, _ pattern: AndroidPattern) -> PatternTable.Key {
        PatternTable.Key(part: part, view: .android, text: Array(pattern.text.utf8))
    }
}

extension AndroidSide {
    /// The condition of a filter as it is written; nil if it has none, or if it is not a filter that decides.
    func condition(_ rule: ComparedRule?) -> String? { rule.flatMap { conditions[$0.number]?[$0.condition] } }

    /// The decision about a kind of URLs: whether an app opens them, and what decides, if anything does.
    ///
    /// - Parameter rules: For each program the rule that decides.
    func decision(_ rules: [ComparedRule?]) -> (opens: Bool, rule: ComparedRule?) {
        var excluded: ComparedRule?
        for app in apps {
            let filter = app.filters.lazy.compactMap { rules[$0] }.first { !$0.excludes }
            if app.app.manifest != nil, filter == nil { continue }
            guard let dynamic = app.dynamic else { return (true, filter) }
            guard let rule = rules[dynamic] else { continue }
            if !rule.excludes { return (true, rule) }
            excluded = excluded ?? rule
        }
        return (false, excluded)
    }

    /// The decision of the reference matchers about a URL; nil if it takes too much, or only a build tells.
    func decide(_ text: String, _ budget: ComparisonBudget) -> PlatformComparison.Change.Android? {
        guard let url = AndroidURL(text) else { return nil }
        lazy var link = AndroidLink(text)
        var rest = WorkBudget(budget.rest)
        defer { budget.spend(budget.rest - rest.left) }
        var packages: [String] = []
        var (open, excluded): (AndroidDecider?, AndroidDecider?)
        var isByManifest = true
        for app in apps {
            var filter: AndroidDecider?
            if let (manifest, source) = app.app.manifest {
                guard let link else { return nil }
                let verdict = manifest.verdict(on: link, &rest)
                switch verdict.decision {
                case .undecided: return nil
                case .no: continue
                case .yes: filter = verdict.filter.map { Self.decider($0, source) }
                }
            }
            guard let matcher = app.matcher else {
                packages.append(app.app.package)
                open = open ?? filter
                continue
            }
            isByManifest = false
            guard let decision = matcher.decide(url, &rest) else { return nil }
            switch decision.outcome {
            case .open:
                packages.append(app.app.package)
                open = open ?? decision.component.map(AndroidDecider.component)
            case .excluded: excluded = excluded ?? decision.component.map(AndroidDecider.component)
            case .noMatch, .unknown: break
            }
        }
        if case .filter? = open { isByManifest = true }
        let outcome: AndroidOutcome = !packages.isEmpty ? .open : excluded != nil ? .excluded : .noMatch
        return PlatformComparison.Change.Android(
            outcome: outcome, packages: packages, decider: open ?? excluded,
            isByManifest: isByManifest && !apps.isEmpty, hasApps: !apps.isEmpty)
    }

    private static func decider(_ filter: LinkFilter, _ source: SourceText) -> AndroidDecider {
        .filter(
            AndroidDecider.Filter(
                path: source.path, position: source.position(at: filter.range.start), activity: filter.activity))
    }
}

extension PartPattern {
    /// A pattern of a dynamic rule.
    init(_ pattern: AndroidPattern, _ budget: ComparisonBudget) {
        automaton = pattern.automaton()
        view = .android
        characters = pattern.text.unicodeScalars.filter { $0 != "*" && $0 != "?" }
        // `**` and `*?` look for characters that the pattern does not write as such.
        encodedTexts = []
        budget.spend(automaton.stateCount * 8)
    }

    /// A pattern of a manifest; nil if it has no automaton.
    init?(_ pattern: TextPattern, _ budget: ComparisonBudget) {
        guard let automaton = pattern.automaton() else { return nil }
        self.automaton = automaton
        view = .android
        characters = BoundedText.scalars(of: pattern.units)
        encodedTexts = []
        names = automaton.writtenName.map { [$0] } ?? []
        // It takes memory as long as the comparison lasts, and more while it is made.
        budget.spend(automaton.stateCount * 100 + automaton.edgeCount * 50)
    }
}

extension PatternAutomaton {
    /// The name of an item that every text begins with, before a `=`; nil if there is none. It reads UTF-16 units.
    fileprivate var writtenName: [UInt8]? {
        var (units, state): ([UInt16], Int) = ([], 0)
        for _ in 0..<stateCount {
            let edges = edges(from: state)
            guard !isAccepting(state), edges.count == 1, let edge = edges.first, case .symbol(let symbol) = edge.label
            else { return nil }
            if symbol == UInt32(UInt8(ascii: "=")) { return BoundedText.utf8(of: units) }
            units.append(UInt16(truncatingIfNeeded: symbol))
            state = edge.target
        }
        return nil
    }
}
