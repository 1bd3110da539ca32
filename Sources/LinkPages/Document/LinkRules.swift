package import Diagnostics
internal import DomainNames

/// The rules about `links.json` that the file alone decides (link-pages.md, section 3).
package enum LinkPageRules {
    package static let all: [RuleDescription] = [
        .unknownLinksKey, .invalidLinksValue, .missingLinksKey, .invalidLinkPath, .reservedPath, .duplicateLink,
        .fragmentInPage, .invalidLinkTarget, .captureInHost, .unknownCapture, .redirectLoop, .unusableImage,
        .openHostIsThisHost, .targetOnThisHost, .unreachablePage, .freeTextCapture, .noOpenButton,
    ]
}

/// The example files of the rules about `links.json`, as they are checked.
package enum LinkPageExample {
    /// Reads an example as the file of `go.example.com`, with an icon beside it and nothing else.
    package static func document(_ bytes: [UInt8]) -> LinksDocument {
        let icon: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return LinksDocument.read(bytes, domain: Domain("go.example.com")) { name, _ in
            name == "icon.png" ? .found(icon, sha256: [UInt8](repeating: 0x2A, count: 32)) : .missing
        }
    }
}

extension RuleDescription {
    /// - Parameters:
    ///   - bad: What is in the object of the file, which is the same for all but that.
    private static func links(
        _ code: String, _ summary: String, _ reason: String, as severity: Severity = .error, basis: Basis = .lint,
        bad: String, good: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .linkPages, summary: summary, reason: reason, basis: [basis],
            bad: "{\n  \(bad)\n}\n", good: "{\n  \(good)\n}\n")
    }

    package static let unknownLinksKey = links(
        "unknown-links-key", "'links.json' has an unknown key",
        "Nothing reads the key, so a link with a typo silently does something else.",
        bad: #""app": { "name": "Shop" }, "links": { "/summer": { ⟦"titel"⟧: "Summer sale" } }"#,
        good: #""app": { "name": "Shop" }, "links": { "/summer": { "title": "Summer sale" } }"#)
    package static let invalidLinksValue = links(
        "invalid-links-value", "a value in 'links.json' has the wrong type, is out of range or too long",
        "The value cannot be used, so the whole file is refused: the server keeps the last one without errors.",
        bad: #""cacheMaxAge": ⟦"5 minutes"⟧"#,
        good: #""cacheMaxAge": 300"#)
    package static let missingLinksKey = links(
        "missing-links-key", "a key that 'links.json' has to have is missing",
        """
        A page needs the app that it is of and that app's name, an element of 'pages' its route, and a redirect the \
        web page that it leads to.
        """,
        bad: #""links": { "/summer": ⟦{⟧ "answer": "redirect" } }"#,
        good: #""links": { "/summer": { "answer": "redirect", "to": "https://www.example.com/sale" } }"#)
    package static let invalidLinkPath = links(
        "invalid-link-path", "a key of 'links' cannot be the path of a URL",
        """
        A link is found by its path as it is in the URL: it begins with '/', has neither a query nor a fragment nor \
        a segment '.' or '..', and is percent-encoded where URLs are.
        """,
        bad: #""app": { "name": "Shop" }, "links": { ⟦"/café"⟧: { "title": "Café" } }"#,
        good: #""app": { "name": "Shop" }, "links": { "/caf%C3%A9": { "title": "Café" } }"#)
    package static let reservedPath = links(
        "reserved-path", "a link has a path that the server answers by itself",
        """
        Association files and everything else below '/.well-known/' never redirect, and '/_links/' has the images of \
        links, so such a link would never be found.
        """,
        bad: #""app": { "name": "Shop" }, "links": { ⟦"/.well-known/change-password"⟧: { "title": "Password" } }"#,
        good: #""app": { "name": "Shop" }, "links": { "/change-password": { "title": "Password" } }"#)
    package static let duplicateLink = links(
        "duplicate-link", "two links have the same path",
        """
        Slashes at the ends of a path do not count, and an escape such as %61 is the same as its letter, so only one \
        of the two could be found.
        """,
        bad: #""app": { "name": "Shop" }, "links": { "/sale": {}, ⟦"/sale/"⟧: {} }"#,
        good: #""app": { "name": "Shop" }, "links": { "/sale": {}, "/sale/2": {} }"#)
    package static let fragmentInPage = links(
        "fragment-in-page", "the route of a page has a fragment or a host",
        """
        Browsers do not send the fragment to a server, and a file is for one site, so neither can decide about a \
        page.
        """,
        bad: #""app": { "name": "Shop" }, "pages": [{ "route": "/cart ⟦#items⟧" }]"#,
        good: #""app": { "name": "Shop" }, "pages": [{ "route": "/cart" }]"#)
    package static let invalidLinkTarget = links(
        "invalid-link-target", "a target is not an absolute https URL",
        """
        A link leads to an https URL with a host, without user information, backslashes and spaces. Anything else \
        could run a script, or lead to another host than it seems. 'appURL' may have the app's own scheme, which \
        must not be one that browsers, stores or the system handle.
        """,
        bad: #""app": { "name": "Shop" }, "links": { "/sale": { "to": ⟦"http://www.example.com/sale"⟧ } }"#,
        good: #""app": { "name": "Shop" }, "links": { "/sale": { "to": "https://www.example.com/sale" } }"#)
    package static let captureInHost = links(
        "capture-in-host", "a capture is inserted into the host of a target",
        "Whoever makes a link would choose the host that it leads to: an open redirect, which is used for phishing.",
        bad: #""app": { "name": "Shop" }, "pages": [{ "route": "/{shop}", "to": ⟦"https://{shop}.example.com/"⟧ }]"#,
        good: #""app": { "name": "Shop" }, "pages": [{ "route": "/{shop}", "to": "https://www.example.com/{shop}" }]"#)
    package static let unknownCapture = links(
        "unknown-capture", "a text or a target names a capture that its route does not have",
        "Nothing could be inserted there. A link in 'links' has no captures at all, only the route of a page has.",
        bad: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/{id}", "to": ⟦"https://www.example.com/{name}"⟧ }]"#,
        good: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/{id}", "to": "https://www.example.com/{id}" }]"#)
    package static let redirectLoop = links(
        "redirect-loop", "a redirect leads back to itself",
        "Browsers follow about twenty redirects, and then show an error instead of a page.",
        bad: #""fallback": { "redirect": ⟦"https://go.example.com"⟧ }"#,
        good: #""fallback": { "redirect": "https://www.example.com" }"#)
    package static let unusableImage = links(
        "unusable-image", "an image of 'links.json' cannot be used",
        "It is missing, outside the folder of the file, too large, or neither a PNG, a JPEG nor a WebP file.",
        bad: #""app": { "name": "Shop", "icon": ⟦"logo.png"⟧ }"#,
        good: #""app": { "name": "Shop", "icon": "icon.png" }"#)
    package static let openHostIsThisHost = links(
        "open-host-is-this-host", "'openHost' is the host of the pages themselves",
        """
        On an iPhone a link to the host of the page that is shown stays in the browser, so the button would never \
        open the app.
        """, basis: .apple,
        bad: #""app": { "name": "Shop", "openHost": ⟦"go.example.com"⟧ }"#,
        good: #""app": { "name": "Shop", "openHost": "open.example.com" }"#)
    package static let targetOnThisHost = links(
        "target-on-this-host", "'to' is on the host of the link itself",
        "A link from a page to its own host stays in the browser, also where the app is installed.",
        as: .warning, basis: .apple,
        bad: #""app": { "name": "Shop" }, "links": { "/sale": { "to": ⟦"https://go.example.com/shop"⟧ } }"#,
        good: #""app": { "name": "Shop" }, "links": { "/sale": { "to": "https://www.example.com/shop" } }"#)
    package static let unreachablePage = links(
        "unreachable-page", "an earlier page takes all URLs of this one",
        "The first page whose route matches a URL answers, so a page after a more general one is never shown.",
        as: .warning,
        bad: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/{id}" }, { "route": ⟦"/p/new"⟧ }]"#,
        good: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/new" }, { "route": "/p/{id}" }]"#)
    package static let freeTextCapture = links(
        "free-text-capture", "a page shows a capture that takes any text",
        "Anybody can make a link whose page says what they want, under the name of the app and on its domain.",
        as: .warning,
        bad: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/{id}", "title": ⟦"Product {id}"⟧ }]"#,
        good: #""app": { "name": "Shop" }, "pages": [{ "route": "/p/{id:$(digit)$(digit)}", "title": "Product {id}" }]"#
    )
    package static let noOpenButton = links(
        "no-open-button", "pages have no button on an iPhone that opens the app",
        """
        A button on a page opens the app only by another host, 'openHost', or by the app's own 'scheme'. Without \
        them only the Smart App Banner of Safari does.
        """, as: .note, basis: .apple,
        bad: #""app": { "name": "Shop", "appStore": { "id": ⟦"1234567890"⟧ } }"#,
        good: #""app": { "name": "Shop", "appStore": { "id": "1234567890" }, "scheme": "shop" }"#)
}
