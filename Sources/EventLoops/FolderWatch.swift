internal import BoundedText
internal import CLinux
package import Dispatch
internal import Glibc
package import SystemSupport

/// Reports changes in folders (inotify(7)): one descriptor in one DispatchSource.
///
/// A watch is on the folder and not on its path. To follow a path, watch all folders on the way to it, and call `watch`
/// again after a change: then each path is looked up anew.
///
/// Everything happens on the queue that it was made with.
package final class FolderWatch: @unchecked Sendable {
    package struct Change: Equatable, Sendable {
        /// Whether it is only where the writer of a change usually announces it.
        package var isAnnounced = true
        /// The paths of the subjects that it is about; nil if it may be about anything.
        package var subjects: Set<String>? = []
        /// Whether there was more than the system could keep.
        package private(set) var isOverflow = false

        package init() {}

        static let everything = {
            var change = Change()
            (change.isAnnounced, change.subjects, change.isOverflow) = (false, nil, true)
            return change
        }()

        /// The most subjects of which all is looked at one by one.
        private static let maxSubjects = 1_000

        /// Adds what another change is about.
        package mutating func add(_ others: Set<String>?) {
            if let others { subjects?.formUnion(others) } else { subjects = nil }
            if let count = subjects?.count, count > Self.maxSubjects { subjects = nil }
        }
    }

    /// The extent to which a list of folders is watched.
    package struct Coverage: Equatable, Sendable {
        /// Whether something is watched that was not before: earlier changes were not reported.
        package var isLarger = false
        /// Why the folders after the essential ones are not watched.
        package var limit: SystemError?
    }

    private struct Watch {
        let folder: WatchedFolder
        let number: Int32
    }

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let handler: @Sendable (Change) -> Void
    /// The watches by path. Several paths to one folder are a rarity (bind mounts), since none here has a link in it.
    private var watches: [String: Watch] = [:]
    /// The folders that each watch of the system is about.
    private var folders: [Int32: [WatchedFolder]] = [:]

    /// - Parameters:
    ///   - queue: a serial one.
    ///   - handler: is called on it, once for many events.
    package init(queue: DispatchQueue, handler: @escaping @Sendable (Change) -> Void) throws(SystemError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "inotify_init1") }
        self.descriptor = descriptor
        self.handler = handler
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Watches these folders, and no others any more.
    ///
    /// One that cannot be watched, because it is gone or may not be read, is left out: those on the way to it report
    /// when it comes. When the system has no watches left, the folders after the essential ones are not watched at all, so
    /// that some are left for other programs.
    ///
    /// - Parameter essential: how many of the first ones are essential.
    package func watch(_ wanted: [WatchedFolder], essential: Int) -> Coverage {
        var coverage = Coverage()
        var kept: [String: Watch] = [:]
        kept.reserveCapacity(wanted.count)
        for folder in wanted {
            let known = watches[folder.path]
            if let known, known.folder == folder, folders[known.number] != nil {
                kept[folder.path] = known
                continue
            }
            kept[folder.path] = add(folder, known, &coverage)
            if coverage.limit != nil { break }
        }
        if coverage.limit != nil {
            for folder in wanted.dropFirst(essential) { kept[folder.path] = nil }
        }
        replace(with: kept)
        return coverage
    }

    /// Watches these folders besides those that are watched already, which costs no more than that.
    ///
    /// What is of interest in a folder that is watched already is added to what was before.
    package func watch(besides added: [WatchedFolder]) -> Coverage {
        var coverage = Coverage()
        for folder in added {
            let known = watches[folder.path].flatMap {
                $0.folder.inode == folder.inode && folders[$0.number] != nil ? $0 : nil
            }
            let all = known?.folder.merged(with: folder) ?? folder
            if let known, known.folder == all { continue }
            if let known { folders[known.number]?.removeAll { $0.path == all.path } }
            if let watch = add(all, known, &coverage) { watches[all.path] = watch }
            if coverage.limit != nil { break }
        }
        return coverage
    }

    /// Watches a folder; nil if that cannot be.
    private func add(_ folder: WatchedFolder, _ known: Watch?, _ coverage: inout Coverage) -> Watch? {
        let mask = folder.hasFiles ? c_watch_contents() : c_watch_names()
        let number = inotify_add_watch(descriptor, folder.path, mask)
        guard number >= 0 else {
            if errno == ENOSPC || errno == ENOMEM { coverage.limit = SystemError(call: "inotify_add_watch") }
            return nil
        }
        if folders[number] == nil || folder.hasFiles && known?.folder.hasFiles != true { coverage.isLarger = true }
        // From now on it counts as known.
        folders[number, default: []].append(folder)
        return Watch(folder: folder, number: number)
    }

    private func replace(with kept: [String: Watch]) {
        var known: [Int32: [WatchedFolder]] = [:]
        for watch in kept.values { known[watch.number, default: []].append(watch.folder) }
        for number in folders.keys where known[number] == nil { inotify_rm_watch(descriptor, number) }
        watches = kept
        folders = known
    }

    private static let bufferSize = 65_536
    /// Then others on the queue have their turn; what is left is reported again.
    private static let readsAtOnce = 16

    private func readEvents() {
        var interest: Change?
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
            guard let start = buffer.baseAddress else { return }
            for _ in 0..<Self.readsAtOnce {
                let count = read(descriptor, start, buffer.count)
                guard count > 0 else { break }
                let events = UnsafeRawBufferPointer(start: start, count: count)
                process(events, &interest)
            }
        }
        if let interest { handler(interest) }
    }

    private func process(_ events: UnsafeRawBufferPointer, _ interest: inout Change?) {
        let headSize = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + headSize <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let nameStart = offset + headSize
            offset = min(nameStart + Int(event.len), events.count)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                interest = .everything
            } else {
                add(event, name: UnsafeRawBufferPointer(rebasing: events[nameStart..<offset]), to: &interest)
            }
            // The system has removed the watch: the folder is gone.
            if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
        }
    }

    /// Adds what an event reports, if it is of interest. The name is padded with zeros.
    private func add(_ event: inotify_event, name: UnsafeRawBufferPointer, to interest: inout Change?) {
        // Nothing can be added to a change that may be about anything.
        if let interest, interest.subjects == nil, !interest.isAnnounced { return }
        // Without any, the watch was removed meanwhile.
        guard let folders = folders[event.wd] else { return }
        let text = String(text: name.prefix { $0 != 0 })
        // An event without a name is about the folder itself.
        for folder in folders where text.isEmpty || folder.isInterested(in: text) {
            if interest == nil { interest = Change() }
            if !folder.isAnnounced { interest?.isAnnounced = false }
            interest?.add(folder.subject(of: text).map { [$0] })
        }
    }
}

/// A folder, and what of it is of interest.
package struct WatchedFolder: Equatable, Sendable {
    /// The subject that a change in a folder is about.
    package enum Subjects: Equatable, Sendable {
        /// None is known.
        case none
        /// The one at this path.
        case one(String)
        /// Not one alone.
        case several
        /// Each entry is one by itself.
        case entries
    }

    /// Absolute, without links in it.
    package let path: String
    /// The folder that the path leads to now: another one may take its place.
    package let inode: Inode
    /// The entries that matter; `nil` for all.
    package var names: Set<String>?
    /// Whether writing a file matters, and not only that one comes, goes, or is replaced.
    package var hasFiles: Bool
    /// Whether the writer of a change in it usually announces it.
    package var isAnnounced = false
    /// The subjects that a change in it is about.
    package var subjects = Subjects.none

    package init(path: String, inode: Inode, names: Set<String>? = [], hasFiles: Bool = false) {
        self.path = path
        self.inode = inode
        self.names = names
        self.hasFiles = hasFiles
    }

    func isInterested(in name: String) -> Bool { names?.contains(name) ?? true }

    /// The path of the subject that a change of an entry is about; nil if there may be several.
    func subject(of name: String) -> String? {
        switch subjects {
        case .none, .several: nil
        case .one(let path): path
        case .entries: name.isEmpty ? nil : "\(path)/\(name)"
        }
    }

    /// The same folder with what another list says about it.
    func merged(with other: WatchedFolder) -> WatchedFolder {
        var merged = self
        merged.names = names.flatMap { names in other.names.map { names.union($0) } }
        merged.hasFiles = hasFiles || other.hasFiles
        if subjects != other.subjects { merged.subjects = .several }
        return merged
    }
}
