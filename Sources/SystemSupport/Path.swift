internal import Glibc

/// Paths as text, for those that come out of configuration files and go into messages.
package enum Path {
    /// `path`, or where it leads from `folder` if it is relative.
    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
        if folder == "/" { return "/\(path)" }
        // "Config/../certs" reads better as "certs"; a folder that could be a link is left alone.
        let rest = path.dropFirst(3)
        if path.hasPrefix("../"), !rest.isEmpty, !rest.hasPrefix("/"), !folder.contains("/"), folder != ".." {
            return String(rest)
        }
        return "\(folder)/\(path)"
    }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of it.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// What of a path is below a folder, by bytes; nil if it is not below it.
    package static func relative(_ path: String, to folder: String) -> String? {
        let start = folder == "/" ? folder : "\(folder)/"
        return path.utf8.starts(with: start.utf8)
            ? String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
    }
}

extension Path {
    /// Where relative paths start; nil if that folder is gone.
    package static var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The root of the Git repository around a folder, or the folder itself.
    package static func repositoryRoot(around start: String) -> String {
        var folder = start
        while !folder.isEmpty {
            if exists("\(folder)/.git") { return folder }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return start
    }

    /// The path without links and dots; nil if it leads nowhere.
    package static func resolved(_ path: String) -> String? { RawPath(path).resolved?.text }

    /// Whether it leads to anything.
    package static func exists(_ path: String) -> Bool { FileStatus(at: path) != nil }

    /// Whether it leads to a folder.
    package static func isFolder(_ path: String) -> Bool { FileStatus(at: path)?.kind == .folder }

    package static func isLink(_ path: String) -> Bool { FileStatus(at: path, followsLink: false)?.kind == .link }

    /// Whether there is nothing, not even a broken link.
    package static func isMissing(_ path: String) -> Bool {
        FileStatus(at: path, followsLink: false) == nil && (errno == ENOENT || errno == ENOTDIR)
    }
}
