internal import Diagnostics
internal import ServiceHealth

/// The certificates that are presented, the soonest to expire first.
struct CertificatesPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let pageLength = 50
    private static let maxNames = 5

    func answer(_ query: String?) -> ConsoleAnswer {
        let all = source.presentedCertificates
        let offset = (try? Parameters(form: query).offset()) ?? 0
        let rows = all.dropFirst(offset).prefix(Self.pageLength)
        return frame.page("Certificates", .certificates) { html in
            let count =
                rows.isEmpty
                ? "No certificates are presented."
                : "\(grouped(offset + 1))–\(grouped(offset + rows.count)) of \(grouped(all.count))"
            html += #"<p class="count">\#(count)</p>\#n"#
            html.table(
                "certificates", "Table of certificates", caption: "Certificates, the soonest to expire first",
                ["Names", "Left", "Expires", "Key", "Sites", "From"]
            ) { html in
                for certificate in rows { html += row(certificate) }
            }
            html.pager(offset: offset, length: Self.pageLength, count: all.count) {
                frame.link("certificates?offset=\($0)")
            }
        }
    }

    private func row(_ certificate: ConsoleCertificate) -> HTML {
        #"""
        <tr><th scope="row">\#(HTML.domains(certificate.names, Self.maxNames))</th><td class="number">\#
        \#(SitesPage.left(certificate.facts.notAfter, now, certificate.urgency))</td><td>\#
        \#(HTML.time(certificate.facts.notAfter))</td><td>\#(certificate.facts.keyType)</td><td>\#
        \#(HTML.domains(certificate.sites, Self.maxNames, frame.link(toSite:)))</td>\#
        <td class="number">\#(certificate.facts.folder)</td></tr>

        """#
    }
}
