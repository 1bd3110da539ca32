internal import URLPatterns

/// A rule of either platform as a comparison sees it: numbers of patterns, or nil for parts of which nothing is asked.
struct ComparedRule {
    var path: Int?
    /// The conditions on the query, all of which have to be satisfied.
    var queries: [Int] = []
    var fragment: Int?
    let excludes: Bool
    /// The number of the rule on its side.
    let number: Int
    /// Which of the rules that have this number it is: a filter has one for each of its paths.
    var condition = 0

    /// Whether the path alone decides.
    var isPathOnly: Bool { queries.isEmpty && fragment == nil }
}

/// The distinct patterns and conditions of both sides, each with a number.
struct PatternTable {
    private(set) var paths: [PartPattern] = []
    /// Those of queries: of whole texts, of names and values, and of items.
    private(set) var texts: [PartPattern] = []
    var queries = QueryTable()
    private(set) var fragments: [PartPattern] = []
    private var numbers: [Key: Int] = [:]

    struct Key: Hashable {
        let part: Part
        let view: PatternView
        let text: [UInt8]
    }

    enum Part: Hashable {
        case path, query, fragment
    }

    /// The number of a pattern; nil if it is too large.
    mutating func number(_ key: Key, _ make: () -> PartPattern?) -> Int? {
        if let known = numbers[key] { return known }
        guard let pattern = make() else { return nil }
        let number = number(pattern, key.part)
        numbers[key] = number
        return number
    }

    /// The number of a pattern that has no text to be known by.
    mutating func number(_ pattern: PartPattern, _ part: Part) -> Int {
        switch part {
        case .path:
            paths.append(pattern)
            return paths.count - 1
        case .query:
            texts.append(pattern)
            return texts.count - 1
        case .fragment:
            fragments.append(pattern)
            return fragments.count - 1
        }
    }
}

/// Distinct conditions on the query, each with a number.
struct QueryTable {
    private var queries: [QueryCondition] = []
    private var numbers: [[Int]: Int] = [:]

    subscript(number: Int) -> QueryCondition { queries[number] }

    /// The number of a condition.
    mutating func number(_ query: QueryCondition) -> Int {
        let key: [Int] =
            switch query {
            case .text(let pattern): [0, pattern]
            case .entry(let pattern): [1, pattern]
            case .items(let items): items.reduce(into: [2]) { $0 += [$1.name, $1.value] }
            }
        if let known = numbers[key] { return known }
        queries.append(query)
        numbers[key] = queries.count - 1
        return queries.count - 1
    }
}

/// The rules of one side, for each group of apps that meets the same ones.
struct ComparedSide {
    /// The rules of each group, in the order of the apps.
    var programs: [[ComparedRule]] = []
    /// The rules with a pattern that is too large to be compared.
    var leftOut: [Int] = []
}

/// The order in which the programs of both sides ask for path patterns.
struct PathOrder {
    /// For each program where a pattern is first asked for, and where it is without a further condition.
    private let positions: [(first: [Int32], firstAlone: [Int32], end: Int32)]
    private let product: ProductAutomaton
    /// Whether there are too many positions to be kept.
    private let isTooLarge: Bool

    init(_ programs: [[ComparedRule]], _ product: ProductAutomaton) {
        self.product = product
        let count = product.automata.count
        isTooLarge = programs.count > 2_000_000 / max(1, count)
        positions = (isTooLarge ? [] : programs).map { rules in
            var first = [Int32](repeating: .max, count: count)
            var firstAlone = first
            var end = Int32.max
            for (index, rule) in rules.enumerated() {
                guard let path = rule.path else {
                    if rule.isPathOnly { end = min(end, Int32(index)) }
                    continue
                }
                first[path] = min(first[path], Int32(index))
                if rule.isPathOnly { firstAlone[path] = min(firstAlone[path], Int32(index)) }
            }
            return (first, firstAlone, end)
        }
    }

    /// The patterns that may still decide: none behind a rule that is known to match.
    func important(_ active: ActiveStates) -> ActiveStates {
        if isTooLarge { return active }
        var ends = positions.map(\.end)
        for (number, state) in active where product[number].isUniversal(state) {
            for index in ends.indices { ends[index] = min(ends[index], positions[index].firstAlone[Int(number)]) }
        }
        return active.keeping { number in
            positions.indices.contains { index in
                let first = positions[index].first[Int(number)]
                return first != .max && first <= ends[index]
            }
        }
    }
}
