internal import Diagnostics
internal import Glibc
package import SystemSupport

/// A file to be created where there is none.
package struct NewFile {
    package let path: RawPath
    /// Its permissions, whatever the umask.
    package let mode: UInt32
    package let bytes: [UInt8]

    package init(_ path: RawPath, mode: UInt32, bytes: [UInt8]) {
        self.path = path
        self.mode = mode
        self.bytes = bytes
    }

    /// Why no file can be created at a path, as far as can be seen before; nil if there is no obstacle.
    ///
    /// A broken symbolic link is something that exists.
    package static func obstacle(at path: RawPath) -> String? {
        if FileStatus(at: path.cString, followsLink: false) != nil { return FileOutput.reason(EEXIST) }
        guard errno == ENOENT else { return FileOutput.reason() }
        guard !path.bytes.isEmpty, !path.name.isEmpty else { return "it does not name a file" }
        let folder = "its folder \(quoted(path.folder.text))"
        guard path.folder.exists else { return "\(folder): \(FileOutput.reason())" }
        guard access(path.folder.cString, W_OK | X_OK) == 0 else {
            return "\(folder): \(FileOutput.reason())"
        }
        return nil
    }

    /// Creates all of the files, or none of them.
    ///
    /// - Returns: Nil, or the path that could not be created and a clause that says why.
    package static func create(_ files: [NewFile]) -> (path: RawPath, reason: String)? {
        FileWriter.withoutInterruption {
            for (index, file) in files.enumerated() {
                guard let reason = file.create() else { continue }
                for created in files.prefix(index) { created.remove() }
                return (file.path, reason)
            }
            for file in files { FileOutput.syncFolder(of: file.path) }
            return nil
        }
    }

    private func create() -> String? {
        // No other user may read it before its permissions are set.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(path.cString, flags, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { return FileOutput.reason() }
        var failure = FileOutput.write(bytes, to: descriptor)
        if failure == nil, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { failure = FileOutput.reason() }
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if failure != nil { remove() }
        return failure
    }

    private func remove() { unlink(path.cString) }
}

extension NewFile {
    /// Creates the file so that its name appears only when it is complete and approved.
    ///
    /// Until then it has no name at all, where the file system can do that, so that nothing is left of it however the process
    /// ends; elsewhere it has a temporary one in the same folder.
    /// - Parameter objection: Gets what the file holds, read back; returns a clause that says what is wrong with it, or nil.
    /// - Returns: Nil, or a clause that says why there is no file.
    package func place(objection: ([UInt8]) -> String?) -> String? {
        FileWriter.withoutInterruption {
            switch placeWithoutName(objection) {
            case .placed: return nil
            case .failed(let reason): return reason
            case .impossible: return placeWithTemporaryName(objection)
            }
        }
    }

    private enum Outcome {
        case placed
        case failed(String)
        /// The system cannot do it this way.
        case impossible
    }

    /// `O_TMPFILE`, which the C library shows to GNU programs only.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    private func placeWithoutName(_ objection: ([UInt8]) -> String?) -> Outcome {
        let descriptor = open(path.folder.cString, Self.unnamed | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { return .impossible }
        defer { close(descriptor) }
        if let failure = fill(descriptor, objection) { return .failed(failure) }
        let name = path.cString
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            return errno == EEXIST ? .failed(FileOutput.reason()) : .impossible
        }
        FileOutput.syncFolder(of: path)
        return .placed
    }

    private func placeWithTemporaryName(_ objection: ([UInt8]) -> String?) -> String? {
        var name = path.folder.appending("/.new.XXXXXX").cString
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be created in its folder: \(FileOutput.reason())" }
        defer {
            unlink(name)
            FileOutput.syncFolder(of: path)
        }
        var failure = fill(descriptor, objection)
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if let failure { return failure }
        if link(name, path.cString) == 0 { return nil }
        // Not all file systems have links. On those the file is written anew under its name.
        return errno == EEXIST ? FileOutput.reason() : create()
    }

    /// Writes the bytes, reads them back, and asks.
    private func fill(_ descriptor: Int32, _ objection: ([UInt8]) -> String?) -> String? {
        if let failure = FileOutput.write(bytes, to: descriptor) { return failure }
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { return FileOutput.reason() }
        var content = [UInt8](repeating: 0, count: bytes.count + 1)
        var count = 0
        while count < content.count {
            let read = content.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count, off_t(count))
            }
            if read == 0 { break }
            if read > 0 { count += read } else if errno != EINTR { return FileOutput.reason() }
        }
        return objection(Array(content.prefix(count)))
    }
}

/// Replaces the content of a file so that there is always a complete one.
package enum FileReplacement {
    /// Writes a new file beside the old one, with its mode and owner, and renames it over the old one.
    ///
    /// A symbolic link stays, and its target is replaced; but where a file may be new, a link is refused: who can write to
    /// the folder could lead a scheduled run to any file.
    /// - Parameters:
    ///   - newMode: The permissions of a file that does not exist yet, whatever the umask; nil if it has to exist.
    ///   - folder: The folder that a link must not lead out of; nil for anywhere.
    /// - Returns: Nil, or a clause that says why nothing was changed.
    package static func replace(
        _ path: RawPath, with bytes: [UInt8], newMode: UInt32? = nil, within folder: RawPath? = nil
    ) -> String? {
        let target: RawPath
        var old: stat?
        if newMode != nil, FileStatus(at: path.cString, followsLink: false)?.kind == .link {
            return "it is a symbolic link; name the file itself"
        }
        if let resolved = path.resolved {
            target = resolved
            if let folder, !target.isInside(folder) { return "it is a link that points outside the folder" }
            var status = stat()
            guard stat(target.cString, &status) == 0 else { return FileOutput.reason() }
            guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
            guard access(target.cString, W_OK) == 0 else { return FileOutput.reason() }
            old = status
        } else {
            guard newMode != nil, errno == ENOENT else { return FileOutput.reason() }
            guard !path.name.isEmpty else { return "it does not name a file" }
            target = path
        }
        return FileWriter.withoutInterruption { put(bytes, at: target, like: old, newMode: newMode ?? 0) }
    }

    private static func put(_ bytes: [UInt8], at target: RawPath, like old: stat?, newMode: UInt32) -> String? {
        var name = target.appending(".XXXXXX").cString
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be created in its folder: \(FileOutput.reason())" }
        var failure = FileOutput.write(bytes, to: descriptor)
        if failure == nil, let old { failure = keepOwner(of: old, descriptor) }
        // After the owner: changing that takes some bits away.
        // Permissions only: a new program must not run with another user's rights.
        let mode = old.map { $0.st_mode & 0o777 } ?? newMode
        if failure == nil, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { failure = FileOutput.reason() }
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if failure == nil, rename(name, target.cString) != 0 { failure = FileOutput.reason() }
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

/// The steps that creating and replacing files have in common.
enum FileOutput {
    /// Writes all of the bytes.
    ///
    /// - Returns: Nil, or a clause that says why not all were written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        do throws(SystemError) {
            try FileWriter.write(bytes, to: descriptor)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Makes a new name in a folder durable; the file itself is complete in any case.
    static func syncFolder(of path: RawPath) { try? OpenFolder(path.folder).sync() }

    /// The system's reason why the call that failed last did.
    static func reason() -> String { reason(errno) }

    static func reason(_ number: Int32) -> String {
        number == EEXIST ? "it exists already" : SystemError(call: "", number: number).reason
    }
}
