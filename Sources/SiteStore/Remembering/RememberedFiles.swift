internal import SystemSupport

/// The last good files of the sites of a folder, which a server keeps on disk to have them after a restart (server.md,
/// section 5).
///
/// It belongs to one thread at a time. Whatever fails, and whenever the process ends, what is on disk is whole.
package final class RememberedFiles {
    /// A file that is served.
    package struct File: Sendable {
        package let digest: ContentDigest
        /// As the file said when it was read, in seconds since 1970.
        package let lastModified: Int64
        /// When it was read, in seconds since 1970.
        package let loadedAt: Int64

        package init(digest: ContentDigest, lastModified: Int64, loadedAt: Int64) {
            self.digest = digest
            self.lastModified = lastModified
            self.loadedAt = loadedAt
        }

        /// Whether it is the same file, whenever it was read.
        package func isSame(as other: File) -> Bool { digest == other.digest && lastModified == other.lastModified }
    }

    /// The name of the database in the folder.
    package static let fileName = "last-good.db"
    private static let files = CheckedTable(
        "files", key: ["domain", "name"], hasContents: true, ["last_modified", "loaded_at"])
    private let database: CheckedDatabase

    /// Makes the folder where it is missing, and locks it.
    package init(_ folder: String) throws(DatabaseError) {
        database = try CheckedDatabase(folder, name: Self.fileName, [Self.files])
    }

    /// All files, without their contents.
    package func load() throws(DatabaseError) -> [StoreFileKey: File] {
        var found: [StoreFileKey: File] = [:]
        _ = try database.read(contents: false) { (_, row, _) throws(SQLiteError) in
            found[StoreFileKey(domain: try row[0].text, name: try row[1].text)] = File(
                digest: try row[2].digest, lastModified: try row[4].integer, loadedAt: try row[5].integer)
        }
        return found
    }

    /// The bytes with this SHA-256; nil if no file has them.
    package func contents(_ digest: ContentDigest) throws(DatabaseError) -> StoredContents? {
        try database.contents(digest)
    }

    /// Remembers files, and forgets others, all of them or none.
    ///
    /// - Parameters:
    ///   - changed: the files that are new, or others than before.
    ///   - all: all files, which are asked for where nothing on disk can be continued.
    ///   - bytes: those of a file; its digest has to be theirs.
    package func remember(
        _ changed: [StoreFileKey: File], forgetting removed: some Sequence<StoreFileKey>,
        all: () -> [StoreFileKey: File], bytes: (StoreFileKey) -> [UInt8]?
    ) throws(DatabaseError) {
        try database.change { (needsEverything) throws(SQLiteError) in
            // In the order of the table, which is written from its beginning to its end.
            for (key, file) in (needsEverything ? all() : changed).sorted(by: { $0.key < $1.key }) {
                guard let bytes = bytes(key) else { continue }
                try database.put(
                    [.text(key.domain), .text(key.name)], contents: (file.digest, bytes),
                    [.integer(file.lastModified), .integer(file.loadedAt)], in: Self.files)
            }
            for key in removed { try database.remove([.text(key.domain), .text(key.name)], in: Self.files) }
        }
    }
}
