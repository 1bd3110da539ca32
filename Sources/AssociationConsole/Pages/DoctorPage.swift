/// The page that examines a domain of the server as `aasa doctor` does; the script does the rest.
struct DoctorPage {
    let frame: PageFrame
    let source: any ConsoleSource

    /// The domains that are suggested; others are typed.
    private static let mostSuggested = 200

    func answer(site: String?) -> ConsoleAnswer {
        frame.page("Doctor", .doctor, script: "doctor.js") { html in
            html.markup(
                "<noscript><p class=\"notice\">This page needs JavaScript. <code>aasa doctor DOMAIN</code> does the same."
            )
            html.markup(
                "</p></noscript>\n<p class=\"lead\">Examines a domain of this server from the outside: names, TLS, what "
            )
            html.markup(
                "is served, and the copies of Apple and Google. It takes up to 60 seconds.</p>\n<form id=\"doctor\"")
            html.attribute("data-api", frame.root + "../api/v1/")
            html.markup("><label for=\"domain\">Domain</label><div class=\"row\"><input id=\"domain\" type=\"text\" ")
            html.markup("list=\"domains\" autocomplete=\"off\" spellcheck=\"false\"")
            html.attribute("value", site ?? source.sites.first { !$0.domain.hasPrefix("*.") }?.domain ?? "")
            html.markup("><datalist id=\"domains\">")
            for site in source.sites.lazy.filter({ !$0.domain.hasPrefix("*.") }).prefix(Self.mostSuggested) {
                html.markup("<option")
                html.attribute("value", site.domain)
                html.markup("></option>")
            }
            html.markup("</datalist><button type=\"submit\" id=\"run\">Examine</button></div></form>\n")
            html.markup("<p id=\"summary\" role=\"status\" aria-live=\"polite\"></p>\n<ol id=\"steps\"></ol>\n")
            html.markup("<ul id=\"findings\" class=\"findings\"></ul>\n")
        }
    }
}
