internal import Diagnostics
internal import SystemSupport

/// The page on which a file is edited with its findings and decisions beside it; the script does the rest.
struct PlaygroundPage {
    /// A file to begin with.
    struct Start {
        let name: String
        let bytes: [UInt8]
        let assetLinks: [UInt8]?
        let domain: String?
    }

    let frame: PageFrame

    /// The most that the API takes at once in the usual case, in bytes.
    static let longestFile = 190_000

    static let example = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                "components": [
                  { "/": "/help/*", "exclude": true, "comment": "help stays on the web" },
                  { "/": "/buy/*" },
                  { "/": "/buy/gift-cards", "exclude": true, "comment": "sold on the web only" },
                  { "/": "sale/*" }
                ]
              }
            ]
          }
        }

        """

    private static let exampleURLs = """
        https://shop.example/buy/7 open
        https://shop.example/help/returns excluded
        https://shop.example/buy/gift-cards excluded
        https://shop.example/Buy/7
        """

    func tooLarge() -> ConsoleAnswer {
        frame.page("Playground", .playground) { html in
            html.markup("<p class=\"notice\">The file is larger than the playground takes: 190,000 bytes.</p>\n")
        }
    }

    /// - Parameter start: Nil for the example.
    func answer(_ start: Start?) -> ConsoleAnswer {
        frame.page("Playground", .playground, script: "playground.js") { html in
            html.markup(
                "<noscript><p class=\"notice\">The playground needs JavaScript. Without it: <code>aasa validate FILE</code>, "
            )
            html.markup(
                "<code>aasa route --explain FILE URL</code> and <code>aasa diff OLD NEW</code> do the same.</p></noscript>\n"
            )
            html.markup("<p class=\"lead\">Edit a file and see at once what is wrong with it and what links do. ")
            html.markup("Nothing is saved, and nothing leaves this machine.</p>\n")
            html.markup("<div id=\"playground\"")
            html.attribute("data-api", frame.root + "../api/v1/")
            html.attribute("data-name", start?.name ?? "")
            html.attribute("data-base64", Base64.standard.text(start?.bytes ?? Array(Self.example.utf8)))
            if let links = start?.assetLinks { html.attribute("data-assetlinks", Base64.standard.text(links)) }
            html.markup(">\n<div class=\"columns\">\n")
            writeFile(start, &html)
            writeLinks(start, &html)
            html.markup("</div>\n")
            writeView(&html)
            writeComparison(&html)
            html.markup("</div>\n")
        }
    }

    private func writeFile(_ start: Start?, _ html: inout HTMLWriter) {
        html.markup("<section aria-labelledby=\"file-heading\">\n<h2 id=\"file-heading\">File</h2>\n")
        html.markup("<div class=\"tools\"><label for=\"text\" id=\"text-label\">Association file</label>")
        html.markup(
            "<input id=\"open\" type=\"file\" class=\"visually-hidden\" tabindex=\"-1\" aria-label=\"Open a file\">")
        html.markup("<button type=\"button\" id=\"choose\">Open a file…</button>")
        html.markup("<button type=\"button\" id=\"download\">Download</button></div>\n")
        html.markup("<textarea id=\"text\" class=\"code\" rows=\"20\" spellcheck=\"false\" autocomplete=\"off\" ")
        html.markup("autocapitalize=\"off\" wrap=\"off\" aria-describedby=\"summary\"></textarea>\n")
        html.markup(
            "<p id=\"readonly\" class=\"notice\" hidden>The file is not UTF-8 text, so it is shown read-only.</p>\n")
        html.markup("<div class=\"tools\"><p id=\"summary\" role=\"status\" aria-live=\"polite\"></p>")
        html.markup("<button type=\"button\" id=\"fix-all\" hidden>Apply the automatic fixes</button></div>\n")
        html.markup("<ul id=\"findings\" class=\"findings\"></ul>\n</section>\n")
    }

    private func writeLinks(_ start: Start?, _ html: inout HTMLWriter) {
        html.markup("<section aria-labelledby=\"links-heading\">\n<h2 id=\"links-heading\">Links</h2>\n")
        html.markup(
            "<label for=\"urls\">One per line; after a space what is expected: <code>open</code>, <code>excluded</code>, "
        )
        html.markup("<code>none</code>, an app ID, or a package name for Android</label>\n")
        html.markup("<textarea id=\"urls\" class=\"code\" rows=\"6\" spellcheck=\"false\" autocomplete=\"off\" ")
        html.markup("autocapitalize=\"off\" wrap=\"off\">\n")
        if start == nil { html.lines(Self.exampleURLs) }
        html.markup("</textarea>\n<div class=\"field\"><label for=\"domain\">Domain of the file</label>")
        html.markup("<input id=\"domain\" type=\"text\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"any\"")
        html.attribute("value", start?.domain ?? "")
        html.markup("></div>\n<p id=\"problem\" class=\"notice\" hidden></p>\n")
        html.markup(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Decisions\"><table id=\"decisions\">")
        html.markup("<caption class=\"visually-hidden\">What each link does</caption><thead><tr>")
        html.markup("<th scope=\"col\">Link</th><th scope=\"col\" id=\"platform-heading\">iOS</th>")
        html.markup(
            "<th scope=\"col\" id=\"android-heading\" hidden>Android</th></tr></thead><tbody></tbody></table></div>\n")
        html.markup("<details id=\"android-part\"><summary>Android: assetlinks.json</summary>\n")
        html.markup("<label for=\"assetlinks\">assetlinks.json of the same domain</label>\n")
        html.markup("<textarea id=\"assetlinks\" class=\"code\" rows=\"8\" spellcheck=\"false\" autocomplete=\"off\" ")
        html.markup("autocapitalize=\"off\" wrap=\"off\"></textarea>\n</details>\n</section>\n")
    }

    private func writeView(_ html: inout HTMLWriter) {
        html.markup("<section aria-labelledby=\"view-heading\">\n")
        html.markup("<h2 id=\"view-heading\">The file with its findings</h2>\n")
        html.markup("<div class=\"source\" tabindex=\"0\" role=\"region\" aria-label=\"The file with its findings\">")
        html.markup("<ol id=\"source\"></ol></div>\n</section>\n")
    }

    private func writeComparison(_ html: inout HTMLWriter) {
        html.markup("<section aria-labelledby=\"changes-heading\">\n<h2 id=\"changes-heading\">Changes</h2>\n")
        html.markup("<details id=\"other-part\"><summary>Compare with an older version</summary>\n")
        html.markup("<label for=\"other\">The older version</label>\n")
        html.markup("<textarea id=\"other\" class=\"code\" rows=\"8\" spellcheck=\"false\" autocomplete=\"off\" ")
        html.markup("autocapitalize=\"off\" wrap=\"off\"></textarea>\n")
        html.markup(
            "<p id=\"changes-summary\" role=\"status\"></p>\n<ul id=\"changes\"></ul>\n</details>\n</section>\n")
    }
}
