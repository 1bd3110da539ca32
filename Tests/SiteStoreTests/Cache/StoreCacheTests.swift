import Diagnostics
import Foundation
import FuzzingSupport
import SiteStore
import SystemSupport
import TestSupport
import Testing

@Suite("The folder of a cache", .waiting)
struct StoreCacheTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/var/store" }

    init() throws { folder = try TemporaryFolder() }

    /// Opens the cache when nobody has it any more: a program that another test starts has every open file until it runs.
    private func open(program: String = "1.0") throws -> StoreCache {
        var cache: StoreCache?
        _ = try Waiting.until {
            do throws(StoreCacheError) {
                cache = try StoreCache(path, program: program)
            } catch {
                guard case .inUse = error else { throw error }
            }
            return cache != nil
        }
        return try #require(cache)
    }

    private func size(_ name: String) -> Int64? { FileStatus(at: "\(path)/\(name)")?.stamp.size }

    private func permissions(_ name: String) -> UInt32? { FileStatus(at: "\(path)/\(name)")?.permissions }

    private func isRead(_ image: StoreImage, program: String = "1.0", isChecked: Bool = true) throws -> Bool {
        guard let contents = try open(program: program).read() else { return false }
        return try SampleStore.bytes(contents.image) == SampleStore.bytes(image) && contents.isChecked == isChecked
    }

    @Test("snapshot and changes are there after a restart, for the owner alone")
    func restart() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        #expect(try cache?.read() == nil && cache?.isBehind == true)
        try cache?.save(image)
        #expect(cache?.isBehind == false)
        let snapshot = size("snapshot")
        for change in SampleStore.changes.prefix(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(image, change)
        }
        #expect(size("snapshot") == snapshot && size("journal") ?? 0 > 0)
        for name in ["snapshot", "journal", "lock"] { #expect(permissions(name) == 0o600, "\(name)") }
        #expect(FileStatus(at: path)?.permissions == 0o700)
        cache = nil
        #expect(try isRead(image))
        // It is continued.
        cache = try open()
        _ = try cache?.read()
        for change in SampleStore.changes.dropFirst(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(image, change)
        }
        #expect(size("snapshot") == snapshot)
        cache = nil
        #expect(try isRead(image))
    }

    @Test("a folder that every user may write to is refused, and one that they may only read is not")
    func folderOfEverybody() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for permissions in [0o777, 0o1777, 0o702] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            #expect(throws: StoreCacheError.self) { try StoreCache(path, program: "1.0") }
            #expect(size("lock") == nil)
        }
        do throws(StoreCacheError) {
            _ = try StoreCache(path, program: "1.0")
        } catch {
            #expect(error.message.hasSuffix("every user may write to the folder; run 'chmod o-w' on it"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: path)
        _ = try open()
    }

    @Test("a cache of another version of the program is not continued, and has to be checked")
    func program() throws {
        var image = SampleStore.image()
        try open().save(image)
        #expect(try isRead(image, program: "2.0", isChecked: false))
        let cache = try open(program: "2.0")
        _ = try cache.read()
        SampleStore.settle(&image, after: SampleStore.changes[0])
        try cache.save(image, SampleStore.changes[0])
        #expect(size("journal") == nil)
        #expect(cache.isBehind == false)
    }

    @Test("a torn record is cut off before the next one")
    func torn() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(image)
        for change in SampleStore.changes.prefix(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(image, change)
        }
        cache = nil
        let whole = try #require(FileManager.default.contents(atPath: "\(path)/journal"))
        // The beginning of a record of 256 bytes.
        let torn = whole + Data([0, 0, 1, 0, 0xFF, 0xFF, 0xFE, 0xFF, 65, 66, 67])
        try torn.write(to: URL(fileURLWithPath: "\(path)/journal"))
        cache = try open()
        #expect(try cache?.read()?.image.position == image.position)
        SampleStore.settle(&image, after: SampleStore.changes[2])
        try cache?.save(image, SampleStore.changes[2])
        cache = nil
        #expect(try isRead(image))
    }

    @Test("a journal that is larger than a quarter of the snapshot, and than 1 MiB, becomes a snapshot")
    func folding() throws {
        var image = StoreImage(SampleStore.position(0))
        let cache = try open()
        try cache.save(image)
        let empty = try #require(size("snapshot"))
        var written: Int64 = 0
        for number in 1...40 {
            let text = "\(number)" + String(repeating: "x", count: 100_000)
            let change = StoreChanges(
                position: SampleStore.position(Int64(number)), isComplete: false,
                files: [SampleStore.file("s\(number).example", text)])
            image.apply(change)
            let before = size("journal") ?? 0
            try cache.save(image, change)
            written += max(0, (size("journal") ?? 0) - before)
            #expect(size("journal") ?? 0 <= 1 << 20 + 200_000)
        }
        #expect(size("snapshot") ?? 0 > empty + 2_000_000)
        // What is in the snapshot was not written for each change.
        #expect(written < 4_200_000)
        #expect(try SampleStore.bytes(#require(try cache.read()).image) == SampleStore.bytes(image))
    }

    @Test("changes that do not follow what is on disk are written with all the rest")
    func gaps() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(image)
        SampleStore.settle(&image, after: SampleStore.changes[0])
        SampleStore.settle(&image, after: SampleStore.changes[1])
        try cache?.save(image, SampleStore.changes[1])
        cache = nil
        #expect(try isRead(image))
    }

    @Test("one process has it at a time")
    func lock() throws {
        let cache = try open()
        let error = #expect(throws: StoreCacheError.self) { try StoreCache(path, program: "1.0") }
        #expect(error == .inUse(path: path))
        #expect(error?.message == "another process uses this cache; each node needs a folder of its own")
        _ = cache
    }

    @Test("a node keeps its digits, and gets others where the file is spoiled")
    func node() throws {
        var id = try open().nodeID()
        #expect(id.utf8.count == 8 && UInt32(id, radix: 16) != nil)
        #expect(try open().nodeID() == id)
        #expect(permissions("node-id") == 0o600)
        for text in ["", "xyz", "0123456g\n", "0123456789\n"] {
            try folder.write(text, to: "var/store/node-id")
            let other = try open().nodeID()
            #expect(other != id && other.utf8.count == 8)
            id = other
        }
    }

    @Test("one bad byte in the journal does not discard the snapshot and the records before it")
    func damagedJournal() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(image)
        var sizes: [Int64] = []
        for change in SampleStore.changes.prefix(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(image, change)
            sizes.append(try #require(size("journal")))
        }
        cache = nil
        let file = "\(path)/journal"
        var bytes = try #require(FileManager.default.contents(atPath: file))
        bytes[Int(sizes[0] + sizes[1]) / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        cache = try open()
        var damages: [StoreCacheDamage] = []
        let contents = try #require(try cache?.read { damages.append($0) })
        #expect(contents.isChecked && contents.image.position == SampleStore.changes[0].position)
        #expect(damages.map(\.path) == [file] && damages.first?.isPartial == true)
        #expect(damages.first?.finding.message.hasSuffix("newer changes are read from the store") == true)
        // Nothing is appended to what is damaged.
        try cache?.save(image, SampleStore.changes[1])
        cache = nil
        #expect(try isRead(image))
    }

    @Test("damage of a snapshot is named by its file, and the next image is written over it")
    func damage() throws {
        let name = "snapshot"
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(image)
        SampleStore.settle(&image, after: SampleStore.changes[0])
        try cache?.save(image, SampleStore.changes[0])
        cache = nil
        let file = "\(path)/\(name)"
        var bytes = try #require(FileManager.default.contents(atPath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        cache = try open()
        let error = #expect(throws: StoreCacheDamage.self) { try cache?.read() }
        #expect(error?.path == file)
        try cache?.save(image)
        cache = nil
        #expect(try isRead(image))
    }

    @Test("a folder that was removed is made again", arguments: [true, false])
    func removed(isAll: Bool) throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(image)
        try FileManager.default.removeItem(atPath: isAll ? path : "\(path)/lock")
        SampleStore.settle(&image, after: SampleStore.changes[0])
        try cache?.save(image, SampleStore.changes[0])
        #expect(throws: StoreCacheError.inUse(path: path)) { try StoreCache(path, program: "1.0") }
        cache = nil
        #expect(try isRead(image))
    }

    @Test("something else in the place of the folder, or of its files, is an error that names the reason")
    func obstacles() throws {
        try folder.write("", to: "var/store")
        let error = #expect(throws: StoreCacheError.self) { try StoreCache(path, program: "1.0") }
        #expect(error?.message == "the cache cannot be written: file exists")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: "\(path)/snapshot/x", withIntermediateDirectories: true)
        let cache = try open()
        #expect(throws: StoreCacheDamage.self) { try cache.read() }
        let failure = #expect(throws: StoreCacheError.self) { try cache.save(SampleStore.image()) }
        #expect(failure?.finding.description.hasSuffix("[store-cache-unwritable]") == true)
        #expect(cache.isBehind)
        try FileManager.default.removeItem(atPath: "\(path)/snapshot")
        try cache.save(SampleStore.image())
        #expect(!cache.isBehind)
    }
}

@Suite("The cache on a full disk", .waitingApart)
struct FullDiskTests {
    /// Runs something while no file may be larger than so many bytes, which is an error like a full disk.
    private func limited<Result>(to size: Int, _ body: () throws -> Result) rethrows -> Result {
        var before = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
        var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: before.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
        return try body()
    }

    @Test("what was there stays whole, and all is written when there is room")
    func full() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/store"
            var image = SampleStore.image()
            let cache = try StoreCache(path, program: "1.0")
            try cache.save(image)
            SampleStore.settle(&image, after: SampleStore.changes[0])
            try cache.save(image, SampleStore.changes[0])
            let files = ["snapshot", "journal"].map { "\(path)/\($0)" }
            let before = files.map { FileManager.default.contents(atPath: $0) }
            let size = try #require(before[1]?.count)
            SampleStore.settle(&image, after: SampleStore.changes[1])
            // The first time a record does not fit behind the others; then not the whole, either.
            for room in [20, 0, 40] {
                let error = limited(to: size + room) {
                    #expect(throws: StoreCacheError.self) { try cache.save(image, SampleStore.changes[1]) }
                }
                #expect(error?.message == "the cache cannot be written: file too large")
                #expect(cache.isBehind)
                #expect(files.map { FileManager.default.contents(atPath: $0) } == before)
                #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3)
            }
            try cache.save(image)
            #expect(!cache.isBehind)
            let read = try #require(try cache.read())
            #expect(try SampleStore.bytes(read.image) == SampleStore.bytes(image))
        }
    }
}
