internal import Glibc

/// Replaces the content of a file so that there is always a whole one.
public enum FileReplacement {
    /// Writes a new file beside the old one, with its mode and owner, and puts it in its place.
    ///
    /// Of a symbolic link the target is replaced, not the link.
    /// - Parameter newMode: The permissions of a file that does not exist yet, whatever the umask; nil if it has to exist.
    /// - Returns: Nil, or a clause that says why nothing was changed.
    public static func replace(_ path: String, with bytes: [UInt8], newMode: UInt32? = nil) -> String? {
        let target: String
        var old: stat?
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            target = String(cString: resolved)
            var status = stat()
            guard stat(target, &status) == 0 else { return FileOutput.reason() }
            guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
            guard access(target, W_OK) == 0 else { return FileOutput.reason() }
            old = status
        } else {
            guard newMode != nil, errno == ENOENT else { return FileOutput.reason() }
            var status = stat()
            guard lstat(path, &status) != 0 else { return "it is a symbolic link that leads nowhere" }
            guard !path.isEmpty, !path.hasSuffix("/") else { return "it does not name a file" }
            target = path
        }
        return FileOutput.withoutInterruption { put(bytes, at: target, like: old, newMode: newMode ?? 0) }
    }

    private static func put(_ bytes: [UInt8], at target: String, like old: stat?, newMode: UInt32) -> String? {
        var name = Array("\(target).XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be made in its folder: \(FileOutput.reason())" }
        var failure = FileOutput.write(bytes, to: descriptor)
        if failure == nil, let old { failure = keepOwner(of: old, descriptor) }
        // After the owner: changing that takes some bits away.
        if failure == nil, fchmod(descriptor, old.map { $0.st_mode & 0o7777 } ?? newMode) != 0 || fsync(descriptor) != 0 {
            failure = FileOutput.reason()
        }
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if failure == nil, rename(name, target) != 0 { failure = FileOutput.reason() }
        if failure != nil { unlink(name) } else { FileOutput.syncFolder(of: target) }
        return failure
    }

    private static func keepOwner(of old: stat, _ descriptor: Int32) -> String? {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return FileOutput.reason() }
        guard own.st_uid != old.st_uid || own.st_gid != old.st_gid else { return nil }
        return fchown(descriptor, old.st_uid, old.st_gid) == 0
            ? nil : "its owner cannot be kept: \(FileOutput.reason())"
    }
}
