internal import Diagnostics
internal import HTTP1

/// The page that checks a domain as `aasa doctor` does; the script does the rest.
struct DoctorPage {
    let frame: PageFrame

    /// - Parameters:
    ///   - target: The domain or link in the URL of the page.
    ///   - other: The domain that the field has if there is none.
    func answer(_ target: String?, or other: String?) -> ConsoleAnswer {
        frame.page("Doctor", .doctor, script: "doctor.js") { html in
            let subject = frame.isServer ? "a domain of this server" : "any domain"
            let links = frame.isServer ? "" : " Of a link it says whether it opens the app."
            html += #"""
                <noscript><p class="notice">This page needs JavaScript. <code>aasa doctor DOMAIN</code> does the same.</p>\#
                </noscript>
                <p class="lead">Checks \#(subject) from the outside: names, TLS, what is served, and the copies of Apple and \#
                Google.\#(links) It takes up to 60 seconds.</p>
                \#(Self.form(frame, target ?? other, runs: target != nil && frame.isReachedFromHere))
                <p id="summary" role="status" aria-live="polite"></p>
                <section id="report" aria-labelledby="host" hidden>
                <h2 id="host"></h2>
                <ol id="steps"></ol>
                <p id="files" hidden></p>
                <ul id="findings" class="findings"></ul>
                <p id="remark" class="remark"></p>
                </section>

                """#
        }
    }

    /// The field with its button, which leads to the page.
    ///
    /// - Parameter runs: Whether the page begins by itself.
    static func form(_ frame: PageFrame, _ target: String? = nil, runs: Bool = false) -> HTML {
        let runs: HTML = runs ? " data-run" : ""
        let label = frame.isServer ? "Domain" : "Domain or link"
        return #"""
            <form id="doctor" action="\#(frame.link("doctor"))" data-api="\#(frame.root)../api/v1/" \#
            data-kind="\#(frame.isServer ? "server" : "files")"\#(runs)><label for="domain">\#(label)</label>\#
            <div class="row"><input id="domain" name="domain" type="text" list="domains" required autocomplete="off" \#
            autocapitalize="off" spellcheck="false" placeholder="example.com" value="\#(target ?? "")">\#
            <datalist id="domains"></datalist><button type="submit" id="run">Check</button></div></form>

            """#
    }
}

extension ConsoleRoute {
    /// The path of the page that checks a domain or link; of the first page if there is none.
    package static func path(toCheck target: String?) -> String {
        "console/" + (target.map { "doctor?domain=\(PercentEncoding.encoded($0))" } ?? "")
    }
}
