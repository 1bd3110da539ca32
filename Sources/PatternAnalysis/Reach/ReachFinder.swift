package import AppSiteAssociation
package import URLPatterns

/// Finds the rules of a file that an earlier rule leaves nothing to decide (validation.md, 3.5).
package struct ReachFinder {
    /// An entry of `details`: the rules that are asked for its apps, in order.
    package struct Entry {
        let rules: [Rule]
        /// Numbers of the apps, equal for equal app IDs, each once.
        let apps: [Int]

        package init(rules: [Rule], apps: [Int]) {
            self.rules = rules
            self.apps = apps
        }
    }

    /// A rule that decides nothing, and the earliest one before it that has decided all its URLs.
    package struct Shadowed {
        package let rule: Int
        package let shadowedBy: Int
        /// Why it is so.
        package let proof: ContainmentProof
        /// The apps for which it is so, in the order of the entry; nil for all of the entry.
        package fileprivate(set) var apps: [Int]?
        /// Rules that have decided its URLs for others of these apps than `shadowedBy` has.
        package fileprivate(set) var alsoBy: [Int] = []
    }

    /// The rules, in the order in which they are asked.
    package let rules: [Rule]
    /// The number of the entry that each is in.
    package let entries: [Int]
    /// The apps of each entry.
    private let apps: [Set<Int>]
    private let orderedApps: [[Int]]
    private let appCount: Int
    private let scopes: AppScopes
    private let parsers: PatternParsers
    private var comparer = PatternComparer()
    /// The rules of which it is not known whether an earlier one covers them, because the patterns are too large.
    package private(set) var undecided: [Int] = []
    private var shapes: [RuleShape] = []
    private var shapeTable: ShapeTable
    /// For each scope, what was asked before.
    private var asked: [Asked]

    private struct Asked {
        /// The first rule that matches every URL.
        var everything: Int?
        /// For each comparison (see `comparisons`) the other rules, by the beginnings that their paths have.
        var others = [PrefixIndex<Candidate>](repeating: PrefixIndex(), count: ReachFinder.comparisons.count)
    }

    /// The facts that show at a glance that a rule does not cover another.
    private struct Candidate {
        let number: Int
        let minimumLength: Int
        let required: SymbolMask

        init(_ number: Int, _ shape: RuleShape) {
            self.number = number
            minimumLength = shape.path.minimumLength
            required = shape.required
        }
    }

    private static let comparisons = [(true, true), (false, true), (true, false), (false, false)].map {
        Comparison(caseSensitive: $0.0, percentEncoded: $0.1)
    }

    /// More rules are not compared: no file of a size that the system reads has so many.
    private static let limit = 50_000

    package init(_ entries: [Entry], variables: SubstitutionVariables) {
        rules = entries.flatMap(\.rules)
        self.entries = entries.enumerated().flatMap { number, entry in entry.rules.map { _ in number } }
        orderedApps = entries.map(\.apps)
        apps = orderedApps.map(Set.init)
        appCount = Set(orderedApps.joined()).count
        scopes = AppScopes(apps)
        parsers = PatternParsers(variables)
        shapeTable = ShapeTable(parsers)
        asked = scopes.wider.map { _ in Asked() }
    }

    /// All shadowed rules, in file order.
    package mutating func shadowed() -> [Shadowed] {
        guard rules.count <= Self.limit else {
            undecided = Array(rules.indices)
            return []
        }
        shapes.reserveCapacity(rules.count)
        var result: [Shadowed] = []
        for number in rules.indices {
            let shape = shape(of: number, nil)
            shapes.append(shape)
            // What matches nothing is the fault of its variable.
            guard !shape.isEmpty else { continue }
            let scope = scopes.scopes[entries[number]]
            comparer.hasGivenUp = false
            let cover = earliestCover(of: number, scopes.wider[scope])
            if let cover { result.append(Shadowed(rule: number, shadowedBy: cover.number, proof: cover.proof)) }
            if cover == nil, comparer.hasGivenUp { undecided.append(number) }
            if shape.isEverything {
                if asked[scope].everything == nil { asked[scope].everything = number }
            } else if let index = Self.comparisons.firstIndex(of: shape.comparison) {
                asked[scope].others[index].insert(
                    Candidate(number, shape), beginning: shape.path.knownBeginning)
            }
        }
        let others = shadowedForSomeApps(besides: result)
        return others.isEmpty ? result : (result + others).sorted { $0.rule < $1.rule }
    }

    /// The rules whose opposite has been decided before for some of their apps, in other entries with these.
    private mutating func shadowedForSomeApps(besides others: [Shadowed]) -> [Shadowed] {
        guard scopes.hasOverlaps else { return [] }
        let known = Set(others.map(\.rule)).union(undecided)
        return rules.indices.compactMap { number in
            let overlapping = scopes.overlapping[scopes.scopes[entries[number]]]
            guard !overlapping.isEmpty, !known.contains(number), !shapes[number].isEmpty else { return nil }
            return oppositeCover(of: number, overlapping)
        }
    }

    private mutating func oppositeCover(of number: Int, _ overlapping: [Int]) -> Shadowed? {
        let covers = overlapping.compactMap { scope in
            earliestCover(of: number, [scope]).map { (number: $0.number, proof: $0.proof) }
        }
        let own = orderedApps[entries[number]]
        var decided = Set<Int>()
        var result: Shadowed?
        for cover in covers.sorted(by: { $0.number < $1.number }) {
            let apps = own.filter { self.apps[entries[cover.number]].contains($0) && decided.insert($0).inserted }
            guard !apps.isEmpty, rules[cover.number].excludes != rules[number].excludes else { continue }
            if result == nil {
                result = Shadowed(rule: number, shadowedBy: cover.number, proof: cover.proof, apps: apps)
            } else {
                result?.apps?.append(contentsOf: apps)
                result?.alsoBy.append(cover.number)
            }
        }
        if result?.apps?.count == own.count { result?.apps = nil }
        return result
    }

    /// Whether a rule matches no URL, because a variable has no values, and whether it matches every URL.
    package mutating func extent(of rule: Rule) -> (isEmpty: Bool, isEverything: Bool) {
        let shape = RuleShape(rule, Comparison(of: rule), &shapeTable, &comparer)
        return (shape.isEmpty, shape.isEverything || shape.isOpen && shape.path.isEverything)
    }

    /// Whether a rule also covers the one before it: then they match the same URLs, and moving it does not help.
    package mutating func isSame(_ shadowed: Shadowed) -> Bool {
        let wide = shapes[shadowed.rule]
        guard let narrow = normalized(shadowed.shadowedBy, shapes[shadowed.shadowedBy], for: wide.comparison) else {
            return false
        }
        return comparer.covers(wide, narrow).isProved
    }

    /// Whether there are apps about which a rule decides nothing: they may open what it leaves closed.
    package func hasOtherApps(_ shadowed: Shadowed) -> Bool { apps[entries[shadowed.rule]].count < appCount }

    /// A URL that both rules match, and that the earlier of them decides for the first of the apps.
    package mutating func witness(_ shadowed: Shadowed) -> String? {
        let witness = WitnessURL(shape: shapes[shadowed.rule])
        guard let text = witness.text(&comparer), let url = WebURL(text.utf8) else { return nil }
        guard matches(shadowed.shadowedBy, url) == true, matches(shadowed.rule, url) == true else { return nil }
        return isDecidedBefore(shadowed, url) == false ? text : nil
    }

    /// For asking rules about witnesses: files made to take long get fewer.
    private var questions = WorkBudget()

    /// The first app for which a rule decides nothing.
    private func app(_ shadowed: Shadowed) -> Int? {
        let apps = shadowed.apps ?? orderedApps[entries[shadowed.rule]]
        return apps.first { self.apps[entries[shadowed.shadowedBy]].contains($0) }
    }

    /// The work that was spent on all questions, in steps of automata, which take about twice as long as others.
    package var work: Int { comparer.automataBudget.spent + (questions.spent + comparer.budget.spent) / 2 }

    /// Nil if that would take too long.
    private mutating func matches(_ number: Int, _ url: WebURL) -> Bool? {
        questions.spend(1_000 + RuleMatcher.parsingCost(rules[number]))
        if questions.isSpent { return nil }
        return RuleMatcher(rules[number], parsers).matches(url, &questions)
    }

    /// Whether a rule before the shadowing one decides about a URL for the first app; nil if that would take too long.
    private mutating func isDecidedBefore(_ shadowed: Shadowed, _ url: WebURL) -> Bool? {
        guard let app = app(shadowed) else { return nil }
        let slash = UInt8(ascii: "/")
        let path = Array(url.path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed())
        for (index, comparison) in Self.comparisons.enumerated() {
            let text = PatternSymbol.symbols(of: comparison.prepare(path), percentEncoded: comparison.percentEncoded)
            for scope in asked.indices {
                if let everything = asked[scope].everything, everything < shadowed.shadowedBy,
                    apps[entries[everything]].contains(app)
                {
                    return true
                }
                if asked[scope].others[index].isEmpty { continue }
                questions.spend(asked[scope].others[index].cost(of: text))
                for candidate in asked[scope].others[index].candidates(for: text).joined() {
                    questions.spend(1)
                    guard candidate.number < shadowed.shadowedBy, apps[entries[candidate.number]].contains(app) else {
                        continue
                    }
                    guard let isMatch = matches(candidate.number, url) else { return nil }
                    if isMatch { return true }
                }
            }
        }
        return false
    }

    /// The first of the rules of some scopes that covers a later rule.
    private mutating func earliestCover(
        of number: Int, _ scopes: [Int]
    ) -> (number: Int, proof: ContainmentProof)? {
        let shape = shapes[number]
        var best: (number: Int, proof: ContainmentProof)?
        for wider in scopes {
            if let everything = asked[wider].everything, everything < best?.number ?? number {
                best = (everything, .proved)
            }
        }
        for (index, comparison) in Self.comparisons.enumerated() {
            var seen: RuleShape?
            for wider in scopes {
                comparer.budget.spend(1)
                if asked[wider].others[index].isEmpty { continue }
                if comparer.budget.isSpent {
                    comparer.hasGivenUp = true
                    break
                }
                guard let narrow = seen ?? normalized(number, shape, for: comparison) else { break }
                seen = narrow
                let beginning = narrow.path.commonBeginning(&comparer)
                comparer.budget.spend(asked[wider].others[index].cost(of: beginning))
                let candidates = asked[wider].others[index].candidates(for: beginning)
                if let found = cover(of: narrow, candidates, before: best?.number ?? number) { best = found }
            }
        }
        return best
    }

    private mutating func cover(
        of narrow: RuleShape, _ lists: [[Candidate]], before limit: Int
    ) -> (number: Int, proof: ContainmentProof)? {
        var best: (number: Int, proof: ContainmentProof)?
        let sampled = narrow.sampled
        let length = narrow.path.sample?.count ?? .max
        for candidates in lists {
            let limit = best?.number ?? limit
            var steps = 0
            for candidate in candidates {
                if candidate.number >= limit { break }
                steps += 1
                guard candidate.required.mayBeSubset(of: sampled), candidate.minimumLength <= length else { continue }
                let cover = comparer.covers(shapes[candidate.number], narrow)
                guard cover.isProved else { continue }
                best = (candidate.number, cover)
                break
            }
            comparer.budget.spend(steps)
        }
        return best
    }

    /// A rule as one with another comparison has to cover it; nil if they cannot be compared.
    private mutating func normalized(_ number: Int, _ shape: RuleShape, for comparison: Comparison) -> RuleShape? {
        if comparison == shape.comparison { return shape }
        guard comparison.percentEncoded == shape.comparison.percentEncoded else { return nil }
        return comparison.caseSensitive ? shape : self.shape(of: number, comparison)
    }

    private mutating func shape(of number: Int, _ comparison: Comparison?) -> RuleShape {
        RuleShape(rules[number], comparison ?? Comparison(of: rules[number]), &shapeTable, &comparer)
    }
}

extension Comparison {
    init(of rule: Rule) {
        self.init(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
    }
}

/// Which rules decide for which apps: rules of entries with the same apps are in one scope.
///
/// An earlier rule leaves nothing to a later one only if it decides for each of its apps (validation.md, 3.5).
struct AppScopes {
    /// The scope of each entry.
    let scopes: [Int]
    /// For each scope those whose rules decide for all of its apps, itself among them.
    let wider: [[Int]]
    /// For each scope the others whose rules decide for some of its apps, but not for all.
    let overlapping: [[Int]]
    /// Whether there are any of these.
    let hasOverlaps: Bool

    /// The number of apps that are looked up before scopes are no longer compared, in hostile files.
    private static let work = 5_000_000

    init(_ entries: [Set<Int>]) {
        var numbers: [Set<Int>: Int] = [:]
        var sets: [Set<Int>] = []
        var scopes: [Int] = []
        for apps in entries {
            let number = numbers[apps] ?? sets.count
            if number == sets.count {
                numbers[apps] = number
                sets.append(apps)
            }
            scopes.append(number)
        }
        var naming: [Int: [Int]] = [:]
        for (number, apps) in sets.enumerated() {
            for app in apps { naming[app, default: []].append(number) }
        }
        self.scopes = scopes
        var work = Self.work
        let wider: [[Int]] = sets.enumerated().map { number, apps in
            // Only those that name its rarest app can name all.
            let fewest = apps.compactMap { naming[$0] }.min { $0.count < $1.count } ?? []
            work -= apps.count * fewest.count
            return work > 0 ? fewest.filter { apps.isSubset(of: sets[$0]) } : [number]
        }
        self.wider = wider
        overlapping = sets.enumerated().map { number, apps in
            let named = apps.compactMap { naming[$0] }
            work -= named.reduce(0) { $0 + $1.count }
            return work > 0 ? Set(named.joined()).subtracting(wider[number]).sorted() : []
        }
        hasOverlaps = overlapping.contains { !$0.isEmpty }
    }
}
