internal import AssociationFiles
internal import BoundedText
internal import Dispatch
package import EventLoops
internal import Logging
package import SystemSupport

/// The file system, as far as it takes to notice changes.
package protocol FileTree {
    /// The entry at a path; a link is not followed.
    func entry(_ path: String) -> FileTreeEntry
    /// The names of the folders, and of the links to some, in a folder; `nil` if it cannot be read.
    func folders(in path: String) -> [String]?
    /// The names of all that is in a folder, in any order; none if it cannot be read.
    func names(in path: String) -> [String]
}

package enum FileTreeEntry: Equatable, Sendable {
    /// Nothing, or nothing that may be looked at.
    case nothing
    case folder(Inode)
    case link(target: String)
    /// A file, or something else that is neither a folder nor a link.
    case file(FileStamp)
}

/// The file system of the machine.
struct DiskTree: FileTree {
    func entry(_ path: String) -> FileTreeEntry {
        guard let status = FileStatus(at: path, followsLink: false) else { return .nothing }
        switch status.kind {
        case .folder: return .folder(status.stamp.inode)
        case .link:
            return RawPath.target(ofLinkAt: path).map { .link(target: String(text: $0)) }
                ?? .nothing
        default: return .file(status.stamp)
        }
    }

    func folders(in path: String) -> [String]? { try? Folder.folders(in: path) }

    func names(in path: String) -> [String] { Folder.names(in: path, most: 10_000) }
}

/// Finds out which folders have to be watched for sites and certificates, and what is in them.
///
/// Each path is walked from the root, and each link on the way followed step by step: whatever step is replaced, the folder
/// that it is in tells. So certbot's `live/` leads to `archive/`, and Kubernetes' files to `..data` and what that leads to.
package struct FolderScan {
    package struct Roots: Equatable, Sendable {
        /// `nil` if sites come from elsewhere.
        package let sites: String?
        /// `nil` if certificates come from elsewhere.
        package let certs: String?
        /// The folder of accounts and certificates that are got by the server itself; `nil` for none.
        package let issuance: String?
        /// The names of the files that a site may have.
        package let siteFiles: [String]
        /// Absolute; where relative paths begin.
        package let workingDirectory: String

        package init(
            sites: String?, certs: String?, issuance: String? = nil, siteFiles: [String], workingDirectory: String
        ) {
            self.sites = sites
            self.certs = certs
            self.issuance = issuance
            self.siteFiles = siteFiles
            self.workingDirectory = workingDirectory
        }
    }

    /// The end of a path.
    private enum Destination {
        case nothing, file
        case folder(String)
    }

    /// The most links in a row that Linux follows (path_resolution(7)).
    private static let mostLinks = 40
    private static let lintConfiguration = ".aasa.json"
    /// Where requests to renew certificates are, below the folder of accounts.
    private static let renewalRequests = "renew"

    private let tree: any FileTree
    private let now: Int64
    private let subjects: Set<String>?
    private var view = DirectoryFingerprint()
    /// The index of each folder in the view, by its path.
    private var indices: [String: Int] = [:]
    private var hasher = Hasher()
    /// The folders in which a configuration of the validator was looked for.
    private var searched: Set<String> = []

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - subjects: the paths of the sites and pairs that are looked at, besides the way to them; nil for all.
    package static func scan(
        _ roots: Roots, in tree: any FileTree, now: Int64, only subjects: Set<String>? = nil
    ) -> DirectoryFingerprint {
        var scan = FolderScan(tree: tree, now: now, only: subjects)
        let sites = roots.sites.flatMap { scan.root($0, roots.workingDirectory) }
        let certs = roots.certs.flatMap { scan.root($0, roots.workingDirectory) }
        let issuance = roots.issuance.flatMap { scan.root($0, roots.workingDirectory) }
        let requests = roots.issuance.flatMap { folder in
            let accounts = "\(folder)/\(CertificateLoader.accountsName)"
            return scan.root("\(accounts)/\(renewalRequests)", roots.workingDirectory)
        }
        scan.view.essential = scan.view.folders.count
        scan.view.sites = sites
        for case let root? in [sites, certs, issuance] { scan.beginSubjects(in: root) }
        scan.visit(sites, files: roots.siteFiles, isLinted: true)
        let mark = roots.issuance == nil ? [] : [CertificateLoader.markName]
        for folder in issuance == nil || issuance == certs ? [certs] : [certs, issuance] {
            scan.visit(
                folder, files: [CertificateLoader.chainName, CertificateLoader.keyName] + mark, isLinted: false,
                besides: [certs, issuance])
        }
        if let issuance { scan.markAnnounced(below: issuance) }
        // Not the names alone: a request that was answered can be followed by the same one before anybody has looked.
        if let requests {
            for name in tree.names(in: requests).sorted() {
                scan.hasher.combine(name)
                if case .file(let stamp) = tree.entry(join(requests, name)) { scan.hasher.combine(stamp) }
            }
        }
        scan.view.hash = scan.hasher.finalize()
        return scan.view
    }

    private init(tree: any FileTree, now: Int64, only subjects: Set<String>?) {
        self.tree = tree
        self.now = now
        self.subjects = subjects
    }

    /// A folder with a folder for each site or pair: all its names matter.
    private mutating func root(_ path: String, _ workingDirectory: String) -> String? {
        guard case .folder(let folder) = walk(path, from: workingDirectory) else { return nil }
        let index = register(folder)
        view.folders[index].names = nil
        return folder
    }

    /// Has each entry of a root be a subject, unless the way to something else leads through the root.
    private mutating func beginSubjects(in root: String) {
        guard let index = indices[root] else { return }
        view.folders[index].subjects = view.folders[index].subjects == .none ? .entries : .several
    }

    /// Marks the folders that usually only this process changes, which knows then; requests are made by others.
    private mutating func markAnnounced(below folder: String) {
        let accounts = Self.join(folder, CertificateLoader.accountsName)
        for index in view.folders.indices {
            let path = view.folders[index].path
            let isBelow = path == folder || path.hasPrefix("\(folder)/")
            view.folders[index].isAnnounced = isBelow && path != accounts && !path.hasPrefix("\(accounts)/")
        }
    }

    /// - Parameter others: folders that are not looked at here, though they may be inside.
    private mutating func visit(_ root: String?, files: [String], isLinted: Bool, besides others: [String?] = []) {
        guard let root, let names = entries(of: root) else { return hasher.combine(-1) }
        for name in names where others.isEmpty || name != CertificateLoader.accountsName {
            hasher.combine(name)
            let subject = Self.join(root, name)
            guard case .folder(let folder) = walk(name, from: root, about: subject), !others.contains(folder) else {
                continue
            }
            // Also while the files are still to come: they may be written slowly.
            let index = register(folder)
            view.folders[index].hasFiles = true
            for file in files { _ = walk(file, from: folder, about: subject) }
            if isLinted, files.contains(SiteFile.links.name) { visitImages(in: folder, index, about: subject) }
            if isLinted { visitLintConfigurations(from: folder, about: subject) }
        }
    }

    /// Looks at all files in the folder of a site that has links: each may be an image that they name.
    private mutating func visitImages(in folder: String, _ index: Int, about subject: String) {
        guard tree.entry(Self.join(folder, SiteFile.links.name)) != .nothing else { return }
        for name in tree.names(in: folder).sorted() where !Folder.isLeftOut(name) {
            if case .folder = tree.entry(Self.join(folder, name)) { continue }
            _ = walk(name, from: folder, about: subject)
        }
        view.folders[index].names = nil
    }

    /// The names of the folders in a root that are looked at.
    private func entries(of root: String) -> [String]? {
        guard let subjects else { return tree.folders(in: root) }
        return subjects.filter { Path.folder(of: $0) == root }.map { Path.name(of: $0) }.sorted()
    }

    /// Looks where the validator's configuration is, or could be: up to the root of the repository.
    private mutating func visitLintConfigurations(from start: String, about subject: String) {
        var folder = start
        while searched.insert(folder).inserted {
            // One that is above concerns others as well.
            let subject = folder == start ? subject : nil
            if case .file = walk(Self.lintConfiguration, from: folder, about: subject) { return }
            if folder == "/" || tree.entry(Self.join(folder, ".git")) != .nothing { return }
            folder = Path.folder(of: folder)
        }
    }

    /// - Parameters:
    ///   - start: an absolute path without links.
    ///   - subject: the one that needs what the path leads to; nil if others need it, too.
    private mutating func walk(_ path: String, from start: String, about subject: String? = nil) -> Destination {
        var folder = path.hasPrefix("/") ? "/" : start
        var rest = Self.steps(path)
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                folder = Path.folder(of: folder)
                continue
            }
            let path = Self.join(folder, name)
            let container = register(folder)
            view.folders[container].names?.insert(name)
            note(subject, in: container, at: path)
            if indices[path] != nil {
                folder = path
                continue
            }
            let entry = tree.entry(path)
            combine(entry)
            switch entry {
            case .nothing: return .nothing
            case .file:
                view.folders[container].hasFiles = true
                return rest.isEmpty ? .file : .nothing
            case .folder(let inode):
                register(path, inode)
                folder = path
            case .link(let target):
                links += 1
                guard links <= Self.mostLinks else { return .nothing }
                if target.hasPrefix("/") { folder = "/" }
                rest += Self.steps(target)
            }
        }
        return .folder(folder)
    }

    /// Notes the subject of a folder that a path leads through.
    private mutating func note(_ subject: String?, in container: Int, at path: String) {
        let before = view.folders[container].subjects
        // The entry of a root is a subject itself, and a configuration in a root is taken for one.
        if before == .entries, path == subject || path.hasSuffix("/\(Self.lintConfiguration)") { return }
        let isOne = before == .none || before == subject.map(WatchedFolder.Subjects.one)
        view.folders[container].subjects = if isOne, let subject { .one(subject) } else { .several }
    }

    /// The names of a path, the last one first.
    private static func steps(_ path: String) -> [String] {
        // Most are one name.
        if !path.utf8.contains(UInt8(ascii: "/")), path != "." { return [path] }
        return path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    private mutating func register(_ folder: String) -> Int {
        if let index = indices[folder] { return index }
        // One on the way to the working directory was never met as an entry.
        let inode = if case .folder(let inode) = tree.entry(folder) { inode } else { Inode(device: 0, number: 0) }
        return register(folder, inode)
    }

    @discardableResult
    private mutating func register(_ folder: String, _ inode: Inode) -> Int {
        let index = view.folders.count
        indices[folder] = index
        view.folders.append(WatchedFolder(path: folder, inode: inode))
        return index
    }

    private mutating func combine(_ entry: FileTreeEntry) {
        switch entry {
        case .nothing: hasher.combine(0)
        // Another folder with the same files is not a change.
        case .folder: hasher.combine(1)
        case .link(let target):
            hasher.combine(2)
            hasher.combine(target)
        case .file(let stamp):
            hasher.combine(stamp)
            if !stamp.isConclusive(at: now) { view.isConclusive = false }
        }
    }
}

/// The outside of all files that a reload depends on, without reading them.
package struct DirectoryFingerprint: Equatable, Sendable {
    /// The folders that report it when something changes, those on the way to all others first.
    package var folders: [WatchedFolder] = []
    /// The number of folders on the way to all others.
    package var essential = 0
    /// The folder of all sites; nil if there is none.
    package var sites: String?
    /// The hash of the stamps of all files, the targets of all links, and the names of all folders of sites and pairs.
    /// Another one in each process.
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
        let roots = roots(configuration)
        for _ in 1..<Self.mostScans {
            let view = FolderScan.scan(roots, in: DiskTree(), now: Clock.wallSeconds())
            if !extendWatch(view, retriesLimit: retriesLimit) { return view }
        }
        return FolderScan.scan(roots, in: DiskTree(), now: Clock.wallSeconds())
    }

    /// Has the folders of a few sites and pairs watched besides all others, from before they are read.
    ///
    /// - Returns: whether that is enough; otherwise all folders have to be scanned.
    mutating func extend(_ configuration: ServerConfiguration, to subjects: Set<String>) -> Bool {
        guard let watch, !isLimited else { return false }
        let roots = roots(configuration)
        for _ in 0..<Self.mostScans {
            let view = FolderScan.scan(roots, in: DiskTree(), now: Clock.wallSeconds(), only: subjects)
            let coverage = watch.watch(besides: view.folders)
            if coverage.limit != nil { return false }
            if !coverage.isLarger { break }
        }
        return true
    }

    private func roots(_ configuration: ServerConfiguration) -> FolderScan.Roots {
        FolderScan.Roots(
            sites: configuration.store.isOn ? nil : configuration.sites,
            certs: configuration.store.isOn && !configuration.readsCertificateFolders ? nil : configuration.certs,
            issuance: configuration.acme.isOn && !configuration.store.isOn ? configuration.acmeFolder : nil,
            siteFiles: configuration.siteFileNames,
            workingDirectory: Path.workingDirectory ?? ".")
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
