internal import CSQLite
internal import Glibc
internal import SystemSupport

/// Why a folder with a database cannot be used.
package struct DatabaseError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// Another process has the lock of the folder.
        case inUse
        /// SQLite is not on this machine.
        case missingLibrary
        /// The system, its rights or the disk are the reason; the database itself is whole.
        case unusable
        /// The database is not what was written.
        case damaged
    }

    package let kind: Kind
    /// The folder, or the file in it that is damaged.
    package let path: String
    /// One clause.
    package let reason: String
}

/// A SQLite database in a folder of its own, which one process has at a time, and of which damage is found.
///
/// Each change is one transaction: whenever the process ends, and whatever the disk refuses, the database is as it was before
/// the change, or after it. SQLite finds malformed pages; each row has a checksum of its values, contents their
/// SHA-256, and the database the sum of all rows, so that what was changed, lost or put back is found as well.
///
/// The journal is a write-ahead log: a change is one write and one sync, and a disk that is full refuses it before anything
/// is overwritten. The database is opened for one process alone, so that it needs no shared memory, in which a full disk
/// would be a signal and not an error.
final class CheckedDatabase {
    /// The path of the folder.
    let folderPath: String
    /// The path of the database.
    let path: String
    private(set) var folder: OpenFolder
    private let name: String
    private let tables: [CheckedTable]
    private let library: c_sqlite_table
    private var lock: FolderLock
    private var opened: SQLiteDatabase?
    private var inode: Inode?
    private var sum = Sum()
    /// The contents that rows have; nil until they are looked up.
    private var contentRows: [ContentDigest: ContentRow]?
    private var lastContents: Int64 = 0
    /// Whether nothing on disk can be continued, and all has to be written.
    private var needsEverything = true
    private var isDamaged = false
    /// Whether the present change began with nothing, so that no key is there before it is put.
    private var isAnew = false

    /// The number of rows, and the sum of their checksums.
    private struct Sum: Equatable {
        var count: Int64 = 0
        var checksums: Int64 = 0

        mutating func add(_ checksum: Int64) {
            count &+= 1
            checksums &+= checksum
        }

        mutating func remove(_ checksum: Int64) {
            count &-= 1
            checksums &-= checksum
        }
    }

    /// The number of contents, and that of the rows that have them.
    private struct ContentRow {
        let number: Int64
        var users: Int
    }

    private static let format: Int64 = 1
    private static let fileMode: UInt32 = 0o600
    private static let lockName = "lock"
    private static let schema = [
        "CREATE TABLE contents (number INTEGER PRIMARY KEY, bytes)",
        "CREATE TABLE sum (number INTEGER PRIMARY KEY, count, checksums)", "PRAGMA user_version = \(format)",
    ]
    private static let settings = [
        "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL", "journal_size_limit = 1048576",
        "cell_size_check = ON", "trusted_schema = OFF", "temp_store = MEMORY",
    ]

    /// Makes the folder where it is missing, and locks it.
    init(_ path: String, name: String, _ tables: [CheckedTable]) throws(DatabaseError) {
        do throws(MissingLibrary) {
            library = try SQLiteLibrary.shared()
        } catch {
            throw DatabaseError(kind: .missingLibrary, path: path, reason: "\(error); \(error.help)")
        }
        (folderPath, self.path, self.name, self.tables) = (path, "\(path)/\(name)", name, tables)
        (folder, lock) = try Self.open(path)
    }

    deinit { close() }

    /// Closes the database and gives the lock back; nothing may be read or changed after that.
    func close() {
        opened = nil
        lock.release()
    }

    private static func open(_ path: String) throws(DatabaseError) -> (OpenFolder, FolderLock) {
        do throws(SystemError) {
            let folder = try OpenFolder(making: path, mode: 0o700)
            // Another user could put an older database there, or take the lock.
            if let status = FileStatus(at: path), status.permissions & 0o002 != 0 {
                throw SystemError(
                    call: "open", number: EPERM, reason: "every user may write to the folder; run 'chmod o-w' on it")
            }
            if let lock = try FolderLock.take("\(path)/\(lockName)", mode: fileMode) { return (folder, lock) }
        } catch {
            throw DatabaseError(kind: .unusable, path: path, reason: error.reason)
        }
        throw DatabaseError(kind: .inUse, path: path, reason: "another process uses this folder")
    }

    // MARK: Reading

    /// Hands over the rows of all tables without their checksums, and makes sure that they are what was written.
    ///
    /// - Parameters:
    ///   - hasContents: whether contents are read, too; they are handed over with each row that has them.
    /// - Returns: whether anything was ever written.
    func read(
        contents hasContents: Bool, _ body: (CheckedTable, [SQLiteValue], StoredContents?) throws(SQLiteError) -> Void
    ) throws(DatabaseError) -> Bool {
        needsEverything = true
        guard !isMissing else { return false }
        var isThere = false
        try attempt { (database) throws(SQLiteError) in
            isThere = try has(format: database)
            guard isThere else { return }
            var contents: [ContentDigest: StoredContents] = [:]
            var found = Sum()
            (contentRows, lastContents) = ([:], 0)
            for table in tables {
                try database.run(table.all) { (row) throws(SQLiteError) in
                    var row = row
                    let written = try row.removeLast().integer
                    guard table.checksum(row) == written else {
                        throw .damage("the checksum of a row does not match")
                    }
                    found.add(written)
                    // Pages that lead in a circle would have rows without end.
                    guard found.count <= sum.count else { throw .damage("there are more rows than were written") }
                    guard table.hasContents, case .integer(let number) = row[table.keyCount + 1] else {
                        return try body(table, row, nil)
                    }
                    let digest = try row[table.keyCount].digest
                    retain(digest, number: number)
                    // Once for each content, however many rows have it.
                    if hasContents, contents[digest] == nil {
                        contents[digest] = try Self.contents(digest, number, in: database)
                    }
                    try body(table, row, contents[digest])
                }
            }
            guard found == sum else { throw .damage("rows are missing") }
        }
        needsEverything = !isThere
        return isThere
    }

    /// The contents with this SHA-256; nil if no row that was read has them.
    func contents(_ digest: ContentDigest) throws(DatabaseError) -> StoredContents? {
        guard let number = contentRows?[digest]?.number else { return nil }
        var found: StoredContents?
        try attempt { (database) throws(SQLiteError) in
            found = try Self.contents(digest, number, in: database)
        }
        return found
    }

    private static func contents(
        _ digest: ContentDigest, _ number: Int64, in database: SQLiteDatabase
    ) throws(SQLiteError) -> StoredContents {
        var bytes: [UInt8]?
        try database.run("SELECT bytes FROM contents WHERE number = ?", [.integer(number)]) {
            (row) throws(SQLiteError) in bytes = try row[0].bytes
        }
        guard let bytes else { throw .damage("the contents of a row are missing") }
        let contents = StoredContents(digest: digest, bytes: bytes)
        guard contents.isIntact else { throw .damage("the SHA-256 of contents does not match") }
        return contents
    }

    // MARK: Writing

    /// Makes changes, all of them or none.
    ///
    /// - Parameter body: gets to know whether there is nothing in the database, so that everything has to be put there.
    func change(_ body: (_ needsEverything: Bool) throws(SQLiteError) -> Void) throws(DatabaseError) {
        if !folder.isAt(folderPath) || !lock.isAt("\(folderPath)/\(Self.lockName)") {
            // The folder was removed or replaced: a database that is there now is not the one that was read.
            (opened, needsEverything) = (nil, true)
            (folder, lock) = try Self.open(folderPath)
        }
        if isDamaged || opened != nil && FileStatus(at: path)?.stamp.inode != inode {
            opened = nil
            // The log first: it must not be taken for that of another database.
            for suffix in ["-wal", "-journal", "-shm", ""] { folder.remove(name + suffix) }
            isDamaged = false
        }
        if isMissing { needsEverything = true }
        try attempt { (database) throws(SQLiteError) in
            let before = sum
            isAnew = false
            try database.run("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                if needsEverything { try removeAll() } else if contentRows == nil { try lookUpContents() }
                try body(needsEverything)
                try database.run(
                    "INSERT OR REPLACE INTO sum VALUES (0, ?, ?)", [.integer(sum.count), .integer(sum.checksums)])
                try database.run("COMMIT")
            } catch {
                sum = before
                // After some errors SQLite has done it by itself.
                try? database.run("ROLLBACK")
                throw error
            }
        }
        needsEverything = false
    }

    /// Removes everything, within a change, and makes the tables where there are none.
    func removeAll() throws(SQLiteError) {
        guard let database = opened else { return }
        if try has(format: database) {
            for name in tables.map(\.name) + ["contents"] { try database.run("DELETE FROM \(name)") }
        } else {
            for sql in tables.map(\.create) + Self.schema { try database.run(sql) }
        }
        (sum, contentRows, lastContents) = (Sum(), [:], 0)
        isAnew = true
    }

    /// Puts a row there, within a change, in the place of the one with its key.
    ///
    /// - Parameters:
    ///   - contents: the SHA-256 of its contents, and their bytes; nil if those are not kept.
    func put(
        _ key: [SQLiteValue], contents: (digest: ContentDigest, bytes: [UInt8]?)? = nil, _ columns: [SQLiteValue],
        in table: CheckedTable
    ) throws(SQLiteError) {
        let old = try old(key, in: table)
        var row = key
        if let contents {
            row.append(.digest(contents.digest))
            row.append(
                try contents.bytes.map { (bytes) throws(SQLiteError) in
                    .integer(try number(of: contents.digest, bytes))
                } ?? .null)
        }
        row += columns
        let checksum = table.checksum(row)
        if old?.checksum != checksum {
            try opened?.run(table.insert, row + [.integer(checksum)])
            sum.add(checksum)
            if let old { sum.remove(old.checksum) }
        }
        try release(old?.contents)
    }

    /// Removes the row with this key, within a change, and contents that no other row has.
    func remove(_ key: [SQLiteValue], in table: CheckedTable) throws(SQLiteError) {
        guard let old = try old(key, in: table) else { return }
        try opened?.run(table.delete, key)
        sum.remove(old.checksum)
        try release(old.contents)
    }

    /// The checksum of the row with this key, and the SHA-256 of the contents which it has; nil if there is none.
    private func old(
        _ key: [SQLiteValue], in table: CheckedTable
    ) throws(SQLiteError) -> (checksum: Int64, contents: ContentDigest?)? {
        guard !isAnew else { return nil }
        var old: (Int64, ContentDigest?)?
        try opened?.run(table.old, key) { (row) throws(SQLiteError) in
            old = (try row[0].integer, row.count > 1 && row[2] != .null ? try row[1].digest : nil)
        }
        return old
    }

    /// The number of contents for one more row; they are put there unless another row has them.
    private func number(of digest: ContentDigest, _ bytes: [UInt8]) throws(SQLiteError) -> Int64 {
        if let row = contentRows?[digest] {
            retain(digest, number: row.number)
            return row.number
        }
        try opened?.run("INSERT INTO contents VALUES (?, ?)", [.integer(lastContents + 1), .bytes(bytes)])
        retain(digest, number: lastContents + 1)
        return lastContents
    }

    private func retain(_ digest: ContentDigest, number: Int64) {
        contentRows?[digest, default: ContentRow(number: number, users: 0)].users += 1
        lastContents = max(lastContents, number)
    }

    /// Removes contents if no row has them any more.
    private func release(_ digest: ContentDigest?) throws(SQLiteError) {
        guard let digest, let row = contentRows?[digest] else { return }
        contentRows?[digest]?.users -= 1
        guard row.users == 1 else { return }
        contentRows?[digest] = nil
        try opened?.run("DELETE FROM contents WHERE number = ?", [.integer(row.number)])
    }

    private func lookUpContents() throws(SQLiteError) {
        (contentRows, lastContents) = ([:], 0)
        for table in tables where table.hasContents {
            let sql = "SELECT sha256, contents FROM \(table.name) WHERE contents IS NOT NULL"
            try opened?.run(sql) { (row) throws(SQLiteError) in
                retain(try row[0].digest, number: try row[1].integer)
            }
        }
    }

    // MARK: The file

    private var isMissing: Bool {
        do throws(SystemError) { return try folder.kind(of: name) == nil } catch { return false }
    }

    /// Runs something with the database, which is opened for it; of one that is damaged nothing is used any more.
    private func attempt(_ body: (SQLiteDatabase) throws(SQLiteError) -> Void) throws(DatabaseError) {
        do throws(SQLiteError) {
            try FileWriter.withoutInterruption { () throws(SQLiteError) in
                if let opened { try body(opened) } else { try body(open()) }
            }
        } catch {
            contentRows = nil
            if error.isDamage { (opened, isDamaged) = (nil, true) }
            throw DatabaseError(
                kind: error.isDamage ? .damaged : .unusable, path: error.isDamage ? path : folderPath,
                reason: error.reason)
        }
    }

    private func open() throws(SQLiteError) -> SQLiteDatabase {
        do throws(SystemError) {
            switch try folder.kind(of: name) {
            case nil: try folder.write([], to: name, mode: Self.fileMode)
            case .regular: break
            default: throw SystemError(call: "open", number: EINVAL, reason: "'\(path)' is not a regular file")
            }
        } catch {
            throw SQLiteError(isDamage: false, reason: error.reason)
        }
        let database = try SQLiteDatabase(path, library)
        for setting in Self.settings { try database.run("PRAGMA \(setting)") }
        inode = FileStatus(at: path)?.stamp.inode
        (sum, contentRows) = (Sum(), nil)
        if try has(format: database) {
            try database.run("SELECT count, checksums FROM sum") { (row) throws(SQLiteError) in
                sum = Sum(count: try row[0].integer, checksums: try row[1].integer)
            }
        }
        opened = database
        return database
    }

    /// Whether the database has the tables of this format; one without any is new.
    private func has(format database: SQLiteDatabase) throws(SQLiteError) -> Bool {
        var numbers: [SQLiteValue] = []
        for sql in ["PRAGMA user_version", "SELECT count(*) FROM sqlite_master"] {
            try database.run(sql) { (row) throws(SQLiteError) in numbers += row }
        }
        if numbers == [.integer(0), .integer(0)] { return false }
        guard case .integer(let number) = numbers[0], number == Self.format else {
            throw .damage("it has another format than \(Self.format)")
        }
        return true
    }
}
