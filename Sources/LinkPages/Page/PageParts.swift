internal import BoundedText
internal import Diagnostics
internal import SystemSupport

/// The parts of pages in a language that no request changes, written beforehand.
struct PageParts: Sendable {
    let texts: PageTexts
    /// Up to the title.
    let start: HTML
    let siteName: HTML
    /// The icon of the tab and the style.
    let headEnd: HTML
    /// The icon and the name of the app.
    let brand: HTML
    /// The icon alone, for pages whose heading is the name.
    let namelessBrand: HTML
    /// The heading of the stores, and the beginning of their list.
    let storesStart: HTML
    /// From the end of the code to the end of the document.
    let pageEnd: HTML
    private let appStore: HTML
    private let otherStores: HTML

    /// Whether there are stores besides Google's.
    let hasFixedStores: Bool

    /// An icon that is larger is not in the document a second time, for the browser's tab.
    private static let maxTabIconBytes = 16 << 10

    /// The icon of an app as the address of its bytes; nil without one.
    static func icon(of app: LinkApp?) -> (address: HTML, isSmall: Bool)? {
        app?.icon.map { icon in
            let data = HTML(markup: Array(Base64.standard.text(icon.bytes).utf8))
            let address: HTML = "data:\(plain: icon.format.mediaType.description);base64,\(data)"
            return (address, icon.bytes.count <= maxTabIconBytes)
        }
    }

    init(_ app: LinkApp?, _ language: PageLanguage, _ icon: (address: HTML, isSmall: Bool)?) {
        let texts = PageTexts.texts(in: language)
        self.texts = texts
        let name = app?.name.pageText ?? ""
        start = """
            <!DOCTYPE html>
            <html lang="\(language.tag.description)" dir="\(language.isRightToLeft ? "rtl" : "ltr")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """
        siteName = app == nil ? "" : "<meta property=\"og:site_name\" content=\"\(name)\">\n"
        // An empty one keeps browsers from asking for `/favicon.ico`.
        let tabIcon: HTML = icon.flatMap { $0.isSmall ? $0.address : nil } ?? "data:,"
        headEnd = """
            <link rel="icon" href="\(tabIcon)">
            <style>\(HTML(markup: PackageResources.page_css))</style>
            </head>
            <body>

            """
        let image = icon.map { "<img src=\"\($0.address)\" alt=\"\">" as HTML } ?? ""
        brand = app == nil ? "" : "<div class=\"app\">\(image)<p><bdi>\(plain: name)</bdi></p></div>\n"
        namelessBrand = icon == nil ? "" : "<div class=\"app\">\(image)</div>\n"
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
        var others: HTML = ""
        for store in app?.stores ?? [] {
            guard let address = PageAddress(https: store.url) else { continue }
            let name = store.name.pageText
            others += "<li><a class=\"store\" href=\"\(address)\" rel=\"noopener\"><bdi>\(plain: name)</bdi></a></li>\n"
        }
        otherStores = others
        hasFixedStores = !(appStore.bytes.isEmpty && others.bytes.isEmpty)
    }

    /// Writes the entries of the list, Google's store before or after Apple's.
    func writeStores(_ play: PageAddress?, androidFirst: Bool, to html: inout HTML) {
        if !androidFirst { html += appStore }
        if let play {
            html +=
                "<li><a id=\"google-play\" href=\"\(play)\" rel=\"noopener\">\(plain: texts[.googlePlay])</a></li>\n"
        }
        if androidFirst { html += appStore }
        html += otherStores
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
