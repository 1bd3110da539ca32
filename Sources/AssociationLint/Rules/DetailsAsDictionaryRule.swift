internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// The betas of iOS 9 had a dictionary from app ID to entry.
enum DetailsAsDictionaryRule: FileRule {
    static let description = RuleDescription(
        "details-as-dictionary", .warning, summary: "'details' is a dictionary, as in the betas of iOS 9",
        reason: """
            Since iOS 9 'details' is an array of entries (Apple, "Supporting associated domains"). The dictionary \
            from app ID to entry is still read (recorded with swcutil), but documented nowhere.
            """, basis: [.apple, .recorded], fix: .suggested,
        bad: """
            {
              "applinks": {
                "apps": [],
                "details": ⟦{
                  "7K3QWZ9PLM.com.shop.app": {
                    "paths": ["/buy/*"]
                  }
                }⟧
              }
            }

            """,
        good: ExampleFile.details(
            """
            {
              "appID": "7K3QWZ9PLM.com.shop.app",
              "paths": ["/buy/*"]
            }
            """, with: #""apps": []"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let links = context.appLinks, let details = links["details"], let dictionary = details.object,
            !DetailsEntry.isEntry(dictionary)
        else { return }
        diagnostics.report(
            description, details.range, links.pointer.member("details"),
            "'details' is a dictionary, an undocumented form from the betas of iOS 9: write an array of entries",
            fix: fix(details, dictionary, context))
    }

    private static func fix(_ details: JSONNode, _ dictionary: JSONObject, _ context: LintContext) -> FixIt? {
        let members = dictionary.members
        let isPlain = members.allSatisfy { member in
            member.value.object.map { $0["appID"] == nil && $0["appIDs"] == nil } ?? false
        }
        guard isPlain, dictionary.distinctMembers.count == members.count else { return nil }
        return FixIt("write an array of entries", .suggested, edits(details, in: "[", "]", context.source))
    }

    /// The edits that make entries out of a dictionary from app ID to entry, with other brackets around them.
    static func edits(_ details: JSONNode, in opening: String, _ closing: String, _ source: SourceText) -> [TextEdit] {
        let range = details.range
        var edits = [JSONEdits.replace(SourceRange(start: range.start, end: range.start + 1), with: opening)]
        for member in details.object?.members ?? [] {
            let key = SourceRange(start: member.keyRange.start, end: member.value.range.start)
            let app = JSONEdits.literal(member.key.text)
            edits.append(JSONEdits.replace(key, with: ""))
            edits.append(JSONEdits.insert(first: "appID", app, in: member.value, source: source))
        }
        edits.append(JSONEdits.replace(SourceRange(start: range.end - 1, end: range.end), with: closing))
        return edits
    }
}
