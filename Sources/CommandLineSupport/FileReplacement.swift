internal import Glibc

/// Replaces the content of a file so that there is always a whole one.
public enum FileReplacement {
    /// Writes a new file beside the old one, with its mode and owner, and puts it in its place.
    ///
    /// Of a symbolic link the target is replaced, not the link.
    /// - Returns: Nil, or a clause that says why nothing was changed.
    public static func replace(_ path: String, with bytes: [UInt8]) -> String? {
        guard let resolved = realpath(path, nil) else { return reason() }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0 else { return reason() }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
        guard access(target, W_OK) == 0 else { return reason() }

        var name = Array("\(target).XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be made in its folder: \(reason())" }
        var failure = write(bytes, to: descriptor, like: status)
        if close(descriptor) != 0, failure == nil { failure = reason() }
        if failure == nil, rename(name, target) != 0 { failure = reason() }
        if failure != nil { unlink(name) } else { syncFolder(of: target) }
        return failure
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, like status: stat) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return reason()
            }
        }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return reason() }
        let isOther = own.st_uid != status.st_uid || own.st_gid != status.st_gid
        if isOther, fchown(descriptor, status.st_uid, status.st_gid) != 0 {
            return "its owner cannot be kept: \(reason())"
        }
        // After the owner: changing that takes some bits away.
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else { return reason() }
        return nil
    }

    /// Makes the new name last; the file itself is whole in any case.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
