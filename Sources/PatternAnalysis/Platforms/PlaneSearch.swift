internal import URLPatterns

/// Goes through the kinds of URLs of a plane that the rules of two sides tell apart.
struct PlaneSearch {
    private let patterns: PlanePatterns
    private let programs: [[PlaneRule]]
    private let leftCount: Int
    private let plane: LinkPlane
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var knownQueries: [[Int]: PlaneRegions] = [:]
    private var knownFragments: [[Int]: PlaneRegions] = [:]

    /// A kind of URLs, and the rule of each program that decides about them.
    struct Kind {
        let left: [PlaneRule?]
        let right: [PlaneRule?]
        /// The shortest URL, from its path on.
        let text: [UInt8]
    }

    init(
        _ patterns: PlanePatterns, _ left: PlaneSide, _ right: PlaneSide, _ plane: LinkPlane,
        _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        self.patterns = patterns
        programs = left.programs + right.programs
        leftCount = left.programs.count
        self.plane = plane
        self.limits = limits
        self.budget = budget
    }

    /// Calls for each kind of URLs that is found, those with shorter paths first.
    ///
    /// - Returns: The rules of both sides of which not all kinds of URLs are known.
    mutating func run(_ body: (Kind) -> Void) -> (left: Set<Int>, right: Set<Int>) {
        let paths = pathRegions()
        var open: (left: Set<Int>, right: Set<Int>) = ([], [])
        func leave(_ rules: [[PlaneRule]]) {
            open.left.formUnion(rules[..<leftCount].joined().map(\.number))
            open.right.formUnion(rules[leftCount...].joined().map(\.number))
        }
        if !paths.isComplete { leave(programs) }
        for path in paths.regions {
            let met = Set(path.met.map(Int.init))
            let rules = programs.map { rules in
                budget.spend(rules.count)
                return Self.asked(rules.filter { $0.path.map(met.contains) ?? true })
            }
            guard !budget.isSpent else {
                leave(rules)
                continue
            }
            if !run(path.text, rules, body) { leave(rules) }
        }
        return open
    }

    /// The rules up to the first that asks for nothing more.
    private static func asked(_ rules: [PlaneRule]) -> [PlaneRule] {
        guard let last = rules.firstIndex(where: \.isPathOnly) else { return rules }
        return Array(rules[...last])
    }

    private mutating func run(_ path: [UInt8], _ rules: [[PlaneRule]], _ body: (Kind) -> Void) -> Bool {
        let queries = queryRegions(Set(rules.joined().flatMap(\.queries)).sorted())
        let fragments = fragmentRegions(Set(rules.joined().compactMap(\.fragment)).sorted())
        for query in queries.regions {
            let metQueries = Set(query.met.map(Int.init))
            for fragment in fragments.regions {
                let metFragments = Set(fragment.met.map(Int.init))
                let decided = rules.map { rules in
                    rules.first { rule in
                        rule.queries.allSatisfy(metQueries.contains) && rule.fragment.map(metFragments.contains) ?? true
                    }
                }
                budget.spend(20 + rules.reduce(0) { $0 + $1.count } * 2)
                guard !budget.isSpent else { return false }
                body(
                    Kind(
                        left: Array(decided[..<leftCount]), right: Array(decided[leftCount...]),
                        text: path + query.text + fragment.text))
            }
        }
        return queries.isComplete && fragments.isComplete
    }

    private func pathRegions() -> PlaneRegions {
        let slash = [UInt8(ascii: "/")]
        guard !patterns.paths.isEmpty else { return PlaneRegions(regions: [PlaneRegion(met: [], text: slash)]) }
        let symbols = PlaneAlphabet(patterns.paths, .path, plane, spares: 0, budget).symbols
        let tracks = patterns.paths.map { PlaneTrack($0, symbols, isPath: true, plane, budget) }
        let order = PlanePathOrder(programs, tracks)
        let reader = PathReader(tracks, symbols, plane) { order.important($0) }
        return PlaneWalk.regions(reader, prefix: slash, limits, budget, reserve: budget.rest / 3)
    }

    private mutating func fragmentRegions(_ numbers: [Int]) -> PlaneRegions {
        guard !numbers.isEmpty else { return .nothing }
        if let known = knownFragments[numbers] { return known }
        let own = numbers.map { patterns.fragments[$0] }
        let symbols = PlaneAlphabet(own, .fragment, plane, spares: 0, budget).symbols
        let tracks = own.map { PlaneTrack($0, symbols, isPath: false, plane, budget) }
        // Apple's rules see no fragment as an empty one.
        let absent = own.indices.filter { own[$0].view != .android && tracks[$0].isAccepting(tracks[$0].start) }
        let found = PlaneWalk.regions(
            FragmentReader(tracks, symbols, plane), prefix: [UInt8(ascii: "#")], limits, budget)
        let result = Self.named(found, absent, numbers)
        knownFragments[numbers] = result
        return result
    }

    private mutating func queryRegions(_ numbers: [Int]) -> PlaneRegions {
        guard !numbers.isEmpty else { return .nothing }
        if let known = knownQueries[numbers] { return known }
        // The patterns that these conditions need, with numbers of their own.
        var used: [Int] = []
        var slots: [Int: Int] = [:]
        func slot(_ pattern: Int) -> Int {
            if let known = slots[pattern] { return known }
            slots[pattern] = used.count
            used.append(pattern)
            return used.count - 1
        }
        let conditions = numbers.map { number -> PlaneQuery in
            switch patterns.queries[number] {
            case .text(let pattern): .text(slot(pattern))
            case .entry(let pattern): .entry(slot(pattern))
            case .items(let items):
                .items(items.map { PlaneQuery.Item(name: slot($0.name), value: slot($0.value)) })
            }
        }
        let own = used.map { patterns.texts[$0] }
        let symbols = PlaneAlphabet(own, .query, plane, spares: 5, budget).symbols
        let tracks = own.map { PlaneTrack($0, symbols, isPath: false, plane, budget) }
        func takesNothing(_ track: Int) -> Bool { tracks[track].isAccepting(tracks[track].start) }
        let absent = conditions.indices.filter { index in
            switch conditions[index] {
            case .text(let track): takesNothing(track)
            case .entry: false
            case .items(let items): items.allSatisfy { takesNothing($0.value) }
            }
        }
        let found = PlaneWalk.regions(
            QueryItemReader(tracks, conditions, symbols, plane), prefix: [UInt8(ascii: "?")], limits, budget)
        let result = Self.named(found, absent, numbers)
        knownQueries[numbers] = result
        return result
    }

    /// The regions with that of the absent part, and with the numbers of all conditions.
    private static func named(_ found: PlaneRegions, _ absent: [Int], _ numbers: [Int]) -> PlaneRegions {
        let absent = PlaneRegion(met: absent.map(Int32.init), text: [])
        let all = [absent] + found.regions.filter { $0.met != absent.met }
        return PlaneRegions(
            regions: all.map { region in
                PlaneRegion(met: region.met.map { Int32(numbers[Int($0)]) }, text: region.text)
            }, isComplete: found.isComplete)
    }
}
