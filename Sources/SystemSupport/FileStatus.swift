internal import Glibc

/// The numbers that tell files and folders apart while they exist.
package struct Inode: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// The numbers that show that a file has changed, without reading it.
package struct FileStamp: Hashable, Sendable {
    package let inode: Inode
    package let size: Int64
    /// When the contents changed, as the file says; nanoseconds since 1970.
    package let modified: Int64
    /// When anything about it changed, by the system's clock; nanoseconds since 1970.
    package let changed: Int64

    package init(inode: Inode, size: Int64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// The time in which two changes may look like one, in seconds: file systems that count in two of them are the
    /// worst.
    private static let resolution: Int64 = 2

    /// Whether an equal stamp later on means equal contents: a file that was changed just before it was read can be
    /// changed again without showing it.
    ///
    /// - Parameter now: When the stamp was taken, in seconds since 1970.
    package func isConclusive(at now: Int64) -> Bool { changed / 1_000_000_000 < now - Self.resolution }
}

/// The system's facts about a file that is not read (stat(2)).
package struct FileStatus: Equatable, Sendable {
    /// The kind of thing at a path.
    package enum Kind: Sendable {
        case regular, folder, link, pipe, socket, device
    }

    package let kind: Kind
    package let stamp: FileStamp
    /// When the contents changed, as the file says; seconds since 1970.
    package let modified: Int64
    /// Permission bits.
    package let permissions: UInt32

    /// The status of what is at a path; nil if it cannot be read, and then `errno` says why.
    ///
    /// - Parameter followsLink: Whether what a link leads to is meant, and not the link.
    package init?(at path: UnsafePointer<CChar>, followsLink: Bool = true) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// The status of what is open; nil if it cannot be read, and then `errno` says why.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
        stamp = FileStamp(
            inode: Inode(device: UInt64(status.st_dev), number: UInt64(status.st_ino)), size: Int64(status.st_size),
            modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim))
        modified = Int64(status.st_mtim.tv_sec)
        permissions = UInt32(status.st_mode) & 0o777
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        // File systems hold what they like: only differences matter here.
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
