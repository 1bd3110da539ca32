internal import BoundedText
internal import Diagnostics
internal import SystemSupport

/// The parts of pages that neither a request nor a language changes, written beforehand.
struct AppParts: Sendable {
    let siteName: HTML
    /// The icon of the tab and the style.
    let headEnd: HTML
    /// The stores besides the two big ones, as entries of the list.
    let otherStores: HTML
    private let icon: HTML
    private let name: HTML

    /// An icon that is larger is not in the document a second time, for the browser's tab.
    private static let maxTabIconBytes = 16 << 10

    init(_ app: LinkApp?) {
        let address = app?.icon.map { icon in
            let data = HTML(markup: Array(Base64.standard.text(icon.bytes).utf8))
            return "data:\(plain: icon.format.mediaType.description);base64,\(data)" as HTML
        }
        let isSmall = (app?.icon?.bytes.count ?? 0) <= Self.maxTabIconBytes
        // An empty one keeps browsers from asking for `/favicon.ico`.
        let tabIcon: HTML = isSmall ? address ?? "data:," : "data:,"
        headEnd = """
            <link rel="icon" href="\(tabIcon)">
            <style>\(HTML(markup: PackageResources.page_css))</style>
            </head>
            <body>

            """
        icon = address.map { "<img src=\"\($0)\" alt=\"\">" as HTML } ?? ""
        let name = app?.name.pageText ?? ""
        self.name = app == nil ? "" : "<p><bdi>\(plain: name)</bdi></p>"
        siteName = app == nil ? "" : "<meta property=\"og:site_name\" content=\"\(name)\">\n"
        var stores: HTML = ""
        for store in app?.stores ?? [] {
            guard let address = PageAddress(https: store.url) else { continue }
            let name = store.name.pageText
            stores += "<li><a class=\"store\" href=\"\(address)\" rel=\"noopener\"><bdi>\(plain: name)</bdi></a></li>\n"
        }
        otherStores = stores
    }

    /// Writes the icon, and the name where it is not the heading of the page.
    func writeBrand(isNamed: Bool, to html: inout HTML) {
        guard !icon.bytes.isEmpty || isNamed && !name.bytes.isEmpty else { return }
        html += "<div class=\"app\">"
        html += icon
        if isNamed { html += name }
        html += "</div>\n"
    }
}

/// The parts of pages in a language that no request changes, written beforehand.
struct PageParts: Sendable {
    let texts: PageTexts
    let app: AppParts
    /// Up to the title.
    let start: HTML
    /// The heading of the stores, and the beginning of their list.
    let storesStart: HTML
    /// From the end of the code to the end of the document.
    let pageEnd: HTML
    private let appStore: HTML

    /// Whether there are stores besides Google's.
    var hasFixedStores: Bool { !(appStore.bytes.isEmpty && app.otherStores.bytes.isEmpty) }

    init(_ app: LinkApp?, _ parts: AppParts, _ language: PageLanguage) {
        let texts = PageTexts.texts(in: language)
        self.texts = texts
        self.app = parts
        start = """
            <!DOCTYPE html>
            <html lang="\(language.tag.description)" dir="\(language.isRightToLeft ? "rtl" : "ltr")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """
        storesStart = """
            <section aria-labelledby="get">
            <h2 id="get">\(plain: texts[.get])</h2>
            <ul>

            """
        pageEnd = """
            <details><summary>\(plain: texts[.inAppTitle])</summary><p>\(plain: texts[.inApp])</p></details>
            </main>
            </body>
            </html>

            """
        appStore =
            app?.appStoreID.map { id in
                let address = PageAddress.appStore(id: id, country: app?.appStoreCountry)
                return
                    "<li><a id=\"app-store\" href=\"\(address)\" rel=\"noopener\">\(plain: texts[.appStore])</a></li>\n"
            } ?? ""
    }

    /// Writes the entries of the list, Google's store before or after Apple's.
    func writeStores(_ play: PageAddress?, androidFirst: Bool, to html: inout HTML) {
        if !androidFirst { html += appStore }
        if let play {
            html +=
                "<li><a id=\"google-play\" href=\"\(play)\" rel=\"noopener\">\(plain: texts[.googlePlay])</a></li>\n"
        }
        if androidFirst { html += appStore }
        html += app.otherStores
    }
}

extension HTML.StringInterpolation {
    /// In an attribute.
    mutating func appendInterpolation(_ address: PageAddress) { appendInterpolation(address.text) }

    /// Where it is visible: whatever its direction is, the text around it keeps its own, as does that around what was
    /// inserted in it.
    mutating func appendInterpolation(_ text: PageText) {
        appendLiteral("<bdi>")
        for piece in text.pieces {
            switch piece {
            case .literal(let bytes): appendInterpolation(plain: bytes.pageText)
            case .inserted(let bytes):
                appendLiteral("<bdi>")
                appendInterpolation(plain: bytes.pageText)
                appendLiteral("</bdi>")
            }
        }
        appendLiteral("</bdi>")
    }
}

extension [UInt8] {
    /// Bytes in UTF-8 as the text of a page, in which tabs are as visible as other characters that nobody sees.
    var pageText: String {
        String(text: contains(UInt8(ascii: "\t")) ? map { $0 == UInt8(ascii: "\t") ? 0x1F : $0 } : self)
    }
}

extension PageText {
    /// The whole text where no element can be.
    var plain: String { bytes.pageText }
}
