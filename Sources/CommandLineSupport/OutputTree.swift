internal import Diagnostics
internal import Glibc
package import SystemSupport

/// Files that are written into one folder, all or none of them.
///
/// Nothing outside of the folder is touched: no link in it is followed, and every name is looked up in a folder that is open
/// already, so that nobody can put a link there meanwhile.
package struct OutputTree {
    package struct File {
        /// Relative, of plain names.
        package let path: String
        package let bytes: [UInt8]
        package let isExecutable: Bool

        package init(path: String, bytes: [UInt8], isExecutable: Bool = false) {
            self.path = path
            self.bytes = bytes
            self.isExecutable = isExecutable
        }

        fileprivate var names: [String] { path.split(separator: "/").map(String.init) }
        fileprivate var mode: mode_t { isExecutable ? 0o755 : 0o644 }
    }

    package enum Outcome: Sendable {
        case written, unchanged
        /// There was a file with other content.
        case replaced
    }

    /// Why nothing was written: a clause for each path that is in the way.
    package struct Failure: Error {
        package let obstacles: [(path: RawPath, reason: String)]
        /// Whether it would help to replace files.
        package let isAboutOtherContent: Bool
    }

    private let root: RawPath
    private let files: [File]
    private let replaces: Bool

    /// - Parameters:
    ///   - folder: Is created if it is missing, with the folders on the way to it; it may be a link to a folder.
    ///   - replaces: Whether files with other content are replaced.
    package init(_ files: [File], in folder: RawPath, replaces: Bool) {
        root = folder
        self.files = files
        self.replaces = replaces
    }

    /// Writes the files with the modes 0644, or 0755 for programs and new folders, whatever the umask.
    ///
    /// - Returns: What was done, in the order of the files.
    package func write() throws(Failure) -> [Outcome] {
        let states = try check()
        if states.allSatisfy({ $0 == .same }) { return states.map { _ in .unchanged } }
        let failure = FileOutput.withoutInterruption { () -> (path: RawPath, reason: String)? in
            var transaction = Transaction()
            defer { transaction.close() }
            if let failure = write(states, in: &transaction) {
                transaction.undo()
                return failure
            }
            transaction.commit()
            return nil
        }
        if let failure { throw Failure(obstacles: [failure], isAboutOtherContent: false) }
        return states.map { state in
            switch state {
            case .missing: .written
            case .same: .unchanged
            case .other: .replaced
            }
        }
    }

    package func path(of file: File) -> RawPath {
        root.appending(root.bytes.last == UInt8(ascii: "/") ? file.path : "/\(file.path)")
    }
}

// What is there before anything is written.
extension OutputTree {
    /// The state of the path of a file.
    private enum State: Equatable {
        case missing, same, other
    }

    private enum Found {
        case state(State)
        case obstacle(String)
    }

    private func check() throws(Failure) -> [State] {
        let folder = open(root.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            if errno == ENOENT, FileStatus(at: root.cString, followsLink: false) == nil {
                return files.map { _ in .missing }
            }
            let reason = errno == ENOTDIR ? "it is not a folder" : FileOutput.reason()
            throw Failure(obstacles: [(root, reason)], isAboutOtherContent: false)
        }
        defer { close(folder) }
        var states: [State] = []
        var obstacles: [(path: RawPath, reason: String)] = []
        var hasOtherContent = false
        for file in files {
            switch look(for: file, in: folder) {
            case .state(.other) where !replaces:
                hasOtherContent = true
                obstacles.append((path(of: file), "it exists with other content"))
            case .state(let state): states.append(state)
            case .obstacle(let reason): obstacles.append((path(of: file), reason))
            }
        }
        guard obstacles.isEmpty else { throw Failure(obstacles: obstacles, isAboutOtherContent: hasOtherContent) }
        return states
    }

    private func look(for file: File, in root: Int32) -> Found {
        var folder = root
        defer { if folder != root { close(folder) } }
        for name in file.names.dropLast() {
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if next < 0 {
                if errno == ENOENT { return .state(.missing) }
                return .obstacle("its folder \(quoted(name)) is \(Self.kind(name, in: folder))")
            }
            if folder != root { close(folder) }
            folder = next
        }
        let name = file.names.last ?? ""
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT ? .state(.missing) : .obstacle(FileOutput.reason())
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .obstacle("it is \(Self.kind(name, in: folder))") }
        guard Int(status.st_size) == file.bytes.count else { return .state(.other) }
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .obstacle(FileOutput.reason()) }
        defer { close(descriptor) }
        do throws(SystemError) {
            return .state(try FileReader.readToEnd(descriptor, limit: file.bytes.count) == file.bytes ? .same : .other)
        } catch {
            return .obstacle(error.reason)
        }
    }

    /// The name for a thing that is in the way, for messages.
    private static func kind(_ name: String, in folder: Int32) -> String {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return FileOutput.reason() }
        return switch status.st_mode & S_IFMT {
        case S_IFLNK: "a symbolic link, which is not followed"
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        default: "not a regular file"
        }
    }
}

// Writing, and taking it back.
extension OutputTree {
    /// The changes that were made so far.
    private struct Transaction {
        /// A name in an open folder.
        struct Name {
            let folder: Int32
            let name: String
        }

        var openFolders: [Int32] = []
        /// Complete files beside their targets.
        var temporary: [Name] = []
        /// The old files that were replaced, under names that are beside them.
        var kept: [(old: Name, target: Name)] = []
        var created: [Name] = []
        var createdFolders: [Name] = []
        /// Those of them that are not below an open folder.
        var createdParents: [RawPath] = []

        func undo() {
            for file in temporary + created { unlinkat(file.folder, file.name, 0) }
            for (old, target) in kept { renameat(old.folder, old.name, target.folder, target.name) }
            // Those that somebody else has used meanwhile are not empty, and stay.
            for folder in createdFolders.reversed() { unlinkat(folder.folder, folder.name, AT_REMOVEDIR) }
            for folder in createdParents.reversed() { rmdir(folder.cString) }
        }

        func commit() {
            for (old, _) in kept { unlinkat(old.folder, old.name, 0) }
            for folder in openFolders { fsync(folder) }
        }

        func close() { for folder in openFolders { Glibc.close(folder) } }
    }

    private func write(_ states: [State], in transaction: inout Transaction) -> (path: RawPath, reason: String)? {
        let root: Int32
        switch openRoot(&transaction) {
        case .success(let folder): root = folder
        case .failure(let failure): return (failure.path, failure.reason)
        }
        var ready: [(temporary: String, target: Transaction.Name, file: File, state: State)] = []
        for (file, state) in zip(files, states) where state != .same {
            guard let folder = openFolder(of: file, in: root, &transaction) else {
                return (path(of: file), "its folder: \(FileOutput.reason())")
            }
            guard let name = writeBeside(file, in: folder, &transaction) else {
                return (path(of: file), FileOutput.reason())
            }
            ready.append((name, Transaction.Name(folder: folder, name: file.names.last ?? ""), file, state))
        }
        for (temporary, target, file, state) in ready {
            if state == .other { keep(target, &transaction) }
            guard renameat(target.folder, temporary, target.folder, target.name) == 0 else {
                return (path(of: file), FileOutput.reason())
            }
            transaction.temporary.removeAll { $0.folder == target.folder && $0.name == temporary }
            if state == .missing { transaction.created.append(target) }
        }
        return nil
    }

    private struct Refusal: Error {
        let path: RawPath
        let reason: String
    }

    /// Opens the folder that all files go into, and creates it and those on the way to it.
    private func openRoot(_ transaction: inout Transaction) -> Result<Int32, Refusal> {
        var missing: [RawPath] = []
        var path = root
        while !path.exists, errno == ENOENT {
            missing.append(path)
            let parent = path.withoutLastName
            if parent == path { break }
            path = parent
        }
        for folder in missing.reversed() {
            guard mkdir(folder.cString, 0o755) == 0 else {
                // A path such as `new/../other` may have created it on its way.
                if errno == EEXIST, folder.isFolder { continue }
                return .failure(Refusal(path: folder, reason: FileOutput.reason()))
            }
            chmod(folder.cString, 0o755)
            transaction.createdParents.append(folder)
        }
        let folder = open(root.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return .failure(Refusal(path: root, reason: FileOutput.reason())) }
        transaction.openFolders.append(folder)
        return .success(folder)
    }

    /// Opens the folder of a file, and creates what is missing of it.
    private func openFolder(of file: File, in root: Int32, _ transaction: inout Transaction) -> Int32? {
        var folder = root
        for name in file.names.dropLast() {
            if mkdirat(folder, name, 0o755) == 0 {
                transaction.createdFolders.append(Transaction.Name(folder: folder, name: name))
                fchmodat(folder, name, 0o755, 0)
            } else if errno != EEXIST {
                return nil
            }
            folder = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { return nil }
            transaction.openFolders.append(folder)
        }
        return folder
    }

    /// Writes a complete file under a name that nobody else has.
    private func writeBeside(_ file: File, in folder: Int32, _ transaction: inout Transaction) -> String? {
        var name = ""
        var descriptor: Int32 = -1
        for number in 0..<100 {
            name = ".aasa-export.\(getpid()).\(number)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            descriptor = openat(folder, name, flags, S_IRUSR | S_IWUSR)
            if descriptor >= 0 || errno != EEXIST { break }
        }
        guard descriptor >= 0 else { return nil }
        transaction.temporary.append(Transaction.Name(folder: folder, name: name))
        var failure: Int32 = 0
        if FileOutput.write(file.bytes, to: descriptor) != nil || fchmod(descriptor, file.mode) != 0
            || fsync(descriptor) != 0
        {
            failure = errno
        }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        errno = failure
        return failure == 0 ? name : nil
    }

    /// Keeps the old file under a second name, where the file system has those, until everything is written.
    private func keep(_ target: Transaction.Name, _ transaction: inout Transaction) {
        for number in 0..<100 {
            let name = ".aasa-export.\(getpid()).old.\(number)"
            if linkat(target.folder, target.name, target.folder, name, 0) == 0 {
                transaction.kept.append((Transaction.Name(folder: target.folder, name: name), target))
                return
            }
            if errno != EEXIST { return }
        }
    }
}

extension RawPath {
    /// The path without its last name and the slashes around it; itself for `/` and for a single name's folder, `.`.
    fileprivate var withoutLastName: RawPath {
        let slash = UInt8(ascii: "/")
        var rest = bytes[...]
        while rest.count > 1, rest.last == slash { rest.removeLast() }
        while let last = rest.last, last != slash { rest.removeLast() }
        while rest.count > 1, rest.last == slash { rest.removeLast() }
        return rest.isEmpty ? RawPath(".") : RawPath(bytes: Array(rest))
    }
}
