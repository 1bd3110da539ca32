internal import AssociationLint
internal import Diagnostics
internal import SiteStore

/// The files of a store, and what is served of them (store.md, section 7).
///
/// A change costs its own size, and a copy of the list of sites. All of it happens on the queue of the reloader.
struct StoreSites {
    /// The state of one file.
    private struct Record {
        var current: StoredFile
        /// The decision about it; nil for a name that this node does not serve.
        var loaded: LoadedFile?
        /// The version that is served: the current one, or an older one; nil without any.
        var served: StoredFile?
    }

    /// The key of a published file.
    private struct PublishedKey: Hashable {
        let digest: ContentDigest
        let lastModified: Int64
        let terms: PublishedFile.Terms
    }

    /// The most rows that are listed of those that cannot be files of sites.
    private static let mostRows = 1_000

    private let numbers: SiteNumbers
    private let rules: RuleCatalogue
    /// By domain, then by name.
    private var records: [String: [String: Record]] = [:]
    private var recordCount = 0
    private(set) var sites: [LoadedSite] = []
    /// The index of each site, by its domain.
    private var indices: [String: Int] = [:]
    /// The findings about rows that cannot be files of sites.
    private var invalidRows: [StoreFileKey: LocatedDiagnostic] = [:]
    /// The files that are served, so that equal ones are one in memory.
    private var published: [PublishedKey: PublishedFile] = [:]
    private var stale: Set<StoreFileKey> = []
    private var refused: Set<StoreFileKey> = []
    /// The indices of the sites of which there was something to say when they changed last.
    private var reported: [Int] = []
    private(set) var position: StorePosition?

    init(numbers: SiteNumbers, rules: RuleCatalogue) {
        self.numbers = numbers
        self.rules = rules
    }

    /// The changes of an update, and how they are served.
    struct Changes {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []
        /// The files whose new versions are refused.
        var refused: [StoreFileKey] = []
        /// The indices of the sites that have changed; nil if there are others than before, or in another order.
        var indices: [Int]? = []
        var outcome = StoreOutcome()
        /// The generation before.
        var before: StorePosition?

        var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && refused.isEmpty }
    }

    /// The sites as a folder of them would be.
    var load: SiteLoad {
        let rows = invalidRows.sorted { $0.key < $1.key }.prefix(Self.mostRows).map(\.value)
        let others = invalidRows.count - rows.count
        let rest = others > 0 ? [LocatedDiagnostic.error("store", "\(others) more rows cannot be files of sites")] : []
        return SiteLoad(sites: sites, findings: rows + rest, refusedFolders: invalidRows.count)
    }

    /// Whether changes would take everything away from a server that has something.
    func empties(_ changes: StoreChanges) -> Bool {
        changes.isComplete && !sites.isEmpty && !changes.files.contains { $0.contents != nil }
    }

    /// Takes changes over, and decides what is served.
    ///
    /// - Throws: `ServerError.Code.configuration` for a `wellKnown` that cannot be served.
    mutating func apply(
        _ update: StoreUpdate, _ configuration: ServerConfiguration, now: Int64
    ) throws(ServerError) -> Changes {
        var work = try Work(configuration, rules, now)
        work.older = update.olderVersions
        work.isChecked = update.isChecked
        work.changes.before = position
        settle()
        if update.changes.isComplete {
            invalidRows = [:]
            removeAll(but: update.changes.files, &work)
        }
        for file in update.changes.files { set(file, &work) }
        position = update.changes.position
        rebuild(&work)
        pruneIfNeeded()
        return work.changes
    }

    /// Decides about everything anew, as another configuration may say something else.
    mutating func apply(_ configuration: ServerConfiguration, now: Int64) throws(ServerError) -> Changes {
        var work = try Work(configuration, rules, now)
        work.changes.before = position
        settle()
        for (domain, files) in records {
            for name in files.keys { judge(StoreFileKey(domain: domain, name: name), &work) }
            work.touched.insert(domain)
        }
        rebuild(&work)
        pruneIfNeeded()
        return work.changes
    }

    /// Forgets what was to be said about changes: it has been said.
    mutating func settle() {
        for index in reported where sites.indices.contains(index) { sites[index] = sites[index].kept }
        reported = []
    }

    /// The state while changes are taken over.
    private struct Work {
        var judge: SiteFileJudge
        let limit: Int
        let cacheMaxAge: Int
        /// The files that are served, with their order, by name.
        let known: [String: (file: SiteFile, order: Int)]
        var older: [StoreFileKey: [StoredFile]] = [:]
        var isChecked = false
        var touched: Set<String> = []
        /// The files of which there is something to say, by domain.
        var reported: [String: [LoadedFile]] = [:]
        var changes = Changes()

        init(_ configuration: ServerConfiguration, _ rules: RuleCatalogue, _ now: Int64) throws(ServerError) {
            limit = configuration.limits.fileBytes
            cacheMaxAge = configuration.cacheMaxAge
            judge = SiteFileJudge(limit: limit, rules: rules, now: now)
            let files = [SiteFile.association] + (try SiteFile.others(configuration))
            known = Dictionary(files.enumerated().map { ($0.element.name, ($0.element, $0.offset)) }) { first, _ in
                first
            }
        }
    }

    private mutating func set(_ file: StoredFile, _ work: inout Work) {
        let key = file.key
        invalidRows[key] = nil
        guard file.contents != nil else {
            remove(key, &work)
            return
        }
        guard StoreNames.isDomain(key.domain), StoreNames.isFileName(key.name) else {
            invalidRows[key] = Self.invalidRow(file)
            return
        }
        if records[key.domain, default: [:]][key.name] == nil { recordCount += 1 }
        let before = records[key.domain]?[key.name]
        records[key.domain, default: [:]][key.name] = Record(
            current: file, loaded: before?.loaded, served: before?.served)
        work.touched.insert(key.domain)
        judge(key, &work)
    }

    private mutating func remove(_ key: StoreFileKey, _ work: inout Work) {
        guard records[key.domain]?.removeValue(forKey: key.name) != nil else { return }
        if records[key.domain]?.isEmpty == true { records[key.domain] = nil }
        recordCount -= 1
        stale.remove(key)
        refused.remove(key)
        work.touched.insert(key.domain)
    }

    private mutating func removeAll(but files: [StoredFile], _ work: inout Work) {
        var left: [String: Set<String>] = [:]
        left.reserveCapacity(files.count)
        for file in files { left[file.key.domain, default: []].insert(file.key.name) }
        for (domain, files) in records {
            for name in files.keys where left[domain]?.contains(name) != true {
                remove(StoreFileKey(domain: domain, name: name), &work)
            }
        }
    }

    private mutating func judge(_ key: StoreFileKey, _ work: inout Work) {
        guard var record = records[key.domain]?[key.name] else { return }
        stale.remove(key)
        refused.remove(key)
        defer { records[key.domain]?[key.name] = record }
        guard let (file, _) = work.known[key.name], let contents = record.current.contents else {
            // Kept, and not served: a publisher cannot introduce a path or a content type.
            (record.loaded, record.served) = (nil, nil)
            return
        }
        let previous = record.loaded
        let terms = PublishedFile.Terms(contentType: file.contentType, cacheMaxAge: work.cacheMaxAge)
        let lastGood = record.served.flatMap { served in
            previous?.file.flatMap { $0.terms == terms ? $0 : publish(served, terms) }
        }
        let candidate = Self.candidate(file, record.current, terms, work.limit, previous, lastGood)
        var loaded = work.judge.decide(candidate, contents, isChecked: work.isChecked) { _ in
            publish(record.current, terms) ?? PublishedFile(bytes: [], lastModified: 0, terms: terms)
        }
        if !loaded.isRefused {
            record.served = record.current
        } else if loaded.file == nil {
            record.served = nil
            if let (older, file) = olderVersion(of: key, file, terms, &work) {
                record.served = older
                loaded = work.judge.serve(file, inPlaceOf: loaded)
            }
        }
        record.loaded = loaded
        note(key, record, loaded, &work)
    }

    private mutating func note(_ key: StoreFileKey, _ record: Record, _ loaded: LoadedFile, _ work: inout Work) {
        let reported = work.judge.takeChanges()
        if !reported.isEmpty { work.reported[key.domain, default: []] += reported }
        guard loaded.isRefused else { return }
        if !reported.isEmpty { work.changes.refused.append(key) }
        if let served = record.served {
            stale.insert(key)
            work.changes.outcome.servedOlder.append(served)
        } else {
            refused.insert(key)
            work.changes.outcome.withoutGoodVersion.append(key)
        }
    }

    /// The newest older version that is good.
    private mutating func olderVersion(
        of key: StoreFileKey, _ file: SiteFile, _ terms: PublishedFile.Terms, _ work: inout Work
    ) -> (version: StoredFile, file: PublishedFile)? {
        for version in work.older[key] ?? [] {
            let candidate = Self.candidate(file, version, terms, work.limit, nil, nil)
            guard let contents = version.contents, work.judge.isGood(candidate, contents),
                let file = publish(version, terms)
            else { continue }
            return (version, file)
        }
        return nil
    }

    private static func candidate(
        _ file: SiteFile, _ version: StoredFile, _ terms: PublishedFile.Terms, _ limit: Int, _ previous: LoadedFile?,
        _ lastGood: PublishedFile?
    ) -> SiteFileJudge.Candidate {
        let place = "store:\(version.key.domain)/\(LintConfiguration.fileName)"
        let text = file.kind == .other ? nil : version.lint
        let stored = version.contents.map {
            LoadedFile.StoredVersion(
                version: version.version, digest: $0.digest, publishedAt: version.publishedAt, lint: text)
        }
        return SiteFileJudge.Candidate(
            file: file, path: version.path,
            basis: LoadedFile.Basis(
                kind: file.kind, isText: file.isText, limit: limit, configuration: nil, stored: stored),
            terms: terms, previous: previous, lastGood: lastGood,
            configuration: text.map { .text($0, path: place) } ?? SiteFileJudge.Candidate.Configuration.none)
    }

    /// The file that is served of a version, one for all that are the same.
    private mutating func publish(_ version: StoredFile, _ terms: PublishedFile.Terms) -> PublishedFile? {
        guard let contents = version.contents else { return nil }
        // As the store has it, also where its clock is ahead: the answers of all nodes are the same.
        let lastModified = version.publishedAt.flooredSeconds
        let key = PublishedKey(digest: contents.digest, lastModified: lastModified, terms: terms)
        if let same = published[key] { return same }
        let file = PublishedFile(
            bytes: contents.bytes, digest: contents.digest.bytes, lastModified: lastModified, terms: terms)
        published[key] = file
        return file
    }

    /// Drops published files that nothing serves any more.
    private mutating func pruneIfNeeded() {
        guard published.count > recordCount * 2 + 1_024 else { return }
        let used = Set(records.values.flatMap { $0.values.compactMap { $0.loaded?.file } }.map(ObjectIdentifier.init))
        published = published.filter { used.contains(ObjectIdentifier($0.value)) }
    }

    /// Makes the sites anew of whose files any has changed.
    private mutating func rebuild(_ work: inout Work) {
        var removed: Set<Int> = []
        var isOrdered = true
        for domain in work.touched.sorted() {
            let index = indices[domain]
            guard let site = site(domain, index.map { sites[$0] }, &work) else {
                if let index {
                    removed.insert(index)
                    work.changes.removed.append(domain)
                }
                continue
            }
            guard let index else {
                indices[domain] = sites.count
                if !site.changedFiles.isEmpty { reported.append(sites.count) }
                sites.append(site)
                work.changes.added.append(domain)
                isOrdered = false
                continue
            }
            let before = sites[index]
            guard site != before || !site.changedFiles.isEmpty else { continue }
            if !site.serves(sameAs: before) { work.changes.changed.append(domain) }
            if !site.changedFiles.isEmpty { reported.append(index) }
            sites[index] = site
            work.changes.indices?.append(index)
        }
        if !removed.isEmpty {
            sites = sites.indices.filter { !removed.contains($0) }.map { sites[$0] }
            isOrdered = false
            indices = Dictionary(sites.enumerated().map { ($0.element.domain, $0.offset) }) { first, _ in first }
            reported = sites.indices.filter { !sites[$0].changedFiles.isEmpty }
        }
        if !isOrdered { work.changes.indices = nil }
        work.changes.outcome.stale = stale.count
        work.changes.outcome.refused = refused.count + invalidRows.count
        work.changes.outcome.sites = sites.count
    }

    /// A site of the files that are served, or would be without their errors; nil if there is none.
    private func site(_ domain: String, _ before: LoadedSite?, _ work: inout Work) -> LoadedSite? {
        let files = (records[domain] ?? [:]).compactMap { name, record in
            record.loaded.flatMap { loaded in work.known[name].map { (loaded, $0.order) } }
        }.sorted { $0.1 < $1.1 }.map(\.0)
        guard !files.isEmpty else { return nil }
        let association = files.first { $0.name == SiteFile.association.name }
        return LoadedSite(
            domain: domain, number: before?.number ?? numbers.number(of: domain),
            association: association ?? .absentAssociation,
            otherFiles: files.filter { $0.name != SiteFile.association.name },
            changedFiles: work.reported[domain] ?? [])
    }

    /// The finding about a row that was forced into the store.
    private static func invalidRow(_ file: StoredFile) -> LocatedDiagnostic {
        let path = VisibleText.escaped(String(file.path.prefix(400)))
        if !StoreNames.isDomain(file.key.domain) {
            return .error(
                path, "\(quoted(file.key.domain)) is not a domain in lowercase and Punycode; the row is not used",
                help: "remove it from the store: publish a version without bytes")
        }
        return .error(
            path, "\(quoted(file.key.name)) is not the name of a file; the row is not used",
            help: "remove it from the store: publish a version without bytes")
    }
}

extension Int64 {
    /// Microseconds in whole seconds.
    fileprivate var flooredSeconds: Int64 { self >= 0 ? self / 1_000_000 : -((999_999 - self) / 1_000_000) }
}
