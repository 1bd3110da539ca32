internal import AppSiteAssociation

/// What a rule asks of query and fragment.
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

    static func holds(_ condition: UnsafeRawPointer, _ request: inout RoutingRequest) -> Bool {
        let comparison = condition.int(0)
        let parts = request.queryAndFragment
        let query = condition.int(4)
        if query != 0, !matches(request.memory + query, parts.query, comparison, request.memory) { return false }
        var item = request.memory + condition.int(8)
        var rest = condition.int(12)
        while rest > 0 {
            guard holds(item: item, comparison, parts.query, request.memory) else { return false }
            item += itemSize
            rest &-= 1
        }
        let fragment = condition.int(16)
        return fragment == 0 || matches(request.memory + fragment, parts.fragment, comparison, request.memory)
    }

    /// Whether all items of a name match; one that is missing counts as empty.
    private static func holds(
        item: UnsafeRawPointer, _ comparison: Int, _ query: IndexText, _ memory: UnsafeRawPointer
    ) -> Bool {
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
                if !matches(patterns, text, comparison, memory) { return false }
            }
            start = next &+ 1
        }
        return !isMissing || matches(patterns, IndexText(base: base, count: 0), comparison, memory)
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
        _ patterns: UnsafeRawPointer, _ text: IndexText, _ comparison: Int, _ memory: UnsafeRawPointer
    ) -> Bool {
        if comparison == 0 { return matchesAny(patterns, text, memory) }
        return TextTransform.with(comparison, text) { matchesAny(patterns, $0, memory) }
    }

    private static func matchesAny(_ patterns: UnsafeRawPointer, _ text: IndexText, _ memory: UnsafeRawPointer) -> Bool
    {
        var number = 0
        let count = patterns.int(0)
        while number < count {
            let pattern = patterns + (8 &+ number &* 8)
            let program = memory + pattern.int(4)
            let matches =
                pattern.int(0) == EntryRecord.Kind.glob
                ? GlobProgram.matches(program, text.base, from: 0, to: text.count)
                : ElementProgram.matches(program, memory, text.base, from: 0, to: text.count)
            if matches { return true }
            number &+= 1
        }
        return false
    }
}
