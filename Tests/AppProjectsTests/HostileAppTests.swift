import AppProjects
import AppSamples
import Foundation
import Fuzzing
import FuzzingSupport
import TestSupport
import Testing

@Suite("Hostile --app files")
struct HostileAppTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private static let domains = Array("com.apple.developer.associated-domains".utf8)

    /// Objects around a list: 0 is the root with the key of the domains, 1 the key, 2 the value.
    private static func list(_ value: [UInt8], _ others: [[UInt8]] = []) -> [UInt8] {
        let root = SamplePropertyList.head(0xD, 1) + [0, 1, 0, 2]
        return SamplePropertyList.file([root, SamplePropertyList.head(0x5, domains.count) + domains, value] + others)
    }

    private static func array(_ references: [Int]) -> [UInt8] {
        SamplePropertyList.head(0xA, references.count) + references.flatMap { SamplePropertyList.big($0, 2) }
    }

    /// Checks that a file is refused or read within a second.
    private func check(_ bytes: [UInt8], seconds: Double = 2) throws -> AppProjectError? {
        let path = try app.folder.write(Data(bytes), to: "file")
        let start = ThreadTime.now
        let failure = app.failure(path)
        // In a debug build; what is not bounded takes minutes.
        #expect(ThreadTime.now - start < .seconds(seconds * 20 * Double(Patience.slowness)))
        return failure
    }

    @Test("120,000 nested arrays are nothing to a reader that does not follow them")
    func nestedArrays() throws {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for number in 0..<120_000 {
            offsets.append(bytes.count)
            bytes += [0xA1] + SamplePropertyList.big(number + 1, 4)
        }
        offsets.append(bytes.count)
        bytes += [0xA0]
        let table = bytes.count
        for offset in offsets { bytes += SamplePropertyList.big(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4] + SamplePropertyList.big(offsets.count, 8) + SamplePropertyList.big(0, 8)
        bytes += SamplePropertyList.big(table, 8)
        #expect(try check(bytes)?.message.hasPrefix("not an entitlements file") == true)
    }

    @Test("a bomb of arrays that refer to arrays is not expanded")
    func arrayBomb() throws {
        let levels = (0..<30).map { Self.array([Int](repeating: $0 + 4, count: 10)) }
        let bytes = Self.list(Self.array([Int](repeating: 3, count: 10)), levels + [[0xA0]])
        #expect(bytes.count < 2_000)
        #expect(try check(bytes) == nil)
    }

    @Test("objects that refer to themselves end")
    func cycles() throws {
        #expect(try check(Self.list(Self.array([2, 2, 0]))) == nil)
        #expect(try check(SamplePropertyList.file([Self.array([0])])) != nil)
        #expect(try check(SamplePropertyList.file([SamplePropertyList.head(0xD, 1) + [0, 0, 0, 0]])) == nil)
    }

    @Test("one long string that thousands refer to is not copied for each")
    func sharedStrings() throws {
        let long = SamplePropertyList.head(0x5, 1 << 20) + [UInt8](repeating: 0x61, count: 1 << 20)
        let many = Self.array([Int](repeating: 3, count: 5_000))
        #expect(try check(Self.list(many, [long]))?.message.contains("more than 1,024 bytes") == true)
        let short = SamplePropertyList.head(0x5, 1_024) + [UInt8](repeating: 0x61, count: 1_024)
        #expect(try check(Self.list(many, [short])) == nil)
        #expect(try check(Self.list(Self.array([Int](repeating: 3, count: 5_001)), [short])) != nil)
    }

    @Test("offsets and counts beyond the end are refused")
    func offsets() throws {
        let good = Self.list(Self.array([3]), [SamplePropertyList.head(0x5, 5) + Array("a.com".utf8)])
        #expect(try check(good) == nil)
        for offset in (good.count - 32)..<good.count {
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = good
                bytes[offset] = value
                _ = try check(bytes)
            }
        }
        for count in good.indices { #expect(try check(Array(good[..<count])) != nil, "\(count)") }
        for value in [
            [0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8), [0xAF, 0x12, 0x7F, 0xFF, 0xFF, 0xFF], [0xAF],
        ] {
            #expect(try check(Self.list(value)) != nil)
        }
        #expect(try check(Self.list(Self.array([999]))) != nil)
    }

    @Test("signatures and executables that lie about themselves are refused")
    func executables() throws {
        let good = SampleExecutable(Array(SampleApp.entitlements(["applinks:a.com"]).utf8)).bytes
        func failure(_ executable: [UInt8]) throws -> AppProjectError? {
            try check(SampleApp.archive(executable: executable).bytes)
        }
        #expect(try failure(good) == nil)
        for count in stride(from: 0, to: good.count, by: 61) {
            #expect(try failure(Array(good[..<count])) != nil, "\(count)")
        }
        #expect(try failure(Array("#!/bin/sh\n".utf8))?.message == "'Shop' is not an executable for Apple's systems")
        // A class file of Java.
        #expect(try failure([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52] + [UInt8](repeating: 0, count: 64)) != nil)
        var far = SampleExecutable.fat([SampleExecutable(nil)], isWide: true)
        far.replaceSubrange(16..<24, with: [0x7F] + [UInt8](repeating: 0xFF, count: 7))
        #expect(try failure(far)?.message == "the executable is larger than 320 MiB")
    }

    @Test("an archive with entries that grow without end is left after its limit")
    func archiveBombs() throws {
        var archive = SampleArchive()
        archive.add("Payload/Shop.app/Info.plist", .zeros(1 << 28))
        #expect(try check(archive.bytes)?.message == "an entry is larger than 4 MiB")
        archive = SampleArchive()
        archive.add("Payload/Shop.app/Info.plist", SampleApp.info())
        archive.add("Payload/Shop.app/Shop", .zeros(1 << 28))
        #expect(try check(archive.bytes)?.message == "'Shop' is not an executable for Apple's systems")
        archive = SampleApp.archive(executable: SampleExecutable(nil).bytes)
        archive.entries.removeAll { $0.name.elementsEqual("Payload/Shop.app/embedded.mobileprovision".utf8) }
        archive.add("Payload/Shop.app/embedded.mobileprovision", .zeros(1 << 28))
        #expect(try check(archive.bytes)?.message == "an entry is larger than 4 MiB")
    }

    @Test("large files of one thing are read or refused in bounded time")
    func largeFiles() throws {
        let size = (4 << 20) - 200
        func filled(_ start: String, _ unit: String, _ end: String) -> [UInt8] {
            Array(
                (start + String(repeating: unit, count: (size - start.utf8.count - end.utf8.count) / unit.utf8.count)
                    + end).utf8)
        }
        let key = "<plist><dict><key>com.apple.developer.associated-domains</key><array>"
        #expect(try check(filled(key, "<string>a</string>", "</array></dict></plist>")) != nil)
        #expect(try check(filled("\(key)<string>applinks:", "a.", "</string></array></dict></plist>")) == nil)
        #expect(try check(filled("<manifest><application>", "<activity/>", "</application></manifest>")) != nil)
        _ = try check(filled(#"{"expo":["#, "[],", "1]}"))
        _ = try check(filled("// !$*UTF8*$!\n{objects={", "a={isa=XCBuildConfiguration;};", "};}"))
        _ = try check(filled("// !$*UTF8*$!\n{a=(", "\"\\U12\",", ");}"))
    }

    @Test("mutated files of every kind are read or refused, and judged", arguments: TestSeeds.of(1...2))
    func mutations(seed: UInt64) throws {
        var fuzzer = try AppFuzzer(seed: seed, folder: app.path)
        for number in 0..<400 {
            if let violation = try fuzzer.check(AppFuzzTarget.of(number), number) {
                Issue.record("input \(number): \(violation)")
            }
        }
        let inputs = fuzzer.outcomes.filter { $0.key.hasSuffix(" read") || $0.key.hasSuffix(" refused") }
        #expect(inputs.values.reduce(0, +) == 400)
    }
}
