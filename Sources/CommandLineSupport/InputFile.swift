internal import Glibc

/// Files that a command reads whole.
public enum InputFile {
    /// What was read of a file, or why nothing was.
    public enum Content {
        /// No more bytes than the limit and one.
        case bytes([UInt8])
        /// A clause such as `No such file or directory`.
        case unreadable(String)
    }

    /// Reads a file, which may be a pipe, or standard input for `-`; no more than `limit` bytes and one.
    public static func read(_ path: String, limit: Int) -> Content {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .unreadable(String(cString: strerror(errno))) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let room = min(limit + 1 - bytes.count, 1 << 16)
            let start = bytes.count
            bytes += repeatElement(0, count: room)
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).baseAddress, room)
            }
            let failure = errno
            bytes.removeLast(room - max(0, count))
            if count == 0 { break }
            if count < 0, failure != EINTR { return .unreadable(String(cString: strerror(failure))) }
        }
        return .bytes(bytes)
    }

    /// The name of a path in messages.
    public static func name(_ path: String) -> String { path == "-" ? "<standard input>" : path }
}
