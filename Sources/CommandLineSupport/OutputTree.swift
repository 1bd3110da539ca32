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

        fileprivate var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
        fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
        fileprivate var mode: UInt32 { isExecutable ? 0o755 : 0o644 }
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

    /// Why a path cannot be written.
    private struct Obstacle: Error {
        let path: RawPath
        let reason: String
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
    /// All are complete beside their targets before the first of them gets its name.
    /// - Returns: What was done, in the order of the files.
    package func write() throws(Failure) -> [Outcome] {
        let outcomes = try check()
        if outcomes.allSatisfy({ $0 == .unchanged }) { return outcomes }
        do throws(Obstacle) {
            try FileWriter.withoutInterruption { () throws(Obstacle) in
                var changes = Changes()
                do throws(Obstacle) {
                    try write(outcomes, &changes)
                } catch {
                    changes.undo()
                    throw error
                }
            }
        } catch {
            throw Failure(obstacles: [(error.path, error.reason)], isAboutOtherContent: false)
        }
        return outcomes
    }

    package func path(of file: File) -> RawPath {
        root.appending(root.bytes.last == UInt8(ascii: "/") ? file.path : "/\(file.path)")
    }
}

// What is there before anything is written.
extension OutputTree {
    private func check() throws(Failure) -> [Outcome] {
        let folder: OpenFolder
        do throws(SystemError) {
            folder = try OpenFolder(root.cString)
        } catch {
            if error.number == ENOENT, FileStatus(at: root.cString, followsLink: false) == nil {
                return files.map { _ in .written }
            }
            let reason = error.number == ENOTDIR ? "it is not a folder" : error.reason
            throw Failure(obstacles: [(root, reason)], isAboutOtherContent: false)
        }
        var outcomes: [Outcome] = []
        var obstacles: [(path: RawPath, reason: String)] = []
        var hasOtherContent = false
        for file in files {
            do throws(Obstacle) {
                let outcome = try outcome(of: file, in: folder)
                if outcome == .replaced, !replaces {
                    hasOtherContent = true
                    obstacles.append((path(of: file), "it exists with other content"))
                }
                outcomes.append(outcome)
            } catch {
                obstacles.append((error.path, error.reason))
            }
        }
        guard obstacles.isEmpty else { throw Failure(obstacles: obstacles, isAboutOtherContent: hasOtherContent) }
        return outcomes
    }

    /// What writing a file does.
    private func outcome(of file: File, in root: OpenFolder) throws(Obstacle) -> Outcome {
        var obstacle: String?
        do throws(SystemError) {
            var folder = root
            for name in file.folders {
                guard let kind = try folder.kind(of: name) else { return .written }
                guard kind == .folder else {
                    throw SystemError(
                        call: "open", number: ENOTDIR, reason: "its folder \(quoted(name)) is \(Self.word(kind))")
                }
                folder = try folder.folder(name)
            }
            switch try folder.kind(of: file.name) {
            case nil: return .written
            case .regular?:
                return try folder.read(file.name, limit: file.bytes.count) == file.bytes ? .unchanged : .replaced
            case let kind?: obstacle = "it is \(Self.word(kind))"
            }
        } catch {
            obstacle = error.reason
        }
        throw Obstacle(path: path(of: file), reason: obstacle ?? "")
    }

    /// The name for a thing that is in the way, for messages.
    private static func word(_ kind: FileStatus.Kind) -> String {
        switch kind {
        case .link: "a symbolic link, which is not followed"
        case .folder: "a folder"
        case .regular: "a file"
        case .pipe, .socket, .device: "not a regular file"
        }
    }
}

// Writing, and taking it back.
extension OutputTree {
    /// What was made so far, which is removed if something fails.
    private struct Changes {
        /// Complete files beside their targets, then the new ones under their names.
        var files: [(folder: OpenFolder, name: String)] = []
        var folders: [(folder: OpenFolder, name: String)] = []
        /// The folder of all files and those on the way to it, from the outside in.
        var parents: [RawPath] = []

        /// Folders that another process has used meanwhile are not empty, and stay. Nothing is left to fail when files get
        /// their names, so that the old content of one that was replaced is not kept.
        func undo() {
            for file in files { file.folder.remove(file.name) }
            for folder in folders.reversed() { folder.folder.removeEmptyFolder(folder.name) }
            for folder in parents.reversed() { rmdir(folder.cString) }
        }
    }

    private func write(_ outcomes: [Outcome], _ changes: inout Changes) throws(Obstacle) {
        let root = try openRoot(&changes)
        var ready: [(folder: OpenFolder, temporary: String, file: File)] = []
        for (file, outcome) in zip(files, outcomes) where outcome != .unchanged {
            try attempt(path(of: file)) { () throws(SystemError) in
                let folder = try openFolder(of: file, in: root, &changes)
                let temporary = ".aasa-export.\(UInt64.random(in: .min ... .max))"
                try folder.write(file.bytes, to: temporary, mode: file.mode)
                changes.files.append((folder, temporary))
                ready.append((folder, temporary, file))
            }
        }
        for (folder, temporary, file) in ready {
            try attempt(path(of: file)) { () throws(SystemError) in
                let isNew = try folder.kind(of: file.name) == nil
                try folder.rename(temporary, to: file.name)
                if isNew { changes.files.append((folder, file.name)) }
                try? folder.sync()
            }
        }
    }

    private func attempt(_ path: RawPath, _ body: () throws(SystemError) -> Void) throws(Obstacle) {
        do throws(SystemError) { try body() } catch { throw Obstacle(path: path, reason: error.reason) }
    }

    /// Opens the folder that all files go into, and creates it and those on the way to it.
    private func openRoot(_ changes: inout Changes) throws(Obstacle) -> OpenFolder {
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
                throw Obstacle(path: folder, reason: FileOutput.reason())
            }
            chmod(folder.cString, 0o755)
            changes.parents.append(folder)
        }
        do throws(SystemError) { return try OpenFolder(root.cString) } catch {
            throw Obstacle(path: root, reason: error.reason)
        }
    }

    /// Opens the folder of a file, and creates what is missing of it.
    private func openFolder(
        of file: File, in root: OpenFolder, _ changes: inout Changes
    ) throws(SystemError) -> OpenFolder {
        var folder = root
        for name in file.folders {
            if try folder.kind(of: name) == nil {
                let made = try folder.make(name, mode: 0o755)
                changes.folders.append((folder, name))
                folder = made
            } else {
                folder = try folder.folder(name)
            }
        }
        return folder
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
