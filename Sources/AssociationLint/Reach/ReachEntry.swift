internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// An entry whose rules decide about URLs.
struct ReachEntry {
    let detail: Detail
    /// The rules that are asked, in order: the components, or the legacy paths.
    let rules: [Rule]
    let outline: EntryOutline
    /// Numbers of the apps, equal for equal app IDs.
    let apps: Set<Int>
    /// The number of the app that the entry names first.
    let firstApp: Int
    /// Whether all rules are of sound types; of others nobody knows what they do.
    let isSound: Bool

    /// The list that the rules stand in.
    var list: [JSONNode] { outline.level[listKey]?.array ?? [] }

    /// The key of that list.
    var listKey: String { rules.first?.isLegacyPath == true ? "paths" : "components" }

    /// The app that the entry names first.
    var app: String? {
        let isOld = rules.first?.isLegacyPath == true && !detail.rulesBesideComponents.isEmpty
        let single = isOld ? outline.key?.key.text ?? outline.level["appID"]?.string?.text : nil
        return single ?? detail.appIDs.first?.value
    }

    func pointer(of rule: Rule) -> JSONPointer { outline.level.pointer.member(listKey).element(rule.component) }

    static func entries(of file: FileOutline) -> [ReachEntry] {
        guard let links = file.document.appLinks else { return [] }
        let outlines = Dictionary(file.entries.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        let hasSoundDefaults = isSoundComponent(file.appLinks?["defaults"])
        var numbers: [[UInt8]: Int] = [:]
        return links.details.compactMap { detail in
            guard detail.canDecide, let outline = outlines[detail.index] else { return nil }
            let apps = detail.appIDs.map { app in
                let next = numbers.count
                let id = Array(app.value.utf8)
                let number = numbers[id] ?? next
                numbers[id] = number
                return number
            }
            let isSound = hasSoundDefaults && hasSoundRules(outline.level)
            return ReachEntry(
                detail: detail, rules: detail.rules, outline: outline, apps: Set(apps), firstApp: apps.first ?? 0,
                isSound: isSound)
        }
    }

    /// The legacy paths that only iOS 12 and older read, since there are components beside them: each list alone, because
    /// these systems do not surely read two entries of one app.
    static func legacyEntries(of file: FileOutline) -> [ReachEntry] {
        guard let links = file.document.appLinks, !file.isOnly(for: SystemVersion(13)) else { return [] }
        let outlines = Dictionary(file.entries.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        return links.details.compactMap { detail in
            guard !detail.rulesBesideComponents.isEmpty, let outline = outlines[detail.index],
                outline.key != nil || outline.level["appID"]?.string != nil
            else { return nil }
            return ReachEntry(
                detail: detail, rules: detail.rulesBesideComponents, outline: outline, apps: [detail.index],
                firstApp: detail.index,
                isSound: outline.level["paths"]?.array?.allSatisfy { $0.string != nil } ?? false)
        }
    }

    /// Whether all components are of sound types, and the defaults that they have.
    static func hasSoundComponents(_ entry: EntryOutline, of file: FileOutline) -> Bool {
        isSoundComponent(file.appLinks?["defaults"]) && hasSoundRules(entry.level)
    }

    private static func hasSoundRules(_ entry: LevelObject) -> Bool {
        guard isSoundComponent(entry["defaults"]) else { return false }
        guard let components = entry["components"] else {
            return entry["paths"]?.array?.allSatisfy { $0.string != nil } ?? false
        }
        return components.array?.allSatisfy(isSoundComponent) ?? false
    }

    private static func isSoundComponent(_ node: JSONNode?) -> Bool {
        guard let node else { return true }
        guard let object = node.object else { return false }
        return object.members.allSatisfy { member in
            switch member.key.text {
            case "/", "#": member.value.string != nil
            case "?":
                member.value.string != nil
                    || member.value.object?.members.allSatisfy { $0.value.string != nil } ?? false
            case "exclude", "caseSensitive", "percentEncoded": member.value.boolean != nil
            default: true
            }
        }
    }
}

/// Changes to the list that rules stand in.
struct ReachFixes {
    let source: SourceText
    let entry: ReachEntry

    /// Takes a rule out, with a comma. Nil for the only one: a person decides what becomes of an entry without rules.
    func delete(_ rule: Rule) -> FixIt? {
        let list = entry.list
        guard list.count > 1, list.indices.contains(rule.component) else { return nil }
        let deletion = JSONEdits.delete(element: rule.component, in: list, source: source)
        return FixIt(title: "delete the rule", applicability: .suggested, edits: [deletion])
    }

    /// Moves a rule in front of an earlier one of the same list.
    func move(_ rule: Rule, before earlier: Rule) -> FixIt? {
        guard earlier.detail == rule.detail else { return nil }
        let edits = JSONEdits.move(element: rule.component, before: earlier.component, in: entry.list, source: source)
        guard !edits.isEmpty else { return nil }
        return FixIt(
            title: "move the rule in front of \(ReachWords.name(of: earlier))", applicability: .suggested, edits: edits)
    }
}

/// How messages speak of rules.
enum ReachWords {
    /// What a rule matches, without what it leaves free: `'/x' with query 'a=b'`.
    static func name(of rule: Rule) -> String {
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
        let rest = conditions.joined(separator: " and ")
        if rule.path == "*", !rest.isEmpty { return rest }
        let path = rule.path.isEmpty ? "the empty path" : quoted(rule.path)
        return rest.isEmpty ? path : "\(path) with \(rest)"
    }

    /// Where a rule stands, as seen from another.
    static func place(of rule: Rule, from other: Rule) -> String {
        let position = rule.position
        let line = "line \(position.line)"
        return position.line == other.position.line ? line + ", column \(position.column)," : line
    }
}
