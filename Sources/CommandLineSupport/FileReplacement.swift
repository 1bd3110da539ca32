internal import Glibc

/// Replaces the content of a file so that there is always a whole one.
public enum FileReplacement {
    /// Writes a new file beside the old one, with its mode and owner, and puts it in its place.
    ///
    /// Of a symbolic link the target is replaced, not the link; but where a file may be new, a link is refused: who can write
    /// to the folder could lead a scheduled run to any file.
    /// - Parameters:
    ///   - newMode: The permissions of a file that does not exist yet, whatever the umask; nil if it has to exist.
    ///   - folder: The folder that a link must not lead out of; nil for anywhere.
    /// - Returns: Nil, or a clause that says why nothing was changed.
    public static func replace(
        _ path: RawPath, with bytes: [UInt8], newMode: UInt32? = nil, within folder: RawPath? = nil
    ) -> String? {
        let target: RawPath
        var old: stat?
        var status = stat()
        let isLink = path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
        if newMode != nil, isLink { return "it is a symbolic link; name the file itself" }
        if let resolved = path.withCString({ realpath($0, nil) }) {
            defer { free(resolved) }
            target = RawPath(bytes: RawPath.bytes(of: resolved))
            if let folder, !target.isInside(folder) { return "it is a link that leads out of the folder" }
            guard stat(resolved, &status) == 0 else { return FileOutput.reason() }
            guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
            guard access(resolved, W_OK) == 0 else { return FileOutput.reason() }
            old = status
        } else {
            guard newMode != nil, errno == ENOENT else { return FileOutput.reason() }
            guard !path.name.isEmpty else { return "it does not name a file" }
            target = path
        }
        return FileOutput.withoutInterruption { put(bytes, at: target, like: old, newMode: newMode ?? 0) }
    }

    private static func put(_ bytes: [UInt8], at target: RawPath, like old: stat?, newMode: UInt32) -> String? {
        var name = target.appending(".XXXXXX").bytes.map(CChar.init(bitPattern:)) + [0]
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be made in its folder: \(FileOutput.reason())" }
        var failure = FileOutput.write(bytes, to: descriptor)
        if failure == nil, let old { failure = keepOwner(of: old, descriptor) }
        // After the owner: changing that takes some bits away.
        // Permissions only: nobody has asked for a new program with somebody else's rights.
        let mode = old.map { $0.st_mode & 0o777 } ?? newMode
        if failure == nil, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { failure = FileOutput.reason() }
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if failure == nil, target.withCString({ rename(name, $0) }) != 0 { failure = FileOutput.reason() }
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
