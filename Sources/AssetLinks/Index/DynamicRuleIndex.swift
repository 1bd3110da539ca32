package import URLPatterns

/// The frozen index of one list of dynamic rules: immutable memory, in which a decision allocates nothing.
///
/// A component hangs at the beginning of its path that its literal text closes with a `/`, as in the router's index
/// (router-index.md, 3); one without wildcards hangs at its whole path. A URL asks for each of its own beginnings, and
/// compares what it finds there, lowest first. Of a short list the bytes of the path tell which components to compare.
package final class DynamicRuleIndex: Sendable {
    package let components: [DynamicComponent]
    private let matcher: DynamicRuleMatcher
    /// The number of components, whose numbers are below it.
    private let count: Int
    /// The steps that a decision can take at most, without those for the text of the URL.
    private let programLength: Int
    private let mask: Int
    /// A bit for each length that a beginning has.
    private let lengths: UInt64
    // Written once, by `init`, and only read until `deinit`.
    /// Nil if the list is long.
    nonisolated(unsafe) private let short: PlainPathRules?
    nonisolated(unsafe) private let slots: UnsafeMutablePointer<DynamicSlot>
    nonisolated(unsafe) private let candidates: UnsafeMutablePointer<DynamicCandidate>
    nonisolated(unsafe) private let programs: UnsafeMutablePointer<UInt16>
    private let seed: UInt64

    /// - Parameters:
    ///   - seed: For the hashes; whatever it is, all decisions are the same.
    ///   - limit: The number of components, up to 64, up to which a list is a short one; the same holds for it.
    package init(
        _ components: [DynamicComponent], seed: UInt64 = .random(in: 0 ... .max), shortUpTo limit: Int = 24
    ) {
        self.components = components
        self.seed = seed
        count = components.count
        matcher = DynamicRuleMatcher(components)
        var text: [UInt16] = []
        var all: [DynamicCandidate] = []
        var length = 0
        for (number, component) in components.enumerated() where !component.isEmpty {
            let start = text.count
            DynamicProgram.append(component, to: &text)
            length += text.count - start + 8 * (1 + component.query.count)
            let candidate = DynamicCandidate(
                number: UInt32(number), program: UInt32(start), hasConditions: component.hasConditions)
            all.append(candidate)
        }
        programLength = length
        candidates = .allocate(capacity: components.count + 1)
        programs = .allocate(capacity: text.count + 1)
        programs.initialize(from: text, count: text.count)

        var lists: [Beginning: [DynamicCandidate]] = [:]
        if all.count <= min(limit, 64) {
            short = PlainPathRules(all.map { components[Int($0.number)] })
            candidates.initialize(from: all, count: all.count)
        } else {
            short = nil
            for candidate in all {
                lists[Beginning(components[Int(candidate.number)].bucket, seed), default: []].append(candidate)
            }
        }

        // In a small table most places are empty, so that a beginning that is not there is seldom compared.
        var size = 64
        while size < (lists.count <= 1_000 ? 8 : 2) * lists.count { size *= 2 }
        lengths = lists.keys.reduce(0) { $0 | Self.lengthBit(Int($1.length)) }
        mask = size - 1
        slots = .allocate(capacity: size)
        slots.initialize(repeating: DynamicSlot(), count: size)
        var next = 0
        for (beginning, list) in lists {
            var place = Int(truncatingIfNeeded: beginning.hash) & (size - 1)
            while slots[place].count > 0 { place = (place + 1) & (size - 1) }
            slots[place] = DynamicSlot(
                hash: beginning.hash, length: beginning.length, first: UInt32(next), count: UInt32(list.count))
            for candidate in list {
                (candidates + next).initialize(to: candidate)
                next += 1
            }
        }
    }

    /// A beginning of paths as it is looked up. Two that are equal share a slot, so a collision costs time and not truth:
    /// texts are compared by the programs.
    private struct Beginning: Hashable {
        let hash: UInt64
        let length: UInt32

        init(_ text: [UInt16], _ seed: UInt64) {
            hash = DynamicHash.of(text, seed)
            length = UInt32(truncatingIfNeeded: text.count)
        }
    }

    deinit {
        short?.deallocate()
        slots.deallocate()
        candidates.deallocate()
        programs.deallocate()
    }

    /// Decides a URL.
    package func decide(_ url: UnsafeRawBufferPointer) -> DynamicAnswer {
        // All components, unless the bytes of the path tell more.
        var possible = short?.all
        if let short, let path = PlainPath(url) {
            var left = short.possible(path)
            while left != 0 {
                let place = left.trailingZeroBitCount
                guard let isMatch = short.matches(place, path) ?? matches(candidates[place], path) else { break }
                if isMatch { return .component(Int(candidates[place].number)) }
                left &= left &- 1
            }
            if left == 0 { return .noMatch }
            possible = left
        }
        guard let parts = URLParts(url) else { return .noURL }
        // Each candidate is at worst compared with the whole URL, its items one by one.
        guard programLength + count * (url.count + 2) < WorkBudget.decisionUnits else { return decideSlowly(url) }
        return decide(url, parts, among: possible)
    }

    /// Decides a URL by those components of a short list for which there is a bit; nil if the list is long.
    private func decide(_ url: UnsafeRawBufferPointer, _ parts: URLParts, among possible: UInt64?) -> DynamicAnswer {
        let pathRoom = parts.path.count + ScannedAndroidURL.reserve
        let room = pathRoom + max(parts.query.count, parts.fragment.count) + ScannedAndroidURL.reserve
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: room) { scratch in
            guard let text = scratch.baseAddress else { return decideSlowly(url) }
            var scanned = ScannedAndroidURL(url, parts, path: text, rest: text + pathRoom)
            let found = possible.map { lowestMatch($0, &scanned) } ?? lowestMatch(&scanned)
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

    /// The first of the candidates that the bits are for.
    private func lowestMatch(_ possible: UInt64, _ url: inout ScannedAndroidURL) -> Int {
        var left = possible
        while left != 0 {
            let candidate = candidates[left.trailingZeroBitCount]
            if matches(candidate, &url) { return Int(candidate.number) }
            left &= left &- 1
        }
        return count
    }

    private func lowestMatch(_ url: inout ScannedAndroidURL) -> Int {
        guard let path = url.path.baseAddress else { return count }
        let length = url.path.count
        var best = count
        var hash = DynamicHash(seed)
        if let slot = slot(hash.finished(0), length: 0) { check(slot, &url, &best) }
        var offset = 0
        while offset < length {
            let word = DynamicHash.word(path, offset)
            // Each slash ends a beginning, and so does the end of the path.
            var lanes = DynamicHash.slashes(word)
            let left = length &- offset
            if left <= 4 { lanes = lanes & DynamicHash.mask(left) | 0x8000 &<< UInt64(16 &* (left &- 1)) }
            while lanes != 0 {
                let units = lanes.trailingZeroBitCount / 16 &+ 1
                lanes &= lanes &- 1
                let beginning = hash.finished(word & DynamicHash.mask(units))
                if let slot = slot(beginning, length: offset &+ units) { check(slot, &url, &best) }
            }
            hash.append(word)
            offset &+= 4
        }
        return best
    }

    /// Long beginnings share a bit.
    @inline(__always)
    private static func lengthBit(_ length: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: min(length, 63)) }

    /// The slot of a beginning; nil if no component hangs there.
    @inline(__always)
    private func slot(_ hash: UInt64, length: Int) -> UnsafeMutablePointer<DynamicSlot>? {
        guard lengths & Self.lengthBit(length) != 0 else { return nil }
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].count > 0 {
            if slots[place].hash == hash, slots[place].length == UInt32(truncatingIfNeeded: length) {
                return slots + place
            }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Compares the candidates of one beginning that are lower than what was found.
    private func check(_ slot: UnsafeMutablePointer<DynamicSlot>, _ url: inout ScannedAndroidURL, _ best: inout Int) {
        var candidate = UnsafePointer(candidates + Int(slot.pointee.first))
        let end = candidate + Int(slot.pointee.count)
        while candidate < end, Int(candidate.pointee.number) < best {
            if matches(candidate.pointee, &url) {
                best = Int(candidate.pointee.number)
                return
            }
            candidate += 1
        }
    }

    /// Nil if there is more to be compared than the path.
    private func matches(_ candidate: DynamicCandidate, _ path: PlainPath) -> Bool? {
        guard !candidate.hasConditions else { return nil }
        var program = DynamicProgram(programs + Int(candidate.program))
        return program.matches(path.bytes)
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

/// A running hash of a path, four units at a time.
private struct DynamicHash {
    private var state: UInt64

    @inline(__always)
    init(_ seed: UInt64) { state = seed }

    /// Adds four units.
    @inline(__always)
    mutating func append(_ word: UInt64) {
        let product = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state = product ^ product &>> 32
    }

    /// The hash of what was added and of up to four more units, zeros behind them.
    @inline(__always)
    func finished(_ word: UInt64) -> UInt64 {
        let product = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
        return product ^ product &>> 32
    }

    /// The hash of a beginning: of its last one to four units, after those before them.
    static func of(_ text: [UInt16], _ seed: UInt64) -> UInt64 {
        let padded = text + [0, 0, 0, 0]
        return padded.withUnsafeBufferPointer { units in
            guard let start = units.baseAddress else { return 0 }
            var hash = DynamicHash(seed)
            var offset = 0
            while text.count - offset > 4 {
                hash.append(word(start, offset))
                offset += 4
            }
            return hash.finished(word(start, offset) & mask(text.count - offset))
        }
    }

    /// Four units, the first in the lowest bits.
    @inline(__always)
    static func word(_ units: UnsafePointer<UInt16>, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(units + offset).loadUnaligned(as: UInt64.self))
    }

    /// The bits of the first units of a word.
    @inline(__always)
    static func mask(_ units: Int) -> UInt64 { units >= 4 ? .max : (1 &<< UInt64(16 &* units)) &- 1 }

    /// The highest bit of each unit that is a slash.
    @inline(__always)
    static func slashes(_ word: UInt64) -> UInt64 {
        let others = word ^ 0x002F_002F_002F_002F
        // No carry from one unit to the next: adding to the lower bits sets the highest one unless all are zero.
        let nonzero = ((others & 0x7FFF_7FFF_7FFF_7FFF) &+ 0x7FFF_7FFF_7FFF_7FFF) | others
        return ~nonzero & 0x8000_8000_8000_8000
    }
}
