internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A package name that was left over from a template.
enum PlaceholderPackageNameRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "placeholder-package-name", .warning, "a package name is a placeholder or an example",
        """
        Names like 'com.example.shop', 'com.placeholder' and 'your.package.name' are from documentation, or are what a new \
        project has until it gets a name of its own. Google Play refuses names that begin with 'com.example', and no app of \
        yours has one of the others, so none handles the links.
        """, basis: [.lint], bad: AssetLinksRules.app(name: #"⟦"com.example.shopapp"⟧"#))

    /// The labels of which a template has one and no app.
    private static let labels: Set<Substring> = [
        "placeholder", "yourcompany", "mycompany", "companyname", "yourdomain", "yourapp", "yourappname", "yourpackage",
        "packagename", "your_package_name", "your_app", "your_company",
    ]
    /// The labels after `your` in a template.
    private static let ownLabels: Set<Substring> = ["package", "app", "company", "domain", "bundle", "application"]

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        guard let node = statement.target?["package_name"], let name = node.string?.text,
            AndroidPackageName.isValid(name), isPlaceholder(name)
        else { return }
        diagnostics.report(
            description, node.range, statement.object.pointer.member("target").member("package_name"),
            "\(quoted(name)) is a placeholder, not the package name of an app in a store",
            advice: "write the 'applicationId' of the app")
    }

    private static func isPlaceholder(_ name: String) -> Bool {
        let parts = name.lowercased().split(separator: ".")
        return parts.starts(with: ["com", "example"]) || parts.contains(where: labels.contains)
            || zip(parts, parts.dropFirst()).contains { first, second in
                first == "your" && ownLabels.contains(second) || first == "package" && second == "name"
            }
    }
}
