internal import Diagnostics
internal import Glibc
package import SystemSupport

/// Files that are written into one folder, all or none of them.
///
/// Nothing outside of the folder is touched: no link in it is followed, and every name is looked up in a folder that is open
/// already, so that no other process can put a link there meanwhile.
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
        fileprivate var name: String { path.split(separator: "/").last.map(String.init) ?? path }
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
        let states = try states()
        if states.contains(where: { $0 != .same }) {
            try FileWriter.withoutInterruption { () throws(Failure) in try install(states) }
        }
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

    private func states() throws(Failure) -> [State] {
        let folder: OpenFolder
        do throws(SystemError) {
            folder = try OpenFolder(root)
        } catch {
            if error.number == ENOENT, FileStatus(at: root.cString, followsLink: false) == nil {
                return files.map { _ in .missing }
            }
            let reason = error.number == ENOTDIR ? "it is not a folder" : error.reason
            throw Failure(obstacles: [(root, reason)], isAboutOtherContent: false)
        }
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

    private func look(for file: File, in root: OpenFolder) -> Found {
        var folder = root
        do throws(SystemError) {
            for name in file.folders {
                switch try folder.kind(of: name) {
                case nil: return .state(.missing)
                case .folder?: folder = try folder.folder(name)
                case let kind?: return .obstacle("its folder \(quoted(name)) is \(Self.word(kind))")
                }
            }
            switch try folder.kind(of: file.name) {
            case nil: return .state(.missing)
            case .regular?:
                let bytes = try folder.read(file.name, limit: file.bytes.count)
                return .state(bytes == file.bytes ? .same : .other)
            case let kind?: return .obstacle("it is \(Self.word(kind))")
            }
        } catch {
            return .obstacle(error.reason)
        }
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
    private func install(_ states: [State]) throws(Failure) {
        // All files are complete in this folder before any of them is moved to its place. Containers use the same process
        // numbers again, and the folder of a run that was killed must not be in the way.
        let stagingName = ".aasa-export.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        /// The actions that take back the steps so far, each after the later ones.
        var undo: [() -> Void] = []
        var path = root
        do throws(SystemError) {
            try makeRoot(&path, &undo)
            path = root
            let folder = try OpenFolder(root)
            let staging = try folder.make(stagingName, mode: 0o700)
            undo.append { folder.remove(stagingName) }
            let changed = files.indices.filter { states[$0] != .same }
            for index in changed {
                path = self.path(of: files[index])
                try staging.write(files[index].bytes, to: "\(index)", mode: files[index].mode)
            }
            for index in changed {
                let name = files[index].name
                path = self.path(of: files[index])
                let target = try makeFolder(of: files[index], in: folder, &undo)
                if states[index] == .other {
                    let old = "\(index).old"
                    try target.keep(name, as: old, in: staging)
                    undo.append { try? staging.move(old, to: name, in: target) }
                }
                try staging.move("\(index)", to: name, in: target)
                if states[index] == .missing { undo.append { target.remove(name) } }
                try target.sync()
            }
            // First: until it is done, the old files may have to go back.
            try folder.sync()
            folder.remove(stagingName)
        } catch {
            for step in undo.reversed() { step() }
            throw Failure(obstacles: [(path, error.reason)], isAboutOtherContent: false)
        }
    }

    /// Makes the folder that all files go into, and those on the way to it, where they are missing.
    ///
    /// - Parameter path: The folder that is made.
    private func makeRoot(_ path: inout RawPath, _ undo: inout [() -> Void]) throws(SystemError) {
        var missing: [RawPath] = []
        while !path.exists, errno == ENOENT {
            missing.append(path)
            let parent = path.withoutLastName
            if parent == path { break }
            path = parent
        }
        for folder in missing.reversed() {
            path = folder
            guard mkdir(folder.cString, 0o755) == 0 else {
                // A path such as `new/../other` may have created it on its way.
                if errno == EEXIST, folder.isFolder { continue }
                throw SystemError(call: "mkdir")
            }
            // One that is used for something else meanwhile is not empty, and stays.
            undo.append { rmdir(folder.cString) }
            chmod(folder.cString, 0o755)
        }
    }

    /// Opens the folder of a file, and makes what is missing of it.
    private func makeFolder(
        of file: File, in root: OpenFolder, _ undo: inout [() -> Void]
    ) throws(SystemError) -> OpenFolder {
        var folder = root
        for name in file.folders {
            if try folder.kind(of: name) == nil {
                let parent = folder
                folder = try parent.make(name, mode: 0o755)
                undo.append { parent.removeFolder(name) }
                try parent.sync()
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
