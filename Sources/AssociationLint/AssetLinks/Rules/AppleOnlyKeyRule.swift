internal import Diagnostics
internal import JSONSyntax

/// A key of Apple's association files in dynamic rules.
enum AppleOnlyKeyRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "apple-only-key", .warning, "dynamic rules have a key that only Apple's systems read",
        """
        Dynamic rules look like the components of an association file, but Android reads only '/', '?', '#' and 'exclude' \
        in them. Case always counts there, URLs are always compared decoded, and there are no defaults and variables.
        """,
        bad: AssetLinksRules.rules(#"{ "/": "/buy/*", ⟦"caseSensitive"⟧: false }"#),
        good: AssetLinksRules.rules(#"{ "/": "/buy/*" }"#, #"{ "/": "/Buy/*" }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for object in file.context.objects where object.hasForeignKeys {
            for member in object.members where member.meaning == .appleOnly {
                diagnostics.report(
                    description, member.member.keyRange, object.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored \(object.location): only Apple's systems read it",
                    advice: advice(member.key))
            }
        }
    }

    private static func advice(_ key: String) -> String {
        switch key {
        case "caseSensitive": "delete it, and add a component for each spelling; on Android case always counts"
        case "percentEncoded": "delete it, and write patterns as they are decoded"
        case "substitutionVariables": "delete it, and write a component for each value"
        case "defaults": "delete it, and write the values in each component"
        default: "delete it"
        }
    }
}
