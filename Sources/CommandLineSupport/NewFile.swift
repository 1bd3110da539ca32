internal import Diagnostics
internal import Glibc

/// A file to be made where there is none.
public struct NewFile {
    public let path: RawPath
    /// Its permissions, whatever the umask.
    public let mode: UInt32
    public let bytes: [UInt8]

    public init(_ path: RawPath, mode: UInt32, bytes: [UInt8]) {
        self.path = path
        self.mode = mode
        self.bytes = bytes
    }

    /// Why no file can be made at a path, as far as can be seen before; nil if nothing stands in the way.
    ///
    /// A symbolic link that leads nowhere is something that exists.
    public static func obstacle(at path: RawPath) -> String? {
        var status = stat()
        if path.withCString({ lstat($0, &status) }) == 0 { return FileOutput.reason(EEXIST) }
        guard errno == ENOENT else { return FileOutput.reason() }
        guard !path.bytes.isEmpty, !path.name.isEmpty else { return "it does not name a file" }
        let folder = "its folder \(quoted(path.folder.text))"
        guard path.folder.withCString({ stat($0, &status) }) == 0 else { return "\(folder): \(FileOutput.reason())" }
        guard path.folder.withCString({ access($0, W_OK | X_OK) }) == 0 else {
            return "\(folder): \(FileOutput.reason())"
        }
        return nil
    }

    /// Makes all of the files, or none of them.
    ///
    /// - Returns: Nil, or the path that could not be made and a clause that says why.
    public static func create(_ files: [NewFile]) -> (path: RawPath, reason: String)? {
        FileOutput.withoutInterruption {
            for (place, file) in files.enumerated() {
                guard let reason = file.create() else { continue }
                for made in files.prefix(place) { made.remove() }
                return (file.path, reason)
            }
            for file in files { FileOutput.syncFolder(of: file.path) }
            return nil
        }
    }

    private func create() -> String? {
        // Nobody else may read it before its permissions are set.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = path.withCString { open($0, flags, S_IRUSR | S_IWUSR) }
        guard descriptor >= 0 else { return FileOutput.reason() }
        var failure = FileOutput.write(bytes, to: descriptor)
        if failure == nil, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { failure = FileOutput.reason() }
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if failure != nil { remove() }
        return failure
    }

    private func remove() { _ = path.withCString { unlink($0) } }
}

extension NewFile {
    /// Makes the file so that its name appears only when it is whole and approved of.
    ///
    /// Until then it has no name at all, where the file system can do that, so that nothing is left of it however the process
    /// ends; elsewhere it has a temporary one in the same folder.
    /// - Parameter objection: Is given what the file holds, read back; a clause that says what is wrong with it, or nil.
    /// - Returns: Nil, or a clause that says why there is no file.
    public func place(objection: ([UInt8]) -> String?) -> String? {
        FileOutput.withoutInterruption {
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
        let descriptor = path.folder.withCString { open($0, Self.unnamed | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR) }
        guard descriptor >= 0 else { return .impossible }
        defer { close(descriptor) }
        if let failure = fill(descriptor, objection) { return .failed(failure) }
        let isLinked = path.withCString {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0
        }
        guard isLinked else {
            return errno == EEXIST ? .failed(FileOutput.reason()) : .impossible
        }
        FileOutput.syncFolder(of: path)
        return .placed
    }

    private func placeWithTemporaryName(_ objection: ([UInt8]) -> String?) -> String? {
        var name = path.folder.appending("/.new.XXXXXX").bytes.map(CChar.init(bitPattern:)) + [0]
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return "no file can be made in its folder: \(FileOutput.reason())" }
        defer {
            unlink(name)
            FileOutput.syncFolder(of: path)
        }
        var failure = fill(descriptor, objection)
        if close(descriptor) != 0, failure == nil { failure = FileOutput.reason() }
        if let failure { return failure }
        if path.withCString({ link(name, $0) }) == 0 { return nil }
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
