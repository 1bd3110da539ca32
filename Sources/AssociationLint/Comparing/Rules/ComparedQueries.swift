internal import AppSiteAssociation

/// What a rule asks of a query.
enum ComparedQuery {
    /// The number of a pattern for the whole text.
    case text(Int)
    case items([Item])

    struct Item {
        /// As the rule compares it.
        let name: [UInt8]
        let comparison: Comparison
        /// The number of the pattern for its values.
        let value: Int
    }
}

/// The distinct query conditions of both files, each with a number.
struct ComparedQueries {
    private(set) var queries: [ComparedQuery] = []
    private var numbers: [[UInt8]: Int] = [:]

    subscript(number: Int) -> ComparedQuery { queries[number] }

    /// The number of a condition; nil if every query fulfils it.
    mutating func number(
        _ query: QueryPattern, _ comparison: Comparison, _ patterns: inout ComparedPatterns,
        _ file: inout VariableMeanings
    ) -> Int? {
        switch query {
        case .void: return nil
        case .text(let text):
            guard let pattern = patterns.number(text, comparison, isPath: false, &file) else { return nil }
            return add(.text(pattern), key: Array("text \(pattern)".utf8))
        case .items(let written):
            var items: [(key: [UInt8], item: ComparedQuery.Item)] = []
            for one in written {
                guard let value = patterns.number(one.value, comparison, isPath: false, &file) else { continue }
                let name = comparison.foldName(Array(one.name.utf8))
                var key: [UInt8] = []
                ComparedPatterns.append(0, name, to: &key)
                ComparedPatterns.append(1, Array(String(value).utf8), to: &key)
                items.append((key, ComparedQuery.Item(name: name, comparison: comparison, value: value)))
            }
            guard !items.isEmpty else { return nil }
            // The order of the names is of no importance.
            items.sort { $0.key.lexicographicallyPrecedes($1.key) }
            return add(.items(items.map(\.item)), key: items.flatMap(\.key))
        }
    }

    private mutating func add(_ query: ComparedQuery, key: [UInt8]) -> Int {
        if let known = numbers[key] { return known }
        queries.append(query)
        numbers[key] = queries.count - 1
        return queries.count - 1
    }
}
