internal import Glibc

/// Finds files in folders.
public enum FileSearch {
    /// Whether a path leads to a folder.
    public static func isFolder(_ path: String) -> Bool { kind(path, followsLinks: true) == S_IFDIR }

    /// The paths of all files of some names in a folder and the folders in it, sorted by their bytes.
    ///
    /// `.git` is left out, and so are links to folders, which may lead round in circles, and what is no file, such as a
    /// pipe, which would be waited for. A link that leads nowhere is not left out: nobody has meant that.
    /// - Returns: The paths, and the folders that cannot be read with the reason.
    public static func files(
        named names: Set<String>, in folder: String
    ) -> (paths: [String], unreadable: [(path: String, reason: String)]) {
        var paths: [String] = []
        var unreadable: [(path: String, reason: String)] = []
        var folders = [folder]
        while let next = folders.popLast() {
            guard let stream = opendir(next) else {
                unreadable.append((next, String(cString: strerror(errno))))
                continue
            }
            defer { closedir(stream) }
            while true {
                errno = 0
                guard let entry = readdir(stream) else {
                    if errno != 0 { unreadable.append((next, String(cString: strerror(errno)))) }
                    break
                }
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != "..", name != ".git" else { continue }
                let path = next == "." ? name : next.hasSuffix("/") ? next + name : "\(next)/\(name)"
                // Most systems tell what an entry is; the others have to be asked.
                let type = Int32(entry.pointee.d_type)
                if type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN) && kind(path, followsLinks: false) == S_IFDIR {
                    folders.append(path)
                } else if names.contains(name), [S_IFREG, nil].contains(kind(path, followsLinks: true)) {
                    paths.append(path)
                }
            }
        }
        let inOrder = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (inOrder, unreadable.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    private static func kind(_ path: String, followsLinks: Bool) -> mode_t? {
        var status = stat()
        let isThere = followsLinks ? stat(path, &status) == 0 : lstat(path, &status) == 0
        return isThere ? status.st_mode & S_IFMT : nil
    }
}
