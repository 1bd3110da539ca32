import AppProjects
import AppSamples
import Foundation
import FuzzingSupport
import SystemSupport
import TestSupport
import Testing

@Suite("Zip archives")
struct ZipArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ bytes: [UInt8]) throws -> ZipArchive {
        try ZipArchive(path: try folder.write(Data(bytes), to: UUID().uuidString))
    }

    /// Why an archive or its first entry cannot be read; nil if it can.
    private func failure(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> String? {
        let path = try folder.write(Data(bytes), to: "archive")
        do throws(ZipError) {
            let archive = try ZipArchive(path: path)
            for index in 0..<archive.count { _ = try archive.read(index, limit: limit) }
            return nil
        } catch {
            switch error {
            case .unusable(let reason), .tooLarge(let reason): return reason
            case .unreadable(let error): return error.reason
            case .missingLibrary(let library): return library.description
            }
        }
    }

    private static let sample: SampleArchive = {
        var archive = SampleArchive()
        archive.add("a", Array("one".utf8))
        archive.entries.append(([0x62, 0xFC], .stored(Array("two".utf8))))
        archive.add("zeros", .zeros(100_000))
        archive.add("empty", [])
        return archive
    }()

    @Test("entries are found by their bytes and read")
    func entries() throws {
        let archive = try open(Self.sample.bytes)
        #expect(archive.count == 4)
        #expect(
            (0..<4).map { archive.name($0) } == [
                Array("a".utf8), [0x62, 0xFC], Array("zeros".utf8), Array("empty".utf8),
            ])
        #expect(archive.name(4) == nil && archive.name(-1) == nil)
        #expect(try archive.read(0, limit: 3) == Array("one".utf8))
        #expect(try archive.read(1, limit: 100) == Array("two".utf8))
        #expect(try archive.read(2, limit: 1 << 20) == [UInt8](repeating: 0, count: 100_000))
        #expect(try archive.read(3, limit: 0) == [])
        #expect(throws: ZipError.self) { try archive.read(4, limit: 1) }
    }

    @Test("an entry outlives the one who opened the archive")
    func lifetime() throws {
        let entry = try ZipEntry(0, of: try open(Self.sample.bytes))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try entry.read(into: buffer) == 2)
        #expect(try entry.read(into: buffer) == 1)
        #expect(try entry.read(into: buffer) == 0)
    }

    @Test(
        "what Info-ZIP writes is read",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zip"), "needs zip"))
    func infoZip() throws {
        let text = String(repeating: "Bücher und mehr\n", count: 5_000)
        try folder.write(text, to: "Payload/a.txt")
        let outcome = try Shell.run(["zip", "-q", "-r", "b.zip", "Payload"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let archive = try ZipArchive(path: "\(folder.path)/b.zip")
        let index = try #require((0..<archive.count).first { archive.name($0) == Array("Payload/a.txt".utf8) })
        #expect(try archive.read(index, limit: 1 << 20) == Array(text.utf8))
    }

    @Test("an entry is read up to a limit, whatever the archive says about its size")
    func bomb() throws {
        var archive = SampleArchive()
        archive.add("bomb", .zeros(1 << 30))
        let bytes = archive.bytes
        #expect(bytes.count < 1 << 23)
        // To unpack all of it takes several seconds.
        let start = ThreadTime.now
        #expect(try failure(bytes, limit: 1 << 20) == "an entry is larger than 1 MiB")
        #expect(ThreadTime.now - start < .seconds(2 * Patience.slowness))
        archive = SampleArchive()
        archive.add("lie", .raw(Array("long content".utf8), method: 0, size: 3))
        #expect(try failure(archive.bytes)?.hasPrefix("the archive is damaged") == true)
    }

    @Test("only entries that are stored or deflated are read", arguments: [1, 9, 12, 14, 93, 95])
    func methods(method: Int) throws {
        var archive = SampleArchive()
        archive.add("a", .raw([1, 2, 3], method: method, size: 3))
        #expect(try failure(archive.bytes)?.contains("compressed in an unsupported way") == true)
    }

    @Test("encrypted entries are not read", arguments: [SampleArchive.Encryption.traditional, .aes])
    func encryption(_ encryption: SampleArchive.Encryption) throws {
        var archive = SampleArchive()
        archive.add("a", .encrypted([UInt8](repeating: 7, count: 40), encryption))
        #expect(try failure(archive.bytes)?.hasPrefix("an entry is encrypted") == true)
    }

    @Test("a directory that says too much of itself is refused before it is read")
    func directories() throws {
        let tooLarge = "the directory of the archive is larger than 16 MiB"
        let tooSmall = "the archive is damaged: its directory is smaller than its entries"
        #expect(try failure(SampleArchive.end(entries: 1, size: (16 << 20) + 1, offset: 0)) == tooLarge)
        #expect(try failure(SampleArchive.end(entries: 60_000, size: 100, offset: 0)) == tooSmall)
        let missing = "the archive is damaged: its directory cannot be found"
        #expect(try failure(SampleArchive.end(entries: 1, size: 9 << 20, offset: 0)) == missing)
        #expect(try failure(SampleArchive.end(entries: 1, size: 46, offset: 0xFFFF_FFFF)) == missing)
        // The wide form: 2^40 entries.
        func wide(entries: Int, size: Int) -> [UInt8] {
            let record =
                [0x50, 0x4B, 6, 6] + SampleArchive.little(44, 8) + [45, 0, 45, 0] + [UInt8](repeating: 0, count: 8)
                + SampleArchive.little(entries, 8) + SampleArchive.little(entries, 8) + SampleArchive.little(size, 8)
                + SampleArchive.little(0, 8)
            let locator = [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + SampleArchive.little(0, 8) + [1, 0, 0, 0]
            return record + locator + SampleArchive.end(entries: 0xFFFF, size: 0xFFFF_FFFF, offset: 0xFFFF_FFFF)
        }
        #expect(try failure(wide(entries: 1 << 40, size: 1 << 50)) == tooLarge)
        #expect(try failure(wide(entries: 1 << 40, size: 1 << 20)) == tooSmall)
        #expect(try failure(wide(entries: .max, size: .max)) != nil)
    }

    @Test("names that are equal, or that a table would mix up, cost nothing")
    func collidingNames() throws {
        // The first two characters of a pair make the same sum in the function that many tables use.
        let names = (0..<20_000).map { number in
            (0..<16).flatMap { number >> $0 & 1 == 1 ? [0x61, 0x42] : [0x62, 0x21] as [UInt8] }
        }
        var directory: [UInt8] = []
        for name in names + names {
            directory += [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24) + SampleArchive.little(name.count, 2)
            directory += [UInt8](repeating: 0, count: 16) + name
        }
        let archive = try open(directory + SampleArchive.end(entries: 40_000, size: directory.count, offset: 0))
        let start = ThreadTime.now
        #expect(archive.count == 40_000 && archive.name(39_999) == names.last)
        #expect(ThreadTime.now - start < .seconds(2 * Patience.slowness))
    }

    @Test("an archive after something else, with a comment, or in the wide form is read")
    func forms() throws {
        let bytes = Self.sample.bytes
        let comment = Array("a comment with PK\u{5}\u{6} in it, which is not the end".utf8)
        let commented = Array(bytes[..<(bytes.count - 2)]) + SampleArchive.little(comment.count, 2) + comment
        for form in [bytes, Array("#!/bin/sh\n".utf8) + bytes, commented, try wide(bytes)] {
            let archive = try open(form)
            #expect(archive.count == 4)
            #expect(try archive.read(1, limit: 100) == Array("two".utf8))
            #expect(try archive.read(2, limit: 1 << 20).count == 100_000)
        }
    }

    /// The archive with an end of the directory in the wide form.
    private func wide(_ bytes: [UInt8]) throws -> [UInt8] {
        let end = Array(bytes.suffix(22))
        let (size, offset) = (Array(end[12..<16]), Array(end[16..<20]))
        let zeros = [0, 0, 0, 0] as [UInt8]
        let record =
            [0x50, 0x4B, 6, 6] + SampleArchive.little(44, 8) + [45, 0, 45, 0] + zeros + zeros
            + SampleArchive.little(4, 8) + SampleArchive.little(4, 8) + size + zeros + offset + zeros
        let locator = [0x50, 0x4B, 6, 7] + zeros + SampleArchive.little(bytes.count - 22, 8) + [1, 0, 0, 0]
        return Array(bytes[..<(bytes.count - 22)]) + record + locator
            + SampleArchive.end(entries: 0xFFFF, size: 0xFFFF_FFFF, offset: 0xFFFF_FFFF)
    }

    @Test("an entry that is not what the directory says is damaged, and never longer")
    func lies() throws {
        var archive = SampleArchive()
        archive.add("a", .zeros(100_000))
        let bytes = archive.bytes
        let record = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        for (offset, value) in [
            (16, 1), (20, 50), (20, 1 << 30), (24, 99_999), (24, 100_001), (24, 0), (42, 1), (42, 1 << 30),
        ] {
            var bytes = bytes
            bytes.replaceSubrange(record + offset..<record + offset + 4, with: SampleArchive.little(value, 4))
            #expect(try failure(bytes)?.hasPrefix("the archive is damaged: ") == true, "\(offset) \(value)")
        }
    }

    @Test("an archive that is cut off anywhere, or has no directory, is refused")
    func truncated() throws {
        let bytes = Self.sample.bytes
        #expect(try failure(bytes) == nil)
        for count in bytes.indices { #expect(try failure(Array(bytes[..<count])) != nil, "\(count)") }
        #expect(try failure([UInt8](repeating: 0, count: 1_000)) == "the archive is damaged: it has no directory")
    }

    @Test("mutated archives are read or refused, and nothing else", arguments: TestSeeds.of(1...2))
    func mutations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let original = Self.sample.bytes
        var refused = 0
        for _ in 0..<1_000 {
            var bytes = original
            for _ in 0...random.number(below: 4) { bytes[random.number(below: bytes.count)] = random.byte() }
            if try failure(bytes) != nil { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test("a folder, a pipe and a missing file are not archives")
    func files() throws {
        for path in [folder.path, "\(folder.path)/missing", "/dev/null"] {
            #expect(throws: ZipError.self) { _ = try ZipArchive(path: path) }
        }
    }
}
