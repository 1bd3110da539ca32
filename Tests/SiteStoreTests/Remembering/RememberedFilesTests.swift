import Foundation
import SiteStore
import TestSupport
import Testing

@Suite("Files that are remembered", .waiting)
struct RememberedFilesTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/state" }

    init() throws { folder = try TemporaryFolder() }

    private func key(_ domain: String) -> StoreFileKey { StoreFileKey(domain: domain, name: "assetlinks.json") }

    private func file(_ text: String, at time: Int64 = 1) -> RememberedFiles.File {
        RememberedFiles.File(digest: SampleStore.contents(text).digest, lastModified: time, loadedAt: time + 1)
    }

    private func remember(
        _ texts: [String: String], forgetting domains: [String] = [], all: [String: String] = [:],
        _ remembered: RememberedFiles
    ) throws {
        func files(_ texts: [String: String]) -> [StoreFileKey: RememberedFiles.File] {
            Dictionary(uniqueKeysWithValues: texts.map { (key($0), file($1)) })
        }
        try remembered.remember(files(texts), forgetting: domains.map(key)) {
            files(all)
        } bytes: { key in
            (texts[key.domain] ?? all[key.domain]).map { Array($0.utf8) }
        }
    }

    /// The texts of the files by their domains.
    private func read(_ remembered: RememberedFiles) throws -> [String: String] {
        var texts: [String: String] = [:]
        for (key, file) in try remembered.load() {
            let contents = try #require(try remembered.contents(file.digest))
            texts[key.domain] = String(decoding: contents.bytes, as: UTF8.self)
        }
        return texts
    }

    @Test("what is remembered is there after a restart, and what is forgotten is not")
    func restart() throws {
        var remembered: RememberedFiles? = try RememberedFiles(path)
        #expect(try remembered?.load().isEmpty == true)
        let all = ["a.example": "1", "b.example": "1", "*.c.example": "2"]
        try remember([:], all: all, #require(remembered))
        remembered = nil
        remembered = try RememberedFiles(path)
        #expect(try read(#require(remembered)) == all)
        try remember(["b.example": "3"], forgetting: ["a.example", "none.example"], #require(remembered))
        remembered = nil
        let again = try RememberedFiles(path)
        #expect(try read(again) == ["b.example": "3", "*.c.example": "2"])
        let time = try #require(try again.load()[key("b.example")])
        #expect(time.lastModified == 1 && time.loadedAt == 2)
        // No file has these bytes any more.
        #expect(try again.contents(SampleStore.contents("1").digest) == nil)
    }

    @Test("where the folder was removed, all is written again")
    func removed() throws {
        let remembered = try RememberedFiles(path)
        try remember([:], all: ["a.example": "1"], remembered)
        _ = try remembered.load()
        try FileManager.default.removeItem(atPath: path)
        try remember(["b.example": "2"], all: ["a.example": "1", "b.example": "2"], remembered)
        #expect(try read(remembered) == ["a.example": "1", "b.example": "2"])
    }

    @Test("a byte that changed is an error, and all is written again")
    func damage() throws {
        var remembered: RememberedFiles? = try RememberedFiles(path)
        try remember([:], all: ["a.example": "the text of a file"], #require(remembered))
        remembered = nil
        let file = URL(fileURLWithPath: "\(path)/last-good.db")
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data("the text of".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: file)
        let damaged = try RememberedFiles(path)
        let digest = try #require(try damaged.load()[key("a.example")]).digest
        let error = #expect(throws: DatabaseError.self) { try damaged.contents(digest) }
        #expect(error?.kind == .damaged && error?.path == file.path)
        try remember([:], all: ["b.example": "2"], damaged)
        #expect(try read(damaged) == ["b.example": "2"])
    }
}
