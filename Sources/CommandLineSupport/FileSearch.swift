internal import Glibc

/// Finds files in folders.
public enum FileSearch {
    /// Whether a path leads to a folder.
    public static func isFolder(_ path: String) -> Bool { isFolder(RawPath(path)) }

    public static func isFolder(_ path: RawPath) -> Bool { kind(path, followsLinks: true) == S_IFDIR }

    /// Whether a path leads to anything.
    public static func exists(_ path: RawPath) -> Bool { kind(path, followsLinks: true) != nil }

    /// Files of some names in a folder and the folders in it.
    public struct Result: Sendable {
        /// The paths, sorted by their bytes.
        public var paths: [String] = []
        /// Files whose names are similar, sorted by their bytes.
        public var similar: [String] = []
        /// The folders that cannot be read, with the reason.
        public var unreadable: [(path: String, reason: String)] = []
    }

    /// Finds all files of some names in a folder and the folders in it.
    ///
    /// `.git` and `node_modules` are left out, and so are links to folders, which may lead round in circles, and what is no
    /// file, such as a pipe, which would be waited for. A link that leads nowhere is not left out: nobody has meant that.
    /// - Parameter isSimilar: Whether another name is similar to one of them.
    public static func files(
        named names: Set<String>, in folder: String, isSimilar: (String) -> Bool = { _ in false }
    ) -> Result {
        var walk = FolderWalk(RawPath(folder), leavesOut: [".git", "node_modules"])
        var result = Result()
        while let entry = walk.next() {
            let name = String(decoding: entry.name, as: UTF8.self)
            if names.contains(name), [S_IFREG, nil].contains(kind(entry.path, followsLinks: true)) {
                result.paths.append(entry.path.text)
            } else if isSimilar(name), kind(entry.path, followsLinks: true) == S_IFREG {
                result.similar.append(entry.path.text)
            }
        }
        result.paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        result.similar.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        result.unreadable = walk.unreadable.map { (path: $0.path.text, reason: "\($0.reason)") }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return result
    }

    /// All that is no folder in a folder and the folders in it, sorted by the bytes of the paths.
    ///
    /// Links to folders are left out, which may lead round in circles; other links, pipes and the like are not.
    /// - Returns: The paths, among them those of the folders that cannot be read, with the reason.
    public static func all(in folder: RawPath) -> [(path: RawPath, failure: SystemFailure?)] {
        var walk = FolderWalk(folder)
        var found: [(path: RawPath, failure: SystemFailure?)] = []
        while let entry = walk.next() {
            if entry.isFile || kind(entry.path, followsLinks: true) != S_IFDIR { found.append((entry.path, nil)) }
        }
        for (path, reason) in walk.unreadable { found.append((path, reason)) }
        return found.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// The regular files in a folder, also by way of a link, but not those in the folders in it; sorted by their bytes.
    public static func files(directlyIn folder: RawPath) throws(SystemFailure) -> [RawPath] {
        var walk = FolderWalk(folder, isFlat: true)
        var found: [RawPath] = []
        while let entry = walk.next() {
            if entry.isFile || kind(entry.path, followsLinks: true) == S_IFREG { found.append(entry.path) }
        }
        if let (_, reason) = walk.unreadable.first { throw reason }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The kind of what is at a path, as in `st_mode`; nil if that cannot be told.
    static func kind(_ path: RawPath, followsLinks: Bool) -> mode_t? {
        var status = stat()
        let isThere = path.withCString { followsLinks ? stat($0, &status) == 0 : lstat($0, &status) == 0 }
        return isThere ? status.st_mode & S_IFMT : nil
    }
}
