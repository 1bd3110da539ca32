internal import AssociationLint
internal import Diagnostics
internal import DomainNames
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

    private static let maxVersions = 20
    private static let maxNames = 20

    func answer(_ detail: ConsoleSiteDetail, url: String?) -> ConsoleAnswer {
        let site = detail.facts
        let host = Domain(site.domain)?.exampleHost ?? site.domain
        return frame.page(site.domain, .sites) { html in
            html += #"""
                <p class="lead"><span class="state" data-state="\#(site.site.state.rawValue)">\#(site.site.state.words)</span> \#
                <a class="button" href="\#(frame.link("doctor?domain=\(PercentEncoding.encoded(host))"))">\#
                Examine with the doctor</a></p>

                """#
            let list = ProblemList(frame: frame, now: now, isOfSite: true)
            let problems = SiteHealth.problems(of: site, now: now).sorted(by: HealthProblem.isBefore)
            if !problems.isEmpty {
                html += "<ul class=\"problems\">\n"
                for problem in problems { html += list.item(problem) }
                html += "</ul>\n"
            }
            writeFiles(detail, host: host, &html)
            writeContent(detail, url, &html)
            writeCertificate(detail, &html)
            writeFetch(site.lastFetch, &html)
            writeVersions(detail.versions, &html)
        }
    }

    /// All files of the site, with what is served of each, and where.
    private func writeFiles(_ detail: ConsoleSiteDetail, host: String, _ html: inout HTML) {
        html.section("files", "Files") { html in
            html.table(
                "files", "Files", caption: "Files of the site", ["File", "State", "Findings", "Size", "Loaded", "URL"]
            ) { html in
                for (index, file) in detail.facts.site.files.enumerated() {
                    let errors = file.findings.count(where: \.isError)
                    let findings = SitesPage.findings(errors, file.findings.count - errors)
                    let version = file.served == nil ? SiteFileDocuments.Version.rejected : .served
                    // A file of links is answered, and not served.
                    let address: HTML =
                        FileKind(path: file.name) == .links
                        ? "–" : #"<code class="address">https://\#(host)/.well-known/\#(file.name)</code>"#
                    html += #"""
                        <tr data-file="\#(file.name)" data-state="\#(file.state.rawValue)"><th scope="row">\#
                        <a class="domain" href="#\#(Self.name(version, index))-heading">\#(file.name)</a></th><td>\#
                        <span class="state" data-state="\#(file.state.rawValue)">\#(file.state.words)</span></td><td>\#
                        \#(findings)</td><td class="number">\#(file.served.map { counted($0.bytes, "byte") } ?? "–")</td>\#
                        <td>\#(file.served.map { HTML.time($0.since) } ?? "–")</td><td>\#
                        \#(address)</td></tr>

                        """#
                }
            }
        }
    }

    /// The name of the section of a version, which the association file, or else the first one, has without a number.
    private static func name(_ version: SiteFileDocuments.Version, _ index: Int) -> String {
        version.rawValue + (index == 0 ? "" : "-\(index + 1)")
    }

    private func writeContent(_ detail: ConsoleSiteDetail, _ url: String?, _ html: inout HTML) {
        let documents = detail.documents
        let links = documents.assetLinks?.served.flatMap { try? reader.assetLinks($0.bytes, path: "assetlinks.json") }
        let served = documents.association?.served
        let document = served.flatMap { try? reader.association($0.bytes, path: $0.report.source.path) }
        let deciders =
            document == nil && links == nil ? nil : LinkDeciders(document, links, domain: detail.facts.domain)
        let decision = DecisionView(url: url, deciders)
        decision.write(&html)
        let deciding = document == nil ? documents.assetLinks?.name : documents.association?.name
        for (index, file) in documents.files.enumerated() {
            for version in SiteFileDocuments.Version.allCases {
                guard let document = file[version] else { continue }
                let line = version == .served && file.name == deciding ? decision.line : nil
                write(document, version, of: file, at: index, line, detail, &html)
            }
        }
    }

    /// A version of a file.
    ///
    /// - Parameter line: The line that is pointed out, from 1.
    private func write(
        _ document: ConsoleDocument, _ version: SiteFileDocuments.Version, of file: SiteFileDocuments, at index: Int,
        _ line: Int?, _ detail: ConsoleSiteDetail, _ html: inout HTML
    ) {
        let state = detail.facts.site[file.name]
        html.section(Self.name(version, index), "\(version == .served ? "Served" : "Rejected"): \(file.name)") { html in
            if version == .rejected {
                let instead = file.served == nil ? "no version was ever usable, so clients get 503" : "an older one is"
                html += "<p>This version is not served because of its errors; \(instead).</p>\n"
            }
            let size = document.bytes.isEmpty ? nil : counted(document.bytes.count, "byte")
            let isNewest = version == .rejected || file.rejected == nil
            html += "<p class=\"lead\">\(size.map { "\($0), " } ?? "")"
            if version == .served, let time = state?.served?.since { html += "loaded \(HTML.time(time))" }
            if version == .rejected, let time = state?.refusedSince { html += "rejected since \(HTML.time(time))" }
            if isNewest, let number = state?.storeVersion { html += ", version \(grouped(number))" }
            if file.playable.contains(version) {
                let address =
                    "playground?site=\(PercentEncoding.encoded(detail.facts.domain))"
                    + "&file=\(PercentEncoding.encoded(file.name))&version=\(version.rawValue)"
                html += #" <a class="button" href="\#(frame.link(address))">Open in the playground</a>"#
            }
            html += "</p>\n"
            if let digest = document.sha256 { html += "<p class=\"remark\">SHA-256 <code>\(digest)</code></p>\n" }
            let (number, isFirst) = (index == 0 ? "" : "-\(index + 1)", version == .served)
            let prefix = (index == 0 ? "" : "F\(index + 1)") + (isFirst ? "" : "R")
            let view = SourceView(document.report, prefix: prefix)
            view.writeList(id: (isFirst ? "findings" : "rejected-findings") + number, frame, &html)
            // Of a file that is not text nothing but its size is known.
            guard !document.report.source.bytes.isEmpty else { return }
            view.writeText(
                id: (isFirst ? "source" : "rejected-source") + number,
                label: "\(file.name), the version that is \(version.rawValue)", current: line, &html)
        }
    }

    private func writeCertificate(_ detail: ConsoleSiteDetail, _ html: inout HTML) {
        let judgement = detail.facts.judgement
        html.section("certificate", "Certificate") { html in
            html += #"""
                <p id="certificate" data-severity="\#(judgement.severity.word)"><span class="severity">\#
                \#(judgement.severity.word)</span> \#(judgement.clause)</p>

                """#
            if let advice = judgement.advice { html += "<p class=\"remark\">help: \(advice)</p>\n" }
            guard let certificate = detail.facts.certificate, !detail.certificateNames.isEmpty else { return }
            let names = HTML.domains(detail.certificateNames, Self.maxNames)
            html += #"""
                <dl class="facts">
                <div><dt>Names</dt><dd>\#(names)</dd></div>
                <div><dt>Valid</dt><dd>\#(HTML.time(certificate.validity.notBefore)) to \#(HTML.time(certificate.notAfter)) \#
                (\#(SitesPage.days(certificate.notAfter, now)))</dd></div>
                <div><dt>Key</dt><dd>\#(certificate.keyType)</dd></div>
                <div><dt>From</dt><dd>\#(certificate.folder)</dd></div>
                </dl>

                """#
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
                    <tr><td>\#(HTML.time(fetch.at))</td><td class="number">\#(fetch.status)</td><td>\#
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
                "versions", "Versions", caption: "Versions in the store",
                ["Version", "Published", "By", "Message", "Findings"]
            ) { html in
                for version in list.prefix(Self.maxVersions) {
                    let findings = version.errors.map { SitesPage.findings($0, version.warnings ?? 0) }
                    html += #"""
                        <tr><td class="number">\#(String(version.number))</td><td>\#(HTML.time(version.publishedAt))</td>\#
                        <td>\#(version.publishedBy)</td><td class="words">\#(version.message ?? "–")</td><td>\#
                        \#(findings ?? "–")</td></tr>

                        """#
                }
            }
        }
    }

    // MARK: a file

    /// - Parameters:
    ///   - number: From 1.
    ///   - isManifest: Whether it is a manifest, whose links the playground decides.
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
            let playground = frame.link("playground?file=\(number)")
            html += #" – <a href="\#(playground)">open in the playground</a></p>\#n"#
            if !isManifest { decision.write(&html) }
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
