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
        let site = detail.facts
        return frame.page(site.domain, .overview) { html in
            let findings = SitesPage.findings(site.errors, site.warnings)
            let playground = frame.link("playground?site=\(PercentEncoding.encoded(site.domain))")
            html += #"""
                <p class="lead"><span class="state" data-state="\#(site.site.state.rawValue)">\#(site.site.state.words)</span> \#
                \#(findings)\#(site.errors + site.warnings == 0 ? " found" : "") – <a href="\#(playground)">\#
                \#(Self.playgroundLabel(detail.documents))</a></p>

                """#
            writeContent(detail, url, &html)
            writeFacts(detail, &html)
            writeFetch(site.lastFetch, &html)
            writeVersions(detail.versions, &html)
        }
    }

    private static func playgroundLabel(_ documents: SiteDocuments) -> String {
        guard documents.rejected != nil else { return "open in the playground" }
        return "open the \(documents.hasRejectedText ? "rejected" : "served") file in the playground"
    }

    private func writeContent(_ detail: ConsoleSiteDetail, _ url: String?, _ html: inout HTML) {
        let links = detail.documents.assetLinks.flatMap { try? reader.assetLinks($0, path: "assetlinks.json") }
        let served = detail.documents.served
        let document = served.flatMap { try? reader.association($0.bytes, path: $0.report.source.path) }
        let deciders =
            document == nil && links == nil ? nil : LinkDeciders(document, links, domain: detail.facts.domain)
        let decision = DecisionView(url: url, deciders)
        decision.write(&html)
        if let served {
            html.section("served", "Served") { html in
                let view = SourceView(served.report)
                view.writeList(id: "findings", frame, &html)
                view.writeText(id: "source", label: "The file that is served", current: decision.line, &html)
            }
        } else {
            html += "<p>No file is served: no usable version has been found yet.</p>\n"
        }
        guard let rejected = detail.documents.rejected else { return }
        html.section("rejected", "Rejected") { html in
            html += "<p>The newest file is not served because of its errors.</p>\n"
            let view = SourceView(rejected.report, prefix: "R")
            view.writeList(id: "rejected-findings", frame, &html)
            view.writeText(id: "rejected-source", label: "The file that is rejected", &html)
        }
    }

    private func writeFacts(_ detail: ConsoleSiteDetail, _ html: inout HTML) {
        let certificate = detail.certificate.map { certificate in
            let facts = certificate.facts
            return "\(certificate.names.joined(separator: ", ")), \(facts.keyType), until "
                + "\(InternetDate.string(facts.notAfter)) (\(SitesPage.days(facts.notAfter, now))), from \(facts.folder)"
        }
        let files = detail.facts.otherServedFiles
        let facts = [
            ("SHA-256", detail.documents.served?.sha256),
            ("Size", detail.documents.served.map { counted($0.bytes.count, "byte") }),
            ("Loaded", detail.facts.loadedAt.map(InternetDate.string)),
            ("Generation", detail.facts.generation.map { grouped($0) }),
            ("Certificate", certificate ?? "none covers this site"),
            ("Other files", files.isEmpty ? "none" : files.joined(separator: ", ")),
        ]
        html.section("facts", "Facts") { html in
            html += "<dl class=\"facts\">\n"
            for case (let name, let value?) in facts { html += "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
            html += "</dl>\n"
        }
    }

    private func writeFetch(_ fetch: AppleFetch?, _ html: inout HTML) {
        html.section("fetches", "Apple’s last fetches") { html in
            guard let fetch else {
                html += "<p>None since the server was started.</p>\n"
                return
            }
            html.table("fetches", "Fetches", caption: "Fetches by Apple", ["Time", "Status", "User agent"]) { html in
                html += #"""
                    <tr><td>\#(InternetDate.string(fetch.at))</td><td class="number">\#(fetch.status)</td><td>\#
                    \#(fetch.userAgent)</td></tr>

                    """#
            }
        }
    }

    private func writeVersions(_ versions: ConsoleVersions, _ html: inout HTML) {
        if case .none = versions { return }
        html.section("versions", "Versions") { html in
            guard case .list(let list) = versions else {
                html += "<p>The store does not answer.</p>\n"
                return
            }
            html.table(
                "versions", "Versions", caption: "Versions in the store", ["Version", "Published", "By", "Findings"]
            ) { html in
                for version in list.prefix(20) {
                    let findings = version.errors.map { SitesPage.findings($0, version.warnings ?? 0) }
                    html += #"""
                        <tr><td class="number">\#(String(version.number))</td><td>\#
                        \#(InternetDate.string(version.publishedAt))</td><td>\#(version.publishedBy)</td><td>\#
                        \#(findings ?? "–")</td></tr>

                        """#
                }
            }
        }
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
            html += #"<p class="lead">\#(FileSummary.words(report)), \#(counted(bytes.count, "byte"))"#
            if isManifest {
                html += """
                    </p>
                    <p>To see what links do: <code>aasa route --manifest AndroidManifest.xml assetlinks.json URL</code></p>

                    """
            } else {
                let playground = frame.link("playground?file=\(number)")
                html += #" – <a href="\#(playground)">open in the playground</a></p>\#n"#
                decision.write(&html)
            }
            html.section("file", "The file") { html in
                if report.isConverted {
                    html += #"""
                        <p class="remark">The text was unwrapped or converted; positions refer to what is shown.</p>

                        """#
                }
                let view = SourceView(report)
                view.writeList(id: "findings", frame, &html)
                view.writeText(id: "source", label: "The file with its findings", current: decision.line, &html)
            }
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
