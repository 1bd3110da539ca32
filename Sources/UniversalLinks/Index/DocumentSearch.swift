internal import AppSiteAssociation
internal import URLPatterns

/// The search in the index of one document: which rule decides, and for which apps.
enum DocumentSearch {
    /// Decides a path that has no slashes at its ends.
    @inline(__always)
    static func decide(_ path: IndexText, _ request: inout RoutingRequest, _ meter: some StepMeter) -> Verdict {
        let memory = request.memory
        if memory.int(DocumentHeader.groupCount) == 1 {
            let key = firstRule(path, EveryRule(meter: meter), &request)
            return Verdict(key: key, apps: 0, hasManyApps: false)
        }
        return decideForEachApp(path, &request, meter)
    }

    /// The verdict where rules are for different apps.
    @inline(never)
    private static func decideForEachApp(
        _ path: IndexText, _ request: inout RoutingRequest, _ meter: some StepMeter
    ) -> Verdict {
        withTally(path, &request, meter) { $0.verdict } ?? Verdict(key: RuleKey.none, apps: 0, hasManyApps: false)
    }

    /// The apps that open a path, as indices in the list of all apps. This allocates.
    static func openApps(_ path: IndexText, _ request: inout RoutingRequest, _ meter: some StepMeter) -> [Int] {
        withTally(path, &request, meter) { $0.openApps } ?? []
    }

    /// The first match decides for its apps; for the others the search goes on after it.
    @inline(__always)
    private static func withTally<Result>(
        _ path: IndexText, _ request: inout RoutingRequest, _ meter: some StepMeter, _ body: (AppTally) -> Result
    ) -> Result? {
        let memory = request.memory
        let words = memory.int(DocumentHeader.appWords)
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, words) &* 2) { sets in
            sets.initialize(repeating: 0)
            guard let decided = sets.baseAddress else { return nil }
            var tally = AppTally(
                decided: decided, open: decided + words, words: words, undecided: memory.int(DocumentHeader.appCount))
            let groups = memory + memory.int(DocumentHeader.groupSets)
            var key = firstRule(path, EveryRule(meter: meter), &request)
            while key != RuleKey.none {
                let rule = RuleKey(rawValue: key).index
                let group = memory.int(memory.int(DocumentHeader.ruleGroups) &+ rule &* 4)
                tally.count(key, groups + group &* words &* 8)
                if tally.undecided == 0 { break }
                let filter = RuleFilter(
                    first: (key | 1) &+ 1, groups: groups, decided: UnsafeRawPointer(decided), words: words,
                    meter: meter)
                // Each pass goes over the path, and over the rules that it rules out at once.
                meter.spend(path.count &+ memory.int(DocumentHeader.ruleCount))
                if meter.isSpent { break }
                key = firstRule(path, filter, &request)
            }
            return body(tally)
        }
    }

    /// The lowest key of a rule that matches, over all comparisons.
    @inline(__always)
    private static func firstRule(_ path: IndexText, _ filter: some RuleSelection, _ request: inout RoutingRequest)
        -> UInt32
    {
        let memory = request.memory
        var best = RuleKey.none
        let plain = memory.int(0)
        if plain != 0 { best = search(plain, path, best, filter, &request) }
        if memory.word(4) | UInt64(memory.half(12)) != 0 { best = searchTransformed(path, best, filter, &request) }
        return best
    }

    @inline(never)
    private static func searchTransformed(
        _ path: IndexText, _ best: UInt32, _ filter: some RuleSelection, _ request: inout RoutingRequest
    ) -> UInt32 {
        var best = best
        var number = 1
        while number < 4 {
            let index = request.memory.int(DocumentHeader.indices &+ number &* 4)
            if index != 0 {
                best = TextTransform.with(number, path) { text in
                    search(index, trimmed(text), best, filter, &request)
                }
            }
            number &+= 1
        }
        return best
    }

    /// A transformed path without the slashes at its ends, which may have been escaped, and one slash after it.
    private static func trimmed(_ text: IndexText) -> IndexText {
        let slash = UInt8(ascii: "/")
        var start = 0
        var end = text.count
        while start < end, text.base.byte(start) == slash { start &+= 1 }
        while end > start, text.base.byte(end &- 1) == slash { end &-= 1 }
        UnsafeMutableRawPointer(mutating: text.base).storeBytes(of: slash, toByteOffset: end, as: UInt8.self)
        return IndexText(base: text.base + start, count: end &- start)
    }

    @inline(__always)
    static func search(
        _ index: Int, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection, _ request: inout RoutingRequest
    ) -> UInt32 {
        let memory = request.memory + index &>> 1
        return index & 1 == 1
            ? SmallPathSearch.search(memory, text, best, filter, &request)
            : LargePathSearch.search(memory, text, best, filter, &request)
    }
}

/// Counts which apps open a URL.
private struct AppTally {
    let decided: UnsafeMutablePointer<UInt64>
    let open: UnsafeMutablePointer<UInt64>
    let words: Int
    private(set) var undecided: Int
    private var openKey = RuleKey.none
    private var firstOpen = Int.max
    private var excludedKey = RuleKey.none
    private var firstExcluded = Int.max

    init(decided: UnsafeMutablePointer<UInt64>, open: UnsafeMutablePointer<UInt64>, words: Int, undecided: Int) {
        self.decided = decided
        self.undecided = undecided
        self.open = open
        self.words = words
    }

    /// A rule decides for those of its apps that have not been decided.
    mutating func count(_ key: UInt32, _ apps: UnsafeRawPointer) {
        let excludes = RuleKey(rawValue: key).excludes
        let stopsAll = excludes && !OpenDecisions.exclusionsStopTheirAppsOnly
        for word in 0..<words {
            let new = (stopsAll ? ~0 : apps.word(word &* 8)) & ~decided[word]
            guard new != 0 else { continue }
            decided[word] |= new
            undecided &-= new.nonzeroBitCount
            let first = word &* 64 &+ new.trailingZeroBitCount
            if excludes {
                if first < firstExcluded { (firstExcluded, excludedKey) = (first, key) }
            } else {
                open[word] |= new
                if first < firstOpen { (firstOpen, openKey) = (first, key) }
            }
        }
    }

    var openApps: [Int] {
        (0..<(words &* 64)).filter { open[$0 &>> 6] &>> UInt64($0 & 63) & 1 == 1 }
    }

    var verdict: Verdict {
        let isOpen = firstOpen < Int.max
        return Verdict(key: isOpen ? openKey : excludedKey, apps: open[0], hasManyApps: isOpen && words > 1)
    }
}

/// A decision in the terms of one document's index: two numbers.
package struct Verdict: Sendable {
    /// The key of the rule that decided, or `RuleKey.none`.
    package let key: UInt32
    /// The apps that open the URL, as bits; only of meaning if the document has several groups of apps and at most 64
    /// apps.
    package let apps: UInt64
    /// Whether apps open the URL, and are too many for that.
    package let hasManyApps: Bool
}

/// Which rules may decide.
protocol RuleSelection {
    associatedtype Meter: StepMeter

    /// Counts what it takes to ask the rules.
    var meter: Meter { get }

    /// Whether every rule may, so that no rule has to be asked.
    static var isEverything: Bool { get }

    func allows(_ key: UInt32, _ group: Int) -> Bool
}

/// All rules may decide.
struct EveryRule<Meter: StepMeter>: RuleSelection {
    let meter: Meter

    @inline(__always) static var isEverything: Bool { true }

    @inline(__always)
    func allows(_ key: UInt32, _ group: Int) -> Bool { true }
}

/// Some apps have been decided already: the rules from a key on that are for others may decide.
struct RuleFilter<Meter: StepMeter>: RuleSelection {
    /// The lowest key that counts.
    let first: UInt32
    /// The apps of each group, as bits, a row of words each.
    let groups: UnsafeRawPointer
    /// The apps that have been decided.
    let decided: UnsafeRawPointer
    /// The number of words of a set of apps.
    let words: Int
    let meter: Meter

    @inline(__always) static var isEverything: Bool { false }

    func allows(_ key: UInt32, _ group: Int) -> Bool {
        guard key >= first else { return false }
        var word = 0
        while word < words {
            if groups.word((group &* words &+ word) &* 8) & ~decided.word(word &* 8) != 0 { return true }
            word &+= 1
        }
        return false
    }
}

/// A URL on its way through the index of one document.
struct RoutingRequest {
    /// The document's memory.
    let memory: UnsafeRawPointer
    /// The document, for the rules that are checked plainly. Not retained: it outlives the request.
    let document: Unmanaged<DocumentIndex>
    /// The URL as it was given.
    let url: UnsafeRawBufferPointer
    /// Where its path ends.
    let wholePathEnd: Int
    /// Where to copy what follows the path, if the document has conditions on it.
    let space: UnsafeMutableRawPointer
    private var parts: (query: IndexText, fragment: IndexText)?

    @inline(__always)
    init(
        memory: UnsafeRawPointer, document: Unmanaged<DocumentIndex>, url: UnsafeRawBufferPointer, wholePathEnd: Int,
        space: UnsafeMutableRawPointer
    ) {
        self.memory = memory
        self.document = document
        self.url = url
        self.wholePathEnd = wholePathEnd
        self.space = space
        parts = nil
    }

    /// Query and fragment, copied when they are asked for the first time: few rules ask.
    var queryAndFragment: (query: IndexText, fragment: IndexText) {
        mutating get {
            if let parts { return parts }
            let found = copyQueryAndFragment()
            parts = found
            return found
        }
    }

    private func copyQueryAndFragment() -> (query: IndexText, fragment: IndexText) {
        let count = url.count &- wholePathEnd
        if count > 0, let base = url.baseAddress { space.copyMemory(from: base + wholePathEnd, byteCount: count) }
        let copy = UnsafeRawPointer(space)
        var mark = 0
        while mark < count, copy.byte(mark) != UInt8(ascii: "#") { mark &+= 1 }
        let query = min(1, mark)
        let fragment = min(mark &+ 1, count)
        return (
            IndexText(base: copy + query, count: mark &- query),
            IndexText(base: copy + fragment, count: count &- fragment)
        )
    }

    /// Whether a rule that no program can stand for matches the URL.
    @inline(never)
    func passesPlainCheck(_ key: UInt32, _ meter: some StepMeter) -> Bool {
        document.takeUnretainedValue().passesPlainCheck(RuleKey(rawValue: key), url, meter)
    }
}
