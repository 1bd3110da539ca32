internal import AppSiteAssociation
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
            guard OpenDecisions.canDecide(detail), let outline = outlines[detail.index] else { return nil }
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
