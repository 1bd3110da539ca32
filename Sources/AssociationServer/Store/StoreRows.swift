internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import DomainNames
internal import LinkPages
internal import SiteStore

/// The files of a store as a source of the catalogue (store.md, section 7).
struct StoreRows {
    /// The most rows that are listed of those that cannot be files of sites.
    private static let maxListedRows = 1_000

    /// The newest version of each file, also of those that this node does not serve: a publisher cannot introduce a path
    /// or a content type.
    private var rows: [StoreFileKey: StoredFile] = [:]
    /// The older versions that are served because the newest ones are refused.
    private var served: [StoreFileKey: StoredFile] = [:]
    /// The findings about rows that cannot be files of sites.
    private var invalidRows: [StoreFileKey: LocatedDiagnostic] = [:]
    /// The excess since the store was last read as a whole; nil if there was none.
    private var omitted: StoreOmission?
    private(set) var position: StorePosition?
    /// The versions in which the files of the last update are served.
    private(set) var outcome = StoreOutcome()

    /// The number of rows that cannot be files of sites.
    var invalidCount: Int { invalidRows.count }

    /// Hands over the changes of an update.
    mutating func read(_ changes: StoreUpdate, into update: inout SiteUpdate) {
        outcome = StoreOutcome()
        if changes.changes.isComplete {
            invalidRows = [:]
            omitted = nil
            let left = Set(changes.changes.files.lazy.map(\.key))
            for key in rows.keys where !left.contains(key) { remove(key, &update) }
        }
        omitted = changes.changes.omitted ?? omitted
        // Links come after the images that they may name.
        let (links, files) = (
            changes.changes.files.filter(Self.isLinks), changes.changes.files.lazy.filter { !Self.isLinks($0) }
        )
        var linked: Set<StoreFileKey> = []
        for row in files {
            take(row, changes, &update)
            linked.insert(StoreFileKey(domain: row.key.domain, name: SiteFile.links.name))
        }
        for row in links {
            take(row, changes, &update)
            linked.remove(row.key)
        }
        for key in linked {
            if let row = rows[key] { set(row, changes.olderVersions[key] ?? [], isChecked: false, &update) }
        }
        position = changes.changes.position
        addFindings(&update)
    }

    private static func isLinks(_ row: StoredFile) -> Bool { row.key.name == SiteFile.links.name }

    private mutating func take(_ row: StoredFile, _ changes: StoreUpdate, _ update: inout SiteUpdate) {
        if !invalidRows.isEmpty { invalidRows[row.key] = nil }
        if row.contents == nil {
            remove(row.key, &update)
        } else if let problem = Self.problem(row) {
            invalidRows[row.key] = problem
        } else if rows[row.key] != nil || update.admits(row.key.domain) {
            set(row, changes.olderVersions[row.key] ?? [], isChecked: changes.isChecked, &update)
        } else {
            omitted = omitted ?? StoreOmission(limit: .sites(update.settings.sites), first: row.key)
        }
    }

    /// Finds the images that the file of links of a domain names among its rows.
    private func images(of domain: String) -> LinkImageLookup {
        { [rows] name, limit in
            guard let contents = rows[StoreFileKey(domain: domain, name: name)]?.contents, contents.isIntact else {
                return .missing
            }
            return contents.bytes.count > limit ? .tooLarge : .found(contents.bytes, sha256: contents.digest.bytes)
        }
    }

    /// Hands over everything again, as another configuration may say something else.
    mutating func readAgain(into update: inout SiteUpdate) {
        for row in rows.values { set(row, [], isChecked: false, &update) }
        addFindings(&update)
    }

    private mutating func set(
        _ row: StoredFile, _ older: [StoredFile], isChecked: Bool, _ update: inout SiteUpdate
    ) {
        let key = row.key
        let before = rows.updateValue(row, forKey: key)
        guard let file = update.file(named: key.name) else { return }
        let images = file.kind == .links ? images(of: key.domain) : { _, _ in .missing }
        guard let source = Self.source(row, as: file, isChecked: isChecked, images) else { return }
        let previous = update.files(of: key.domain).first { $0.name == key.name }
        let loaded = update.set(source) { older.compactMap { Self.source($0, as: file, images) } }
        guard loaded.isRefused else {
            served[key] = nil
            return
        }
        guard let published = loaded.file else {
            outcome.withoutGoodVersion.append(key)
            return
        }
        if previous?.isRefused == false {
            served[key] = before
        } else if previous?.file == nil {
            served[key] = older.first { $0.contents?.digest.hex == published.digest }
        }
        if let version = served[key] { outcome.servedOlder.append(version) }
    }

    private mutating func remove(_ key: StoreFileKey, _ update: inout SiteUpdate) {
        guard rows.removeValue(forKey: key) != nil else { return }
        served[key] = nil
        update.remove(key.name, of: key.domain)
    }

    private static func source(
        _ row: StoredFile, as file: SiteFile, isChecked: Bool = false, _ images: @escaping LinkImageLookup
    ) -> SourceFile? {
        guard let contents = row.contents else { return nil }
        let lint = file.kind == .other ? nil : row.lint
        return SourceFile(
            domain: row.key.domain, file: file, path: row.path, content: .version(contents),
            configuration: lint.map { .text($0, path: "store:\(row.key.domain)/\(LintConfiguration.fileName)") }
                ?? SourceFile.Configuration.none,
            stored: LoadedFile.StoredVersion(
                version: row.version, digest: contents.digest, publishedAt: row.publishedAt, lint: lint),
            isChecked: isChecked, images: images)
    }

    /// Adds the findings that are about no file of a site.
    private func addFindings(_ update: inout SiteUpdate) {
        let listed = invalidRows.sorted { $0.key < $1.key }.prefix(Self.maxListedRows).map(\.value)
        update.findings += listed
        let others = invalidRows.count - listed.count
        if others > 0 { update.findings.append(.error("store", "\(others) more rows cannot be files of sites")) }
        if let omitted { update.findings.append(Self.finding(omitted)) }
        update.refusedEntries = invalidRows.count + (omitted == nil ? 0 : 1)
    }

    /// The finding about a row that was forced into the store; nil for one that can be a file of a site.
    private static func problem(_ row: StoredFile) -> LocatedDiagnostic? {
        let problem: String
        if Domain(row: row.key.domain) == nil {
            problem = "\(quoted(row.key.domain)) is not a domain in lowercase and Punycode"
        } else if !StoreNames.isFileName(row.key.name) {
            problem = "\(quoted(row.key.name)) is not the name of a file"
        } else {
            return nil
        }
        return .error(
            VisibleText.escaped(String(row.path.prefix(400))), "\(problem); the row is not used",
            help: "remove it from the store: publish a version without bytes")
    }

    /// The finding about files that were too much to be kept.
    private static func finding(_ omitted: StoreOmission) -> LocatedDiagnostic {
        let problem =
            switch omitted.limit {
            case .sites(let limit):
                "there are more than \(grouped(limit)) sites; others, such as \(quoted(omitted.first.domain))"
            case .bytes(let limit):
                "the files take more than \(grouped(limit)) bytes; others, or newer versions, such as \(quoted(omitted.first.description))"
            }
        let key = if case .sites = omitted.limit { "limits.sites" } else { "limits.storeBytes" }
        return .error(
            "store", "\(problem), are not served",
            help: "raise '\(key)' in server.json if the memory allows it, and send SIGHUP")
    }
}
