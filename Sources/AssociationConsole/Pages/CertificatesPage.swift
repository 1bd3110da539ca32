internal import Diagnostics
internal import ServiceHealth
internal import SystemSupport

/// The certificates that are presented, the soonest to expire first.
struct CertificatesPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let pageLength = 50
    private static let mostSites = 5

    func answer(_ query: String?) -> ConsoleAnswer {
        let all = source.certificates.soonestFirst
        let offset = (try? Parameters(form: query).offset()) ?? 0
        let rows = all.dropFirst(offset).prefix(Self.pageLength)
        return frame.page("Certificates", .certificates) { html in
            html.markup("<p class=\"count\">")
            html.text(
                rows.isEmpty
                    ? "No certificates are presented."
                    : "\(grouped(offset + 1))–\(grouped(offset + rows.count)) of \(grouped(all.count))")
            html.markup(
                "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of certificates\">\n")
            html.markup(
                "<table id=\"certificates\">\n<caption class=\"visually-hidden\">Certificates, the soonest to expire first"
            )
            html.markup("</caption>\n<thead><tr><th scope=\"col\">Names</th><th scope=\"col\">Left</th>")
            html.markup("<th scope=\"col\">Expires</th><th scope=\"col\">Key</th><th scope=\"col\">From</th>")
            html.markup("<th scope=\"col\">Sites</th></tr></thead>\n<tbody>\n")
            for certificate in rows { write(certificate, &html) }
            html.markup("</tbody>\n</table>\n</div>\n")
            writePager(offset, all.count, &html)
        }
    }

    private func write(_ certificate: ConsoleCertificate, _ html: inout HTMLWriter) {
        html.markup("<tr><th scope=\"row\">")
        html.text(certificate.names.joined(separator: ", "))
        html.markup("</th><td class=\"number\"><span class=\"state\"")
        html.attribute("data-state", certificate.urgency.color ?? "published")
        html.markup(">")
        html.text(SitesPage.days(certificate.notAfter, now))
        html.markup("</span></td><td>")
        html.text(InternetDate.string(certificate.notAfter))
        html.markup("</td><td>")
        html.text(certificate.keyType)
        html.markup("</td><td>")
        html.text(certificate.folder)
        html.markup("</td><td>")
        for (index, site) in certificate.sites.prefix(Self.mostSites).enumerated() {
            if index > 0 { html.markup(", ") }
            html.markup("<a")
            html.attribute("href", frame.link("sites/\(SiteName.segment(site))"))
            html.markup(">")
            html.text(site)
            html.markup("</a>")
        }
        if certificate.sites.count > Self.mostSites {
            html.text(" and \(grouped(certificate.sites.count - Self.mostSites)) more")
        }
        html.markup("</td></tr>\n")
    }

    private func writePager(_ offset: Int, _ count: Int, _ html: inout HTMLWriter) {
        guard offset > 0 || offset + Self.pageLength < count else { return }
        html.markup("<nav class=\"pager\" aria-label=\"Pages\">")
        if offset > 0 {
            html.markup("<a rel=\"prev\"")
            html.attribute("href", frame.link("certificates?offset=\(max(0, offset - Self.pageLength))"))
            html.markup(">Previous</a>")
        }
        if offset + Self.pageLength < count {
            html.markup("<a rel=\"next\"")
            html.attribute("href", frame.link("certificates?offset=\(offset + Self.pageLength)"))
            html.markup(">Next</a>")
        }
        html.markup("</nav>\n")
    }
}
