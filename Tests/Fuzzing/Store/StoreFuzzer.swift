import FuzzingSupport
import OpenSSL
import SiteStore
import SystemSupport

/// The files that a node of a store reads.
package enum StoreFuzzTarget: String, CaseIterable, Sendable {
    case snapshot, journal, keyFile

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
        case .snapshot: return try checkSnapshot(&random)
        case .journal: return try checkJournal(&random)
        case .keyFile: return checkKeyFile(&random)
        }
    }

    private mutating func checkSnapshot(_ random: inout SplitMix64) throws -> String? {
        var bytes = random.pick(history.snapshots)
        // Most mutations would end at the checksum: some files get a right one, and must at least do no harm.
        let isSealed = random.chance(30)
        if isSealed { bytes.removeLast(32) }
        mutate(&bytes, &random)
        if isSealed { bytes += SHA256Digest.hash(bytes) }
        do throws(StoreCacheDamage) {
            let contents = try SnapshotFormat.read(bytes, path: "snapshot")
            let again = try StoreFuzzHistory.bytes(contents.image)
            outcomes["snapshot read", default: 0] += 1
            if isSealed {
                let second = try? SnapshotFormat.read(again, path: "snapshot")
                return second?.image.files.count == contents.image.files.count ? nil : "an image that changes"
            }
            return history.snapshots.contains(bytes) ? nil : "a damaged snapshot that is read"
        } catch {
            outcomes["snapshot refused", default: 0] += 1
            return error.problem.isEmpty ? "no reason" : nil
        }
    }

    private mutating func checkJournal(_ random: inout SplitMix64) throws -> String? {
        var bytes = history.journal
        mutate(&bytes, &random)
        do throws(StoreCacheDamage) {
            var contents = try SnapshotFormat.read(history.snapshots[0], path: "snapshot")
            let whole = try JournalFormat.replay(bytes, path: "journal", onto: &contents)
            let image = try StoreFuzzHistory.bytes(contents.image)
            outcomes[image == history.snapshots.last ? "journal read" : "journal read in part", default: 0] += 1
            if let whole, whole > 0, !bytes.prefix(whole).elementsEqual(history.journal.prefix(whole)) {
                return "a damaged record that is read"
            }
            return history.snapshots.contains(image) ? nil : "an image that never was"
        } catch {
            outcomes["journal refused", default: 0] += 1
            return error.problem.isEmpty ? "no reason" : nil
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

/// A cache as it was after each of some changes.
private struct StoreFuzzHistory {
    /// The images, as snapshots.
    let snapshots: [[UInt8]]
    /// The changes that lead from the first of them to the last.
    let journal: [UInt8]

    static func bytes(_ image: StoreImage) throws(StoreCacheDamage) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            _ = try SnapshotFormat.write(image, program: "1.0") { (piece) throws(SystemError) in bytes += piece }
        } catch {
            throw StoreCacheDamage(path: "snapshot", problem: error.description)
        }
        return bytes
    }

    init() throws {
        var image = StoreImage(Self.position(0))
        image.apply(
            StoreChanges(
                position: Self.position(1), isComplete: true,
                files: [Self.file("a.example", "[]"), Self.file("*.b.example", "[]"), Self.file("c.example", "bad")],
                certificates: [Self.certificate("a.example", 1)]))
        image.keepServed([Self.file("c.example", "{}")])
        var snapshots = [try Self.bytes(image)]
        var journal = JournalFormat.header(snapshot: Array(snapshots[0].suffix(32)))
        for number in 2...5 as ClosedRange<Int64> {
            let changes = StoreChanges(
                position: Self.position(number), isComplete: false,
                files: [
                    Self.file("a.example", number == 4 ? nil : "[\(number)]"), Self.file("d\(number).example", "[]"),
                ], certificates: number == 3 ? [Self.certificate("b.example", number)] : [])
            let held = image.position
            image.apply(changes)
            if number == 5 {
                image.keepServed([Self.file("a.example", "[2]")], refused: [Self.file("d5.example", "").key])
            }
            journal += JournalFormat.record(changes, after: held, in: image)
            snapshots.append(try Self.bytes(image))
        }
        self.snapshots = snapshots
        self.journal = journal
    }

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
