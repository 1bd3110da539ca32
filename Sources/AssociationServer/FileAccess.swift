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
    }

    /// Reads a regular file, and no more than `limit` bytes of it and one.
    static func read(_ path: String, limit: Int) throws(SystemError) -> Contents {
        // A FIFO must not be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(call: "fstat") }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(call: "read", number: EISDIR) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(call: "read", number: EINVAL, reason: "not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: min(max(0, status.st_size), limit) + 1)
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
        return Contents(bytes: bytes, modified: Int64(status.st_mtim.tv_sec), mode: UInt32(status.st_mode) & 0o777)
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
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix("."), !name.hasSuffix("~"), !name.hasSuffix(".swp"), isFolder("\(path)/\(name)") {
                names.append(name)
            }
        }
        return names.sorted()
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether it is a folder, or cannot be told: then whoever reads in it finds out why.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR && errno != ELOOP }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
