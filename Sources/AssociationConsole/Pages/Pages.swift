internal import AssociationLint
internal import ServiceHealth

/// Makes the pages.
struct Pages {
    let frame: PageFrame
    let unwrap: @Sendable ([UInt8]) -> SignedFile?
    /// In seconds since 1970.
    let now: Int64

    private var reader: UsableFileReader { UsableFileReader(unwrap: unwrap) }

    func answer(_ page: ConsoleRoute.Page, _ query: String?, _ content: ConsoleContent) -> ConsoleAnswer {
        switch content {
        case .server(let source): answer(page, query, source)
        case .files(let files): answer(page, query, files)
        }
    }

    private func answer(
        _ page: ConsoleRoute.Page, _ query: String?, _ source: any ConsoleSource
    ) -> ConsoleAnswer {
        let parameters = Parameters(form: query)
        switch page {
        case .rules: return RulesPage(frame: frame).list(parameters["q"] ?? "")
        case .rule(let code): return RulesPage(frame: frame).rule(code)
        case .overview: return HealthPage(frame: frame, source: source, now: now).answer()
        case .sites: return SitesPage(frame: frame, source: source, now: now).answer(query)
        case .site(let name):
            guard let domain = SiteName.domain(name), let detail = source.detail(of: domain) else {
                return frame.notFound("This server has no site \(name).")
            }
            return SitePage(frame: frame, reader: reader, now: now).answer(detail, url: parameters["url"])
        case .playground:
            guard let site = parameters["site"] else { return PlaygroundPage(frame: frame).answer(nil) }
            return playground(site, parameters["file"], parameters["version"], source)
        case .certificates: return CertificatesPage(frame: frame, source: source, now: now).answer(query)
        case .doctor:
            let first = source.facts.sites.lazy.map(\.domain).first { !$0.hasPrefix("*.") }
            return DoctorPage(frame: frame).answer(parameters["domain"], or: first)
        case .fleet: return FleetPage(frame: frame, source: source, now: now).answer(before: parameters["before"])
        case .change(let generation): return FleetPage(frame: frame, source: source, now: now).change(generation)
        case .metrics: return MetricsPage(frame: frame, history: source.metricsHistory).answer()
        case .file: return frame.notFound("There are no files here.")
        }
    }

    /// The playground with a file of a site (docs/spec/console.md, section 1).
    private func playground(
        _ site: String, _ name: String?, _ version: String?, _ source: any ConsoleSource
    ) -> ConsoleAnswer {
        guard let domain = SiteName.domain(site), let documents = source.siteDocuments(of: domain) else {
            return frame.notFound("This server has no site \(site).")
        }
        let file = name.map { documents[$0] } ?? documents.files.first { !$0.playable.isEmpty }
        // The rejected version comes last.
        let wanted = version.map(SiteFileDocuments.Version.init) ?? file?.playable.last
        guard let file, let wanted, file.playable.contains(wanted), let document = file[wanted] else {
            return frame.notFound("The site \(domain) has no such file that the playground can open.")
        }
        guard document.bytes.count <= PlaygroundPage.longestFile else { return PlaygroundPage(frame: frame).tooLarge() }
        let links = FileKind(path: file.name) == .association ? documents.assetLinks?.served?.bytes : nil
        return PlaygroundPage(frame: frame).answer(
            PlaygroundPage.Start(name: file.name, bytes: document.bytes, assetLinks: links, domain: domain))
    }

    private func answer(
        _ page: ConsoleRoute.Page, _ query: String?, _ files: any ConsoleFiles
    ) -> ConsoleAnswer {
        let parameters = Parameters(form: query)
        let pages = FilesPage(frame: frame, files: files, unwrap: unwrap)
        switch page {
        case .rules: return RulesPage(frame: frame).list(parameters["q"] ?? "")
        case .rule(let code): return RulesPage(frame: frame).rule(code)
        case .overview: return pages.overview()
        case .file(let number): return pages.file(number, url: parameters["url"], now: now)
        case .doctor: return DoctorPage(frame: frame).answer(parameters["domain"], or: nil)
        case .playground:
            if let authority = parameters["live"] { return playground(authority, files.live(authority)) }
            let index = parameters["file"].flatMap { Int($0) }.map { $0 - 1 }
            guard let index, files.paths.indices.contains(index),
                case .success(let bytes) = files.content(at: index)
            else { return PlaygroundPage(frame: frame).answer(nil) }
            guard bytes.count <= PlaygroundPage.longestFile else {
                return PlaygroundPage(frame: frame).tooLarge()
            }
            let name = files.paths[index].split(separator: "/").last.map(String.init)
            return PlaygroundPage(frame: frame).answer(
                PlaygroundPage.Start(
                    name: name ?? "apple-app-site-association", bytes: bytes, assetLinks: nil, domain: files.domain))
        case .sites, .site, .certificates, .fleet, .change, .metrics:
            return frame.notFound("There is no such page here.")
        }
    }

    /// The playground with the files that a check has got.
    private func playground(_ authority: String, _ files: LiveFiles?) -> ConsoleAnswer {
        guard let files, let bytes = files.association ?? files.assetLinks else {
            return frame.notFound("The files of \(authority) are not kept here. Check the domain once more.")
        }
        let isAssociation = files.association != nil
        return PlaygroundPage(frame: frame).answer(
            PlaygroundPage.Start(
                name: isAssociation ? "apple-app-site-association" : "assetlinks.json", bytes: bytes,
                assetLinks: isAssociation ? files.assetLinks : nil, domain: files.host))
    }
}
