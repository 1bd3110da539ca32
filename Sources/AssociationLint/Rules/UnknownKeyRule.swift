internal import Diagnostics
internal import JSONSyntax

/// A key that the system does not know.
enum UnknownKeyRule: FileRule {
    static let description = RuleDescription(
        "unknown-key", .warning, summary: "the system does not know a key",
        reason: """
            The system ignores keys that it does not know (recorded with swcutil). Use 'comment' for remarks. In an \
            'assetlinks.json' a statement has 'relation', 'target', 'include' and 'relation_extensions', a target \
            'namespace' and 'site', or 'namespace', 'package_name' and 'sha256_cert_fingerprints' (Google, "Statement \
            List Syntax", developers.google.com/digital-asset-links/v1/statements); neither says which paths open.
            """, basis: [.recorded, .google],
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", ⟦"method"⟧: "GET" }] }"#),
        good: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", "comment": "GET" }] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for object in context.objects where object.hasForeignKeys {
            // A file without any service has one finding for that, not one for each key.
            if object.schema == .root, diagnostics.isClaimed(object.range) { continue }
            // Entries in the form of the betas are reported themselves.
            if DetailsEntry.isBetaDictionary(object) { continue }
            // About the keys of statements and targets there is more to say.
            if [.statement, .appTarget, .siteTarget].contains(object.schema) { continue }
            for member in object.members where member.meaning == .unknown {
                diagnostics.report(
                    description, member.member.keyRange, object.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored: there is no such key \(object.location)")
            }
        }
    }
}
