internal import Diagnostics
internal import JSONSyntax

/// A file has to be an object, with a service in it.
enum TopLevelRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "not-an-object", .error, summary: "the file is not a JSON object",
            reason: """
                The file has to be an object whose keys are services, like 'applinks' (Apple, "Supporting associated \
                domains"). The system reads nothing of anything else.
                """, basis: [.apple],
            bad: """
                ⟦[
                  { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }
                ]⟧

                """,
            good: """
                {
                  "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
                }

                """),
        RuleDescription(
            "no-known-service", .error, summary: "the file has no service that Apple's systems know",
            reason: """
                The system looks for services at the top of the file: 'applinks', 'webcredentials', 'appclips', \
                'activitycontinuation' and a few of Apple's own. In a file without any it finds nothing. Such a \
                file is often an error message of another program; the server never publishes it in place of a good one.
                """, basis: [.inferred],
            bad: """
                ⟦{
                  "universalLinks": { "enabled": true }
                }⟧

                """,
            good: """
                {
                  "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
                }

                """),
    ]

    private static let exampleNote =
        #"a file for links is written '{ "applinks": { "details": [{ "appIDs": […], "components": […] }] } }'"#
    private static let assetLinksNote =
        "it looks like a statement for Android: 'assetlinks.json' is an array of them, in '[ ]'"

    private static func isStatement(_ top: LevelObject) -> Bool {
        top.object.member("relation") != nil && top.object.member("target") != nil
    }

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard let top = file.file else {
            findings.report(
                "not-an-object", file.root.range, JSONPointer(),
                "the file is \(file.root.kind), not an object: the system reads nothing of it")
            return
        }
        // A service that is misspelt, or what belongs in one, is blamed itself.
        let isBlamedElsewhere = top.members.contains { member in
            switch member.meaning {
            case .misspelt, .misplaced: true
            default: false
            }
        }
        guard !isBlamedElsewhere, !top.members.contains(where: { $0.meaning == .known }) else { return }
        findings.report(
            "no-known-service", top.range, top.pointer,
            "the file has no 'applinks' and no other service: nothing in it applies to Apple devices",
            notes: [isStatement(top) ? Self.assetLinksNote : Self.exampleNote])
    }
}
