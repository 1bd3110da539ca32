import Diagnostics
import Foundation
import FuzzingSupport
import SiteStore
import TestSupport
import Testing

/// The files of a cache in which anything can be changed.
private struct CacheFiles {
    let folder: TemporaryFolder
    /// The database once it was closed, and while it is open, with the log that has all changes but the first image.
    let closed: Data
    let open: Data
    let log: Data
    /// The image before and after each of the changes.
    let images: [[String]]

    init() throws {
        folder = try TemporaryFolder()
        var image = SampleStore.image()
        var images = [SampleStore.lines(image)]
        var cache: StoreCache? = try StoreCache("\(folder.path)/made", program: "1.0")
        try cache?.save(&image)
        cache = nil
        cache = try StoreCache("\(folder.path)/made", program: "1.0")
        image = try #require(try cache?.read()).image
        for change in SampleStore.changes {
            SampleStore.settle(&image, after: change)
            try cache?.save(&image)
            images.append(SampleStore.lines(image))
        }
        let made = "\(folder.path)/made"
        open = try Data(contentsOf: URL(fileURLWithPath: "\(made)/cache.db"))
        log = try Data(contentsOf: URL(fileURLWithPath: "\(made)/cache.db-wal"))
        cache = nil
        closed = try Data(contentsOf: URL(fileURLWithPath: "\(made)/cache.db"))
        self.images = images
    }

    /// The image that is read of such files; nil if they have none.
    func read(_ database: Data, log: Data? = nil) throws -> [String]? {
        let path = "\(folder.path)/read"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, bytes) in [("cache.db", database), ("cache.db-wal", log)] {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            try bytes?.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
        return try StoreCache(path, program: "1.0").read().map { SampleStore.lines($0.image) }
    }

    /// Whether files are read as one of the images that once were, or refused as damaged.
    func isSound(_ database: Data, log: Data? = nil) throws -> Bool {
        do {
            // What is shorter than a page is empty for SQLite.
            guard let image = try read(database, log: log) else { return database.count < 512 }
            return images.contains(image)
        } catch let error as DatabaseError {
            return error.kind == .damaged && error.path.hasSuffix("/read/cache.db") && !error.reason.isEmpty
        }
    }
}

@Suite("Caches that are damaged", .waiting)
struct DamagedCacheTests {
    @Test("what is written is read again, and of a cache that is as it was, nothing is damaged")
    func whole() throws {
        let files = try CacheFiles()
        #expect(try files.read(files.closed) == files.images.last)
        #expect(try files.read(files.open, log: files.log) == files.images.last)
        #expect(try files.read(files.open) == files.images.first)
    }

    @Test("a database with any byte changed is read as it was, or refused", arguments: TestSeeds.of(1...2))
    func flips(seed: UInt64) throws {
        let files = try CacheFiles()
        var random = SplitMix64(seed: seed)
        var refused = 0
        // Each byte of the header of the file, and some of each page.
        for index in Array(0..<100) + (0..<900).map({ _ in random.number(below: files.closed.count) }) {
            var changed = files.closed
            changed[index] ^= UInt8(1 << random.number(below: 8))
            #expect(try files.isSound(changed), "byte \(index)")
            if (try? files.read(changed)) == nil { refused += 1 }
        }
        // Most bytes are between rows.
        #expect(refused > 40)
    }

    @Test("every byte of the contents and of each column counts")
    func columns() throws {
        let files = try CacheFiles()
        let texts = ["apple-app-site-association", "e.example", "[1]", "-----BEGIN", "ca.example.net", "token-8"]
        for text in texts {
            let range = try #require(files.closed.range(of: Data(text.utf8)))
            for index in range {
                var changed = files.closed
                changed[index] ^= 1
                let error = #expect(throws: DatabaseError.self, "\(text) \(index)") { try files.read(changed) }
                #expect(error?.kind == .damaged)
            }
        }
    }

    @Test("a database that ends early, or is another file, is refused")
    func truncation() throws {
        let files = try CacheFiles()
        for count in stride(from: 1, to: files.closed.count, by: 509) {
            #expect(try files.isSound(files.closed.prefix(count)), "\(count) bytes")
        }
        #expect(try files.read(Data()) == nil)
        for other in [Data("AASASNAP".utf8), Data(repeating: 0, count: 8_192), Data(repeating: 0xFF, count: 8_192)] {
            #expect(try files.isSound(other))
        }
    }

    @Test("a log that ends anywhere, or has a byte changed, leaves one of the states that once were")
    func log() throws {
        let files = try CacheFiles()
        var found: Set<[String]> = []
        for count in stride(from: 0, through: files.log.count, by: 311) {
            let image = try #require(try files.read(files.open, log: files.log.prefix(count)))
            #expect(files.images.contains(image), "\(count) bytes")
            found.insert(image)
        }
        #expect(found.count > 2)
        for index in stride(from: 0, to: files.log.count, by: 97) {
            var changed = files.log
            changed[index] ^= 0x80
            #expect(try files.isSound(files.open, log: changed), "byte \(index)")
        }
        // A log of another database is nothing to this one.
        #expect(try files.isSound(files.closed, log: files.log))
    }

    @Test("a damaged cache is a finding that says what follows, and the next image is written over it")
    func finding() throws {
        let files = try CacheFiles()
        let path = "\(files.folder.path)/made/cache.db"
        var bytes = files.closed
        let range = try #require(bytes.range(of: Data("token-8".utf8)))
        bytes[range.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let cache = try StoreCache("\(files.folder.path)/made", program: "1.0")
        let error = #expect(throws: DatabaseError.self) { try cache.read() }
        #expect(
            error?.readingFinding.description
                == "\(path): warning: the cache is damaged: the checksum of a row does not match; all of it is ignored, and "
                + "the store is read anew [store-cache-damaged]")
        var image = SampleStore.image()
        try cache.save(&image)
        #expect(try cache.read().map { SampleStore.lines($0.image) } == files.images.first)
    }
}
