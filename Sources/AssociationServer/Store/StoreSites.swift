internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import SiteStore

/// The files of a store, and what is served of them (store.md, section 7).
///
/// A change costs its own size. All of it happens on the queue of the reloader.
struct StoreSites {
    /// The state of a domain.
    private struct SiteRecord {
        /// Few, in no order.
        var files: [Record] = []
        /// The index of its site; nil if it has none.
        var index: Int?
        /// Whether its site is to be made anew.
        var isTouched = false
    }

    /// The state of one file.
    private struct Record {
        let current: StoredFile
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

        // Hardly any bytes are served on several terms.
        func hash(into hasher: inout Hasher) {
            hasher.combine(digest)
            hasher.combine(lastModified)
        }
    }

    /// The most rows that are listed of those that cannot be files of sites.
    private static let mostRows = 1_000

    private let numbers: SiteNumbers
    private let rules: RuleCatalogue
    /// By domain.
    private var records: [String: SiteRecord] = [:]
    private var recordCount = 0
    private(set) var sites: SiteList = []
    /// The excess since the store was last read as a whole; nil if there was none.
    private var omitted: StoreOmission?
    private var limit = Int.max
    /// The findings about rows that cannot be files of sites.
    private var invalidRows: [StoreFileKey: LocatedDiagnostic] = [:]
    /// The files that are served, so that equal ones are one in memory.
    private var published: [PublishedKey: PublishedFile] = [:]
    private var stale: Set<StoreFileKey> = []
    private var refused: Set<StoreFileKey> = []
    /// The domains of the sites of which there was something to say when they changed last.
    private var reported: [String] = []
    private(set) var position: StorePosition?

    init(numbers: SiteNumbers, rules: RuleCatalogue) {
        self.numbers = numbers
        self.rules = rules
    }

    /// The sites as a folder of them would be.
    var load: SiteLoad {
        let rows = invalidRows.sorted { $0.key < $1.key }.prefix(Self.mostRows).map(\.value)
        let others = invalidRows.count - rows.count
        var rest = others > 0 ? [LocatedDiagnostic.error("store", "\(others) more rows cannot be files of sites")] : []
        if let omitted { rest.append(Self.finding(omitted)) }
        return SiteLoad(
            sites: sites, findings: rows + rest, refusedFolders: invalidRows.count + (omitted == nil ? 0 : 1))
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
        limit = configuration.limits.sites
        settle()
        if update.changes.isComplete {
            invalidRows = [:]
            omitted = nil
            removeAll(but: update.changes.files, &work)
        }
        omitted = update.changes.omitted ?? omitted
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
        for index in records.indices {
            var site = records.values[index]
            for position in site.files.indices { site.files[position] = judge(site.files[position], &work) }
            touch(&site, records.keys[index], &work)
            records.values[index] = site
        }
        rebuild(&work)
        pruneIfNeeded()
        return work.changes
    }

    /// Forgets what was to be said about changes: it has been said.
    mutating func settle() {
        for domain in reported {
            if let index = records[domain]?.index { sites.replace(index, with: sites[index].kept) }
        }
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
        /// The domains whose sites are to be made anew.
        var touched: [String] = []
        /// The files of which there is something to say, by domain.
        var reported: [String: [LoadedFile]] = [:]
        var changes = Changes()

        init(_ configuration: ServerConfiguration, _ rules: RuleCatalogue, _ now: Int64) throws(ServerError) {
            limit = configuration.limits.publishedBytes
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
        if !invalidRows.isEmpty { invalidRows[key] = nil }
        guard file.contents != nil else {
            remove(key, &work)
            return
        }
        guard StoreNames.isDomain(key.domain), StoreNames.isFileName(key.name) else {
            invalidRows[key] = Self.invalidRow(file)
            return
        }
        let index = records.index(forKey: key.domain)
        guard index != nil || records.count < limit else {
            omitted = omitted ?? StoreOmission(limit: .sites(limit), first: key)
            return
        }
        var site = index.map { records.values[$0] } ?? SiteRecord()
        if let position = site.files.firstIndex(where: { $0.current.key.name == key.name }) {
            let before = site.files[position]
            site.files[position] = judge(Record(current: file, loaded: before.loaded, served: before.served), &work)
        } else {
            site.files.append(judge(Record(current: file), &work))
            recordCount += 1
        }
        touch(&site, key.domain, &work)
        if let index { records.values[index] = site } else { records[key.domain] = site }
    }

    private mutating func remove(_ key: StoreFileKey, _ work: inout Work) {
        guard let index = records.index(forKey: key.domain),
            let position = records.values[index].files.firstIndex(where: { $0.current.key.name == key.name })
        else { return }
        records.values[index].files.remove(at: position)
        recordCount -= 1
        forgetProblems(key)
        touch(&records.values[index], key.domain, &work)
    }

    private func touch(_ site: inout SiteRecord, _ domain: String, _ work: inout Work) {
        guard !site.isTouched else { return }
        site.isTouched = true
        work.touched.append(domain)
    }

    private mutating func removeAll(but files: [StoredFile], _ work: inout Work) {
        guard !records.isEmpty else { return }
        let left = Set(files.lazy.map(\.key))
        let gone = records.values.flatMap { site in site.files.map(\.current.key).filter { !left.contains($0) } }
        for key in gone { remove(key, &work) }
    }

    private mutating func forgetProblems(_ key: StoreFileKey) {
        if !stale.isEmpty { stale.remove(key) }
        if !refused.isEmpty { refused.remove(key) }
    }

    /// Decides about a file.
    private mutating func judge(_ before: Record, _ work: inout Work) -> Record {
        var record = before
        let key = record.current.key
        forgetProblems(key)
        guard let (file, _) = work.known[key.name], let contents = record.current.contents else {
            // Kept, and not served: a publisher cannot introduce a path or a content type.
            return Record(current: record.current)
        }
        let previous = record.loaded
        let terms = PublishedFile.Terms(contentType: file.contentType, cacheMaxAge: work.cacheMaxAge)
        let lastGood = record.served.flatMap { served in
            previous?.file.flatMap { $0.terms == terms ? $0 : publish(served, terms) }
        }
        let candidate = Self.candidate(file, record.current, terms, work.limit, previous, lastGood)
        let version = record.current
        var loaded = work.judge.decide(candidate, contents, isChecked: work.isChecked) { _ in
            publish(version, terms) ?? PublishedFile(bytes: [], lastModified: 0, terms: terms)
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
        return record
    }

    private mutating func note(_ key: StoreFileKey, _ record: Record, _ loaded: LoadedFile, _ work: inout Work) {
        let reported = work.judge.takeChanges().filter { !$0.findings.isEmpty }
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
            configuration: text.map { .text($0, path: "store:\(version.key.domain)/\(LintConfiguration.fileName)") }
                ?? SiteFileJudge.Candidate.Configuration.none)
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
        let used = Set(records.values.flatMap { $0.files.compactMap { $0.loaded?.file } }.map(ObjectIdentifier.init))
        published = published.filter { used.contains(ObjectIdentifier($0.value)) }
    }

    /// Makes the sites anew of whose files any has changed.
    private mutating func rebuild(_ work: inout Work) {
        for domain in work.touched.sorted() {
            guard let place = records.index(forKey: domain) else { continue }
            records.values[place].isTouched = false
            let index = records.values[place].index
            guard let site = site(domain, records.values[place].files, index.map { sites[$0] }, work) else {
                if let index {
                    records.values[place].index = nil
                    removeSite(at: index, &work)
                    work.changes.removed.append(domain)
                }
                if records[domain]?.files.isEmpty == true { records[domain] = nil }
                continue
            }
            if !site.changedFiles.isEmpty { reported.append(domain) }
            guard let index else {
                records.values[place].index = sites.count
                work.changes.indices.insert(sites.count)
                sites.append(site)
                work.changes.added.append(domain)
                continue
            }
            let before = sites[index]
            guard site != before || !site.changedFiles.isEmpty else { continue }
            if !site.serves(sameAs: before) { work.changes.changed.append(domain) }
            sites.replace(index, with: site)
            work.changes.indices.insert(index)
        }
        work.changes.outcome.stale = stale.count
        work.changes.outcome.refused = refused.count + invalidRows.count
        work.changes.outcome.sites = sites.count
    }

    /// Removes a site; the last one takes its index.
    private mutating func removeSite(at index: Int, _ work: inout Work) {
        let last = sites.removeLast()
        work.changes.indices.insert(sites.count)
        guard index < sites.count else { return }
        sites.replace(index, with: last)
        records[last.domain]?.index = index
        work.changes.indices.insert(index)
    }

    /// A site of the files that are served, or would be without their errors; nil if there is none.
    private func site(_ domain: String, _ records: [Record], _ before: LoadedSite?, _ work: Work) -> LoadedSite? {
        var association: LoadedFile?
        var others: [(file: LoadedFile, order: Int)] = []
        for record in records {
            guard let loaded = record.loaded, let order = work.known[loaded.name]?.order else { continue }
            if loaded.name == SiteFile.association.name {
                association = loaded
            } else {
                others.append((loaded, order))
            }
        }
        guard association != nil || !others.isEmpty else { return nil }
        return LoadedSite(
            domain: domain, number: before?.number ?? numbers.number(of: domain),
            association: association ?? .absentAssociation,
            otherFiles: others.sorted { $0.order < $1.order }.map(\.file),
            changedFiles: work.reported.isEmpty ? [] : work.reported[domain] ?? [])
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
