package import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns

/// The frozen index of one document: immutable memory, and what only explanations need.
package final class DocumentIndex: Sendable {
    /// The app IDs in the order of their first appearance in the file.
    let apps: [String]
    /// The rules that can decide, in file order.
    let rules: [IndexedRule]
    let document: AssociationDocument
    /// The lists of apps that rules are for, as indices in `apps`.
    let groups: [[Int]]
    /// The rules that no program can stand for, by their indices.
    private let plainChecks: [Int: RuleMatcher]
    /// For the rules among them that are parsed when they are asked.
    private let parsers: PatternParsers
    /// The size of the memory that decisions read, in bytes.
    package let byteCount: Int
    // Written once, by `init`, and only read until `deinit`.
    nonisolated(unsafe) let memory: UnsafeRawPointer
    nonisolated(unsafe) private let ownedMemory: UnsafeMutableRawPointer

    /// A rule and for which of the apps it is.
    struct IndexedRule: Sendable {
        let rule: Rule
        let group: Int
    }

    /// - Parameters:
    ///   - seed: For the hashes; whatever it is, all decisions are the same.
    ///   - plainPaths: Takes path patterns as plain globs, for measuring against other engines.
    package init(_ document: AssociationDocument, seed: UInt64 = .random(in: 0 ... .max), plainPaths: Bool = false) {
        let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        var builder = DocumentIndexBuilder(
            parsers, seed: seed, plainPaths: plainPaths, textLength: document.source.bytes.count)
        let details = document.appLinks?.details ?? []
        let apps = details.appIDs
        let numbers = Dictionary(uniqueKeysWithValues: apps.enumerated().map { (Array($1.utf8), $0) })
        var groups: [[Int]] = []
        var groupNumbers: [[Int]: Int] = [:]
        var rules: [IndexedRule] = []
        for detail in details {
            guard detail.canDecide else { continue }
            let list = Set(detail.appIDs.compactMap { numbers[Array($0.value.utf8)] }).sorted()
            let group = groupNumbers[list] ?? groups.count
            if group == groups.count {
                groupNumbers[list] = group
                groups.append(list)
            }
            for rule in detail.rules {
                let key = RuleKey(index: rules.count, excludes: rule.excludes)
                builder.add(rule, key: key, group: group)
                rules.append(IndexedRule(rule: rule, group: group))
            }
        }
        var allowance = ParsingAllowance(textLength: document.source.bytes.count)
        plainChecks = Dictionary(
            uniqueKeysWithValues: builder.plainChecks.compactMap { key in
                let rule = rules[key.index].rule
                return allowance.take(rule) ? (key.index, RuleMatcher(rule, parsers)) : nil
            })
        self.parsers = parsers
        self.apps = apps
        self.groups = groups
        self.rules = rules
        self.document = document
        let (memory, byteCount) = builder.freeze(groups: groups, ruleGroups: rules.map(\.group), appCount: apps.count)
        ownedMemory = memory
        self.memory = UnsafeRawPointer(memory)
        self.byteCount = byteCount
    }

    var isSingleGroup: Bool { groups.count == 1 }

    deinit {
        ownedMemory.deallocate()
    }

    /// The way of a rule that no program can stand for: the reference matcher. This allocates.
    func passesPlainCheck(_ key: RuleKey, _ url: UnsafeRawBufferPointer, _ meter: some StepMeter) -> Bool {
        guard let metered = meter as? Metered, let url = WebURL(url) else { return false }
        if let matcher = plainChecks[key.index] { return matcher.matches(url, &metered.budget.pointee) ?? false }
        let rule = rules[key.index].rule
        meter.spend(RuleMatcher.parsingCost(rule))
        return !meter.isSpent && RuleMatcher(rule, parsers).matches(url, &metered.budget.pointee) ?? false
    }
}

extension DocumentIndex {
    /// The index of the first rule whose path pattern matches, or -1; for an index of plain globs.
    ///
    /// - Parameter path: May be read 8 bytes before its beginning and 64 beyond its end.
    package func firstRule(plainPath path: UnsafeRawPointer, count: Int) -> Int {
        let document = Unmanaged.passUnretained(self)
        let url = UnsafeRawBufferPointer(start: path, count: count)
        var request = RoutingRequest(
            memory: memory, document: document, url: url, wholePathEnd: count, space: ownedMemory)
        let index = memory.int(DocumentHeader.indices)
        guard index != 0 else { return -1 }
        let key = DocumentSearch.search(
            index, IndexText(base: path, count: count), RuleKey.none, EveryRule(meter: Unmetered()), &request)
        return key == RuleKey.none ? -1 : RuleKey(rawValue: key).index
    }
}

/// Builds the index of a document: compiles its rules and writes them into one memory.
struct DocumentIndexBuilder {
    private var arena = Arena()
    /// The entries for each comparison, numbered as in ``TextTransform``.
    private var entries: [[PathEntry]] = [[], [], [], []]
    private var hasConditions = false
    /// The rules that no program can stand for.
    private(set) var plainChecks: [RuleKey] = []
    private let seed: UInt64
    /// The patterns of paths are globs and nothing else: no slashes are trimmed, no tail is optional.
    private let plainPaths: Bool

    private let parsers: PatternParsers
    private var budget: SpellingBudget
    private var allowance: ParsingAllowance
    private var weight = DecisionWeight()

    /// - Parameter textLength: The length of the document in bytes, to which the memory stays in proportion.
    init(_ parsers: PatternParsers, seed: UInt64, plainPaths: Bool, textLength: Int) {
        self.parsers = parsers
        self.seed = seed
        self.plainPaths = plainPaths
        budget = SpellingBudget(textLength: textLength)
        allowance = ParsingAllowance(textLength: textLength)
    }

    /// Compiles a rule.
    mutating func add(_ rule: Rule, key: RuleKey, group: Int) {
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        guard let (forms, conditions) = compiled(rule, comparison) else {
            plainChecks.append(key)
            entries[0].append(PathEntry(key: key, group: group, condition: 0, form: nil))
            hasConditions = true
            weight.addPlainCheck()
            return
        }
        guard !forms.isEmpty, !conditions.neverHolds else { return }
        for form in forms {
            weight.add(form.elements, percentEncoded: comparison.percentEncoded)
            conditions.add(to: &weight)
        }
        let condition = conditions.write(into: &arena)
        if condition != 0 { hasConditions = true }
        entries[TextTransform.number(comparison)] += forms.map {
            PathEntry(key: key, group: group, condition: condition, form: $0)
        }
    }

    /// The spellings of a rule's path and what it asks beyond that; nil if it is one for the plain check.
    private mutating func compiled(
        _ rule: Rule, _ comparison: Comparison
    ) -> (forms: [PatternForm], conditions: ConditionBuilder)? {
        guard OpenDecisions.innerSlashesAndDotsAreLiteral, allowance.take(rule) else { return nil }
        let parser = parsers.parser(comparison)
        let path = parser.parse(rule.path)
        let forms = plainPaths ? PatternForm.forms(of: path, &budget) : PatternForm.pathForms(of: path, &budget)
        guard let forms, let conditions = ConditionBuilder(rule, parser, comparison, &budget) else { return nil }
        return (forms, conditions)
    }

    /// Writes the indices and the header, and gives the memory away.
    ///
    /// - Parameters:
    ///   - groups: The apps of each group, as indices in the list of all apps.
    ///   - ruleGroups: The group of each rule.
    ///   - appCount: How many apps there are.
    mutating func freeze(groups: [[Int]], ruleGroups: [Int], appCount: Int) -> (
        memory: UnsafeMutableRawPointer, byteCount: Int
    ) {
        for (number, entries) in entries.enumerated() where !entries.isEmpty {
            let percentEncoded = number & 2 == 0
            let isSmall = entries.count <= SmallPathIndex.maximumCount
            let index =
                isSmall
                ? SmallPathIndex.write(entries, percentEncoded: percentEncoded, into: &arena)
                : LargePathIndex.write(
                    entries, percentEncoded: percentEncoded, seed: seed, isSingleGroup: groups.count == 1, into: &arena)
            arena.store(index * 2 + (isSmall ? 1 : 0), at: DocumentHeader.indices + number * 4)
        }
        let words = (appCount + 63) / 64
        let sets = arena.reserve(groups.count * words * 8)
        for (number, apps) in groups.enumerated() {
            var set = [UInt64](repeating: 0, count: words)
            for app in apps { set[app / 64] |= 1 << UInt64(app % 64) }
            for (word, bits) in set.enumerated() { arena.store(bits, at: sets + (number * words + word) * 8) }
        }
        let table = arena.reserve(ruleGroups.count * 4)
        for (rule, group) in ruleGroups.enumerated() { arena.store(group, at: table + rule * 4) }
        arena.store(table, at: DocumentHeader.ruleGroups)
        arena.store(groups.count, at: DocumentHeader.groupCount)
        arena.store(appCount, at: DocumentHeader.appCount)
        arena.store(words, at: DocumentHeader.appWords)
        arena.store(sets, at: DocumentHeader.groupSets)
        arena.store(hasConditions ? 1 : 0, at: DocumentHeader.hasConditions)
        arena.store(ruleGroups.count, at: DocumentHeader.ruleCount)
        arena.store(weight.longestUnmetered(passes: groups.count), at: DocumentHeader.longestUnmetered)
        return (arena.freeze(), arena.bytes.count)
    }
}

/// The layout of the first 64 bytes of a document's memory.
enum DocumentHeader {
    /// For each comparison its index, times two, plus one if it is a small one; 0 if there is none.
    static let indices = 0
    static let groupCount = 16
    /// The number of words of a set of apps.
    static let appWords = 20
    static let groupSets = 24
    static let hasConditions = 28
    /// The group of each rule, 4 bytes each.
    static let ruleGroups = 32
    static let appCount = 36
    /// The length of the longest URL, in bytes, that is decided without counting the steps.
    static let longestUnmetered = 40
    static let ruleCount = 44
}
