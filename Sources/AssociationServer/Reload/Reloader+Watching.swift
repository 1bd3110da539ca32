internal import Dispatch
internal import EventLoops
internal import Logging

extension Reloader {
    func makeWatch(on queue: DispatchQueue) {
        guard timing.watches else { return }
        do throws(SystemError) {
            watch = try FolderWatch(queue: queue) { [weak self] in self?.changed($0) }
        } catch {
            let help = "raise fs.inotify.max_user_instances"
            logger.warning("\(Self.delay(timing)): inotify cannot be used: \(error.reason); \(help)")
        }
    }

    /// So many times folders that are watched for the first time are looked into again, if new ones turn up each time.
    private static let mostScans = 4

    /// Looks at everything from outside, and has it watched from before that on.
    func see(_ configuration: ServerConfiguration) -> DiskView {
        let places = FolderScan.Places(
            sites: configuration.sites, certs: configuration.certs,
            siteFiles: [SiteFile.association.name, SiteFile.assetLinks.name] + configuration.wellKnown.map(\.name),
            workingDirectory: DiskTree.workingDirectory)
        for _ in 1..<Self.mostScans {
            let view = FolderScan.look(at: places, in: DiskTree(), now: Clock.wallSeconds())
            if !extendWatch(view) { return view }
        }
        return FolderScan.look(at: places, in: DiskTree(), now: Clock.wallSeconds())
    }

    /// - Returns: whether something is watched that was not before: it may have changed after it was looked at.
    private func extendWatch(_ view: DiskView) -> Bool {
        guard let watch else { return false }
        // Where there were too few watches, there are when somebody has asked for a reload.
        let isLimited = isWatchLimited && !isEverythingDue
        let folders = isLimited ? Array(view.folders.prefix(view.essential)) : view.folders
        let coverage = watch.watch(folders, essential: view.essential)
        if let limit = coverage.limit, !isWatchLimited {
            let rest = "the system has no watches for \(view.folders.count) folders (\(limit.reason))"
            logger.warning("\(Self.delay(timing)): \(rest); raise fs.inotify.max_user_watches")
        }
        if !isLimited { isWatchLimited = coverage.limit != nil }
        return coverage.isLarger
    }

    private static func delay(_ timing: ReloadTiming) -> String {
        "changes on disk may be noticed only after \(timing.poll / 1_000) seconds, or at SIGHUP"
    }
}
