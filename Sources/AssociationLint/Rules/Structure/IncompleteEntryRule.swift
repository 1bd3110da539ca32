internal import Diagnostics
internal import JSONSyntax

/// An entry needs apps and rules.
enum IncompleteEntryRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "missing-app-id", .error, summary: "an entry of 'details' has no app",
            reason: """
                An entry says which apps open which links. Without 'appIDs' (or 'appID') the system ignores it \
                (recorded with swcutil).
                """, basis: [.recorded], fix: .displayOnly,
            bad: """
                {
                  "applinks": {
                    "details": [
                      ⟦{ "components": [{ "/": "/buy/*" }] }⟧
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """),
        RuleDescription(
            "missing-rules", .warning, summary: "an entry of 'details' has no rules",
            reason: """
                Without 'components' (or 'paths') an entry says nothing about links, and nothing suggests that the \
                system takes that for all of them.
                """, basis: [.inferred], fix: .displayOnly,
            bad: """
                {
                  "applinks": {
                    "details": [
                      ⟦{ "appIDs": ["7K3QWZ9PLM.com.shop.app"] }⟧
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        // What stands one level too high is blamed itself.
        let hasAppsAbove = file.appLinks?.isMisplaced("appID", "appIDs") ?? false
        let hasRulesAbove = file.appLinks?.isMisplaced("components", "paths") ?? false
        for entry in file.entries {
            let level = entry.level
            if entry.key == nil, EntryOutline.isBetaDictionary(level) {
                reportBetaDictionary(level, file, &findings)
                continue
            }
            if !hasAppsAbove, !entry.hasSingleApp, !level.isMeant("appIDs"), !level.isMisplaced("apps") {
                let hasPaths = level.isMeant("paths") && !level.isMeant("components")
                findings.report(
                    "missing-app-id", level.range, level.pointer,
                    "the entry has neither 'appIDs' nor 'appID': it opens nothing",
                    fixIts: [
                        hasPaths
                            ? insert("appID", #""ABCDE12345.com.example.app""#, level, file)
                            : insert("appIDs", #"["ABCDE12345.com.example.app"]"#, level, file)
                    ])
            }
            if !hasRulesAbove, !level.isMeant("components"), !level.isMeant("paths"), !hasStrayPattern(level) {
                let isLegacy = entry.key != nil || file.minimumIOS.map { $0 < SystemVersion(13) } ?? false
                findings.report(
                    "missing-rules", level.range, level.pointer,
                    "the entry has neither 'components' nor 'paths': it opens nothing",
                    fixIts: [
                        isLegacy
                            ? insert("paths", #"["/path/*"]"#, level, file)
                            : insert("components", #"[{ "/": "/path/*" }]"#, level, file)
                    ])
            }
        }
    }

    private static func reportBetaDictionary(_ level: LevelObject, _ file: FileOutline, _ findings: inout Findings) {
        findings.report(
            "missing-app-id", level.range, level.pointer,
            "the entry is a dictionary from app ID to rules, as in the betas of iOS 9: inside an array it opens nothing",
            fixIts: [
                FixIt(
                    title: "move each app ID into its entry, as 'appID'", applicability: .suggested,
                    edits: betaDictionaryEdits(level, file.source))
            ])
    }

    /// Makes entries of the dictionary, with a list of `paths` in each.
    private static func betaDictionaryEdits(_ level: LevelObject, _ source: SourceText) -> [TextEdit] {
        var edits = DetailsDictionaryRule.edits(level.node, in: "", "", source)
        for member in level.members {
            let entry = LevelObject(.entry, member.value, level.pointer.member(member.key))
            for rule in entry?.members ?? [] {
                guard rule.meaning == .misspelt(of: "paths", isCertain: true) || rule.key == "paths" else { continue }
                if rule.key != "paths" { edits.append(JSONEdits.rename(rule.member, to: "paths")) }
                if rule.value.string != nil { edits += JSONEdits.wrap(rule.value.range, in: "[", "]") }
            }
        }
        return edits.sorted { $0.range.start < $1.range.start }
    }

    private static func hasStrayPattern(_ level: LevelObject) -> Bool { level.isMisplaced("/", "?", "#") }

    private static func insert(_ key: String, _ value: String, _ level: LevelObject, _ file: FileOutline) -> FixIt {
        let isApp = key.utf8.starts(with: "appID".utf8)
        let edit =
            isApp
            ? JSONEdits.insert(first: key, value, in: level.node, source: file.source)
            : JSONEdits.insert(last: key, value, in: level.node, source: file.source)
        return FixIt(
            title: "insert \(quoted(key)) with your \(isApp ? "app IDs" : "patterns")", applicability: .displayOnly,
            edits: [edit])
    }
}
