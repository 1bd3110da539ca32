internal import Diagnostics
internal import HTTP1

/// The parts that all pages have in common: head, navigation, footer.
struct PageFrame {
    enum Item {
        case overview, sites, playground, certificates, doctor, fleet, metrics, rules
    }

    /// The path from the page to `console/`.
    let root: String
    let isServer: Bool
    let hasStore: Bool
    /// Whether a page of the console has led here, and not one of somebody else.
    let isReachedFromHere: Bool
    let version: String
    /// Those whose codes are explained.
    let rules: RuleCatalogue

    /// - Parameter path: Of the page, below the base.
    init(
        path: String, isServer: Bool, hasStore: Bool, isReachedFromHere: Bool, version: String, rules: RuleCatalogue
    ) {
        let depth = path.utf8.count { $0 == UInt8(ascii: "/") }
        root = depth == 0 ? "console/" : String(repeating: "../", count: depth - 1)
        (self.isServer, self.hasStore, self.isReachedFromHere) = (isServer, hasStore, isReachedFromHere)
        (self.version, self.rules) = (version, rules)
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
        _ content: (inout HTML) -> Void
    ) -> ConsoleAnswer {
        var html: HTML = #"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\#(plain: title) – aasa console</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="\#(link("assets/icon.svg"))">
            <link rel="stylesheet" href="\#(link("assets/console.css"))">

            """#
        if item == .playground { html += #"<link rel="stylesheet" href="\#(link("assets/playground.css"))">\#n"# }
        for script in [script, isServer ? "times.js" : nil].compactMap({ $0 }) {
            html += #"<script type="module" src="\#(link("assets/\(script)"))"></script>\#n"#
        }
        html += #"""
            </head>
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header>
            <p class="brand">aasa <span>console</span></p>
            <nav aria-label="Console">
            <ul>

            """#
        for (place, label, path) in isServer ? Self.server : Self.files where place != .fleet || hasStore {
            let current: HTML = place == item ? #" aria-current="page""# : ""
            html += #"<li><a href="\#(link(path))"\#(current)>\#(label)</a></li>\#n"#
        }
        html += #"""
            </ul>
            </nav>
            </header>
            <main id="main" tabindex="-1">
            <h1>\#(title)</h1>

            """#
        content(&html)
        html += """
            </main>
            <footer>
            <p>aasa \(version) – the console reads and explains; it changes nothing.</p>
            </footer>
            </body>
            </html>

            """
        return .page(html.bytes, status)
    }

    private static let server: [(Item, label: String, path: String)] = [
        (.overview, "Health", ""), (.sites, "Sites", "sites"), (.playground, "Playground", "playground"),
        (.certificates, "Certificates", "certificates"), (.doctor, "Doctor", "doctor"),
        (.fleet, "Fleet", "fleet"), (.metrics, "Metrics", "metrics"), (.rules, "Codes", "rules"),
    ]
    private static let files: [(Item, label: String, path: String)] = [
        (.overview, "Files", ""), (.doctor, "Doctor", "doctor"), (.playground, "Playground", "playground"),
        (.rules, "Codes", "rules"),
    ]

    /// A page that says what is not there.
    func notFound(_ message: String) -> ConsoleAnswer {
        page("Not found", nil, .notFound) { $0 += "<p>\(message)</p>\n" }
    }
}
