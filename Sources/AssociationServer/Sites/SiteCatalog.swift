internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
package import SiteStore

/// All sites, and what is served of their files, wherever they come from (server.md, section 5).
///
/// A source hands over the files that may have changed, and the catalogue says what has changed of what is served. That
/// costs as much as has changed, however many sites there are. All of it happens on the queue of the reloader.
package final class SiteCatalog {
    /// The contents of the catalogue, for a snapshot.
    package struct Content: Sendable {
        package var sites: SiteList = []
        /// The findings that are about no file of a site: names that no site can have, and `.aasa.json`.
        package var findings: [LocatedDiagnostic] = []
        /// The number of folders, or rows of a store, that can be no site.
        package var refusedEntries = 0
    }

    /// The key of a file that is served, so that equal ones are one in memory.
    private struct PublishedKey: Hashable {
        let digest: ContentDigest
        let lastModified: Int64
        let terms: PublishedFile.Terms
    }

    /// Finds the last good version of a file, as an earlier process has remembered it; nil if none is.
    package typealias Memory = (StoreFileKey) -> (bytes: [UInt8], file: RememberedFiles.File)?

    package private(set) var content = Content()
    /// Files of which an earlier version is served.
    private(set) var stale: Set<StoreFileKey> = []
    /// Files that never had a good version.
    private(set) var refused: Set<StoreFileKey> = []
    /// The settings that the files were judged by; nil before the first.
    private(set) var settings: SiteUpdate.Settings?
    private let numbers: SiteNumbers
    private let rules: RuleCatalogue
    /// The indices of the sites by domain.
    private var indices: [String: Int] = [:]
    private var fileCount = 0
    private var published: [PublishedKey: PublishedFile] = [:]

    /// - Parameters:
    ///   - numbers: those of the server.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    package init(numbers: SiteNumbers = SiteNumbers(), rules: RuleCatalogue = RuleRegistry.catalogue) {
        self.numbers = numbers
        self.rules = rules
    }

    package var sites: SiteList { content.sites }

    package func site(_ domain: String) -> LoadedSite? { indices[domain].map { sites[$0] } }

    /// The domains of all sites, in no order.
    var domains: some Collection<String> { indices.keys }

    /// Takes over what a source has, and decides what is served.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - source: hands over all that may have changed. If it throws, nothing has changed.
    func apply(
        _ configuration: ServerConfiguration, now: Int64, from source: (inout SiteUpdate) throws(ServerError) -> Void
    ) throws(ServerError) -> SiteChanges {
        var update = SiteUpdate(self, try SiteUpdate.Settings(configuration), rules, now: now)
        if let settings, settings.files != update.settings.files { update.order() }
        try source(&update)
        return finish(&update)
    }

    /// Reads the folder of sites, and serves what is good of it.
    ///
    /// - Parameters:
    ///   - names: the names of the folders to be read; nil for all.
    ///   - trustsStamps: whether files that look as they did are not read again.
    ///   - now: seconds since 1970.
    ///   - memory: is asked for files that are read for the first time.
    /// - Throws: `ServerError`: `unreadable` if the folder cannot be read, `configuration` for a `wellKnown` that cannot be
    ///   served. Then nothing has changed.
    package func readFolder(
        _ configuration: ServerConfiguration, only names: Set<String>? = nil, trustsStamps: Bool = false, now: Int64,
        memory: @escaping Memory = { _ in nil }
    ) throws(ServerError) -> SiteChanges {
        let folder = SiteFolder(configuration, trustsStamps: trustsStamps, memory: memory)
        return try apply(configuration, now: now) { update throws(ServerError) in
            if let names { folder.read(only: names, into: &update) } else { try folder.read(into: &update) }
        }
    }

    /// Keeps the sites that there are, because their source cannot be read.
    func keep(because finding: LocatedDiagnostic) {
        content.findings = [finding]
        content.refusedEntries = 0
    }

    /// The file that is served of a version in a store, one for all that are the same.
    func publish(
        _ bytes: @autoclosure () -> [UInt8], _ digest: ContentDigest, lastModified: Int64, _ terms: PublishedFile.Terms
    ) -> PublishedFile {
        let key = PublishedKey(digest: digest, lastModified: lastModified, terms: terms)
        if let same = published[key] { return same }
        let file = PublishedFile(bytes: bytes(), digest: digest.bytes, lastModified: lastModified, terms: terms)
        published[key] = file
        return file
    }

    private func finish(_ update: inout SiteUpdate) -> SiteChanges {
        var changes = SiteChanges()
        for domain in update.files.keys.sorted() {
            let files = update.files[domain] ?? []
            // Which entries of an `.aasa.json` are used at all shows only when all files are read.
            let before = update.isPartial ? site(domain)?.files ?? [] : files
            if before.compactMap(\.basis.configuration) != files.compactMap(\.basis.configuration)
                || before.compactMap(\.suppression) != files.compactMap(\.suppression)
            {
                update.readAgain()
            }
            take(files, of: domain, &changes)
            for file in update.reported[domain] ?? [] { changes.reported.append((domain, file)) }
        }
        settings = update.settings
        if !update.isPartial {
            content.findings = update.allFindings()
            content.refusedEntries = update.refusedEntries
        }
        changes.needsRetry = update.needsRetry
        // Files that are not served any more.
        if published.count > fileCount * 2 + 1_024 {
            let used = Set(sites.lazy.flatMap { $0.files.compactMap(\.file) }.map(ObjectIdentifier.init))
            published = published.filter { used.contains(ObjectIdentifier($0.value)) }
        }
        return changes
    }

    /// Takes over the files that a site has from now on; none if it has ended.
    private func take(_ files: [LoadedFile], of domain: String, _ changes: inout SiteChanges) {
        let index = indices[domain]
        let before = index.map { sites[$0] }
        for file in before?.files ?? [] where file.isRefused { forget(StoreFileKey(domain: domain, name: file.name)) }
        for file in files where file.isRefused {
            let key = StoreFileKey(domain: domain, name: file.name)
            if file.isStale { stale.insert(key) } else { refused.insert(key) }
        }
        fileCount += files.count - (before?.files.count ?? 0)
        guard !files.isEmpty else {
            if let index { remove(index, &changes) }
            return
        }
        let site = LoadedSite(domain: domain, number: before?.number ?? numbers.number(of: domain), files: files)
        guard let index, let before else {
            indices[domain] = sites.count
            changes.indices.insert(sites.count)
            content.sites.append(site)
            changes.add(site)
            return
        }
        content.sites.replace(index, with: site)
        guard site != before else { return }
        changes.indices.insert(index)
        changes.change(before, site)
    }

    private func forget(_ key: StoreFileKey) {
        if stale.remove(key) == nil { refused.remove(key) }
    }

    /// Removes a site; the last one takes its index.
    private func remove(_ index: Int, _ changes: inout SiteChanges) {
        let domain = sites[index].domain
        changes.remove(domain)
        indices[domain] = nil
        let last = content.sites.removeLast()
        changes.indices.insert(sites.count)
        guard index < sites.count else { return }
        content.sites.replace(index, with: last)
        indices[last.domain] = index
        changes.indices.insert(index)
    }
}

/// The changes of what is served, by domain.
package struct SiteChanges {
    package init() {}

    private(set) var added: [LoadedSite] = []
    private(set) var changed: [LoadedSite] = []
    private(set) var removed: [String] = []
    /// The sites that serve what they served, and whose association file was refused before.
    private(set) var recovered: [String] = []
    /// The other files that are served as they were, and were refused before, like `example.com/assetlinks.json`.
    private(set) var recoveredFiles: [String] = []
    /// The files with findings that were not there before.
    package internal(set) var reported: [(domain: String, file: LoadedFile)] = []
    /// The indices at which there is another site than before, or one before or afterwards only.
    var indices: Set<Int> = []
    /// Whether a file is served that was not, or a site or a file is gone.
    private(set) var hasNews = false
    /// Whether a file was written while it was read: what is served of it may be old, so it has to be read again.
    package internal(set) var needsRetry = false

    /// The files whose new versions are refused.
    var refused: [StoreFileKey] {
        reported.lazy.filter(\.file.isRefused).map { StoreFileKey(domain: $0.domain, name: $0.file.name) }
    }

    /// Whether any site is new or gone.
    var hasOtherSites: Bool { !added.isEmpty || !removed.isEmpty }

    /// Whether a site serves something else than before, or a new version is refused.
    var isWorthReporting: Bool { hasOtherSites || !changed.isEmpty || !refused.isEmpty }

    fileprivate mutating func add(_ site: LoadedSite) {
        added.append(site)
        hasNews = hasNews || site.files.contains { !$0.isRefused }
    }

    fileprivate mutating func change(_ before: LoadedSite, _ site: LoadedSite) {
        if !site.serves(sameAs: before) {
            changed.append(site)
        } else if before.isRefused, !site.isRefused {
            recovered.append(site.domain)
        }
        let old = Dictionary(before.files.map { ($0.name, $0) }) { first, _ in first }
        for file in site.otherFiles where !file.isRefused {
            guard let before = old[file.name], before.isStale, file.serves(sameAs: before) else { continue }
            recoveredFiles.append("\(site.domain)/\(file.name)")
        }
        hasNews =
            hasNews || before.files.contains { file in !site.files.contains { $0.name == file.name } }
            || site.files.contains { file in
                !file.isRefused && (old[file.name].map { $0.isRefused || !file.serves(sameAs: $0) } ?? true)
            }
    }

    fileprivate mutating func remove(_ domain: String) {
        removed.append(domain)
        hasNews = true
    }
}
