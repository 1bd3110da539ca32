import Diagnostics
import Glibc
import HostRecipes
import SystemSupport

/// Writes the files of an export into one folder: all or none of them, unless another process interferes with the moves.
///
/// Nothing outside of the folder is touched: no link in it is followed, and every name is looked up in a folder that is open
/// already, so that no other process can put a link there meanwhile.
struct ExportWriter {
    enum Outcome {
        case written, unchanged
        /// There was a file with other content.
        case replaced
    }

    /// Why nothing was written: a clause for each path that is in the way.
    struct Failure: Error {
        let obstacles: [(path: RawPath, reason: String)]
        /// Whether it would help to replace files.
        let isAboutOtherContent: Bool
        /// Whether some files were moved to their places before.
        var isPartial = false
    }

    let files: [ExportPlan.File]
    /// The folder, which is created if it is missing, with those on the way to it; it may be a link to a folder.
    let root: RawPath
    /// Whether files with other content are replaced.
    let replaces: Bool

    /// Writes the files with the modes 0644, or 0755 for programs and new folders, whatever the umask.
    ///
    /// - Returns: What was done, in the order of the files.
    func write() throws(Failure) -> [Outcome] {
        let outcomes = try outcomes()
        if outcomes.contains(where: { $0 != .unchanged }) {
            try FileWriter.withoutInterruption { () throws(Failure) in try install(outcomes) }
        }
        return outcomes
    }

    func path(of file: ExportPlan.File) -> RawPath {
        root.appending(root.bytes.last == UInt8(ascii: "/") ? file.path : "/\(file.path)")
    }
}

// What is there before anything is written.
extension ExportWriter {
    private func outcomes() throws(Failure) -> [Outcome] {
        let folder: OpenFolder
        do throws(SystemError) {
            folder = try OpenFolder(root)
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
            do throws(SystemError) {
                let (outcome, target) = try outcome(file, in: folder)
                guard outcome == .unchanged || target === folder || target.isWritable else {
                    throw SystemError(call: "access", number: EACCES)
                }
                outcomes.append(outcome)
                guard outcome == .replaced, !replaces else { continue }
                hasOtherContent = true
                obstacles.append((path(of: file), "it exists with other content"))
            } catch {
                obstacles.append((path(of: file), error.reason))
            }
        }
        guard obstacles.isEmpty else { throw Failure(obstacles: obstacles, isAboutOtherContent: hasOtherContent) }
        return outcomes
    }

    /// The outcome for a file, and the folder that is changed for it.
    private func outcome(
        _ file: ExportPlan.File, in root: OpenFolder
    ) throws(SystemError) -> (Outcome, in: OpenFolder) {
        var folder = root
        for name in file.folders {
            guard let kind = try folder.kind(of: name) else { return (.written, folder) }
            guard kind == .folder else { throw Self.obstacle("its folder \(quoted(name)) is \(Self.word(kind))") }
            folder = try folder.folder(name)
        }
        guard let kind = try folder.kind(of: file.name) else { return (.written, folder) }
        guard kind == .regular else { throw Self.obstacle("it is \(Self.word(kind))") }
        let isSame = try folder.read(file.name, limit: file.bytes.count) == file.bytes
        return (isSame ? .unchanged : .replaced, folder)
    }

    private static func obstacle(_ clause: String) -> SystemError {
        SystemError(call: "stat", number: EEXIST, reason: clause)
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

extension ExportWriter {
    /// Writes all files into a folder of their own, and moves them to their places when they are complete.
    private func install(_ outcomes: [Outcome]) throws(Failure) {
        // Containers use the same process numbers again, and the folder of a run that was killed must not be in the way.
        let stagingName = ".aasa-export.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        var made: [RawPath] = []
        var hasMoved = false
        var path = root
        do throws(SystemError) {
            try makeRoot(&path, &made)
            path = root
            let folder = try OpenFolder(root)
            let staging = try folder.make(stagingName, mode: 0o700)
            defer { folder.remove(stagingName) }
            let changed = zip(files, outcomes).filter { $1 != .unchanged }.map(\.0)
            for (index, file) in changed.enumerated() {
                path = self.path(of: file)
                try staging.write(file.bytes, to: "\(index)", mode: file.isExecutable ? 0o755 : 0o644)
            }
            for (index, file) in changed.enumerated() {
                path = self.path(of: file)
                let target = try makeFolder(of: file, in: folder)
                try staging.move("\(index)", to: file.name, in: target)
                hasMoved = true
                try target.sync()
            }
            try folder.sync()
        } catch {
            // One that is used for something else meanwhile is not empty, and stays.
            for folder in made.reversed() { rmdir(folder.cString) }
            throw Failure(obstacles: [(path, error.reason)], isAboutOtherContent: false, isPartial: hasMoved)
        }
    }

    /// Makes the folder that all files go into, and those on the way to it, where they are missing.
    ///
    /// - Parameters:
    ///   - path: The folder that is made.
    ///   - made: Those that were made before.
    private func makeRoot(_ path: inout RawPath, _ made: inout [RawPath]) throws(SystemError) {
        var missing: [RawPath] = []
        while !path.exists, errno == ENOENT {
            missing.append(path)
            path = path.folder
        }
        for folder in missing.reversed() {
            path = folder
            guard mkdir(folder.cString, 0o755) == 0 else {
                // A path such as `new/../other` may have created it on its way.
                if errno == EEXIST, folder.isFolder { continue }
                throw SystemError(call: "mkdir")
            }
            made.append(folder)
            chmod(folder.cString, 0o755)
        }
    }

    /// Opens the folder of a file, and makes what is missing of it.
    private func makeFolder(of file: ExportPlan.File, in root: OpenFolder) throws(SystemError) -> OpenFolder {
        var folder = root
        for name in file.folders {
            if try folder.kind(of: name) == nil {
                let parent = folder
                folder = try parent.make(name, mode: 0o755)
                try parent.sync()
            } else {
                folder = try folder.folder(name)
            }
        }
        return folder
    }
}

extension ExportPlan.File {
    fileprivate var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    fileprivate var name: String { Path.name(of: path) }
}
