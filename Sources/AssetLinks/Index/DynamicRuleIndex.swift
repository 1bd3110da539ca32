package import URLPatterns

/// The frozen index of one list of dynamic rules: immutable memory, in which a decision allocates nothing.
///
/// A component hangs at the beginning of its path that its literal text closes with a `/`, as in the router's index
/// (router-index.md, 3); one without wildcards hangs at its whole path. A URL asks for each of its own beginnings, and
/// compares what it finds there, lowest first.
package final class DynamicRuleIndex: Sendable {
    package let components: [DynamicComponent]
    private let matcher: DynamicRuleMatcher
    /// The number of components, whose numbers are below it.
    private let count: Int
    /// The steps that a decision can take at most, without those for the text of the URL.
    private let programLength: Int
    private let mask: Int
    // Written once, by `init`, and only read until `deinit`.
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<DynamicSlot>
    nonisolated(unsafe) private let candidates: UnsafeMutablePointer<DynamicCandidate>
    nonisolated(unsafe) private let programs: UnsafeMutablePointer<UInt16>
    private let seed: UInt64

    /// - Parameter seed: For the hashes; whatever it is, all decisions are the same.
    package init(_ components: [DynamicComponent], seed: UInt64 = .random(in: 0 ... .max)) {
        self.components = components
        self.seed = seed
        count = components.count
        matcher = DynamicRuleMatcher(components)
        var text: [UInt16] = []
        var lists: [[UInt16]: [DynamicCandidate]] = [:]
        var length = 0
        for (number, component) in components.enumerated() where !component.isEmpty {
            let start = text.count
            DynamicProgram.append(component, to: &text)
            length += text.count - start + 8 * (1 + component.query.count)
            let candidate = DynamicCandidate(
                number: UInt32(number), program: UInt32(start), hasConditions: component.hasConditions)
            lists[component.bucket, default: []].append(candidate)
        }
        programLength = length

        var size = 4
        while size < 2 * lists.count { size *= 2 }
        mask = size - 1
        slots = .allocate(capacity: size)
        slots.initialize(repeating: DynamicSlot(), count: size)
        candidates = .allocate(capacity: components.count + 1)
        programs = .allocate(capacity: text.count + 1)
        programs.initialize(from: text, count: text.count)
        var next = 0
        for (bucket, list) in lists {
            let hash = bucket.reduce(DynamicHash.start(seed)) { DynamicHash.next($0, $1) }
            var place = Int(truncatingIfNeeded: DynamicHash.finished(hash)) & (size - 1)
            while slots[place].count > 0 { place = (place + 1) & (size - 1) }
            slots[place] = DynamicSlot(
                hash: hash, length: UInt32(bucket.count), first: UInt32(next), count: UInt32(list.count))
            for candidate in list {
                (candidates + next).initialize(to: candidate)
                next += 1
            }
        }
    }

    deinit {
        slots.deallocate()
        candidates.deallocate()
        programs.deallocate()
    }

    /// Decides a URL.
    package func decide(_ url: UnsafeRawBufferPointer) -> DynamicAnswer {
        guard let parts = URLParts(url) else { return .noURL }
        // Each candidate is at worst compared with the whole URL, its items one by one.
        guard programLength + count * (url.count + 2) < WorkBudget.decisionUnits else { return decideSlowly(url) }
        let pathRoom = parts.path.count + 1
        let room = pathRoom + max(parts.query.count, parts.fragment.count) + 1
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: room) { scratch in
            guard let text = scratch.baseAddress else { return decideSlowly(url) }
            var scanned = ScannedAndroidURL(url, parts, path: text, rest: text + pathRoom)
            let found = lowestMatch(&scanned)
            return found < count ? .component(found) : .noMatch
        }
    }

    /// The same for text.
    package func decide(_ url: String) -> DynamicAnswer {
        url.utf8.withContiguousStorageIfAvailable { decide(UnsafeRawBufferPointer($0)) }
            ?? Array(url.utf8).withUnsafeBytes { decide($0) }
    }

    /// Whether the outcome does not depend on how `*` is read; nil if to find out takes more than is left.
    package func isCertain(_ url: AndroidURL, _ budget: inout WorkBudget) -> Bool? { matcher.isCertain(url, &budget) }

    private func decideSlowly(_ url: UnsafeRawBufferPointer) -> DynamicAnswer {
        guard let parsed = AndroidURL(url) else { return .noURL }
        var budget = WorkBudget.decision
        guard let decision = matcher.decide(parsed, &budget) else { return .notDecided }
        guard let component = decision.component else { return .noMatch }
        return components.firstIndex { $0.component == component.component && $0.statement == component.statement }
            .map { .component($0) } ?? .noMatch
    }

    private func lowestMatch(_ url: inout ScannedAndroidURL) -> Int {
        let slash = AndroidPattern.slash
        let path = url.path
        var best = count
        var hash = DynamicHash.start(seed)
        check(hash, length: 0, &url, &best)
        for offset in path.indices {
            let unit = path[offset]
            hash = DynamicHash.next(hash, unit)
            if unit == slash || offset == path.count - 1 { check(hash, length: offset + 1, &url, &best) }
        }
        return best
    }

    /// Compares the candidates of one beginning that are lower than what was found.
    @inline(__always)
    private func check(_ hash: UInt64, length: Int, _ url: inout ScannedAndroidURL, _ best: inout Int) {
        var place = Int(truncatingIfNeeded: DynamicHash.finished(hash)) & mask
        while slots[place].count > 0 {
            let slot = slots[place]
            // Texts are compared by the programs, so a collision costs time and not truth.
            if slot.hash == hash, Int(slot.length) == length { check(slot, &url, &best) }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func check(_ slot: DynamicSlot, _ url: inout ScannedAndroidURL, _ best: inout Int) {
        for index in Int(slot.first)..<Int(slot.first + slot.count) {
            let candidate = candidates[index]
            guard Int(candidate.number) < best else { return }
            if matches(candidate, &url) {
                best = Int(candidate.number)
                return
            }
        }
    }

    @inline(__always)
    private func matches(_ candidate: DynamicCandidate, _ url: inout ScannedAndroidURL) -> Bool {
        var program = DynamicProgram(programs + Int(candidate.program))
        guard program.matches(url.path) else { return false }
        return !candidate.hasConditions || program.matchesConditions(&url)
    }
}

/// The decision of an index about a URL.
package enum DynamicAnswer: Equatable, Sendable {
    /// The first component that matches, by its index in the list.
    case component(Int)
    case noMatch
    /// It would take more steps than are spent on a URL.
    case notDecided
    /// It is no `http` or `https` URL with a host.
    case noURL
}

extension DynamicComponent {
    /// The beginning of the path by which it is found.
    fileprivate var bucket: [UInt16] {
        guard let path else { return [] }
        if let literal = path.literal { return literal }
        let head = path.head
        return Array(head[..<((head.lastIndex(of: AndroidPattern.slash) ?? -1) + 1)])
    }

    fileprivate var hasConditions: Bool { !query.isEmpty || fragment != nil }
}

/// The components with one beginning of their paths, in a hash table; empty if there are none.
private struct DynamicSlot {
    var hash: UInt64 = 0
    var length: UInt32 = 0
    var first: UInt32 = 0
    var count: UInt32 = 0
}

private struct DynamicCandidate {
    let number: UInt32
    let program: UInt32
    let hasConditions: Bool
}

/// A running hash of a path.
private enum DynamicHash {
    @inline(__always)
    static func start(_ seed: UInt64) -> UInt64 { seed | 1 }

    @inline(__always)
    static func next(_ hash: UInt64, _ unit: UInt16) -> UInt64 {
        (hash ^ UInt64(unit)) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    static func finished(_ hash: UInt64) -> UInt64 { hash ^ hash &>> 29 }
}
