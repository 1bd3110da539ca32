import Diagnostics
import FuzzingSupport
import SiteStore
import Testing

@Suite("The files of a cache")
struct CacheFormatTests {
    private func read(_ snapshot: [UInt8], _ journal: [UInt8]?) throws -> (image: [UInt8], whole: Int?) {
        var contents = try SnapshotFormat.read(snapshot, path: "snapshot")
        let whole = try journal.flatMap { try JournalFormat.replay($0, path: "journal", onto: &contents) }
        return (try SampleStore.bytes(contents.image), whole)
    }

    @Test("what is written is read again, with all that is served besides")
    func roundTrip() throws {
        let bytes = try SampleStore.bytes(SampleStore.image(), program: "1.2.3")
        let contents = try SnapshotFormat.read(bytes, path: "snapshot")
        #expect(contents.program == "1.2.3" && contents.size == bytes.count)
        #expect(contents.image.position == SampleStore.position(3))
        #expect(contents.image.files.count == 5 && contents.image.contentBytes == 16)
        let wildcard = StoreFileKey(domain: "*.c.example", name: "assetlinks.json")
        #expect(contents.image.files[wildcard]?.contents?.bytes == Array("bad".utf8))
        #expect(contents.image.served[wildcard]?.contents?.bytes == Array("good".utf8))
        #expect(contents.image.refused.map(\.domain) == ["d.example"])
        #expect(contents.image.certificates["a.example"] == SampleStore.certificate("a.example"))
        #expect(contents.image.servedCertificates == ["c.example": SampleStore.certificate("c.example")])
        let linted = StoreFileKey(domain: "b.example", name: "apple-app-site-association")
        #expect(contents.image.files[linted]?.lint == #"{"ignore":[]}"#)
        #expect(contents.image.files[linted]?.publishedAt == 1_767_225_600_000_003)
        #expect(try SampleStore.bytes(contents.image, program: "1.2.3") == bytes)
    }

    @Test("equal contents are written once")
    func once() throws {
        var image = StoreImage(SampleStore.position(0))
        let text = String(repeating: "x", count: 1_000)
        image.apply(
            StoreChanges(
                position: SampleStore.position(1), isComplete: true,
                files: (0..<50).map { SampleStore.file("s\($0).example", text) }))
        #expect(try SampleStore.bytes(image).count < 6_000)
    }

    @Test("a snapshot with any byte changed, missing or added is refused, by its name")
    func snapshots() throws {
        let (snapshot, _, _, _) = try SampleStore.history()
        for index in snapshot.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = snapshot
                changed[index] ^= change
                let error = #expect(throws: StoreCacheDamage.self) { try read(changed, nil) }
                #expect(error?.path == "snapshot")
            }
            #expect(throws: StoreCacheDamage.self) { try read(Array(snapshot.prefix(index)), nil) }
        }
        #expect(throws: StoreCacheDamage.self) { try read(snapshot + [0], nil) }
    }

    @Test("a journal that ends anywhere has all records that are whole")
    func truncation() throws {
        let (snapshot, journal, ends, images) = try SampleStore.history()
        for count in 0...journal.count {
            let (image, whole) = try read(snapshot, Array(journal.prefix(count)))
            let records = ends.lastIndex { $0 <= count } ?? 0
            #expect(image == images[records], "\(count) bytes")
            #expect(whole == (count < ends[0] ? 0 : ends[records]), "\(count) bytes")
        }
    }

    @Test("zeros after the last record, as after a loss of power, are no record", arguments: [1, 8, 31, 40, 4_096])
    func zeros(count: Int) throws {
        let (snapshot, journal, ends, images) = try SampleStore.history()
        for (end, image) in zip(ends, images) {
            let found = try read(snapshot, Array(journal.prefix(end)) + [UInt8](repeating: 0, count: count))
            #expect(found.image == image && found.whole == end)
        }
        // The last record has got its length, and not its last bytes.
        var last = journal
        for index in (journal.count - min(40, count))..<journal.count { last[index] = 0 }
        if count >= 40 { #expect(try read(snapshot, last).image == images[images.count - 2]) }
    }

    @Test("a journal with any byte changed is refused, by its name")
    func flips() throws {
        let (snapshot, journal, _, _) = try SampleStore.history()
        for index in journal.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = journal
                changed[index] ^= change
                let error = #expect(throws: StoreCacheDamage.self, "byte \(index)") { try read(snapshot, changed) }
                #expect(error?.path == "journal")
            }
        }
    }

    @Test("records that are missing, twice, or in another order are refused")
    func order() throws {
        let (snapshot, journal, ends, _) = try SampleStore.history()
        let records = zip(ends, ends.dropFirst()).map { Array(journal[$0..<$1]) }
        let header = Array(journal.prefix(ends[0]))
        for order in [[1], [0, 0], [0, 2], [1, 0], [0, 1, 3], [0, 1, 2, 3, 3]] {
            let changed = header + order.flatMap { records[$0] }
            #expect(throws: StoreCacheDamage.self, "\(order)") { try read(snapshot, changed) }
        }
    }

    @Test("the journal of an earlier snapshot has nothing to say about this one")
    func earlier() throws {
        let (snapshot, journal, _, images) = try SampleStore.history()
        let (image, whole) = try read(images[2], journal)
        #expect(image == images[2] && whole == nil)
        #expect(try read(snapshot, JournalFormat.header(snapshot: [UInt8](repeating: 7, count: 32))).image == snapshot)
    }

    @Test("numbers that are larger than the file take no memory")
    func numbers() throws {
        let snapshot = try SampleStore.bytes(StoreImage(SampleStore.position(0)))
        // Behind magic, format, program, store, generation and token there are five numbers and the digest.
        for number in 0..<5 {
            var changed = snapshot
            for index in 0..<4 { changed[snapshot.count - 52 + 4 * number + index] = 0xFF }
            let error = #expect(throws: StoreCacheDamage.self) { try read(changed, nil) }
            #expect(error?.problem == "a number is larger than the file")
        }
    }

    @Test("what is before a damaged record is kept")
    func beforeDamage() throws {
        let (snapshot, journal, ends, images) = try SampleStore.history()
        for index in journal.indices {
            var changed = journal
            changed[index] ^= 0x80
            var contents = try SnapshotFormat.read(snapshot, path: "snapshot")
            do throws(StoreCacheDamage) {
                _ = try JournalFormat.replay(changed, path: "journal", onto: &contents)
            } catch {
                let records = ends.lastIndex { $0 <= index } ?? 0
                #expect(try SampleStore.bytes(contents.image) == images[records], "byte \(index)")
            }
        }
    }

    @Test("a damaged cache is a finding that says what follows")
    func finding() throws {
        let error = #expect(throws: StoreCacheDamage.self) { try read([], nil) }
        #expect(
            error?.finding.description
                == "snapshot: warning: the cache is damaged: it is too short; all of it is ignored, and the store is read anew "
                + "[store-cache-damaged]")
    }
}
