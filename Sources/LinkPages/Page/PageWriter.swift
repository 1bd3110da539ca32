internal import BoundedText
internal import Diagnostics
internal import SystemSupport

/// Writes the pages of a file of links (docs/spec/link-pages.md): what all pages in a language have in common is prepared,
/// and only texts with captures, URLs and the QR code are written for a request.
package struct PageWriter: Sendable {
    private let heads: [PageLanguage: PageHead]
    private let parts: [PageLanguage: PageParts]
    private let app: LinkApp?
    private let fallback: PageLanguage

    /// - Parameters:
    ///   - app: of the file; nil only where no answer is a page.
    ///   - languages: those that are offered; at least one.
    ///   - sha256: the hash of bytes, of which the policy of the pages' style is made.
    package init(_ app: LinkApp?, languages: [PageLanguage], sha256: ([UInt8]) -> [UInt8]) {
        let style = Base64.standard.text(sha256(PackageResources.page_css))
        self.app = app
        fallback = languages.first ?? .english
        var heads: [PageLanguage: PageHead] = [:]
        var parts: [PageLanguage: PageParts] = [:]
        let appParts = AppParts(app)
        for language in languages.isEmpty ? [.english] : languages {
            heads[language] = PageHead(language, styleHash: style)
            parts[language] = PageParts(app, appParts, language)
        }
        (self.heads, self.parts) = (heads, parts)
    }

    /// The fields of the answer, prepared.
    package func head(of subject: PageSubject) -> PageHead {
        switch subject.variant.representation {
        case .html: heads[subject.variant.language] ?? heads[fallback] ?? .json
        case .json: .json
        case .linkedData: subject.kind == .notFound ? .json : .linkedData
        }
    }

    /// Appends the document, whatever its representation is.
    package func write(_ subject: PageSubject, to body: inout [UInt8]) {
        guard subject.variant.representation == .html else {
            body += LinkDocument.bytes(of: subject, app)
            return
        }
        guard let parts = parts[subject.variant.language] ?? parts[fallback] else { return }
        var html = HTML(markup: body)
        body = []
        switch subject.kind {
        case .notFound: writeNotFound(subject, parts, to: &html)
        case .found: writePage(subject, parts, to: &html)
        }
        body = html.bytes
    }

    private func writePage(_ subject: PageSubject, _ parts: PageParts, to html: inout HTML) {
        let url = PageURL(subject.url)
        let withoutQuery = PageURL(subject.urlWithoutQuery).text
        let title = subject.title.map(\.plain) ?? app?.name.pageText ?? subject.host.pageText
        html += parts.start
        html += """
            <title>\(plain: title)</title>
            <meta name="robots" content="\(subject.isIndexed ? "index" : "noindex")">
            <link rel="canonical" href="\(PageURL(subject.canonical).text)">
            <meta property="og:type" content="website">
            <meta property="og:url" content="\(withoutQuery)">
            <meta property="og:title" content="\(title)">

            """
        html += parts.app.siteName
        if let description = subject.description?.plain {
            html += """
                <meta name="description" content="\(description)">
                <meta property="og:description" content="\(description)">

                """
        }
        if let image = subject.image {
            html += """
                <meta property="og:image" content="\(PageURL(image).text)">
                <meta name="twitter:card" content="summary_large_image">

                """
        } else {
            html += "<meta name=\"twitter:card\" content=\"summary\">\n"
        }
        let appURL = PageURL(subject.appURL)
        if let id = app?.appStoreID {
            // A comma would begin the next of its arguments.
            let argument = PageURL.encoded(appURL.bytes) { $0 != UInt8(ascii: ",") }
            let content = "app-id=\(id.pageText), app-argument=\(argument.pageText)"
            html += "<meta name=\"apple-itunes-app\" content=\"\(content)\">\n"
        }
        html += parts.app.headEnd
        // The library that draws codes is missing, or the URL is too long: the page is whole without one.
        let code = try? QRCode(url.bytes)
        html += code == nil ? "<main>\n" : "<main class=\"code\">\n"
        parts.app.writeBrand(isNamed: subject.title != nil, to: &html)
        html += "<div class=\"text\">\n<h1>"
        if let text = subject.title { html += "\(text)" } else { html += "<bdi>\(plain: title)</bdi>" }
        html += "</h1>\n"
        if let description = subject.description { html += "<p>\(description)</p>\n" }
        html += "</div>\n"
        writeWays(subject, appURL, parts, to: &html)
        if let code {
            html += """
                <figure><svg id="qr" viewBox="0 0 \(code.side) \(code.side)" role="img" aria-label="\(parts.texts[.qrCode])" \
                shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(code.side)v\(code.side)H0z"/><path stroke="#000" d="
                """
            html += HTML(markup: code.path)
            html += "\"/></svg><figcaption>\(plain: parts.texts[.scan])</figcaption></figure>\n"
        }
        html += parts.pageEnd
    }

    /// The links to the app, its stores, and the web page.
    private func writeWays(_ subject: PageSubject, _ appURL: PageURL, _ parts: PageParts, to html: inout HTML) {
        let platform = subject.variant.platform
        let play = app?.playPackage.map { PageAddress.googlePlay(package: $0, appURL: appURL) }
        let open: PageAddress? =
            switch platform {
            case .android:
                play.flatMap { play in
                    app?.playPackage.flatMap { PageAddress.intent(appURL, package: $0, fallback: play) }
                }
            case .apple: app.flatMap { PageAddress(onApple: appURL, host: subject.host, app: $0) }
            case .other: nil
            }
        let website = subject.to.flatMap { PageAddress(https: $0) }
        let hasStores = play != nil || parts.hasFixedStores
        guard open != nil || website != nil || hasStores else { return }
        html += "<div class=\"ways\">\n"
        if let open {
            html +=
                "<a id=\"open\" class=\"first\" href=\"\(open)\" rel=\"noopener\">\(plain: parts.texts[.open])</a>\n"
        }
        if hasStores {
            html += parts.storesStart
            parts.writeStores(play, androidFirst: platform == .android, to: &html)
            html += "</ul>\n<p class=\"note\">\(plain: parts.texts[.again])</p>\n</section>\n"
        }
        if let website {
            html += "<a id=\"website\" href=\"\(website)\" rel=\"noopener\">\(plain: parts.texts[.website])</a>\n"
        }
        html += "</div>\n"
    }

    private func writeNotFound(_ subject: PageSubject, _ parts: PageParts, to html: inout HTML) {
        html += parts.start
        html += "<title>\(plain: parts.texts[.notFoundTitle])</title>\n<meta name=\"robots\" content=\"noindex\">\n"
        html += parts.app.headEnd
        html += "<main>\n"
        parts.app.writeBrand(isNamed: true, to: &html)
        html += """
            <div class="text">
            <h1>\(plain: parts.texts[.notFoundTitle])</h1>
            <p>\(plain: parts.texts[.notFound])</p>
            </div>

            """
        let play = app?.playPackage.map { PageAddress.googlePlay(package: $0, appURL: nil) }
        if play != nil || parts.hasFixedStores {
            html += parts.storesStart
            parts.writeStores(play, androidFirst: subject.variant.platform == .android, to: &html)
            html += "</ul>\n</section>\n"
        }
        html += "</main>\n</body>\n</html>\n"
    }
}

/// The fields of an answer about a link, all but those that follow from its bytes, its age and the time.
package struct PageHead: Sendable {
    package let contentType: String
    package let contentLanguage: String?
    /// Nil for what is not a page.
    package let contentSecurityPolicy: String?
    package let referrerPolicy = "no-referrer"
    package let vary: String

    static let json = PageHead("application/json")
    static let linkedData = PageHead("application/ld+json")

    private init(_ contentType: String) {
        self.contentType = contentType
        contentLanguage = nil
        contentSecurityPolicy = nil
        vary = "Accept, Accept-Language"
    }

    fileprivate init(_ language: PageLanguage, styleHash: String) {
        contentType = "text/html; charset=utf-8"
        contentLanguage = "\(language.tag)"
        contentSecurityPolicy =
            "default-src 'none'; style-src 'sha256-\(styleHash)'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
        vary = "Accept, Accept-Language, User-Agent"
    }
}
