internal import EventLoops
internal import Glibc

/// Reads files and folders.
enum FileAccess {
    struct Contents {
        let bytes: [UInt8]
        /// Seconds since 1970.
        let modified: Int64
        /// Permission bits.
        let mode: UInt32
        /// From before it was read.
        let stamp: FileStamp
        /// Whether nobody seems to have written it meanwhile.
        let isSettled: Bool
    }

    /// So many times a file that moves is read in a row.
    private static let mostReads = 5

    /// Reads a file again if it was written meanwhile, a few times.
    static func readSettled(_ path: String, limit: Int) throws(SystemError) -> Contents {
        var contents = try read(path, limit: limit)
        for _ in 1..<mostReads where !contents.isSettled { contents = try read(path, limit: limit) }
        return contents
    }

    /// Reads a regular file, and no more than `limit` bytes of it and one.
    static func read(_ path: String, limit: Int) throws(SystemError) -> Contents {
        // A FIFO must not be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw explained(SystemError(call: "open"), path) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// An error of opening a path, in words that say more where that is possible.
    static func explained(_ error: SystemError, _ path: String) -> SystemError {
        isDanglingLink(path, error)
            ? SystemError(call: error.call, number: error.number, reason: "it is a link that leads nowhere") : error
    }

    /// Reads an open file, if it is a regular one.
    static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> Contents {
        let status = try self.status(of: descriptor)
        guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(call: "read", number: EISDIR) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(call: "read", number: EINVAL, reason: "not a regular file")
        }
        let bytes = try read(descriptor, size: Int(status.st_size), limit: limit)
        let after = try self.status(of: descriptor)
        return Contents(
            bytes: bytes, modified: Int64(status.st_mtim.tv_sec), mode: UInt32(status.st_mode) & 0o777,
            stamp: FileStamp(status),
            isSettled: after.st_size == status.st_size && after.st_mtim.tv_sec == status.st_mtim.tv_sec
                && after.st_mtim.tv_nsec == status.st_mtim.tv_nsec)
    }

    private static func read(_ descriptor: Int32, size: Int, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(max(0, size), limit) + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let result = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[count...]).baseAddress, room)
            }
            if result == 0 { break }
            if result < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "read")
            }
            count += result
            // A file that grew meanwhile.
            if count == bytes.count, count <= limit { bytes += [UInt8](repeating: 0, count: limit + 1 - count) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func status(of descriptor: Int32) throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(call: "fstat") }
        return status
    }

    /// The names of the folders in a folder, sorted; hidden ones and editors' leftovers left out.
    static func folders(in path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError(call: "opendir") }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                // Half a list would look as if folders had gone.
                if errno != 0 { throw SystemError(call: "readdir") }
                break
            }
            let isFolder = isFolder(entry, in: dirfd(folder))
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if isFolder, !name.hasPrefix("."), !name.hasSuffix("~"), !name.hasSuffix(".swp") { names.append(name) }
        }
        return names.sorted()
    }

    /// Some of the names in a folder, in any order; none if it cannot be read.
    static func names(in path: String, most: Int) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < most, let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// The path without links and dots; `nil` if it leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether there is nothing, not even a link that leads nowhere.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    private static func isDanglingLink(_ path: String, _ error: SystemError) -> Bool {
        error.number == ENOENT && !isMissing(path)
    }

    /// Whether it is a folder, or cannot be told: then whoever reads in it finds out why.
    ///
    /// A link that leads nowhere, or in circles, is a folder that cannot be read: somebody wants one to be there.
    private static func isFolder(_ entry: UnsafeMutablePointer<dirent>, in folder: Int32) -> Bool {
        // Most file systems tell without being asked.
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): return true
        case Int(DT_LNK), Int(DT_UNKNOWN): break
        default: return false
        }
        // By the bytes of the name, which need not be UTF-8.
        return withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                var status = stat()
                if fstatat(folder, name, &status, 0) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
                return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
        }
    }
}
