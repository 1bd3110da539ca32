internal import Dispatch
package import EventLoops
internal import Logging
internal import SystemSupport

/// What all files that a reload depends on look like from outside, without reading them.
package struct DirectoryFingerprint: Equatable, Sendable {
    /// The folders that report it when something changes, those on the way to all others first.
    package var folders: [WatchedFolder] = []
    /// How many there are on the way to all others.
    package var essential = 0
    /// Of the stamps of all files, the targets of all links, and the names of all folders of sites and pairs. Another one
    /// in each process.
    package var hash = 0
    /// Whether an equal hash later on means that nothing has changed since.
    package var isConclusive = true
}

/// Takes the fingerprint of the folders of sites and certificates, and has inotify report changes in them.
struct DirectoryWatcher {
    /// So often folders that are watched for the first time are scanned again, if new ones turn up each time.
    private static let mostScans = 4

    private let timing: ReloadTiming
    private let logger: Logger
    private var watch: FolderWatch?
    /// Whether the system has no watches for all folders.
    private var isLimited = false

    init(timing: ReloadTiming, logger: Logger) {
        self.timing = timing
        self.logger = logger
    }

    mutating func start(on queue: DispatchQueue, whenChanged: @escaping @Sendable (FolderWatch.Change) -> Void) {
        guard timing.watches else { return }
        do throws(SystemError) {
            watch = try FolderWatch(queue: queue, handler: whenChanged)
        } catch {
            let help = "raise fs.inotify.max_user_instances"
            logger.warning("\(consequence): inotify cannot be used: \(error.reason); help: \(help)")
        }
    }

    mutating func stop() { watch = nil }

    /// Scans all folders, and has them watched from before that on.
    ///
    /// - Parameter retriesLimit: whether to try again to watch all folders, if there were too few watches.
    mutating func fingerprint(_ configuration: ServerConfiguration, retriesLimit: Bool) -> DirectoryFingerprint {
        let places = FolderScan.Places(
            sites: configuration.sites, certs: configuration.certs,
            issuance: configuration.acme.isOn ? configuration.acmeFolder : nil,
            siteFiles: [SiteFile.association.name, SiteFile.assetLinks.name] + configuration.wellKnown.map(\.name),
            workingDirectory: Path.workingDirectory ?? ".")
        for _ in 1..<Self.mostScans {
            let view = FolderScan.look(at: places, in: DiskTree(), now: Clock.wallSeconds())
            if !extendWatch(view, retriesLimit: retriesLimit) { return view }
        }
        return FolderScan.look(at: places, in: DiskTree(), now: Clock.wallSeconds())
    }

    /// - Returns: whether something is watched that was not before: it may have changed after it was scanned.
    private mutating func extendWatch(_ view: DirectoryFingerprint, retriesLimit: Bool) -> Bool {
        guard let watch else { return false }
        let isEssentialOnly = isLimited && !retriesLimit
        let folders = isEssentialOnly ? Array(view.folders.prefix(view.essential)) : view.folders
        let coverage = watch.watch(folders, essential: view.essential)
        if let limit = coverage.limit, !isLimited {
            let problem = "the system has too few watches for \(view.folders.count) folders (\(limit.reason))"
            logger.warning("\(consequence): \(problem); help: raise fs.inotify.max_user_watches")
        }
        if !isEssentialOnly { isLimited = coverage.limit != nil }
        return coverage.isLarger
    }

    private var consequence: String {
        "changes on disk may be noticed only after \(timing.poll / 1_000) seconds, or at SIGHUP"
    }
}
