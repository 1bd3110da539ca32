internal import BoundedText
package import Diagnostics
internal import Glibc
internal import OpenSSL
package import SystemSupport

/// Why the folder of a cache cannot be used, or not be written.
package enum StoreCacheError: Error, Equatable, Sendable {
    /// Another process has its lock.
    case inUse(path: String)
    case unusable(path: String, SystemError)

    /// The finding about a cache that cannot be written.
    package var finding: LocatedDiagnostic {
        switch self {
        case .inUse(let path): LocatedDiagnostic(.storeCacheUnwritable, path, message)
        case .unusable(let path, _): LocatedDiagnostic(.storeCacheUnwritable, path, message)
        }
    }

    /// One clause, without the path.
    package var message: String {
        switch self {
        case .inUse: "another process uses this cache; each node needs a folder of its own"
        case .unusable(_, let error): "the cache cannot be written: \(error.reason)"
        }
    }
}

/// The folder `storeCache` of a node, from which it serves when the database is away (store.md, section 7).
///
/// It belongs to one thread. Whatever fails, and whenever the process ends, what is on disk is whole.
package final class StoreCache {
    package let path: String
    private let program: String
    private var folder: OpenFolder
    private var lock: FolderLock
    private var state = State.unknown

    /// The state of the files on disk.
    private enum State {
        /// Nothing that could be continued.
        case unknown
        case current(Current)
    }

    private struct Current {
        var position: StorePosition
        let snapshotDigest: [UInt8]
        let snapshotSize: Int
        /// The bytes of the journal that are whole; nil if it is not there, or belongs to another snapshot.
        var journalSize: Int64?
        var journal: GrowingFile?
    }

    /// The contents of a cache.
    package struct Contents: Sendable {
        package let image: StoreImage
        /// Whether this version of the program has written it, and checked what is in it.
        package let isChecked: Bool
    }

    private static let folderMode: UInt32 = 0o700
    private static let fileMode: UInt32 = 0o600
    private static let lockName = "lock"
    private static let snapshotName = "snapshot"
    private static let journalName = "journal"
    private static let nodeName = "node-id"
    /// The journal is folded into a new snapshot when it is larger than this, and than a quarter of the snapshot; in bytes.
    private static let smallestFolded: Int64 = 1 << 20
    private static let largestJournal = 1 << 31

    /// Makes the folder where it is missing, and locks it.
    ///
    /// - Parameter program: the version of the program.
    package init(_ path: String, program: String) throws(StoreCacheError) {
        self.path = path
        self.program = program
        (folder, lock) = try Self.open(path)
    }

    private static func open(_ path: String) throws(StoreCacheError) -> (OpenFolder, FolderLock) {
        do throws(SystemError) {
            let folder = try OpenFolder(making: path, mode: folderMode)
            // Another user could put an older cache there, or take the lock.
            if let status = FileStatus(at: path), status.permissions & 0o002 != 0 {
                throw SystemError(
                    call: "open", number: EPERM, reason: "every user may write to the folder; run 'chmod o-w' on it")
            }
            if let lock = try FolderLock.take("\(path)/\(lockName)", mode: fileMode) { return (folder, lock) }
        } catch {
            throw .unusable(path: path, error)
        }
        throw .inUse(path: path)
    }

    /// The 8 hexadecimal digits that tell this node from others of its machine; made once.
    package func nodeID() throws(StoreCacheError) -> String {
        if let bytes = try? folder.read(Self.nodeName, limit: 64) {
            let id = String(text: bytes.prefix { $0 != UInt8(ascii: "\n") })
            if id.utf8.count == 8, id.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) { return id }
        }
        guard let random = try? SecureRandom.bytes(4) else {
            let error = SystemError(call: "random", number: 0, reason: "the system gives no random numbers")
            throw .unusable(path: path, error)
        }
        let id = Hexadecimal.text(random)
        do throws(SystemError) {
            try folder.replace(Self.nodeName, with: Array("\(id)\n".utf8), mode: Self.fileMode)
        } catch {
            throw .unusable(path: "\(path)/\(Self.nodeName)", error)
        }
        return id
    }
}

extension StoreCache {
    /// Reads what was written last; nil if nothing was.
    ///
    /// A journal that is damaged costs what comes after the damage; the next image is written as a whole.
    /// - Parameter report: is called with damage that leaves something to be used.
    package func read(_ report: (StoreCacheDamage) -> Void = { _ in }) throws(StoreCacheDamage) -> Contents? {
        state = .unknown
        let snapshotPath = "\(path)/\(Self.snapshotName)"
        guard let stream = try open(Self.snapshotName) else { return nil }
        var snapshot = try SnapshotFormat.read(stream, path: snapshotPath)
        var journalSize: Int?
        var isWhole = true
        do throws(StoreCacheDamage) {
            journalSize = try replay(onto: &snapshot)
        } catch {
            isWhole = false
            report(StoreCacheDamage(path: error.path, problem: error.problem, isPartial: true))
        }
        let isChecked = snapshot.program == program
        if isChecked, isWhole {
            // What another version has written is not continued.
            state = .current(
                Current(
                    position: snapshot.image.position, snapshotDigest: snapshot.digest, snapshotSize: snapshot.size,
                    journalSize: journalSize.map { Int64($0) }))
        }
        return Contents(image: snapshot.image, isChecked: isChecked)
    }

    private func replay(onto snapshot: inout SnapshotFormat.Contents) throws(StoreCacheDamage) -> Int? {
        let journalPath = "\(path)/\(Self.journalName)"
        guard let stream = try open(Self.journalName) else { return nil }
        guard stream.size <= Self.largestJournal else {
            throw StoreCacheDamage(path: journalPath, problem: "it is larger than any journal")
        }
        var input = try CacheInput(stream, path: journalPath, exceptLast: 0)
        let bytes = try input.fixed(input.remaining)
        let size = try JournalFormat.replay(bytes, path: journalPath, onto: &snapshot)
        return size == 0 ? nil : size
    }

    private func open(_ name: String) throws(StoreCacheDamage) -> FileStream? {
        do throws(SystemError) {
            return try folder.stream(name)
        } catch {
            throw StoreCacheDamage(path: "\(path)/\(name)", problem: "it cannot be read: \(error.reason)")
        }
    }

    /// Writes an image.
    ///
    /// If it cannot be written, the cache has what it had before, and the next call writes everything.
    /// - Parameter changes: those that were applied to the image last, which are written alone where that can be done; nil
    ///   to write everything.
    package func save(_ image: StoreImage, _ changes: StoreChanges? = nil) throws(StoreCacheError) {
        try restoreFolder()
        do throws(SystemError) {
            // Changes in between would be missing in the journal.
            if let changes, case .current(let current) = state, image.previous == current.position {
                try write(changes, in: image, after: current)
            } else {
                try writeSnapshot(image)
            }
        } catch {
            throw .unusable(path: path, error)
        }
    }

    private func write(
        _ changes: StoreChanges, in image: StoreImage, after before: Current
    ) throws(SystemError) {
        state = .unknown
        var current = before
        let limit = max(Self.smallestFolded, Int64(current.snapshotSize / 4))
        // A record is in memory as a whole, a snapshot is not.
        let sizes = Dictionary(changes.files.lazy.compactMap(\.contents).map { ($0.digest, $0.bytes.count) }) { $1 }
        guard sizes.values.reduce(0, +) <= limit else { return try writeSnapshot(image) }
        let record = JournalFormat.record(changes, after: current.position, in: image)
        guard record.count <= limit else { return try writeSnapshot(image) }
        try append(record, to: &current)
        current.position = image.position
        state = .current(current)
        if current.journalSize ?? 0 > limit { try writeSnapshot(image) }
    }

    /// Whether the last call of `save` failed, or none was made: what is on disk may be older than what is served.
    package var isBehind: Bool { if case .unknown = state { true } else { false } }

    /// Makes the folder again if somebody has removed it, with its lock.
    private func restoreFolder() throws(StoreCacheError) {
        guard !folder.isAt(path) || !lock.isAt("\(path)/\(Self.lockName)") else { return }
        state = .unknown
        (folder, lock) = try Self.open(path)
    }

    private func append(_ record: [UInt8], to current: inout Current) throws(SystemError) {
        if current.journalSize == nil {
            let header = JournalFormat.header(snapshot: current.snapshotDigest)
            try folder.replace(Self.journalName, with: header, mode: Self.fileMode)
            current.journalSize = Int64(header.count)
        }
        let journal: GrowingFile
        if let open = current.journal {
            journal = open
        } else {
            journal = try folder.grow(Self.journalName)
            // A record that was not written to its end.
            if let size = current.journalSize, journal.size != size { try journal.cut(to: size) }
        }
        try journal.append(record)
        current.journal = journal
        current.journalSize = journal.size
    }

    private func writeSnapshot(_ image: StoreImage) throws(SystemError) {
        let before = state
        state = .unknown
        var written: (digest: [UInt8], size: Int)?
        do throws(SystemError) {
            try folder.replace(Self.snapshotName, mode: Self.fileMode) { (put) throws(SystemError) in
                written = try SnapshotFormat.write(image, program: program, to: put)
            }
        } catch {
            // A journal that has everything is continued, if its snapshot is surely the one on disk.
            if case .current(let current) = before, current.position == image.position,
                error.call != "fsync", error.call != "rename"
            {
                state = before
            }
            throw error
        }
        guard let written else { return }
        // The journal of the snapshot before says by its digest that it belongs to that one.
        state = .current(
            Current(
                position: image.position, snapshotDigest: written.digest, snapshotSize: written.size, journalSize: nil))
    }
}
