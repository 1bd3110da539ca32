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
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let room = min(limit + 1 - bytes.count, buffer.count)
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, room) }
            if count == 0 { break }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                return .unreadable(String(cString: strerror(errno)))
            }
        }
        return .bytes(bytes)
    }

    /// The name of a path in messages.
    public static func name(_ path: String) -> String { path == "-" ? "<standard input>" : path }
}
