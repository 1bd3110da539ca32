internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import PatternAnalysis

/// An entry whose rules decide about URLs.
struct ReachEntry {
    let detail: Detail
    /// The rules that are asked, in order: the components, or the legacy paths.
    let rules: [Rule]
    let lintEntry: DetailsEntry
    /// Numbers of the apps, equal for equal app IDs.
    let apps: Set<Int>
    /// The same in the order of the entry, each once.
    let orderedApps: [Int]
    /// Whether all rules have the right types; the effect of others is not known.
    let isValid: Bool

    /// The rules and apps that the search for covered rules looks at.
    var asked: ReachFinder.Entry { ReachFinder.Entry(rules: rules, apps: orderedApps) }

    /// The list that the rules are in.
    var list: [JSONNode] { lintEntry.object[listKey]?.array ?? [] }

    /// The key of that list.
    var listKey: String { rules.first?.isLegacyPath == true ? "paths" : "components" }

    /// Whether iOS 12 and older can read the rules: `paths` of a single app.
    var isReadByOld: Bool { rules.first?.isLegacyPath == true && detail.singleApp != nil }

    /// The app that the entry names first.
    var app: String? {
        let isOld = rules.first?.isLegacyPath == true && !detail.rulesBesideComponents.isEmpty
        return (isOld ? detail.singleApp : detail.appIDs.first)?.value
    }

    /// The name of an app.
    ///
    /// - Parameter number: One of ``orderedApps``.
    func name(ofApp number: Int) -> String? {
        var seen = Set<[UInt8]>()
        let names = detail.appIDs.map(\.value).filter { seen.insert(Array($0.utf8)).inserted }
        return orderedApps.firstIndex(of: number).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }

    func name(of rule: Rule) -> RuleName { RuleName(rule, in: self) }

    func pointer(of rule: Rule) -> JSONPointer { lintEntry.object.pointer.member(listKey).element(rule.component) }

    static func entries(of context: LintContext) -> [ReachEntry] {
        guard let links = context.document.appLinks else { return [] }
        let lintEntries = Dictionary(context.entries.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        let hasValidDefaults = isValidComponent(context.appLinks?["defaults"])
        var numbers = AppNumbers()
        return links.details.compactMap { detail in
            guard detail.canDecide, let lintEntry = lintEntries[detail.index] else { return nil }
            var apps = Set<Int>()
            let ordered = detail.appIDs.map { numbers.number(of: $0.value) }.filter { apps.insert($0).inserted }
            let isValid = hasValidDefaults && hasValidRules(lintEntry.object)
            return ReachEntry(
                detail: detail, rules: detail.rules, lintEntry: lintEntry, apps: apps, orderedApps: ordered,
                isValid: isValid)
        }
    }

    /// The part for iOS 12 and older of entries that newer systems read too: `paths` without components, for the single app.
    static func oldEntries(of entries: [ReachEntry], _ context: LintContext) -> [ReachEntry] {
        guard !context.isOnly(for: SystemVersion(13)) else { return [] }
        var numbers = AppNumbers()
        return entries.filter(\.isReadByOld).map { entry in
            let number = numbers.number(of: entry.detail.singleApp?.value ?? "")
            return ReachEntry(
                detail: entry.detail, rules: entry.rules, lintEntry: entry.lintEntry, apps: [number],
                orderedApps: [number], isValid: entry.isValid)
        }
    }

    /// The legacy paths that only iOS 12 and older read, since there are components beside them: each list alone, because
    /// these systems do not surely read two entries of one app.
    static func legacyEntries(of context: LintContext) -> [ReachEntry] {
        guard let links = context.document.appLinks, !context.isOnly(for: SystemVersion(13)) else { return [] }
        let lintEntries = Dictionary(context.entries.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        return links.details.compactMap { detail in
            guard !detail.rulesBesideComponents.isEmpty, detail.singleApp != nil,
                let lintEntry = lintEntries[detail.index]
            else { return nil }
            return ReachEntry(
                detail: detail, rules: detail.rulesBesideComponents, lintEntry: lintEntry, apps: [detail.index],
                orderedApps: [detail.index],
                isValid: lintEntry.object["paths"]?.array?.allSatisfy { $0.string != nil } ?? false)
        }
    }

    /// Whether all components, and their defaults, have the right types.
    static func hasValidComponents(_ entry: DetailsEntry, of context: LintContext) -> Bool {
        isValidComponent(context.appLinks?["defaults"]) && hasValidRules(entry.object)
    }

    private static func hasValidRules(_ entry: SchemaObject) -> Bool {
        guard isValidComponent(entry["defaults"]) else { return false }
        guard let components = entry["components"] else {
            return entry["paths"]?.array?.allSatisfy { $0.string != nil } ?? false
        }
        return components.array?.allSatisfy(isValidComponent) ?? false
    }

    private static func isValidComponent(_ node: JSONNode?) -> Bool {
        guard let node else { return true }
        guard let object = node.object else { return false }
        return object.members.allSatisfy { member in
            let isRead = ExpectedType(member.key.text, on: .component)?.takes(member.value) ?? true
            let items = member.key.text == "?" ? member.value.object?.members ?? [] : []
            return isRead && items.allSatisfy { $0.value.string != nil }
        }
    }
}

/// Numbers of apps, in the order in which they are named first.
private struct AppNumbers {
    private var numbers: [[UInt8]: Int] = [:]

    mutating func number(of app: String) -> Int {
        let next = numbers.count
        let number = numbers[Array(app.utf8), default: next]
        numbers[Array(app.utf8)] = number
        return number
    }
}

// Fixes of the order of rules.
extension ReachEntry {
    /// Deletes a rule, with its comma; nil for the only one, as an entry without rules needs a decision.
    func deletion(of rule: Rule, in source: SourceText) -> FixIt? {
        guard list.count > 1, list.indices.contains(rule.component) else { return nil }
        return listed(rule).deletion(in: list, source)
    }

    /// Moves a rule before an earlier one of the same list.
    func move(_ rule: Rule, before earlier: Rule, in source: SourceText) -> FixIt? {
        guard earlier.detail == rule.detail else { return nil }
        return listed(rule).move(before: listed(earlier), in: list, source)
    }

    private func listed(_ rule: Rule) -> ListedRule {
        let name = name(of: rule)
        return ListedRule(index: rule.component, line: rule.position.line, name: name.text, written: name.written)
    }
}

/// The name of a rule in messages.
struct RuleName {
    private let rule: Rule
    /// The conditions that every URL meets, as they are written in place of a path: `query '*'`, `fragment '*'`.
    private var openConditions: String?

    /// The name of a rule whose entry is not at hand.
    init(_ rule: Rule) {
        self.rule = rule
    }

    /// - Parameter entry: The entry that the rule is in.
    init(_ rule: Rule, in entry: ReachEntry) {
        self.rule = rule
        guard !rule.isLegacyPath, rule.path == "*", let component = entry.lintEntry.component(rule.component),
            component["/"] == nil
        else { return }
        let open = [("?", "query"), ("#", "fragment")].filter { component[$0.0]?.string?.text == "*" }
        openConditions = open.isEmpty ? nil : open.map { "\($0.1) '*'" }.joined(separator: " and ")
    }

    /// The rule's conditions, without those it leaves open: `'/x' with query 'a=b'`.
    var text: String {
        let conditions = conditions
        if rule.path == "*", !conditions.isEmpty { return conditions }
        return openConditions ?? path + (conditions.isEmpty ? "" : " with \(conditions)")
    }

    /// The same as the subject of a sentence: `rule '/x' with query 'a=b'`, `rule with query 'a=b'`.
    var subject: String {
        let hasNoPath = openConditions != nil || rule.path == "*" && !conditions.isEmpty
        return (hasNoPath ? "rule with " : "rule ") + text
    }

    /// The same for a rule that is moved or deleted: an exclusion in `paths` with its `NOT `.
    var written: String { exclusion ?? subject }

    /// The same without the word "rule".
    var bare: String { exclusion ?? text }

    private var exclusion: String? { rule.isLegacyPath && rule.excludes ? quoted("NOT " + rule.path) : nil }

    private var path: String { rule.path.isEmpty ? "the empty path" : quoted(rule.path) }

    private var conditions: String {
        var conditions: [String] = []
        switch rule.query {
        case .text(let query) where query != "*": conditions.append("query \(quoted(query))")
        case .items(let items) where !items.isEmpty:
            // Messages show the beginning only.
            let shown = items.prefix(60).map { "\($0.name)=\($0.value)" }
            conditions.append("query \(quoted(shown.joined(separator: "&")))")
        default: break
        }
        if rule.fragment != "*" { conditions.append("fragment \(quoted(rule.fragment))") }
        return conditions.joined(separator: " and ")
    }
}
