package import SystemSupport

/// A folder, and what of it is of interest.
package struct WatchedFolder: Equatable, Sendable {
    /// Absolute, without links in it.
    package let path: String
    /// The folder that the path leads to now: another one may take its place.
    package let inode: Inode
    /// The entries that matter; `nil` for all.
    package var names: Set<String>?
    /// Whether it matters that a file is written, and not only that one comes, goes, or is replaced.
    package var hasFiles: Bool

    package init(path: String, inode: Inode, names: Set<String>? = [], hasFiles: Bool = false) {
        self.path = path
        self.inode = inode
        self.names = names
        self.hasFiles = hasFiles
    }

    func isInterested(in name: String) -> Bool { names?.contains(name) ?? true }
}
