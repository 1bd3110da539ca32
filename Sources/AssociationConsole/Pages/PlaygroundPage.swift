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

    private static let exampleURLs: HTML = """
        https://shop.example/buy/7 open
        https://shop.example/help/returns excluded
        https://shop.example/buy/gift-cards excluded
        https://shop.example/Buy/7
        """

    func tooLarge() -> ConsoleAnswer {
        frame.page("Playground", .playground) { html in
            html += "<p class=\"notice\">The file is larger than the playground takes: 190,000 bytes.</p>\n"
        }
    }

    /// - Parameter start: Nil for the example.
    func answer(_ start: Start?) -> ConsoleAnswer {
        let text = Base64.standard.text(start?.bytes ?? Array(Self.example.utf8))
        let links: HTML = start?.assetLinks.map { #" data-assetlinks="\#(Base64.standard.text($0))""# } ?? ""
        return frame.page("Playground", .playground, script: "playground.js") { html in
            html += #"""
                <noscript><p class="notice">The playground needs JavaScript. Without it: <code>aasa validate FILE</code>, \#
                <code>aasa route --explain FILE URL</code> and <code>aasa diff OLD NEW</code> do the same.</p></noscript>
                <p class="lead">Edit a file and see at once what is wrong with it and what links do. Nothing is saved, and \#
                nothing leaves this machine.</p>
                <div id="playground" data-api="\#(frame.root)../api/v1/" data-name="\#(start?.name ?? "")" \#
                data-base64="\#(text)"\#(links)>
                <div class="columns">

                """#
            html += Self.file
            html.section("links", "Links") { html in
                html += #"""
                    <label for="urls">One per line; after a space what is expected: <code>open</code>, \#
                    <code>excluded</code>, <code>none</code>, an app ID, or a package name for Android</label>
                    <textarea id="urls" class="code" rows="6"\#(Self.isCode)>
                    \#(start == nil ? Self.exampleURLs : "")</textarea>
                    <div class="field"><label for="domain">Domain of the file</label><input id="domain" type="text" \#
                    autocomplete="off" spellcheck="false" placeholder="any" value="\#(start?.domain ?? "")"></div>
                    <p id="problem" class="notice" hidden></p>
                    <div class="scroll" tabindex="0" role="region" aria-label="Decisions"><table id="decisions">\#
                    <caption class="visually-hidden">What each link does</caption><thead><tr><th scope="col">Link</th>\#
                    <th scope="col" id="platform-heading">iOS</th><th scope="col" id="android-heading" hidden>Android</th>\#
                    </tr></thead><tbody></tbody></table></div>
                    <details id="android-part"><summary>Android: assetlinks.json</summary>
                    <label for="assetlinks">assetlinks.json of the same domain</label>
                    <textarea id="assetlinks" class="code" rows="8"\#(Self.isCode)></textarea>
                    </details>

                    """#
            }
            html += "</div>\n\(Self.comparison)</div>\n"
        }
    }

    private static let isCode: HTML = #" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off""#

    private static let file: HTML = #"""
        <section aria-labelledby="file-heading">
        <h2 id="file-heading">File</h2>
        <div class="tools"><label for="text" id="text-label">Association file</label>\#
        <input id="open" type="file" class="visually-hidden" tabindex="-1" aria-label="Open a file">\#
        <button type="button" id="choose">Open a file…</button>\#
        <button type="button" id="download">Download</button></div>
        <textarea id="text" class="code" rows="20"\#(isCode) aria-describedby="summary"></textarea>
        <p id="readonly" class="notice" hidden>The file is not UTF-8 text, so it is shown read-only.</p>
        <div class="tools"><p id="summary" role="status" aria-live="polite"></p>\#
        <button type="button" id="fix-all" hidden>Apply the automatic fixes</button></div>
        <ul id="findings" class="findings"></ul>
        </section>

        """#

    private static let comparison: HTML = #"""
        <section aria-labelledby="view-heading">
        <h2 id="view-heading">The file with its findings</h2>
        <div class="source" tabindex="0" role="region" aria-label="The file with its findings"><ol id="source"></ol></div>
        </section>
        <section aria-labelledby="changes-heading">
        <h2 id="changes-heading">Changes</h2>
        <details id="other-part"><summary>Compare with an older version</summary>
        <label for="other">The older version</label>
        <textarea id="other" class="code" rows="8"\#(isCode)></textarea>
        <p id="changes-summary" role="status"></p>
        <ul id="changes"></ul>
        </details>
        </section>

        """#
}
