internal import AppSiteAssociation
internal import URLPatterns

/// The condition of a rule on query and fragment.
///
/// | bytes | what |
/// |---|---|
/// | 0 | the comparison: 1 if case does not matter, 2 if the URL is decoded |
/// | 4 | the patterns for the whole query, or 0 |
/// | 8, 12 | the items: where, how many |
/// | 16 | the patterns for the fragment, or 0 |
///
/// An item has 12 bytes: its name and its length, its patterns. Patterns are a number and, for each, 8 bytes: kind, program.
enum Condition {
    static let size = 24
    static let itemSize = 12

    static func holds(
        _ condition: UnsafeRawPointer, _ request: inout RoutingRequest, _ meter: some StepMeter
    ) -> Bool {
        let comparison = condition.int(0)
        let parts = request.queryAndFragment
        let query = condition.int(4)
        if query != 0, !matches(request.memory + query, parts.query, comparison, request.memory, meter) { return false }
        var item = request.memory + condition.int(8)
        var rest = condition.int(12)
        while rest > 0 {
            guard holds(item: item, comparison, parts.query, request.memory, meter) else { return false }
            item += itemSize
            rest &-= 1
        }
        let fragment = condition.int(16)
        return fragment == 0 || matches(request.memory + fragment, parts.fragment, comparison, request.memory, meter)
    }

    /// Whether all items of a name match; one that is missing counts as empty.
    private static func holds(
        item: UnsafeRawPointer, _ comparison: Int, _ query: IndexText, _ memory: UnsafeRawPointer,
        _ meter: some StepMeter
    ) -> Bool {
        // What is transformed is copied first.
        meter.spend(16 &+ query.count &* (comparison == 0 ? 2 : 8))
        if meter.isSpent { return false }
        let name = IndexText(base: memory + item.int(0), count: item.int(4))
        let patterns = memory + item.int(8)
        let base = query.base
        let end = query.count
        var isMissing = true
        var start = 0
        while start <= end {
            var mark = start
            while mark < end, base.byte(mark) != UInt8(ascii: "="), base.byte(mark) != UInt8(ascii: "&") { mark &+= 1 }
            var next = mark
            while next < end, base.byte(next) != UInt8(ascii: "&") { next &+= 1 }
            if isName(IndexText(base: base + start, count: mark &- start), name, comparison) {
                isMissing = false
                let value = min(mark &+ 1, next)
                let text = IndexText(base: base + value, count: next &- value)
                if !matches(patterns, text, comparison, memory, meter) { return false }
            }
            start = next &+ 1
        }
        return !isMissing || matches(patterns, IndexText(base: base, count: 0), comparison, memory, meter)
    }

    @inline(__always)
    private static func isName(_ text: IndexText, _ name: IndexText, _ comparison: Int) -> Bool {
        let comparison = OpenDecisions.itemNamesFold ? comparison : comparison & 2
        if comparison == 0 { return equal(text, name) }
        return TextTransform.with(comparison, text) { equal($0, name) }
    }

    private static func equal(_ a: IndexText, _ b: IndexText) -> Bool {
        guard a.count == b.count else { return false }
        var offset = 0
        while offset < a.count {
            if a.base.byte(offset) != b.base.byte(offset) { return false }
            offset &+= 1
        }
        return true
    }

    private static func matches(
        _ patterns: UnsafeRawPointer, _ text: IndexText, _ comparison: Int, _ memory: UnsafeRawPointer,
        _ meter: some StepMeter
    ) -> Bool {
        if comparison == 0 { return matchesAny(patterns, text, memory, meter) }
        meter.spend(8 &* text.count)
        return TextTransform.with(comparison, text) { matchesAny(patterns, $0, memory, meter) }
    }

    private static func matchesAny(
        _ patterns: UnsafeRawPointer, _ text: IndexText, _ memory: UnsafeRawPointer, _ meter: some StepMeter
    ) -> Bool {
        var number = 0
        let count = patterns.int(0)
        while number < count {
            let pattern = patterns + (8 &+ number &* 8)
            let program = memory + pattern.int(4)
            let matches =
                pattern.int(0) == EntryRecord.Kind.glob
                ? GlobProgram.matches(program, text.base, from: 0, to: text.count, meter)
                : ElementProgram.matches(program, memory, text.base, from: 0, to: text.count, meter)
            if matches { return true }
            number &+= 1
        }
        return false
    }
}

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

    /// Adds what it takes to ask for all of it.
    func add(to weight: inout DecisionWeight) {
        for form in (query ?? []) + (fragment ?? []) + items.flatMap(\.forms) {
            weight.add(form.elements, percentEncoded: comparison.percentEncoded)
        }
        for _ in items { weight.addItem() }
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
