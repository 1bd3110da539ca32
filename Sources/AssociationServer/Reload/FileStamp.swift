package import EventLoops
internal import Glibc

/// What shows that a file has changed, without reading it.
package struct FileStamp: Hashable, Sendable {
    package let inode: Inode
    package let size: Int64
    /// When the contents changed, as it says itself; nanoseconds since 1970.
    package let modified: Int64
    /// When anything about it changed, by the system's clock; nanoseconds since 1970.
    package let changed: Int64

    package init(inode: Inode, size: Int64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    init(_ status: stat) {
        inode = Inode(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// The stamp of what a path leads to; `nil` if it leads nowhere.
    init?(following path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of a file that is open; `nil` for what is none.
    init?(ofFile descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        // File systems hold what they like: only differences matter here.
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// How long two changes may look like one, in seconds: file systems that count in two of them are the worst.
    private static let resolution: Int64 = 2

    /// Whether an equal stamp later on means equal contents: a file that was changed just before it was read can be
    /// changed again without showing it.
    ///
    /// - Parameter now: when the stamp was taken, in seconds since 1970.
    package func isConclusive(at now: Int64) -> Bool { changed / 1_000_000_000 < now - Self.resolution }
}
