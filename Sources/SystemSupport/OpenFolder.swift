internal import BoundedText
internal import Glibc

/// A folder that is open: names are looked up in it wherever its path leads by now, and no link in it is followed.
///
/// A name is one part of a path. Two who write the same file at a time get in each other's way: one of them gets an error,
/// and the file is complete all the same.
package final class OpenFolder: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a folder, also by way of a link.
    package convenience init(_ path: String) throws(SystemError) { try self.init(RawPath(path)) }

    /// Opens a folder, also by way of a link.
    package convenience init(_ path: RawPath) throws(SystemError) {
        let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        self.init(descriptor: descriptor)
    }

    /// The same, after it and the folders on the way to it were made where they are missing.
    ///
    /// - Parameter mode: permissions of those that are made, whatever the umask.
    package convenience init(making path: String, mode: UInt32) throws(SystemError) {
        try Self.make(path, mode: mode)
        try self.init(path)
    }

    private static func make(_ path: String, mode: UInt32) throws(SystemError) {
        if Path.isFolder(path) { return }
        if mkdir(path, mode) != 0 {
            let parent = Path.folder(of: path)
            guard errno == ENOENT, parent != path else {
                if errno == EEXIST, Path.isFolder(path) { return }
                throw SystemError(call: "mkdir")
            }
            try make(parent, mode: mode)
            guard mkdir(path, mode) == 0 else {
                if errno == EEXIST, Path.isFolder(path) { return }
                throw SystemError(call: "mkdir")
            }
        }
        guard chmod(path, mode) == 0 else { throw SystemError(call: "chmod") }
        try? OpenFolder(Path.folder(of: path)).sync()
    }

    // MARK: Listing

    /// The kind of the entry itself; nil if there is nothing.
    package func kind(of name: String) throws(SystemError) -> FileStatus.Kind? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status).kind }
        guard errno == ENOENT else { throw SystemError(call: "stat") }
        return nil
    }

    /// A folder in it that is not a link.
    package func folder(_ name: String) throws(SystemError) -> OpenFolder {
        let descriptor = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        return OpenFolder(descriptor: descriptor)
    }

    /// The text of a symbolic link; nil for anything else.
    package func target(ofLink name: String) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                readlinkat(descriptor, name, $0, buffer.count)
            }
            return count > 0 ? String(text: buffer.prefix(count)) : nil
        }
    }

    /// Whether files can be put into it.
    package var isWritable: Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

    /// The names of all that is in it but `.` and `..`, in any order.
    package func names() throws(SystemError) -> [String] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw SystemError(call: "open") }
        guard let stream = fdopendir(own) else {
            close(own)
            throw SystemError(call: "opendir")
        }
        defer { closedir(stream) }
        var names: [String] = []
        try Folder.forEachEntry(of: stream) { entry in
            names.append(entry.name)
            return true
        }
        return names
    }

    /// Reads a regular file.
    package func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SystemError(call: "open") }
        defer { close(file) }
        return try FileReader.read(file, limit: limit).bytes
    }

    /// Whether the path still leads to this folder.
    package func isAt(_ path: String) -> Bool {
        guard let inode = FileStatus(of: descriptor)?.stamp.inode else { return false }
        return inode == FileStatus(at: path)?.stamp.inode
    }

    // MARK: Changing

    /// A folder in it, which is made.
    ///
    /// - Parameter sharesOwner: whether it gets the owner of this folder, if root makes it.
    package func make(_ name: String, mode: UInt32, sharesOwner: Bool = false) throws(SystemError) -> OpenFolder {
        guard mkdirat(descriptor, name, mode) == 0 else { throw SystemError(call: "mkdir") }
        let folder = try self.folder(name)
        if sharesOwner { try shareOwner(with: folder.descriptor) }
        guard fchmod(folder.descriptor, mode) == 0 else { throw SystemError(call: "chmod") }
        return folder
    }

    /// Makes a file, and lets nothing of it stay if that fails; one that is there is an error.
    ///
    /// - Parameters:
    ///   - mode: permissions, whatever the umask.
    ///   - sharesOwner: whether it gets the owner of the folder, if root writes it.
    package func write(
        _ bytes: [UInt8], to name: String, mode: UInt32, sharesOwner: Bool = false
    ) throws(SystemError) {
        try FileWriter.withoutInterruption { () throws(SystemError) in
            let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & 0o600)
            guard file >= 0 else { throw SystemError(call: "open") }
            var failure: SystemError?
            do throws(SystemError) {
                try FileWriter.write(bytes, to: file)
                if sharesOwner { try shareOwner(with: file) }
                guard fchmod(file, mode) == 0 else { throw SystemError(call: "chmod") }
                guard fsync(file) == 0 else { throw SystemError(call: "fsync") }
            } catch {
                failure = error
            }
            if close(file) != 0, failure == nil { failure = SystemError(call: "close") }
            guard let failure else { return }
            unlinkat(descriptor, name, 0)
            throw failure
        }
    }

    /// Gives a new file or folder the owner of the folder: what root makes in the folder of a service has to be the
    /// service's.
    private func shareOwner(with new: Int32) throws(SystemError) {
        guard geteuid() == 0 else { return }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw SystemError(call: "fstat") }
        guard fchown(new, own.st_uid, own.st_gid) == 0 else { throw SystemError(call: "chown") }
    }

    /// Puts a file in the place of one that is there, or of none: there is always a complete one, whatever happens.
    package func replace(_ name: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
        try FileWriter.withoutInterruption { () throws(SystemError) in
            let temporary = temporaryName(name)
            unlinkat(descriptor, temporary, 0)
            try write(bytes, to: temporary, mode: mode)
            do throws(SystemError) {
                try rename(temporary, to: name)
            } catch {
                unlinkat(descriptor, temporary, 0)
                throw error
            }
            try sync()
        }
    }

    /// The same where there must be none: one that is there is an error, and stays as it is.
    package func add(_ name: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
        try FileWriter.withoutInterruption { () throws(SystemError) in
            let temporary = temporaryName(name)
            unlinkat(descriptor, temporary, 0)
            try write(bytes, to: temporary, mode: mode)
            let failure =
                linkat(descriptor, temporary, descriptor, name, 0) == 0 ? nil : SystemError(call: "link")
            unlinkat(descriptor, temporary, 0)
            if let failure {
                guard failure.number != EEXIST else { throw failure }
                // Not all file systems have two names for a file.
                try write(bytes, to: name, mode: mode)
            }
            try sync()
        }
    }

    /// Makes a link where there is nothing.
    package func addLink(_ name: String, to target: String) throws(SystemError) {
        guard symlinkat(target, descriptor, name) == 0 else { throw SystemError(call: "symlink") }
    }

    /// Gives a file a second name, here.
    ///
    /// - Parameters:
    ///   - name: there must be nothing of that name.
    ///   - path: of the file, which is on disk.
    /// - Returns: whether it is of these contents and permissions, and the file system allows it; otherwise nothing is done.
    package func addName(_ name: String, of path: String, holding contents: [UInt8], mode: UInt32) -> Bool {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var own = stat()
        guard fstat(file, &own) == 0, own.st_mode & 0o7777 == mode, own.st_uid == geteuid(),
            (try? FileReader.read(file, limit: contents.count).bytes) == contents,
            linkat(AT_FDCWD, path, descriptor, name, 0) == 0
        else { return false }
        var new = stat()
        let isSame =
            fstatat(descriptor, name, &new, AT_SYMLINK_NOFOLLOW) == 0 && new.st_ino == own.st_ino
            && new.st_dev == own.st_dev
        if !isSame { unlinkat(descriptor, name, 0) }
        return isSame
    }

    /// Makes a link in the place of a file, or of nothing.
    package func link(_ name: String, to target: String) throws(SystemError) {
        let temporary = temporaryName(name)
        unlinkat(descriptor, temporary, 0)
        guard symlinkat(target, descriptor, temporary) == 0 else { throw SystemError(call: "symlink") }
        do throws(SystemError) {
            try rename(temporary, to: name)
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    package func rename(_ name: String, to other: String) throws(SystemError) {
        guard renameat(descriptor, name, descriptor, other) == 0 else { throw SystemError(call: "rename") }
    }

    /// Moves a file into another folder of the same file system, where it replaces one that is there.
    package func move(_ name: String, to other: String, in folder: OpenFolder) throws(SystemError) {
        guard renameat(descriptor, name, folder.descriptor, other) == 0 else { throw SystemError(call: "rename") }
    }

    /// Removes a file, a link, or a folder with all that is in it, as far as that can be done.
    package func remove(_ name: String) {
        if unlinkat(descriptor, name, 0) == 0 || errno != EISDIR && errno != EPERM { return }
        if let folder = try? folder(name), let names = try? folder.names() {
            for name in names { folder.remove(name) }
        }
        unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// Waits until what was changed in it would survive a loss of power.
    package func sync() throws(SystemError) {
        // Some file systems have nothing to do for a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(call: "fsync") }
    }

    /// Beside a file, what it is called until it is complete.
    private func temporaryName(_ name: String) -> String { ".\(name).new" }
}
