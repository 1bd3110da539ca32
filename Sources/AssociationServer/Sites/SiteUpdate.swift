internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import DomainNames
internal import LinkPages
internal import OpenSSL
internal import SiteStore
internal import SystemSupport

/// Changes of sites while a source hands them over: here is decided what is served of each file. A bad version never
/// replaces a good one.
struct SiteUpdate {
    /// The part of the configuration that sites depend on.
    struct Settings: Equatable {
        /// The files that a site may have, the association file first.
        let files: [SiteFile]
        let cacheMaxAge: Int
        /// The most bytes that a file may have.
        let limit: Int
        /// The most bytes that a `links.json` may have.
        let linksLimit: Int
        /// Whether links are compared with the files that open them.
        let comparesLinks: Bool
        /// The most sites.
        let sites: Int

        /// - Throws: `ServerError.Code.configuration` for a `wellKnown` that cannot be served.
        init(_ configuration: ServerConfiguration) throws(ServerError) {
            // The links come last: they are in no path.
            files = [.association] + (try SiteFile.others(configuration)) + (configuration.pages ? [.links] : [])
            cacheMaxAge = configuration.cacheMaxAge
            limit = configuration.limits.publishedBytes
            linksLimit = configuration.limits.linksBytes
            comparesLinks = configuration.comparesLinks
            sites = configuration.limits.sites
        }

        /// Whether the files of sites are judged, and served, in the same way.
        func judgesFiles(as other: Settings) -> Bool {
            files == other.files && cacheMaxAge == other.cacheMaxAge && limit == other.limit
                && linksLimit == other.linksLimit
        }

        /// The most bytes that a file may have.
        func limit(of file: SiteFile) -> Int { file.kind == .links ? linksLimit : limit }
    }

    let settings: Settings
    let now: Int64
    /// The files of the sites that are touched, as they are from now on.
    private(set) var files: [String: [LoadedFile]] = [:]
    /// The files of which there is something new to say, by domain.
    private(set) var reported: [String: [LoadedFile]] = [:]
    /// The findings that are about no file of a site.
    var findings: [LocatedDiagnostic] = []
    /// The number of folders, or rows of a store, that can be no site.
    var refusedEntries = 0
    /// Whether only a few sites are read. What was found that is about none of them stays.
    var isPartial = false
    private var hasUnsettledFile = false
    private let catalog: SiteCatalog
    private var count: Int
    private let known: [String: (file: SiteFile, order: Int)]
    private var checker: FileChecker
    private var budget = FindingBudget()

    /// - Parameters:
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    init(_ catalog: SiteCatalog, _ settings: Settings, _ rules: RuleCatalogue, now: Int64) {
        self.catalog = catalog
        self.settings = settings
        self.now = now
        count = catalog.sites.count
        known = Dictionary(settings.files.enumerated().map { ($0.element.name, ($0.element, $0.offset)) }) { first, _ in
            first
        }
        checker = FileChecker(limit: settings.limit, rules: rules)
    }

    /// Whether a file was written while it was read.
    var needsRetry: Bool { hasUnsettledFile || checker.hasUnsettledConfiguration }

    /// The file of this name; nil if no site can have one.
    func file(named name: String) -> SiteFile? { known[name]?.file }

    /// Whether there were folders, or rows of a store, that can be no site, when all were read.
    var hasRefusedEntries: Bool { catalog.content.refusedEntries > 0 }

    /// The files of a site as they are so far.
    func files(of domain: String) -> [LoadedFile] { files[domain] ?? catalog.site(domain)?.files ?? [] }

    /// Whether there is room for a site, or it is there already.
    func admits(_ domain: String) -> Bool { count < settings.sites || !files(of: domain).isEmpty }

    /// Decides about a file.
    ///
    /// - Parameter older: earlier versions, the newest first: the first good one is served where there is no other.
    @discardableResult
    mutating func set(_ source: SourceFile, older: () -> [SourceFile] = { [] }) -> LoadedFile {
        let previous = files(of: source.domain).first { $0.name == source.file.name }
        var loaded = decide(source, previous)
        if loaded.isRefused, loaded.file == nil, let (version, file) = firstGood(older()) {
            loaded = loaded.serving(file, since: version.loadedAt ?? now, stamp: loaded.stamp)
            report(loaded, of: source.domain)
        }
        put(loaded, of: source.domain)
        return loaded
    }

    /// Keeps a file on disk without its bytes, if it looks as it did when they were read, and they would be judged as they
    /// were.
    ///
    /// - Returns: whether it is kept.
    mutating func keep(_ file: SiteFile, of domain: String, in folder: String, stamp: FileStamp?) -> Bool {
        guard let stamp, let previous = files(of: domain).first(where: { $0.name == file.name }),
            previous.stamp == stamp, previous.images.allSatisfy({ $0.isUnchanged(in: folder) })
        else { return false }
        let configuration = SourceFile.Configuration.nearest(folder: folder)
        guard previous.basis == basis(of: file, configuration, stored: nil) else { return false }
        put(unchanged(previous, previous.file?.on(terms(of: file)), configuration, stamp), of: domain)
        return true
    }

    /// Has everything read again soon.
    mutating func readAgain() { hasUnsettledFile = true }

    /// Takes a file away.
    mutating func remove(_ name: String, of domain: String) {
        var left = files(of: domain)
        guard let index = left.firstIndex(where: { $0.name == name }) else { return }
        left.remove(at: index)
        files[domain] = left
        if left.isEmpty { count -= 1 }
    }

    /// Takes all other sites away.
    mutating func keep(only domains: Set<String>) {
        for domain in catalog.domains where !domains.contains(domain) && !files(of: domain).isEmpty {
            files[domain] = []
            count -= 1
        }
    }

    /// Sorts all files again, and takes those away that no site can have any more.
    mutating func order() {
        for site in catalog.sites {
            let left = site.files.filter { known[$0.name] != nil }
            files[site.domain] = left.sorted { order(of: $0) < order(of: $1) }
            if left.isEmpty { count -= 1 }
        }
    }

    private func order(of file: LoadedFile) -> Int { known[file.name]?.order ?? .max }

    /// All findings that are about no file of a site, as far as there is room for them.
    mutating func allFindings() -> [LocatedDiagnostic] {
        kept(findings) + kept(checker.configurationReports().flatMap(\.located))
    }

    private mutating func put(_ file: LoadedFile, of domain: String) {
        var all = files(of: domain)
        if let index = all.firstIndex(where: { $0.name == file.name }) {
            // Mostly nothing has changed: then the site is not touched.
            guard all[index] !== file else { return }
            all[index] = file
        } else {
            if all.isEmpty { count += 1 }
            all.insert(file, at: all.firstIndex { order(of: $0) > order(of: file) } ?? all.endIndex)
        }
        files[domain] = all
    }

    private mutating func report(_ file: LoadedFile, of domain: String) {
        guard !file.findings.isEmpty else { return }
        reported[domain, default: []].removeAll { $0.name == file.name }
        reported[domain, default: []].append(file)
    }

    private mutating func kept(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        findings.isEmpty ? findings : budget.keep(findings)
    }
}

// The decision about one file.
extension SiteUpdate {
    /// A file with all that it is judged by.
    private struct Candidate {
        let source: SourceFile
        let basis: LoadedFile.Basis
        let terms: PublishedFile.Terms
        /// The earlier decision about the file.
        let previous: LoadedFile?
        /// The last good file, as it is served from now on.
        let lastGood: PublishedFile?
    }

    private mutating func decide(_ source: SourceFile, _ previous: LoadedFile?) -> LoadedFile {
        let candidate = candidate(source, previous)
        if !source.isSettled {
            hasUnsettledFile = true
            if let previous { return unchanged(candidate, previous) }
        }
        switch source.content {
        case .unusable(let finding): return refuse(candidate, .unreadable(finding), [finding], nil)
        case .version(let contents):
            if let previous, previous.basis == candidate.basis, Self.hasImages(source, previous) {
                return unchanged(candidate, previous)
            }
            guard contents.isIntact else {
                let message = "the bytes of the file are not those that its SHA-256 stands for"
                let finding = LocatedDiagnostic.error(source.path, message, help: "publish the file again")
                return refuse(candidate, .unreadable(finding), [finding], nil)
            }
            return judge(candidate, contents.bytes) { .refused(contents.digest.bytes) }
        case .bytes(let bytes, _):
            if let previous, previous.basis == candidate.basis, Self.has(bytes, previous),
                Self.hasImages(source, previous)
            {
                return unchanged(candidate, previous)
            }
            return judge(candidate, bytes) { .refused(SHA256Digest.hash(bytes)) }
        }
    }

    private mutating func candidate(_ source: SourceFile, _ previous: LoadedFile?) -> Candidate {
        let terms = terms(of: source.file)
        return Candidate(
            source: source, basis: basis(of: source.file, source.configuration, stored: source.stored), terms: terms,
            previous: previous,
            lastGood: previous?.file.map { source.stored == nil ? $0.on(terms) : share($0, terms) })
    }

    private func terms(of file: SiteFile) -> PublishedFile.Terms {
        PublishedFile.Terms(contentType: file.contentType, cacheMaxAge: settings.cacheMaxAge)
    }

    private mutating func basis(
        of file: SiteFile, _ configuration: SourceFile.Configuration, stored: LoadedFile.StoredVersion?
    ) -> LoadedFile.Basis {
        var identity: LintConfigurationIdentity?
        if case .nearest(let folder) = configuration, file.kind != .other {
            identity = checker.configuration(forFilesIn: folder)
        }
        return LoadedFile.Basis(
            kind: file.kind, isText: file.isText, limit: settings.limit(of: file), configuration: identity,
            stored: stored)
    }

    /// The same file of a store on other terms, one for all that are the same.
    private func share(_ file: PublishedFile, _ terms: PublishedFile.Terms) -> PublishedFile {
        if file.links != nil { return file.on(terms) }
        guard file.terms != terms, let digest = ContentDigest(hex: file.digest) else { return file }
        return catalog.publish(file.bytes, digest, lastModified: file.lastModified, terms)
    }

    /// Whether a file was read with these bytes before.
    private static func has(_ bytes: [UInt8], _ previous: LoadedFile) -> Bool {
        switch previous.content {
        case .published: previous.file?.hasBytes(bytes) == true
        case .refused(let digest): digest == SHA256Digest.hash(bytes)
        case .unreadable: false
        }
    }

    /// Whether the images that a `links.json` names are what they were when it was judged.
    private static func hasImages(_ source: SourceFile, _ previous: LoadedFile) -> Bool {
        previous.images.allSatisfy { $0 == LinkImageMark($0.name, source.images($0.name, $0.limit), $0.limit) }
    }

    private mutating func judge(
        _ candidate: Candidate, _ bytes: [UInt8], refused: () -> LoadedFile.Content
    ) -> LoadedFile {
        let (source, previous) = (candidate.source, candidate.previous)
        var images: [LinkImageMark] = []
        // That a file of links is good is not enough: its content is needed.
        let isJudged = !source.isChecked || source.file.kind == .links
        let judgement = isJudged ? judgement(source, bytes, &images) : nil
        guard judgement?.isAcceptable != false else {
            return refuse(candidate, refused(), judgement?.findings ?? [], judgement?.suppression, images)
        }
        let findings = kept(judgement?.findings ?? [])
        let file = publish(candidate, bytes, judgement?.links, images)
        let isSame = file === candidate.lastGood
        let loaded = LoadedFile(
            name: source.file.name, file: file, content: .published, findings: findings,
            loadedAt: isSame ? previous?.loadedAt ?? now : now, refusedAt: 0, basis: candidate.basis,
            suppression: judgement?.suppression, stamp: source.stamp, images: images)
        // Judged by another configuration, the same bytes may be judged as before.
        if !isSame || previous?.isRefused == true || previous?.findings != findings {
            report(loaded, of: source.domain)
        }
        return loaded
    }

    /// - Parameter images: those that a `links.json` names are added to it.
    private mutating func judgement(
        _ source: SourceFile, _ bytes: [UInt8], _ images: inout [LinkImageMark]
    ) -> FileJudgement {
        let linter =
            switch source.configuration {
            case .nearest: checker.linter(forFileAt: source.path)
            case .none: checker.linter
            case .text(let text, let path): checker.linter(forFileAt: source.file.name, configuredBy: text, at: path)
            }
        guard source.file.kind == .links else {
            return checker.judge(bytes, as: source.file, path: source.path, by: linter)
        }
        let found = LinkImageMarks(source, now: now)
        defer { images = found.marks }
        var neighbours = LinkNeighbours()
        if settings.comparesLinks, case .nearest = source.configuration {
            neighbours = LinkNeighbours(ofFileAt: source.path)
        }
        return checker.judge(
            bytes, as: source.file, path: source.path, by: linter,
            links: LinkSurroundings(
                domain: Domain(source.domain), maxBytes: settings.linksLimit, images: found.find,
                opening: neighbours.surroundings().opening))
    }

    /// - Parameters:
    ///   - content: of a `links.json`.
    ///   - images: those that it names.
    private func publish(
        _ candidate: Candidate, _ bytes: [UInt8], _ content: LinksContent?, _ images: [LinkImageMark]
    ) -> PublishedFile {
        let lastGood = candidate.lastGood.flatMap {
            $0.hasBytes(bytes) && ($0.links.map { $0.named == images } ?? true) ? $0 : nil
        }
        if let stored = candidate.source.stored {
            if let lastGood, lastGood.lastModified == stored.lastModified { return lastGood }
            // What is answered depends on the domain and on other files as well.
            if let content {
                return PublishedFile(
                    bytes: bytes, digest: stored.digest.bytes, lastModified: stored.lastModified,
                    terms: candidate.terms, links: SiteLinks(content, images))
            }
            return catalog.publish(bytes, stored.digest, lastModified: stored.lastModified, candidate.terms)
        }
        if let lastGood { return lastGood }
        let lastModified = if case .bytes(_, let time) = candidate.source.content { time } else { now }
        // Never later than the answer's date (RFC 9110, section 8.8.2.1).
        return PublishedFile(
            bytes: bytes, lastModified: min(lastModified, now), terms: candidate.terms,
            links: content.map { SiteLinks($0, images) })
    }

    private mutating func refuse(
        _ candidate: Candidate, _ content: LoadedFile.Content, _ all: [LocatedDiagnostic],
        _ suppression: SuppressionUse?, _ images: [LinkImageMark] = []
    ) -> LoadedFile {
        let previous = candidate.previous
        if let previous, previous.content == content, previous.basis == candidate.basis, previous.images == images {
            return unchanged(candidate, previous)
        }
        let findings = kept(all)
        let isKnown = previous?.content == content && previous?.findings == findings
        let loaded = LoadedFile(
            name: candidate.source.file.name, file: candidate.lastGood, content: content, findings: findings,
            loadedAt: previous?.loadedAt ?? 0, refusedAt: isKnown ? previous?.refusedAt ?? now : now,
            basis: candidate.basis, suppression: suppression, stamp: candidate.source.stamp, images: images)
        if !isKnown { report(loaded, of: candidate.source.domain) }
        return loaded
    }

    private mutating func unchanged(_ candidate: Candidate, _ previous: LoadedFile) -> LoadedFile {
        unchanged(previous, candidate.lastGood, candidate.source.configuration, candidate.source.stamp)
    }

    /// Keeps what was found and decided before.
    private mutating func unchanged(
        _ previous: LoadedFile, _ lastGood: PublishedFile?, _ configuration: SourceFile.Configuration,
        _ stamp: FileStamp?
    ) -> LoadedFile {
        budget.count(previous.findings)
        if let suppression = previous.suppression, case .nearest = configuration { checker.note(suppression) }
        return previous.serving(lastGood, stamp: stamp)
    }

    /// The first of these versions that is good, as it is served.
    private mutating func firstGood(_ older: [SourceFile]) -> (version: SourceFile, file: PublishedFile)? {
        for version in older {
            let bytes: [UInt8]
            switch version.content {
            case .bytes(let content, _): bytes = content
            case .version(let contents) where contents.isIntact: bytes = contents.bytes
            case .version, .unusable: continue
            }
            let isJudged = !version.isChecked || version.file.kind == .links
            var images: [LinkImageMark] = []
            let judgement = isJudged ? judgement(version, bytes, &images) : nil
            if judgement?.isAcceptable != false {
                return (version, publish(candidate(version, nil), bytes, judgement?.links, images))
            }
        }
        return nil
    }
}
