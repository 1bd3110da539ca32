package import AppSiteAssociation
internal import Diagnostics

/// The frozen index of one document: immutable memory, and what only explanations need.
package final class DocumentIndex: Sendable {
    /// The app IDs in the order of their first appearance in the file.
    let apps: [String]
    /// The rules that can decide, in file order.
    let rules: [IndexedRule]
    let document: AssociationDocument
    /// The lists of apps that rules are for, as places in `apps`.
    let groups: [[Int]]
    /// The rules that no program can stand for, by their places.
    private let plainChecks: [Int: RuleMatcher]
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
        let apps = OpenDecisions.listed(details)
        let numbers = Dictionary(uniqueKeysWithValues: apps.enumerated().map { (Array($1.utf8), $0) })
        var groups: [[Int]] = []
        var groupNumbers: [[Int]: Int] = [:]
        var rules: [IndexedRule] = []
        for detail in details {
            guard OpenDecisions.canDecide(detail) else { continue }
            let list = Set(detail.appIDs.compactMap { numbers[Array($0.value.utf8)] }).sorted()
            let group = groupNumbers[list] ?? groups.count
            if group == groups.count {
                groupNumbers[list] = group
                groups.append(list)
            }
            for rule in detail.rules {
                let key = RuleKey(place: rules.count, excludes: rule.excludes)
                builder.add(rule, key: key, group: group)
                rules.append(IndexedRule(rule: rule, group: group))
            }
        }
        plainChecks = Dictionary(
            uniqueKeysWithValues: builder.plainChecks.map { ($0.place, RuleMatcher(rules[$0.place].rule, parsers)) })
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
    func passesPlainCheck(_ key: RuleKey, _ url: UnsafeRawBufferPointer) -> Bool {
        guard let matcher = plainChecks[key.place], let url = WebURL(url) else { return false }
        return matcher.failure(url) == nil
    }
}

extension DocumentIndex {
    /// The place of the first rule whose path pattern matches, or -1; for an index of plain globs.
    ///
    /// - Parameter path: May be read 8 bytes before its beginning and 64 beyond its end.
    package func firstRule(plainPath path: UnsafeRawPointer, count: Int) -> Int {
        let document = Unmanaged.passUnretained(self)
        let url = UnsafeRawBufferPointer(start: path, count: count)
        var request = RoutingRequest(
            memory: memory, document: document, url: url, wholePathEnd: count, space: ownedMemory)
        let index = memory.int(DocumentHeader.indices)
        guard index != 0 else { return -1 }
        let key = DocumentSearch.search(index, IndexText(base: path, count: count), RuleKey.none, EveryRule(), &request)
        return key == RuleKey.none ? -1 : RuleKey(rawValue: key).place
    }
}
