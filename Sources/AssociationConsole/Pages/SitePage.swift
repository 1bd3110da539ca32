internal import AssociationLint
internal import Diagnostics
internal import HTTP1
internal import ServiceHealth
internal import SystemSupport
internal import UniversalLinks

/// One site, or one file of `aasa console`: what is served, what was found in it, and what it decides.
struct SitePage {
    let frame: PageFrame
    let reader: UsableFileReader
    /// In seconds since 1970.
    let now: Int64

    // MARK: a site

    func answer(_ detail: ConsoleSiteDetail, url: String?) -> ConsoleAnswer {
        let site = detail.site
        return frame.page(site.domain, .overview) { html in
            html.markup("<p class=\"lead\"><span class=\"state\"")
            html.attribute("data-state", site.state.rawValue)
            html.markup(">")
            html.text(site.state.words)
            html.markup("</span> ")
            html.text(
                SitesPage.findings(site.errors, site.warnings) + (site.errors + site.warnings == 0 ? " found" : ""))
            html.markup(" – <a")
            html.attribute("href", frame.link("playground?site=\(PercentEncoding.encoded(site.domain))"))
            html.markup(">")
            html.text(Self.playgroundLabel(detail))
            html.markup("</a></p>\n")
            writeContent(detail, url, &html)
            writeFacts(detail, &html)
            writeFetches(detail.fetches, &html)
            writeVersions(detail.versions, &html)
        }
    }

    private static func playgroundLabel(_ detail: ConsoleSiteDetail) -> String {
        guard detail.rejected != nil else { return "open in the playground" }
        return "open the \(detail.hasRejectedText ? "rejected" : "served") file in the playground"
    }

    private func writeContent(_ detail: ConsoleSiteDetail, _ url: String?, _ html: inout HTMLWriter) {
        let links = detail.assetLinks.flatMap { try? reader.assetLinks($0, path: "assetlinks.json") }
        let document = detail.served.flatMap { try? reader.association($0.bytes, path: $0.report.source.path) }
        let deciders =
            document == nil && links == nil ? nil : LinkDeciders(document, links, domain: detail.site.domain)
        let decision = DecisionView(url: url, deciders)
        decision.write(&html)
        if let served = detail.served {
            html.markup("<section aria-labelledby=\"served-heading\">\n<h2 id=\"served-heading\">Served</h2>\n")
            let view = SourceView(served.report)
            view.writeList(id: "findings", &html)
            view.writeText(id: "source", label: "The file that is served", current: decision.line, &html)
            html.markup("</section>\n")
        } else {
            html.markup("<p>No file is served: no usable version has been found yet.</p>\n")
        }
        guard let rejected = detail.rejected else { return }
        html.markup("<section aria-labelledby=\"rejected-heading\">\n<h2 id=\"rejected-heading\">Rejected</h2>\n")
        html.markup("<p>The newest file is not served because of its errors.</p>\n")
        let view = SourceView(rejected.report, prefix: "R")
        view.writeList(id: "rejected-findings", &html)
        view.writeText(id: "rejected-source", label: "The file that is rejected", &html)
        html.markup("</section>\n")
    }

    private func writeFacts(_ detail: ConsoleSiteDetail, _ html: inout HTMLWriter) {
        html.markup(
            "<section aria-labelledby=\"facts-heading\">\n<h2 id=\"facts-heading\">Facts</h2>\n<dl class=\"facts\">\n")
        func fact(_ name: StaticString, _ value: String?) {
            guard let value else { return }
            html.markup("<div><dt>")
            html.markup(name)
            html.markup("</dt><dd>")
            html.text(value)
            html.markup("</dd></div>\n")
        }
        fact("SHA-256", detail.served?.sha256)
        fact("Size", detail.served.map { counted($0.bytes.count, "byte") })
        fact("Loaded", detail.site.loadedAt.map(InternetDate.string))
        fact("Generation", detail.site.generation.map { grouped($0) })
        if let certificate = detail.certificate {
            let days = SitesPage.days(certificate.notAfter, now)
            fact(
                "Certificate",
                "\(certificate.names.joined(separator: ", ")), \(certificate.keyType), until "
                    + "\(InternetDate.string(certificate.notAfter)) (\(days)), from \(certificate.folder)")
        } else {
            fact("Certificate", "none covers this site")
        }
        fact("Other files", detail.files.isEmpty ? "none" : detail.files.joined(separator: ", "))
        html.markup("</dl>\n</section>\n")
    }

    private func writeFetches(_ fetches: [AppleFetch], _ html: inout HTMLWriter) {
        html.markup(
            "<section aria-labelledby=\"fetches-heading\">\n<h2 id=\"fetches-heading\">Apple’s last fetches</h2>\n")
        guard !fetches.isEmpty else {
            html.markup("<p>None since the server was started.</p>\n</section>\n")
            return
        }
        html.markup(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Fetches\">\n<table id=\"fetches\"><caption class=\"visually-hidden\">Fetches by Apple</caption><thead><tr>"
        )
        html.markup("<th scope=\"col\">Time</th><th scope=\"col\">Status</th><th scope=\"col\">User agent</th>")
        html.markup("</tr></thead>\n<tbody>\n")
        for fetch in fetches {
            html.markup("<tr><td>")
            html.text(InternetDate.string(fetch.at))
            html.markup("</td><td class=\"number\">")
            html.text("\(fetch.status)")
            html.markup("</td><td>")
            html.text(fetch.userAgent)
            html.markup("</td></tr>\n")
        }
        html.markup("</tbody></table>\n</div>\n</section>\n")
    }

    private func writeVersions(_ versions: ConsoleSiteDetail.Versions, _ html: inout HTMLWriter) {
        if case .none = versions { return }
        html.markup("<section aria-labelledby=\"versions-heading\">\n<h2 id=\"versions-heading\">Versions</h2>\n")
        guard case .list(let list) = versions else {
            html.markup("<p>The store does not answer.</p>\n</section>\n")
            return
        }
        html.markup(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Versions\">\n<table id=\"versions\"><caption class=\"visually-hidden\">Versions in the store</caption><thead><tr>"
        )
        html.markup("<th scope=\"col\">Version</th><th scope=\"col\">Published</th><th scope=\"col\">By</th>")
        html.markup("<th scope=\"col\">Findings</th></tr></thead>\n<tbody>\n")
        for version in list.prefix(20) {
            html.markup("<tr><td class=\"number\">")
            html.text("\(version.number)")
            html.markup("</td><td>")
            html.text(InternetDate.string(version.publishedAt))
            html.markup("</td><td>")
            html.text(version.publishedBy)
            html.markup("</td><td>")
            html.text(version.errors.map { SitesPage.findings($0, version.warnings ?? 0) } ?? "–")
            html.markup("</td></tr>\n")
        }
        html.markup("</tbody></table>\n</div>\n</section>\n")
    }

    // MARK: a file

    /// - Parameters:
    ///   - number: From 1.
    ///   - isManifest: Whether it is a manifest, which decides links only with an `assetlinks.json`.
    func answer(
        _ bytes: [UInt8], path: String, number: Int, domain: String?, url: String?, isManifest: Bool,
        _ report: FileReport
    ) -> ConsoleAnswer {
        let deciders: LinkDeciders? =
            switch try? reader.read(bytes, path: path) {
            case .association(let document)?: LinkDeciders(document, nil, domain: domain)
            case .assetLinks(let links)?: LinkDeciders(nil, links, domain: domain)
            case nil: nil
            }
        let decision = DecisionView(url: url, deciders)
        return frame.page(path, .overview) { html in
            html.markup("<p class=\"lead\">")
            html.text("\(FileSummary.words(report)), \(counted(bytes.count, "byte"))")
            if isManifest {
                html.markup("</p>\n<p>To see what links do: <code>")
                html.text("aasa route --manifest AndroidManifest.xml assetlinks.json URL")
                html.markup("</code></p>\n")
            } else {
                html.markup(" – <a")
                html.attribute("href", frame.link("playground?file=\(number)"))
                html.markup(">open in the playground</a></p>\n")
                decision.write(&html)
            }
            html.markup("<section aria-labelledby=\"file-heading\">\n<h2 id=\"file-heading\">The file</h2>\n")
            if report.isConverted {
                html.markup(
                    "<p class=\"remark\">The text was unwrapped or converted; positions refer to what is shown.</p>\n")
            }
            let view = SourceView(report)
            view.writeList(id: "findings", &html)
            view.writeText(id: "source", label: "The file with its findings", current: decision.line, &html)
            html.markup("</section>\n")
        }
    }
}

/// The findings of a file in a few words.
enum FileSummary {
    static func words(_ report: FileReport) -> String {
        let errors = report.diagnostics.count { $0.severity >= .error }
        let warnings = report.diagnostics.count { $0.severity == .warning }
        return errors + warnings == 0 ? "no findings" : SitesPage.findings(errors, warnings)
    }
}
