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
            do throws(DatabaseError) {
                cache = try StoreCache(path, program: program)
            } catch {
                guard error.kind == .inUse else { throw error }
            }
            return cache != nil
        }
        return try #require(cache)
    }

    private func size(_ name: String) -> Int64? { FileStatus(at: "\(path)/\(name)")?.stamp.size }

    private func permissions(_ name: String) -> UInt32? { FileStatus(at: "\(path)/\(name)")?.permissions }

    private func isRead(_ image: StoreImage, program: String = "1.0", isChecked: Bool = true) throws -> Bool {
        guard let contents = try open(program: program).read() else { return false }
        return SampleStore.lines(contents.image) == SampleStore.lines(image) && contents.isChecked == isChecked
    }

    @Test("an image and its changes are there after a restart, for the owner alone")
    func restart() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        #expect(try cache?.read() == nil)
        try cache?.save(&image)
        for change in SampleStore.changes.prefix(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(&image)
        }
        for name in ["cache.db", "cache.db-wal", "lock"] { #expect(permissions(name) == 0o600, "\(name)") }
        #expect(FileStatus(at: path)?.permissions == 0o700)
        cache = nil
        #expect(try isRead(image))
        // It is continued.
        cache = try open()
        image = try #require(try cache?.read()).image
        for change in SampleStore.changes.dropFirst(2) {
            SampleStore.settle(&image, after: change)
            try cache?.save(&image)
        }
        cache = nil
        #expect(try isRead(image))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["cache.db", "lock"])
    }

    @Test("a file whose bytes are not those of its digest stays refused, without them")
    func foreignBytes() throws {
        var image = SampleStore.image()
        let bad = StoredContents(digest: ContentDigest(of: [1]), bytes: [2])
        let key = StoreFileKey(domain: "bad.example", name: "assetlinks.json")
        let file = StoredFile(key: key, version: 1, contents: bad, lint: nil, publishedAt: 1, generation: 4)
        image.apply(StoreChanges(position: SampleStore.position(4), isComplete: false, files: [file]))
        image.keepServed([], refused: [key])
        var cache: StoreCache? = try open()
        try cache?.save(&image)
        cache = nil
        let read = try #require(try open().read()).image
        #expect(read.refused.contains(key) && read.files.count == 6)
        #expect(read.files[key]?.contents?.digest == bad.digest && read.files[key]?.contents?.isIntact == false)
    }

    @Test("equal contents are written once, and what no file has any more is away")
    func contents() throws {
        var image = StoreImage(SampleStore.position(0))
        let text = String(repeating: "x", count: 1_000)
        image.apply(
            StoreChanges(
                position: SampleStore.position(1), isComplete: true,
                files: (0..<50).map { SampleStore.file("s\($0).example", text) }))
        var cache: StoreCache? = try open()
        try cache?.save(&image)
        func count() throws -> Int {
            let bytes = try #require(FileManager.default.contents(atPath: "\(path)/cache.db"))
            return String(decoding: bytes, as: UTF8.self).components(separatedBy: text).count - 1
        }
        cache = nil
        #expect(try count() == 1 && size("cache.db") ?? 0 < 65_536)
        cache = try open()
        image = try #require(try cache?.read()).image
        for number in 0..<50 {
            let file = SampleStore.file("s\(number).example", number == 7 ? nil : "other", version: 2)
            image.apply(
                StoreChanges(position: SampleStore.position(Int64(number + 2)), isComplete: false, files: [file]))
            try cache?.save(&image)
        }
        cache = nil
        let read = try #require(try open().read()).image
        #expect(SampleStore.lines(read) == SampleStore.lines(image))
        #expect(read.contents(ContentDigest(of: Array(text.utf8))) == nil && read.files.count == 49)
    }

    @Test("changes by the thousand leave neither a long log nor a large file")
    func size() throws {
        var image = SampleStore.image()
        let cache = try open()
        try cache.save(&image)
        for number in 1...2_000 {
            let text = "\(number)" + String(repeating: "x", count: 3_000)
            let file = SampleStore.file("a.example", text, version: Int64(number))
            image.apply(
                StoreChanges(position: SampleStore.position(Int64(number + 3)), isComplete: false, files: [file]))
            try cache.save(&image)
        }
        #expect(size("cache.db") ?? 0 < 1 << 17 && size("cache.db-wal") ?? 0 < 1 << 23)
        #expect(try cache.read().map { SampleStore.lines($0.image) } == SampleStore.lines(image))
    }

    @Test("a cache of an earlier format is away, and that is told")
    func oldFormat() throws {
        try folder.write("AASASNAP", to: "var/store/snapshot")
        try folder.write("AASAJRNL", to: "var/store/journal")
        #expect(try open().hasReplacedOldFormat)
        #expect(size("snapshot") == nil && size("journal") == nil)
        #expect(try !open().hasReplacedOldFormat)
    }

    @Test("a folder that every user may write to is refused, and one that they may only read is not")
    func folderOfEverybody() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for permissions in [0o777, 0o1777, 0o702] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            #expect(throws: DatabaseError.self) { try StoreCache(path, program: "1.0") }
            #expect(size("lock") == nil)
        }
        do throws(DatabaseError) {
            _ = try StoreCache(path, program: "1.0")
        } catch {
            #expect(error.cacheMessage.hasSuffix("every user may write to the folder; run 'chmod o-w' on it"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: path)
        _ = try open()
    }

    @Test("a cache of another version of the program has to be checked, and is then written anew")
    func program() throws {
        var image = SampleStore.image()
        try open().save(&image)
        #expect(try isRead(image, program: "2.0", isChecked: false))
        let cache = try open(program: "2.0")
        image = try #require(try cache.read()).image
        SampleStore.settle(&image, after: SampleStore.changes[0])
        try cache.save(&image)
        #expect(try cache.read()?.isChecked == true)
    }

    @Test("changes that were not saved one by one are all there")
    func gaps() throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(&image)
        SampleStore.settle(&image, after: SampleStore.changes[0])
        SampleStore.settle(&image, after: SampleStore.changes[1])
        try cache?.save(&image)
        cache = nil
        #expect(try isRead(image))
    }

    @Test("one process has it at a time")
    func lock() throws {
        let cache = try open()
        let error = #expect(throws: DatabaseError.self) { try StoreCache(path, program: "1.0") }
        #expect(error?.kind == .inUse && error?.path == path)
        #expect(error?.cacheMessage == "another process uses this cache; each node needs a folder of its own")
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

    @Test("a folder that was removed is made again, and so is its database", arguments: ["", "/lock", "/cache.db"])
    func removed(name: String) throws {
        var image = SampleStore.image()
        var cache: StoreCache? = try open()
        try cache?.save(&image)
        try FileManager.default.removeItem(atPath: path + name)
        SampleStore.settle(&image, after: SampleStore.changes[0])
        try cache?.save(&image)
        let error = #expect(throws: DatabaseError.self) { try StoreCache(path, program: "1.0") }
        #expect(error?.kind == .inUse)
        cache = nil
        #expect(try isRead(image))
    }

    @Test("something else in the place of the folder, or of its files, is an error that names the reason")
    func obstacles() throws {
        try folder.write("", to: "var/store")
        let error = #expect(throws: DatabaseError.self) { try StoreCache(path, program: "1.0") }
        #expect(error?.cacheMessage == "the cache cannot be written: file exists")
        try FileManager.default.removeItem(atPath: path)
        let database = "\(path)/cache.db"
        try FileManager.default.createDirectory(atPath: "\(database)/x", withIntermediateDirectories: true)
        let cache = try open()
        var image = SampleStore.image()
        func expectFailure() {
            let unread = #expect(throws: DatabaseError.self) { try cache.read() }
            #expect(unread?.readingFinding.message.contains("cannot be read: '\(database)' is not a") == true)
            let failure = #expect(throws: DatabaseError.self) { try cache.save(&image) }
            #expect(failure?.writingFinding.description.hasSuffix("[store-cache-unwritable]") == true)
        }
        expectFailure()
        try FileManager.default.removeItem(atPath: database)
        // A link is not followed.
        try folder.write("", to: "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: "\(folder.path)/elsewhere")
        expectFailure()
        #expect(FileManager.default.contents(atPath: "\(folder.path)/elsewhere") == Data())
        try FileManager.default.removeItem(atPath: database)
        try cache.save(&image)
        #expect(try cache.read().map { SampleStore.lines($0.image) } == SampleStore.lines(image))
    }
}

@Suite("The cache on a full disk", .waitingApart)
struct FullDiskTests {
    /// Runs something while no file may be larger than this, which is an error like a full disk.
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
            try cache.save(&image)
            SampleStore.settle(&image, after: SampleStore.changes[0])
            try cache.save(&image)
            let before = SampleStore.lines(image)
            let log = try #require(FileManager.default.contents(atPath: "\(path)/cache.db-wal"))
            SampleStore.settle(&image, after: SampleStore.changes[1])
            for room in [0, 20, 40, 4_200, 8_300] {
                let error = limited(to: log.count + room) {
                    #expect(throws: DatabaseError.self) { try cache.save(&image) }
                }
                #expect(error?.cacheMessage == "the cache cannot be written: file too large")
                #expect(try cache.read().map { SampleStore.lines($0.image) } == before)
            }
            try cache.save(&image)
            #expect(try cache.read().map { SampleStore.lines($0.image) } == SampleStore.lines(image))
        }
    }

    @Test("a cache is read, and whole, where nothing can be written at all")
    func reading() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/store"
            var image = SampleStore.image()
            var cache: StoreCache? = try StoreCache(path, program: "1.0")
            try cache?.save(&image)
            cache = nil
            try limited(to: 0) {
                cache = try StoreCache(path, program: "1.0")
                #expect(try cache?.read().map { SampleStore.lines($0.image) } == SampleStore.lines(image))
                SampleStore.settle(&image, after: SampleStore.changes[0])
                #expect(throws: DatabaseError.self) { try cache?.save(&image) }
            }
            try cache?.save(&image)
            #expect(try cache?.read().map { SampleStore.lines($0.image) } == SampleStore.lines(image))
        }
    }
}
