internal import AssetLinks
internal import URLPatterns

/// The dynamic rules of some apps as one side of a comparison.
struct AndroidSide {
    /// A decision of the reference matcher.
    struct Answer {
        let outcome: DynamicOutcome
        /// Those that open the URL, in file order.
        let packages: [String]
        let component: DynamicComponent?
    }

    /// The components of all apps, in file order.
    let components: [DynamicComponent]
    private(set) var side = PlaneSide()
    private let apps: [(package: String, matcher: DynamicRuleMatcher)]

    init(
        _ apps: [(package: String, components: [DynamicComponent])], _ patterns: inout PlanePatterns,
        _ budget: ComparisonBudget
    ) {
        self.apps = apps.map { ($0.package, DynamicRuleMatcher($0.components)) }
        var components: [DynamicComponent] = []
        for app in apps {
            var program: [PlaneRule] = []
            for component in app.components {
                // Without a pattern it matches no URL.
                if !component.isEmpty { program.append(Self.rule(component, components.count, &patterns, budget)) }
                components.append(component)
            }
            side.programs.append(program)
        }
        self.components = components
    }

    private static func rule(
        _ component: DynamicComponent, _ number: Int, _ patterns: inout PlanePatterns, _ budget: ComparisonBudget
    ) -> PlaneRule {
        var rule = PlaneRule(excludes: component.excludes, number: number)
        rule.path = component.path.flatMap { pattern in
            patterns.number(key(.path, pattern)) { PlanePattern(pattern, budget) }
        }
        rule.fragment = component.fragment.flatMap { pattern in
            patterns.number(key(.fragment, pattern)) { PlanePattern(pattern, budget) }
        }
        for item in component.query {
            let number = patterns.number(key(.query, item.pattern)) {
                var pattern = PlanePattern(item.pattern, budget)
                pattern.names = [Array(item.name.utf8)]
                return pattern
            }
            if let number { rule.queries.append(patterns.number(.entry(number))) }
        }
        return rule
    }

    private static func key(_ part: PlanePatterns.Part, _ pattern: AndroidPattern) -> PlanePatterns.Key {
        PlanePatterns.Key(part: part, view: .android, text: Array(pattern.text.utf8))
    }

    /// The decision of the reference matcher about a URL; nil if it takes too much.
    func decide(_ url: AndroidURL, _ budget: ComparisonBudget) -> Answer? {
        var rest = WorkBudget(budget.rest)
        defer { budget.spend(budget.rest - rest.left) }
        var packages: [String] = []
        var (firstOpen, firstExcluded): (DynamicComponent?, DynamicComponent?)
        for app in apps {
            guard let decision = app.matcher.decide(url, &rest) else { return nil }
            switch decision.outcome {
            case .open:
                packages.append(app.package)
                firstOpen = firstOpen ?? decision.component
            case .excluded: firstExcluded = firstExcluded ?? decision.component
            case .noMatch: break
            }
        }
        let outcome: DynamicOutcome = firstOpen != nil ? .open : firstExcluded != nil ? .excluded : .noMatch
        return Answer(outcome: outcome, packages: packages, component: firstOpen ?? firstExcluded)
    }
}

extension PlanePattern {
    /// A pattern of a dynamic rule.
    init(_ pattern: AndroidPattern, _ budget: ComparisonBudget) {
        automaton = pattern.automaton(reading: AndroidDecisions.reading)
        view = .android
        characters = pattern.text.unicodeScalars.filter { $0 != "*" && $0 != "?" }
        // `**` and `*?` look for characters that the pattern does not write as such.
        escapes = []
        budget.spend(automaton.stateCount * 8)
    }
}
