internal import Diagnostics
internal import JSONSyntax

/// `appIDs` came together with `components`.
enum MixedGenerationsRule: FileRule {
    static let description = RuleDescription(
        "mixed-generations", .warning, summary: "'appIDs' is used with 'paths' only",
        reason: """
            'appIDs' is for iOS 13 and newer, where 'components' replaces 'paths'; iOS 12 reads 'paths', \
            but only knows 'appID' (Apple, "Supporting associated domains"). So no system can use such an \
            entry.
            """, basis: [.apple], fix: .suggested,
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], ⟦"paths"⟧: ["NOT /buy/old/*", "/buy/*"] }"#, with: #""apps": []"#
        ),
        good: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
            }
            """))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        let misread = context.misreadExclusions
        for entry in context.entries where !entry.hasSingleApp {
            let object = entry.object
            guard let member = object.member("paths"), object.member("appIDs") != nil, !object.isMeant("components")
            else { continue }
            diagnostics.report(
                description, member.keyRange, object.pointer.member("paths"),
                "'paths' with 'appIDs': iOS 12 does not know 'appIDs', newer systems prefer 'components'",
                fix: misread.contain(member.value.range) ? nil : fix(member))
        }
    }

    private static func fix(_ member: JSONMember) -> FixIt? {
        guard let paths = member.value.array, paths.allSatisfy({ $0.string != nil }) else { return nil }
        var edits = [JSONEdits.rename(member, to: "components")]
        for node in paths {
            edits.append(JSONEdits.replace(node, with: DetailsEntry.component(ofPath: node.string?.text ?? "")))
        }
        return FixIt("write 'components'", .suggested, edits)
    }
}
