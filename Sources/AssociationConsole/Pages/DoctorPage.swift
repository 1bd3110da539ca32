internal import Diagnostics
internal import ServiceHealth

/// The page that examines a domain of the server as `aasa doctor` does; the script does the rest.
struct DoctorPage {
    let frame: PageFrame
    let source: any ConsoleSource

    /// The domains that are suggested; others are typed.
    private static let maxSuggested = 200

    func answer(site: String?) -> ConsoleAnswer {
        let names = source.facts.sites.lazy.map(\.domain).filter { !$0.hasPrefix("*.") }
        return frame.page("Doctor", .doctor, script: "doctor.js") { html in
            html += #"""
                <noscript><p class="notice">This page needs JavaScript. <code>aasa doctor DOMAIN</code> does the same.</p>\#
                </noscript>
                <p class="lead">Examines a domain of this server from the outside: names, TLS, what is served, and the \#
                copies of Apple and Google. It takes up to 60 seconds.</p>
                <form id="doctor" data-api="\#(frame.root)../api/v1/"><label for="domain">Domain</label><div class="row">\#
                <input id="domain" type="text" list="domains" autocomplete="off" spellcheck="false" \#
                value="\#(site ?? names.first ?? "")"><datalist id="domains">
                """#
            for name in names.prefix(Self.maxSuggested) { html += #"<option value="\#(name)"></option>"# }
            html += #"""
                </datalist><button type="submit" id="run">Examine</button></div></form>
                <p id="summary" role="status" aria-live="polite"></p>
                <ol id="steps"></ol>
                <ul id="findings" class="findings"></ul>

                """#
        }
    }
}
