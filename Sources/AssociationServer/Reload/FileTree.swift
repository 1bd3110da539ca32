package import EventLoops
internal import Glibc

/// The file system, as far as it takes to notice changes.
package protocol FileTree {
    /// What is at a path; a link is not followed.
    func entry(_ path: String) -> FileTreeEntry
    /// The names of the folders, and of the links to some, in a folder; `nil` if it cannot be read.
    func folders(in path: String) -> [String]?
}

package enum FileTreeEntry: Equatable, Sendable {
    /// Nothing, or nothing that may be looked at.
    case nothing
    case folder(Inode)
    case link(target: String)
    /// A file, or something else that is neither a folder nor a link.
    case file(FileStamp)
}

/// The file system of the machine.
struct DiskTree: FileTree {
    /// Absolute; where relative paths begin.
    static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    func entry(_ path: String) -> FileTreeEntry {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(FileStamp(status).inode)
        case S_IFLNK: return Self.target(of: path).map { .link(target: $0) } ?? .nothing
        default: return .file(FileStamp(status))
        }
    }

    func folders(in path: String) -> [String]? {
        do throws(SystemError) {
            return try FileAccess.folders(in: path)
        } catch {
            return nil
        }
    }

    private static func target(of path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }
}
