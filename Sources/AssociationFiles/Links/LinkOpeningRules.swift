internal import Android
internal import AppSiteAssociation
package import Diagnostics
internal import DomainNames
internal import JSONSyntax
internal import LinkPages

/// The rules about a `links.json` as it is compared with the files beside it, but for `link-not-opened`, which is also one
/// about links of live hosts.
package enum LinkOpeningRules {
    package static let all: [RuleDescription] = [
        .pageNotOpened, .openHostNotOpened, .linkNotOpenedAndroid, .pageNotOpenedAndroid, .openedWithoutPage,
    ]
}

extension RuleDescription {
    private static func compared(
        _ code: String, as severity: Severity = .warning, _ summary: String, _ reason: String, _ bad: String,
        _ good: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .comparedLinkPages, summary: summary,
            reason: "\(reason) In the examples \(LinkOpeningExample.files)", basis: [.lint], bad: bad, good: good)
    }

    private static func file(_ members: String, fallback: String? = #"  "fallback": "page""#) -> String {
        let lines = [#"  "app": { "name": "Shop", "openHost": "open.example.com" }"#, members, fallback]
        return "{\n\(lines.compactMap { $0 }.joined(separator: ",\n"))\n}\n"
    }

    private static let goodLink = file(#"  "links": { "/buy/7": {} }"#)
    private static let goodPage = file(#"  "pages": [{ "route": "/buy/shoes/*" }]"#)

    /// The rule about a link that no app opens, which `aasa doctor` finds, too: there it is an error.
    package static let linkNotOpened = RuleDescription(
        "link-not-opened", .error, or: [.warning], subject: .link,
        summary: "the file opens no app for the link",
        reason: """
            No rule of the association file matches the link, or the first one that matches excludes it. On devices that \
            have this file the link opens the browser. Of a live file the finding lists the rules that were tried. For a \
            link of 'links.json' it is a warning: people who have the app get the page too.
            """, basis: [.apple],
        bad: """
            https://www.example.com/sell/7
            line 6: "/": "/buy/*": path does not match
            """,
        good: """
            https://www.example.com/buy/7
            line 6: "/": "/buy/*": matches
            """,
        advice: """
            Add a rule that matches the link, or change the one that excludes it, and deploy the file. \
            'aasa route --explain' decides the link with a file that is not deployed yet.
            """)
    static let pageNotOpened = compared(
        "page-not-opened", "the association file opens no app for some URLs of a page",
        """
        A rule excludes some URLs of the route, or no rule matches them: people who have the app get the page too. Make \
        the route narrower, or add a rule to the association file.
        """, file(#"  "pages": [{ "route": ⟦"/buy/g*"⟧ }]"#), goodPage)
    static let openHostNotOpened = compared(
        "open-host-not-opened", "the file of 'openHost' opens no app for a link or a page",
        """
        The button "Open in app" leads to the same path on 'openHost', so that host's association file has to open it: \
        otherwise the button leads to a web page. Give both hosts the same rules.
        """, file(#"  "links": { ⟦"/buy/new"⟧: {} }"#), goodLink)
    static let linkNotOpenedAndroid = compared(
        "link-not-opened-android", "the asset links file opens no app for a link",
        """
        A dynamic rule of 'assetlinks.json' excludes the link, or none matches it: since Android 15 it opens the browser. \
        Add a rule to 'dynamic_app_link_components'.
        """, file(#"  "links": { ⟦"/buy/ios"⟧: {} }"#), goodLink)
    static let pageNotOpenedAndroid = compared(
        "page-not-opened-android", "the asset links file opens no app for some URLs of a page",
        """
        A dynamic rule of 'assetlinks.json' excludes some URLs of the route, or none matches them: since Android 15 they \
        open the browser. Add a rule to 'dynamic_app_link_components', or make the route narrower.
        """, file(#"  "pages": [{ "route": ⟦"/buy/i*"⟧ }]"#), goodPage)
    static let openedWithoutPage = compared(
        "opened-without-page", as: .note, "the app opens URLs that get the 404 page",
        """
        The association file opens URLs for which there is neither a link nor a page: people without the app get the 404 \
        page. Add a page with the route of the rule, or set 'fallback' to "page" or to a redirect.
        """, file(#"  "links": { "/buy/7": {} }"#, fallback: nil), goodLink)
}

/// The example files of the rules, as they are checked.
package enum LinkOpeningExample {
    static let files = """
        the three files open '/buy/*'; the association file excludes '/buy/gift', that of the open host '/buy/new', and \
        assetlinks.json '/buy/ios'.
        """

    /// Checks an example as the file of `go.example.com`.
    package static func report(_ bytes: [UInt8]) -> FileReport {
        let document = LinksDocument.read(bytes, domain: Domain("go.example.com")) { _, _ in .missing }
        let files = LinkOpening.Files(
            association: association(excluding: "/buy/gift"), assetLinks: assetLinks(excluding: "/buy/ios"),
            openHost: association(excluding: "/buy/new"))
        let found = LinkOpening.diagnostics(document, domain: Domain("go.example.com"), files)
        return FileReport(document.source, document.diagnostics + found)
    }

    private static func components(excluding path: String) -> String {
        #"[{ "/": "\#(path)", "exclude": true }, { "/": "/buy/*" }]"#
    }

    private static func association(excluding path: String) -> AssociationDocument? {
        let text = """
            { "applinks": { "details": [
              { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": \(components(excluding: path)) }
            ] } }
            """
        return try? AssociationDocument(Array(text.utf8), path: "apple-app-site-association")
    }

    private static func assetLinks(excluding path: String) -> AssetLinksDocument {
        let relation = AssetLinksStatement.handleAllURLs
        let text = """
            [{ "relation": ["\(relation)"],
               "target": { "namespace": "android_app", "package_name": "com.shop.app",
                           "sha256_cert_fingerprints": ["\([String](repeating: "5A", count: 32).joined(separator: ":"))"] },
               "relation_extensions": { "\(relation)": { "\(DynamicRules.listKey)": \(components(excluding: path)) } } }]
            """
        return AssetLinksDocument(JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
    }
}
