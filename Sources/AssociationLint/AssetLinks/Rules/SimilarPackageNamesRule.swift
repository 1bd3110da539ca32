internal import Android
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Two package names of which one is probably mistyped.
enum SimilarPackageNamesRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "similar-package-names", .warning, "two package names of a file differ by one letter",
        """
        Package names are compared letter by letter. If one of the two is a typing error, its app handles no links, and \
        nobody is told. Names that differ by a digit, or by a suffix like '.debug', are taken to be meant.
        """, basis: [.lint],
        bad: AssetLinksRules.apps(
            ("\"com.shop.app\"", ["\"\(AssetLinksRules.fingerprint)\""]),
            ("⟦\"com.shop.aap\"⟧", ["\"\(AssetLinksRules.fingerprint)\""])),
        good: AssetLinksRules.apps(
            ("\"com.shop.app\"", ["\"\(AssetLinksRules.fingerprint)\""]),
            ("\"com.shop.app.debug\"", ["\"\(AssetLinksRules.fingerprint)\""])))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        var names = SimilarNames()
        for statement in file.statements {
            guard case .androidApp(let package, _) = statement.statement.target,
                let node = statement.target?["package_name"], let other = names.add(package)
            else { continue }
            diagnostics.report(
                description, node.range, statement.object.pointer.member("target").member("package_name"),
                "\(quoted(package)) is nearly \(quoted(other)), another package of the file",
                advice: "correct the name if it is mistyped")
        }
    }
}
