internal import Glibc

/// The right of one process to write to a folder, by way of a file in it; held until it goes, however the process ends.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// A process that only asks has it for a moment.
    private static let attempts = 5
    private static let microsecondsBetween: UInt32 = 2_000

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        release()
        close(descriptor)
    }

    /// Gives the lock back at once; a process that is just being started may still have a copy of the descriptor.
    package func release() { _ = flock(descriptor, LOCK_UN) }

    /// Takes the lock; nil if another process has it.
    ///
    /// - Parameters:
    ///   - path: of the file, which is made in its folder.
    ///   - mode: permissions of the file, before the umask.
    package static func take(_ path: String, mode: UInt32) throws(SystemError) -> FolderLock? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            guard descriptor >= 0 else { throw SystemError(call: "open") }
            let lock = FolderLock(descriptor)
            guard try lock.take() else { return nil }
            // A file that was removed meanwhile does not lock anything.
            if lock.isAt(path) { return lock }
        }
    }

    /// Whether a process has it. Nothing is made, and the lock is held no longer than it takes to ask.
    package static func isTaken(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Closing it gives back what was taken.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Whether the file that is locked is still the one at the path.
    package func isAt(_ path: String) -> Bool {
        guard let inode = FileStatus(of: descriptor)?.stamp.inode else { return false }
        return inode == FileStatus(at: path)?.stamp.inode
    }

    private func take() throws(SystemError) -> Bool {
        var attempt = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw SystemError(call: "flock") }
            if attempt == Self.attempts { return false }
            attempt += 1
            usleep(Self.microsecondsBetween)
        }
        return true
    }
}
