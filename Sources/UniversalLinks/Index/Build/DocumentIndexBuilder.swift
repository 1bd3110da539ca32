internal import AppSiteAssociation

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

    /// - Parameter textLength: The length of the document in bytes, to which the memory stays in proportion.
    init(_ parsers: PatternParsers, seed: UInt64, plainPaths: Bool, textLength: Int) {
        self.parsers = parsers
        self.seed = seed
        self.plainPaths = plainPaths
        budget = SpellingBudget(textLength: textLength)
    }

    /// Compiles a rule.
    mutating func add(_ rule: Rule, key: RuleKey, group: Int) {
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        let parser = parsers.parser(comparison)
        let path = parser.parse(rule.path)
        let forms = plainPaths ? PatternForm.forms(of: path, &budget) : PatternForm.pathForms(of: path, &budget)
        let isPlain = !OpenDecisions.innerSlashesAndDotsAreLiteral
        guard !isPlain, let forms, let conditions = ConditionBuilder(rule, parser, comparison, &budget) else {
            plainChecks.append(key)
            entries[0].append(PathEntry(key: key, group: group, condition: 0, form: nil))
            hasConditions = true
            return
        }
        guard !forms.isEmpty, !conditions.neverHolds else { return }
        let condition = conditions.write(into: &arena)
        if condition != 0 { hasConditions = true }
        entries[TextTransform.number(comparison)] += forms.map {
            PathEntry(key: key, group: group, condition: condition, form: $0)
        }
    }

    /// Writes the indices and the header, and gives the memory away.
    ///
    /// - Parameters:
    ///   - groups: The apps of each group, as places in the list of all apps.
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
        return (arena.freeze(), arena.bytes.count)
    }
}

/// What stands in the first 64 bytes of a document's memory.
enum DocumentHeader {
    /// For each comparison its index, times two, plus one if it is a small one; 0 if there is none.
    static let indices = 0
    static let groupCount = 16
    /// How many words a set of apps has.
    static let appWords = 20
    static let groupSets = 24
    static let hasConditions = 28
    /// The group of each rule, 4 bytes each.
    static let ruleGroups = 32
    static let appCount = 36
}
