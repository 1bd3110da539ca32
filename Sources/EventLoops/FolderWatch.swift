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
    package enum Change: Sendable {
        /// Something that is of interest.
        case something
        /// The same, and only where the writer of a change usually announces it.
        case announced
        /// More than the system could keep: anything.
        case everything
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
            let mask = folder.hasFiles ? c_watch_contents() : c_watch_names()
            let number = inotify_add_watch(descriptor, folder.path, mask)
            guard number >= 0 else {
                guard errno == ENOSPC || errno == ENOMEM else { continue }
                coverage.limit = SystemError(call: "inotify_add_watch")
                break
            }
            if folders[number] == nil || folder.hasFiles && known?.folder.hasFiles != true { coverage.isLarger = true }
            // Until the list is complete, so that it counts as known.
            folders[number, default: []].append(folder)
            kept[folder.path] = Watch(folder: folder, number: number)
        }
        if coverage.limit != nil {
            for folder in wanted.dropFirst(essential) { kept[folder.path] = nil }
        }
        replace(with: kept)
        return coverage
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
            } else if interest == nil || interest == .announced {
                interest =
                    change(event, name: UnsafeRawBufferPointer(rebasing: events[nameStart..<offset])) ?? interest
            }
            // The system has removed the watch: the folder is gone.
            if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
        }
    }

    /// The change that an event reports, if it is of interest. The name is padded with zeros.
    private func change(_ event: inotify_event, name: UnsafeRawBufferPointer) -> Change? {
        // The watch was removed meanwhile.
        guard let folders = folders[event.wd] else { return nil }
        let name = name.prefix { $0 != 0 }
        let text = String(text: name)
        // One without a name is about the folder itself.
        let interested = folders.filter { name.isEmpty || $0.isInterested(in: text) }
        guard !interested.isEmpty else { return nil }
        return interested.allSatisfy(\.isAnnounced) ? .announced : .something
    }
}

/// A folder, and what of it is of interest.
package struct WatchedFolder: Equatable, Sendable {
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

    package init(path: String, inode: Inode, names: Set<String>? = [], hasFiles: Bool = false) {
        self.path = path
        self.inode = inode
        self.names = names
        self.hasFiles = hasFiles
    }

    func isInterested(in name: String) -> Bool { names?.contains(name) ?? true }
}
