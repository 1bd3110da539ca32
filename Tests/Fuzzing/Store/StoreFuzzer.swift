import Foundation
import FuzzingSupport
import OpenSSL
import SiteStore
import SystemSupport

/// The files that a node of a store reads.
package enum StoreFuzzTarget: String, CaseIterable, Sendable {
    case database, log, keyFile

    package static func of(_ number: Int) -> StoreFuzzTarget { allCases[number % allCases.count] }
}

/// Gives the readers of the cache and of the key file mutated input.
///
/// Whatever is read of a damaged cache is what was once true; no message shows anything of a key file.
package struct StoreFuzzer {
    private let seed: UInt64
    private let history: StoreFuzzHistory
    private let keyFiles: [[UInt8]]
    /// The numbers of files that were read as they are, read in part, and refused.
    package private(set) var outcomes: [String: Int] = [:]

    package init(seed: UInt64) throws {
        self.seed = seed
        history = try StoreFuzzHistory()
        let digits = String(repeating: "0123456789abcdef", count: 4)
        keyFiles = [
            "k20261101 \(digits)\n", "# keys\n\nk2 \(digits)\r\nk1\t\(digits.uppercased()) # old\n",
            (0..<20).map { "key-\($0) \(digits)\n" }.joined(),
        ].map { Array($0.utf8) }
    }

    /// - Returns: what was read against the rules; nil if nothing was.
    package mutating func check(_ target: StoreFuzzTarget, _ number: Int) throws -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        switch target {
        case .database: return try checkCache(history.closed, nil, &random)
        case .log: return try checkCache(history.open, history.log, &random)
        case .keyFile: return checkKeyFile(&random)
        }
    }

    /// Changes the log of a database that was open when its process was killed, or else the database.
    private mutating func checkCache(
        _ database: [UInt8], _ log: [UInt8]?, _ random: inout SplitMix64
    ) throws -> String? {
        var changed = log ?? database
        mutate(&changed, &random)
        try history.write(log == nil ? changed : database, log == nil ? nil : changed)
        do throws(DatabaseError) {
            guard let contents = try history.cache().read() else {
                outcomes["nothing to read", default: 0] += 1
                return nil
            }
            let lines = StoreFuzzHistory.lines(contents.image)
            outcomes[lines == history.images.last ? "read" : "read as it was before", default: 0] += 1
            return history.images.contains(lines) ? nil : "an image that never was"
        } catch {
            outcomes["refused", default: 0] += 1
            return error.kind == .damaged && !error.reason.isEmpty ? nil : "no reason: \(error)"
        }
    }

    private mutating func checkKeyFile(_ random: inout SplitMix64) -> String? {
        var bytes = random.pick(keyFiles)
        mutate(&bytes, &random)
        do throws(StoreKeyFileError) {
            let ring = try StoreKeyFile.parse(bytes, path: "keys")
            outcomes["key file read", default: 0] += 1
            let names = Set(ring.keys.map(\.id))
            let isSound =
                !ring.keys.isEmpty && names.count == ring.keys.count
                && ring.keys.allSatisfy { $0.secret.count == 32 && (1...32).contains($0.id.utf8.count) }
            return isSound ? nil : "keys that cannot be used"
        } catch {
            outcomes["key file refused", default: 0] += 1
            // No word of a message is of hexadecimal digits alone but numbers of lines and characters.
            let words = error.description.split { !$0.isLetter && !$0.isNumber }
            return words.contains { $0.count > 6 && $0.allSatisfy(\.isHexDigit) } ? "a message with a key" : nil
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        for _ in 0..<random.number(0...3) {
            guard !bytes.isEmpty else { return bytes.append(random.byte()) }
            let index = random.number(below: bytes.count)
            let end = min(bytes.count, index + random.number(1...64))
            switch random.number(0...7) {
            case 0: bytes[index] ^= 1 << UInt8(random.number(below: 8))
            case 1: bytes[index] = random.byte()
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(contentsOf: bytes[index..<end], at: random.number(below: bytes.count))
            case 4: bytes.removeLast(bytes.count - index)
            case 5: for place in index..<end { bytes[place] = random.chance(50) ? 0 : 0xFF }
            case 6: bytes.append(contentsOf: [UInt8](repeating: 0, count: random.number(1...64)))
            default: bytes.insert(random.byte(), at: index)
            }
        }
    }
}

/// A cache as it was after each of some changes, in a folder that goes with it.
private final class StoreFuzzHistory: Sendable {
    /// The images that the cache had.
    let images: [[String]]
    /// The database once it was closed, and as it is while it is open, with its log.
    let closed: [UInt8]
    let open: [UInt8]
    let log: [UInt8]
    private let path: String

    /// All that an image has, in an order.
    static func lines(_ image: StoreImage) -> [String] {
        let files = [image.files, image.served].map { files in
            files.values.map { "\($0.path) \($0.contents?.bytes ?? []) \($0.generation)" }.sorted()
        }
        let certificates = [image.certificates, image.servedCertificates].map { $0.values.map { "\($0)" }.sorted() }
        return ["\(image.position)", "\(image.refused.sorted())"] + (files + certificates).flatMap { ["-"] + $0 }
    }

    init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/aasa-fuzz-store-\(UUID().uuidString)"
        var image = StoreImage(Self.position(0))
        image.apply(
            StoreChanges(
                position: Self.position(1), isComplete: true,
                files: [Self.file("a.example", "[]"), Self.file("*.b.example", "[]"), Self.file("c.example", "bad")],
                certificates: [Self.certificate("a.example", 1)]))
        image.keepServed([Self.file("c.example", "{}")])
        var images = [Self.lines(image)]
        var cache: StoreCache? = try StoreCache(path, program: "1.0")
        try cache?.save(&image)
        cache = nil
        cache = try StoreCache(path, program: "1.0")
        image = try cache?.read()?.image ?? image
        for number in 2...5 as ClosedRange<Int64> {
            image.apply(
                StoreChanges(
                    position: Self.position(number), isComplete: false,
                    files: [
                        Self.file("a.example", number == 4 ? nil : "[\(number)]"),
                        Self.file("d\(number).example", "[]"),
                    ], certificates: number == 3 ? [Self.certificate("b.example", number)] : []))
            if number == 5 {
                image.keepServed([Self.file("a.example", "[2]")], refused: [Self.file("d5.example", "").key])
            }
            try cache?.save(&image)
            images.append(Self.lines(image))
        }
        let folder = try OpenFolder(path)
        (open, log) = (try folder.read("cache.db", limit: 1 << 20), try folder.read("cache.db-wal", limit: 1 << 20))
        cache = nil
        closed = try folder.read("cache.db", limit: 1 << 20)
        self.images = images
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Puts a database there, and its log.
    func write(_ database: [UInt8], _ log: [UInt8]?) throws {
        let folder = try OpenFolder(path)
        for name in ["cache.db", "cache.db-wal", "cache.db-journal"] { folder.remove(name) }
        for (name, bytes) in [("cache.db", database), ("cache.db-wal", log)] {
            guard let bytes else { continue }
            try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
    }

    func cache() throws(DatabaseError) -> StoreCache { try StoreCache(path, program: "1.0") }

    private static func position(_ generation: Int64) -> StorePosition {
        StorePosition(storeID: "store", generation: generation, token: "token-\(generation)")
    }

    private static func file(_ domain: String, _ text: String?) -> StoredFile {
        let bytes = text.map { Array($0.utf8) }
        return StoredFile(
            key: StoreFileKey(domain: domain, name: "assetlinks.json"), version: 1,
            contents: bytes.map { StoredContents(digest: ContentDigest(of: $0), bytes: $0) }, lint: nil, publishedAt: 1,
            generation: 1)
    }

    private static func certificate(_ name: String, _ generation: Int64) -> StoredCertificate {
        StoredCertificate(
            name: name, chain: "-----BEGIN CERTIFICATE-----\n", keyID: "k1", sealedKey: [1, 2, 3], source: .acme,
            authority: generation % 2 == 0 ? nil : "https://ca.example.net/dir", generation: generation,
            isRemoved: false)
    }
}
