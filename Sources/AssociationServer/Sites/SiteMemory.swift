internal import Dispatch
internal import HTTP1
internal import Logging
internal import SiteStore
internal import SystemSupport

/// Keeps the files that sites serve in the folder `stateFolder`, so that a file with errors is no reason to serve nothing
/// after a restart (server.md, section 5).
///
/// What is written is written on a queue of its own: neither a reload nor a request waits for the disk.
package final class SiteMemory: @unchecked Sendable {
    private let folder: String
    private let logger: Logger
    private let queue = DispatchQueue(label: "aasa.state", qos: .utility)
    /// The sites that are to be kept next.
    private let next = Locked<SiteList?>(nil)

    /// The reason why the files are not kept, as the log has it.
    private let problem = Locked<String?>(nil)

    // On the queue only.
    private var remembered: RememberedFiles?
    /// The files on disk, from the time when they are read until the first sites are kept.
    private var onDisk: [StoreFileKey: RememberedFiles.File]?
    /// The sites whose files are on disk.
    private var kept: SiteList?
    private var isRetryDue = false

    /// The time until the next attempt to write what could not be written.
    private static let retrySeconds = 60
    /// The time that the end of a server waits for what is being written.
    private static let longestWait = 1_000

    /// A served file, with what is remembered about it.
    private typealias Served = (file: PublishedFile, loadedAt: Int64)

    init(_ folder: String, _ logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    /// Whether what is served survives a restart, as far as the last attempt to write it tells.
    var isKeeping: Bool { problem.withLock { $0 == nil } }

    /// The file that was served last by an earlier process; nil if none is remembered.
    func recall(_ key: StoreFileKey) -> (bytes: [UInt8], file: RememberedFiles.File)? {
        queue.sync {
            // A check makes no folder, which might belong to another user.
            guard isKeeping, Path.isFolder(folder) else { return nil }
            do throws(DatabaseError) {
                let remembered = try opened()
                guard let file = onDisk?[key], let contents = try remembered.contents(file.digest) else { return nil }
                return (contents.bytes, file)
            } catch {
                _ = report(error)
                return nil
            }
        }
    }

    /// Keeps the files of these sites, and no others, soon.
    func keep(_ sites: SiteList) {
        next.withLock { $0 = sites }
        queue.async { [self] in write() }
    }

    /// Waits a moment for what is being written, and closes the database.
    func finish() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            remembered = nil
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(Self.longestWait))
    }

    private func opened() throws(DatabaseError) -> RememberedFiles {
        if let remembered { return remembered }
        let opened = try RememberedFiles(folder)
        do throws(DatabaseError) {
            onDisk = try opened.load()
        } catch {
            // Only what is damaged is given up; anything else is read again before something is written.
            if error.kind == .damaged { (remembered, onDisk) = (opened, [:]) }
            throw error
        }
        remembered = opened
        return opened
    }

    private func write() {
        let sites = next.withLock { next in
            defer { next = nil }
            return next
        }
        guard let sites else { return }
        do throws(DatabaseError) {
            try write(sites, to: opened())
            (kept, onDisk) = (sites, nil)
            if !isKeeping { logger.info("\(folder): the last good files of sites are kept again") }
            problem.withLock { $0 = nil }
        } catch {
            // A damaged database is made anew, at once unless that has not helped.
            let isSoon = report(error) && error.kind == .damaged
            next.withLock { if $0 == nil { $0 = sites } }
            if isSoon { return queue.async { [self] in write() } }
            // One at a time, however many changes could not be written.
            guard !isRetryDue else { return }
            isRetryDue = true
            queue.asyncAfter(deadline: .now() + .seconds(Self.retrySeconds)) { [self] in
                isRetryDue = false
                write()
            }
        }
    }

    private func write(_ sites: SiteList, to remembered: RememberedFiles) throws(DatabaseError) {
        let before = kept.map { Self.served($0, otherThan: sites).mapValues(Self.entry) } ?? onDisk ?? [:]
        let served = Self.served(sites, otherThan: kept ?? [])
        let changed = served.mapValues(Self.entry).filter { before[$0]?.isSame(as: $1) != true }
        // A file that is refused, and could not be recalled, is not gone.
        let refused = kept == nil ? Self.refused(sites) : []
        let removed = before.keys.filter { served[$0] == nil && !refused.contains($0) }
        guard kept == nil || !changed.isEmpty || !removed.isEmpty else { return }
        // What needs everything, as the folder was removed, has to have those that have not changed as well.
        let all = Locked<[StoreFileKey: Served]?>(nil)
        try remembered.remember(changed, forgetting: removed) {
            let every = Self.served(sites, otherThan: [])
            all.withLock { $0 = every }
            return every.mapValues(Self.entry)
        } bytes: { key in
            (served[key] ?? all.withLock { $0?[key] }).map(\.file.bytes)
        }
    }

    /// The files that sites serve, but for sites that are the same in another list.
    private static func served(_ sites: SiteList, otherThan others: SiteList) -> [StoreFileKey: Served] {
        var served: [StoreFileKey: Served] = [:]
        for (index, site) in sites.enumerated() {
            if index < others.count, others[index].domain == site.domain, others[index].serves(sameAs: site) {
                continue
            }
            for loaded in site.files {
                guard let file = loaded.file else { continue }
                served[StoreFileKey(domain: site.domain, name: loaded.name)] = (file, loaded.loadedAt)
            }
        }
        return served
    }

    /// The files in whose place nothing is served.
    private static func refused(_ sites: SiteList) -> Set<StoreFileKey> {
        var refused: Set<StoreFileKey> = []
        for site in sites {
            for loaded in site.files where loaded.file == nil {
                refused.insert(StoreFileKey(domain: site.domain, name: loaded.name))
            }
        }
        return refused
    }

    private static func entry(_ served: Served) -> RememberedFiles.File {
        RememberedFiles.File(
            digest: ContentDigest(hex: served.file.digest) ?? ContentDigest(of: served.file.bytes),
            lastModified: served.file.lastModified, loadedAt: served.loadedAt)
    }

    /// Logs a problem once.
    ///
    /// - Returns: whether it is another one than before.
    private func report(_ error: DatabaseError) -> Bool {
        let text =
            error.kind == .damaged
            ? "\(error.path): the last good files of sites are damaged and forgotten: \(error.reason)"
            : "\(error.path): the last good files of sites are not kept over a restart: \(error.reason)"
        let isOther = problem.withLock { problem in
            defer { problem = text }
            return problem != text
        }
        if isOther { logger.warning("\(text)") }
        return isOther
    }
}
