internal import Android
internal import Diagnostics

/// Two lists of dynamic rules for one app.
enum SecondDynamicListRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "second-dynamic-list", .warning, "an app has two lists of dynamic rules",
        """
        Android uses one of them, and Google does not say which. Put all components into one list; the other statements of \
        the app need none.
        """,
        bad: AssetLinksRules.twoLists(second: AssetLinksRules.rulesMember(key: "⟦\"dynamic_app_link_components\"⟧")),
        good: AssetLinksRules.rules(#"{ "/": "/buy/*" }"#, #"{ "/": "/sell/*" }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        var first: [String: SourceRange] = [:]
        for statement in file.statements where statement.statement.countsForLinks {
            guard case .androidApp(let package, _) = statement.statement.target,
                !statement.statement.dynamicRules.isAbsent, let key = statement.rulesKey
            else { continue }
            guard let other = first[package] else {
                first[package] = key.range
                continue
            }
            diagnostics.report(
                description, key.range, key.pointer,
                "a second list of dynamic rules for \(quoted(package)): it is not known which one Android uses",
                labels: [Diagnostic.Label(other, "the first list")], advice: "put all components into one list")
        }
    }
}

extension AssetLinksRules {
    /// Two statements about one app, each with dynamic rules.
    fileprivate static func twoLists(second: String) -> String {
        """
        [
          { \(relation)
            "target": \(appTarget),
            \(rulesMember(key: #""dynamic_app_link_components""#)) },
          { \(relation)
            "target": { "namespace": "android_app", "package_name": "com.shop.app",
                        "sha256_cert_fingerprints": ["\(String(fingerprint.reversed()))"] },
            \(second) }
        ]

        """
    }

    fileprivate static func rulesMember(key: String) -> String {
        """
        "relation_extensions": { "delegate_permission/common.handle_all_urls": {
              \(key): [{ "/": "/buy/*" }] } }
        """
    }
}
