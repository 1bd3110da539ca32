internal import HTTP1

/// The parts that all pages have in common: head, navigation, footer.
struct PageFrame {
    enum Item {
        case overview, playground, certificates, doctor, metrics
    }

    /// The path from the page to `console/`.
    let root: String
    let isServer: Bool
    let version: String

    /// - Parameter path: Of the page, below the base.
    init(path: String, isServer: Bool, version: String) {
        let depth = path.utf8.count { $0 == UInt8(ascii: "/") }
        root = depth == 0 ? "console/" : String(repeating: "../", count: depth - 1)
        self.isServer = isServer
        self.version = version
    }

    /// A link's address below `console/`; `./` is the folder itself.
    func link(_ path: String) -> String { root.isEmpty && path.isEmpty ? "./" : root + path }

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - title: The subject, which is the heading, too.
    ///   - item: The page in the navigation; nil if it is none of those.
    ///   - script: The name of the asset that the page runs.
    func page(
        _ title: String, _ item: Item?, script: String? = nil, _ status: Status = .ok,
        _ content: (inout HTMLWriter) -> Void
    ) -> ConsoleAnswer {
        var html = HTMLWriter()
        html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
        html.plain("\(title) – aasa console")
        html.markup("</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        html.markup("<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n")
        html.markup("<link rel=\"stylesheet\"")
        html.attribute("href", link("assets/console.css"))
        html.markup(">\n")
        if let script {
            html.markup("<script type=\"module\"")
            html.attribute("src", link("assets/\(script)"))
            html.markup("></script>\n")
        }
        html.markup("</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n")
        navigation(item, &html)
        html.markup("<main id=\"main\" tabindex=\"-1\">\n<h1>")
        html.text(title)
        html.markup("</h1>\n")
        content(&html)
        html.markup("</main>\n<footer>\n<p>aasa ")
        html.text(version)
        html.markup(" – the console reads and explains; it changes nothing.</p>\n</footer>\n</body>\n</html>\n")
        return .page(html.bytes, status)
    }

    private func navigation(_ current: Item?, _ html: inout HTMLWriter) {
        html.markup("<header>\n<p class=\"brand\">aasa <span>console</span></p>\n<nav aria-label=\"Console\">\n<ul>\n")
        let server: [(Item, StaticString, String)] = [
            (.overview, "Sites", ""), (.playground, "Playground", "playground"),
            (.certificates, "Certificates", "certificates"), (.doctor, "Doctor", "doctor"),
            (.metrics, "Metrics", "metrics"),
        ]
        let files: [(Item, StaticString, String)] = [
            (.overview, "Files", ""), (.playground, "Playground", "playground"),
        ]
        for (item, label, path) in isServer ? server : files {
            html.markup("<li><a")
            html.attribute("href", link(path))
            if item == current { html.markup(" aria-current=\"page\"") }
            html.markup(">")
            html.markup(label)
            html.markup("</a></li>\n")
        }
        html.markup("</ul>\n</nav>\n</header>\n")
    }

    /// A page that says what is not there.
    func notFound(_ message: String) -> ConsoleAnswer {
        page("Not found", nil, .notFound) { html in
            html.markup("<p>")
            html.text(message)
            html.markup("</p>\n")
        }
    }
}
