internal import Diagnostics
internal import JSONSyntax

/// `components` win over `paths`.
enum IgnoredPathsRule: FileRule {
    static let description = RuleDescription(
        "ignored-paths", .warning, summary: "no system reads these 'paths'",
        reason: """
            If an entry has 'components', iOS 13 and newer ignore its 'paths' (Apple, "Supporting associated \
            domains"). Older systems read them, but only in an entry with 'appID'. The fix deletes them if the \
            components say the same, and moves them there if the components open nothing.
            """, basis: [.apple], fix: .suggested,
        bad: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              ⟦"paths"⟧: ["/buy/*"],
              "components": [{ "/": "/buy/*" }]
            }
            """),
        good: ExampleFile.details(
            """
            {
              "appID": "7K3QWZ9PLM.com.shop.app",
              "paths": ["/buy/*"],
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/*" }]
            }
            """, with: #""apps": []"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        let isNew = context.isOnly(for: SystemVersion(13))
        let misread = context.misreadExclusions
        for entry in context.entries where applies(to: entry.object, context) {
            let object = entry.object
            guard let member = object.member("paths") else { continue }
            let fix = fix(member, entry, context, isMisread: misread.contain(member.value.range))
            diagnostics.report(
                description, member.keyRange, object.pointer.member("paths"),
                isNew
                    ? "'paths' is ignored: iOS 13 and newer read 'components' of the same entry"
                    : "'paths' is ignored: iOS 13 and newer read 'components', older systems need 'appID'",
                labels: (object.member("components")?.keyRange).map { [Diagnostic.Label($0, "read instead")] } ?? [],
                advice: fix == nil ? "delete 'paths', or write its rules as 'components'" : nil, fix: fix)
        }
    }

    /// Whether no system reads the `paths` of an entry.
    static func applies(to object: SchemaObject, _ context: LintContext) -> Bool {
        guard object.schema == .entry, object.member("paths") != nil, object["components"]?.array != nil else {
            return false
        }
        let hasSingleApp = object.keyRange != nil || object.isMeant("appID")
        return context.isOnly(for: SystemVersion(13)) || !hasSingleApp
    }

    /// Deletes paths only if the components say the same. Where these open nothing the paths are what was meant; anything
    /// else is for a person to decide.
    private static func fix(
        _ member: JSONMember, _ entry: DetailsEntry, _ context: LintContext, isMisread: Bool
    ) -> FixIt? {
        guard let list = entry.object["components"], let components = list.array,
            let paths = paths(member.value)
        else { return nil }
        let deletion = JSONEdits.delete(member: member, in: entry.object.json, source: context.source)
        let simple = Set(components.compactMap { $0.object.flatMap(SimpleRule.init) })
        if paths.allSatisfy({ simple.contains(SimpleRule(path: $0)) }) {
            return FixIt("delete 'paths'", .suggested, deletion)
        }
        guard entry.components.count == components.count,
            entry.components.allSatisfy({ context.isExclusion($0, in: entry) }), !isMisread
        else { return nil }
        let text = paths.map { DetailsEntry.component(ofPath: $0) }.joined(separator: ", ")
        let insertion =
            components.isEmpty
            ? JSONEdits.replace(list, with: "[\(text)]")
            : JSONEdits.insert(element: text, after: components.count - 1, in: components, source: context.source)
        return FixIt(
            "move the rules of 'paths' to 'components', which open nothing", .suggested,
            [deletion, insertion].sorted { $0.range.start < $1.range.start },
            done: "moved the rules of 'paths' to 'components'")
    }

    /// The paths, also of a single string in place of a list; nil if there are none, or other things too.
    private static func paths(_ node: JSONNode) -> [String]? {
        if let single = node.string?.text { return [single] }
        guard let elements = node.array, !elements.isEmpty else { return node.array == nil ? nil : [] }
        let texts = elements.compactMap { $0.string?.text }
        return texts.count == elements.count ? texts : nil
    }
}

/// A rule that only says which paths it opens or excludes.
private struct SimpleRule: Hashable {
    let path: String
    let excludes: Bool

    init(path: String) {
        excludes = path.utf8.starts(with: "NOT ".utf8)
        self.path = excludes ? String(Substring(path.utf8.dropFirst(4))) : path
    }

    /// Nil for a component with other keys.
    init?(_ component: JSONObject) {
        let keys = component.members.map(\.key.text).filter { !KeyMeaning.isComment($0) }
        guard let path = component["/"]?.string?.text, keys.allSatisfy({ $0 == "/" || $0 == "exclude" }) else {
            return nil
        }
        self.path = path
        excludes = component["exclude"]?.boolean ?? false
    }
}
