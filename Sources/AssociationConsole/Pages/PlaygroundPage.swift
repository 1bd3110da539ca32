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
        # URL APPID: opens in this app; !URL: stays in browser
        https://shop.example/buy/7 7K3QWZ9PLM.com.shop.app
        !https://shop.example/help/returns
        https://shop.example/buy/gift-cards excluded
        # a URL alone only asks
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
                    <div id="links-part"><label for="urls">One per line, as <code>aasa test</code> reads them</label>
                    <div class="editor"><textarea id="urls" class="code" rows="7"\#(Self.isCode) \#
                    placeholder="https://example.com/buy/7" aria-describedby="decided">
                    \#(start == nil ? Self.exampleURLs : "")</textarea></div>
                    <ul id="urls-findings" class="findings"></ul>
                    <div class="fields"><div class="field"><label for="domain">Domain of the file</label><input id="domain" \#
                    type="text" autocomplete="off" spellcheck="false" placeholder="any" value="\#(start?.domain ?? "")"></div>
                    <div class="field"><label for="api">Android’s API level</label><input id="api" type="text" inputmode="numeric" \#
                    autocomplete="off" placeholder="35"></div></div>
                    <div class="tools"><p><span id="decided" role="status"></span> \#(Self.checking)</p>\#
                    <button type="button" id="download-links" disabled>Download what was seen</button></div>
                    <p id="problem" class="notice" hidden></p>
                    <div class="scroll panel" tabindex="0" role="region" aria-label="Decisions"><table id="decisions">\#
                    <caption class="visually-hidden">What each link does</caption><thead><tr><th scope="col">Link</th>\#
                    <th scope="col" id="platform-heading">iOS</th><th scope="col" id="android-heading" hidden>Android</th>\#
                    </tr></thead><tbody></tbody></table></div></div>

                    """#
            }
            html += "</div>\n\(Self.android)\(Self.comparison)"
            html.section("takeaway", "Take it along") { html in
                let link: HTML = frame.isServer ? #"<button type="button" id="copy-link">Copy a link</button>"# : ""
                html += #"""
                    <div class="tools"><button type="button" id="copy-text">Copy the text</button>\#
                    <button type="button" id="copy-report">Copy a report</button>\#
                    <button type="button" id="copy-commands">Copy the commands</button>\#(link)</div>
                    <div id="taken-part" hidden><p id="taken-note" role="status"></p>
                    <label for="taken">What was copied</label>
                    <textarea id="taken" class="code" rows="6" readonly\#(Self.isCode)></textarea></div>

                    """#
            }
            html += "</div>\n"
        }
    }

    private static let isCode: HTML = #" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off""#
    private static let checking: HTML = #"<span class="checking" aria-hidden="true">checking…</span>"#

    private static let file: HTML = #"""
        <section aria-labelledby="file-heading" id="file-part">
        <h2 id="file-heading">File</h2>
        <div class="tools"><label for="text" id="text-label">Association file</label>\#
        <input id="open" type="file" class="visually-hidden" tabindex="-1" aria-label="Open a file">\#
        <button type="button" id="choose">Open a file…</button>\#
        <button type="button" id="download">Download</button></div>
        <div class="editor"><textarea id="text" class="code" rows="20"\#(isCode) aria-describedby="summary"></textarea></div>
        <p id="readonly" class="notice" hidden>The file is not UTF-8 text, so it is shown read-only.</p>
        <p id="unseen" class="remark"></p>
        <div class="tools"><p><span id="summary" role="status" aria-live="polite"></span> \#(checking)</p>\#
        <button type="button" id="fix-all" disabled>Apply all fixes</button>\#
        <button type="button" id="fix-suggested" disabled>Apply all suggested</button></div>
        <div class="panel" tabindex="0" role="region" aria-label="Findings"><p id="fix-note" class="remark" role="status"></p>
        <ul id="findings" class="findings"></ul></div>
        </section>

        """#

    private static let android: HTML = #"""
        <section aria-labelledby="android-title">
        <h2 id="android-title">Android</h2>
        <details id="android-part"><summary>Decide for Android, too</summary><div class="columns">
        <div id="assetlinks-part"><label for="assetlinks">assetlinks.json of the same domain</label>
        <div class="editor"><textarea id="assetlinks" class="code" rows="10"\#(isCode)></textarea></div>
        <div class="tools"><p><span id="assetlinks-summary" role="status"></span> \#(checking)</p></div>
        <ul id="assetlinks-findings" class="findings"></ul></div>
        <div id="manifest-part"><label for="manifest">AndroidManifest.xml of the app</label>
        <div class="editor"><textarea id="manifest" class="code" rows="10"\#(isCode)></textarea></div>
        <div class="tools"><p><span id="manifest-summary" role="status"></span> \#(checking)</p></div>
        <ul id="manifest-findings" class="findings"></ul></div>
        </div></details>
        </section>

        """#

    private static let comparison: HTML = #"""
        <section aria-labelledby="changes-heading" id="changes-section">
        <h2 id="changes-heading">Changes</h2>
        <details id="other-part"><summary>Compare with an older version</summary><div class="columns" id="changes-part">
        <div><label for="other">The older version</label>
        <div class="editor"><textarea id="other" class="code" rows="10"\#(isCode)></textarea></div></div>
        <div class="panel" tabindex="0" role="region" aria-label="Changes">\#
        <p><span id="changes-summary" role="status"></span> \#(checking)</p>
        <ul id="changes"></ul></div>
        </div></details>
        </section>

        """#
}
