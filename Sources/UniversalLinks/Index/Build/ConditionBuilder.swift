internal import AppSiteAssociation

/// Compiles what a rule asks of query and fragment.
struct ConditionBuilder {
    private let comparison: Comparison
    /// Nil if every query matches.
    private let query: [PatternForm]?
    private let items: [(name: [UInt8], forms: [PatternForm])]
    /// Nil if every fragment matches.
    private let fragment: [PatternForm]?

    /// Nil if a pattern is one for the plain check.
    init?(_ rule: Rule, _ parser: PatternParser, _ comparison: Comparison, _ budget: inout SpellingBudget) {
        func forms(_ pattern: String) -> [PatternForm]?? {
            let elements = parser.parse(pattern)
            if elements == [.anyRun] { return .some(nil) }
            return PatternForm.forms(of: elements, &budget).map { .some($0) }
        }
        self.comparison = comparison
        guard let fragment = forms(rule.fragment) else { return nil }
        self.fragment = fragment
        var query: [PatternForm]?
        var items: [(name: [UInt8], forms: [PatternForm])] = []
        switch rule.query {
        case .text(let pattern):
            guard let compiled = forms(pattern) else { return nil }
            query = compiled
        case .items(let wanted):
            for item in wanted {
                guard let compiled = forms(item.value) else { return nil }
                if let compiled { items.append((comparison.foldName(Array(item.name.utf8)), compiled)) }
            }
        case .void:
            break
        }
        self.query = query
        self.items = items
    }

    /// Whether a pattern has no spelling at all.
    var neverHolds: Bool {
        query?.isEmpty == true || fragment?.isEmpty == true || items.contains { $0.forms.isEmpty }
    }

    /// Writes the condition; 0 if there is none.
    func write(into arena: inout Arena) -> Int {
        guard query != nil || fragment != nil || !items.isEmpty else { return 0 }
        let start = arena.reserve(Condition.size)
        arena.store(TextTransform.number(comparison), at: start)
        if let query { arena.store(write(query, into: &arena), at: start + 4) }
        if let fragment { arena.store(write(fragment, into: &arena), at: start + 16) }
        let list = arena.reserve(items.count * Condition.itemSize)
        arena.store(list, at: start + 8)
        arena.store(items.count, at: start + 12)
        for (number, item) in items.enumerated() {
            let offset = list + number * Condition.itemSize
            arena.store(arena.append(item.name), at: offset)
            arena.store(item.name.count, at: offset + 4)
            arena.store(write(item.forms, into: &arena), at: offset + 8)
        }
        return start
    }

    private func write(_ forms: [PatternForm], into arena: inout Arena) -> Int {
        let start = arena.reserve(8 + forms.count * 8)
        arena.store(forms.count, at: start)
        for (number, form) in forms.enumerated() {
            let (kind, program) = EntryRecord.program(
                form.elements, percentEncoded: comparison.percentEncoded, into: &arena)
            arena.store(kind, at: start + 8 + number * 8)
            arena.store(program, at: start + 12 + number * 8)
        }
        return start
    }
}
