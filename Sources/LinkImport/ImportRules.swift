package import Diagnostics

/// The rules about exports of short links that `aasa links import` reads.
package enum ImportRules {
    package static let all: [RuleDescription] = [
        .importRow, .importDuplicate, .importOtherDomain, .importOtherApp, .importFallback, .importPageLink,
        .importHTTP,
    ]
}

extension RuleDescription {
    /// An example: a few columns of an export of Firebase, and its lines.
    private static func export(_ lines: String...) -> String {
        (["Short link,Deep link (link),Desktop fallback link (ofl),iOS fallback link (ifl),App Store ID (isi)"] + lines)
            .map { "\($0)\n" }.joined()
    }

    private static let good = export("https://go.example.com/summer,https://www.example.com/sale,,,1234567890")

    private static func rule(
        _ code: String, _ severity: Severity, or others: [Severity] = [], _ summary: String, _ reason: String,
        _ bad: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, or: others, subject: .linkExport, summary: summary, reason: reason, basis: [.lint],
            bad: bad, good: good)
    }

    static let importRow = rule(
        "import-row", .error, or: [.warning], "a row of an export cannot be a link",
        """
        The row has no short link or no target, or 'aasa links check' would have an error for what it says: a target that \
        is not https, a reserved path, a URL that is too long. The row is left out, and the rest is written. Of a title, a \
        description or an image that cannot be used only that is left out, which is a warning.
        """,
        export("https://go.example.com/summer,⟦ftp://files.example.com/sale⟧,,,"))
    static let importDuplicate = rule(
        "import-duplicate", .error, "two rows have the same path and differ",
        "A path leads to one place. The first row stays; remove the other one, or give it another path.",
        export(
            "https://go.example.com/summer,https://www.example.com/sale,,,",
            "⟦https://go.example.com/summer⟧,https://www.example.com/new,,,"))
    static let importOtherDomain = rule(
        "import-other-domain", .error, or: [.note], "an export has links of several domains",
        """
        A links.json is for one domain. Choose it with '--domain', and import the export once for each domain: then the \
        rows of other domains are left out with a note. Without it those of the most frequent domain are taken.
        """,
        export(
            "https://go.example.com/summer,https://www.example.com/sale,,,",
            "⟦https://get.example.com/app⟧,https://www.example.com/app,,,"))
    static let importOtherApp = rule(
        "import-other-app", .warning, "the links of an export are for different apps",
        """
        The pages of a domain lead to one app: the one that most rows name. The other rows are kept, and lead to that app \
        too. Import the links of another app with '--domain' if they have a domain of their own.
        """,
        export(
            "https://go.example.com/summer,https://www.example.com/sale,,,1234567890",
            "https://go.example.com/winter,https://www.example.com/snow,,,1234567890",
            "https://go.example.com/app,https://www.example.com/app,,,⟦987654321⟧"))
    static let importFallback = rule(
        "import-fallback", .warning, "a link has other web pages for some platforms",
        """
        Without the app, 'ifl', 'ipfl' and 'afl' send iPhones, iPads and Android devices to pages of their own. A link has \
        one web page for all platforms ('to'), taken from 'ofl' or 'link'. Make that page work on every device.
        """,
        export("https://go.example.com/summer,https://www.example.com/sale,,⟦https://m.example.com/sale⟧,"))
    static let importPageLink = rule(
        "import-page-link", .warning, "the links are of a domain of Google's",
        """
        Firebase gave projects a domain below 'page.link', which belongs to Google and answers no longer. Links that are \
        printed or sent with it are lost. The file has the same paths, for a domain of your own.
        """,
        export("⟦https://example.page.link/summer⟧,https://www.example.com/sale,,,"))
    static let importHTTP = rule(
        "import-http", .warning, "a URL of an export is http",
        "Pages and redirects lead to https only. The URL is written with 'https'; make sure that it answers there.",
        export("https://go.example.com/summer,⟦http://www.example.com/sale⟧,,,"))
}

/// The findings in the example files of the rules.
package enum ImportExample {
    package static func report(_ bytes: [UInt8]) -> FileReport {
        ImportedLinks(LinkExport(bytes, path: "links.csv", as: .firebase), as: .firebase, .init()).report
    }
}
