import SiteStore
import Testing

@Suite("What a node holds of a store")
struct StoreImageTests {
    private func key(_ domain: String, _ name: String = "assetlinks.json") -> StoreFileKey {
        StoreFileKey(domain: domain, name: name)
    }

    @Test("files with equal bytes share them, and the bytes go with the last of them")
    func sharing() throws {
        var image = StoreImage(SampleStore.position(0))
        image.apply(
            StoreChanges(
                position: SampleStore.position(1), isComplete: true,
                files: (0..<100).map { SampleStore.file("s\($0).example", "[1,2,3]") }))
        #expect(image.files.count == 100 && image.contentBytes == 7)
        let contents = try #require(image.contents(ContentDigest(of: Array("[1,2,3]".utf8))))
        #expect(image.files.values.allSatisfy { $0.contents === contents })
        #expect(image.missing([contents.digest, ContentDigest(of: [])]) == [ContentDigest(of: [])])
        for number in 0..<100 {
            #expect(image.contentBytes == 7)
            image.apply(
                StoreChanges(
                    position: SampleStore.position(Int64(number) + 2), isComplete: false,
                    files: [SampleStore.file("s\(number).example", nil, version: 2)]))
        }
        #expect(image.files.isEmpty && image.contentBytes == 0)
        #expect(image.contents(contents.digest) == nil)
        #expect(image.memory == 0)
    }

    @Test("a file that is published again with its own bytes keeps them")
    func same() {
        var image = StoreImage(SampleStore.position(0))
        for version in 1...3 {
            image.apply(
                StoreChanges(
                    position: SampleStore.position(Int64(version)), isComplete: false,
                    files: [SampleStore.file("a.example", "[]", version: Int64(version))]))
        }
        #expect(image.contentBytes == 2 && image.files[key("a.example")]?.version == 3)
    }

    @Test("bytes under the digest of others do not take their place")
    func wrongDigest() {
        let good = SampleStore.contents("[]")
        let forged = StoredContents(digest: good.digest, bytes: Array("{}".utf8))
        func file(_ domain: String, _ contents: StoredContents) -> StoredFile {
            StoredFile(
                key: key(domain), version: 1, contents: contents, lint: nil, publishedAt: 0, generation: 1)
        }
        for order in [[good, forged], [forged, good]] {
            var image = StoreImage(SampleStore.position(0))
            image.apply(
                StoreChanges(
                    position: SampleStore.position(1), isComplete: true,
                    files: order.enumerated().map { file("s\($0).example", $1) }))
            #expect(image.contents(good.digest)?.bytes == good.bytes)
            #expect(image.files.values.filter { $0.contents?.isIntact == true }.count == 1)
        }
    }

    @Test("what is complete replaces everything, and changes replace what they name")
    func changes() {
        var image = SampleStore.image()
        SampleStore.settle(&image, after: SampleStore.changes[0])
        #expect(image.position == SampleStore.position(4))
        #expect(image.files.count == 5 && image.files[key("a.example")]?.version == 2)
        SampleStore.settle(&image, after: SampleStore.changes[1])
        #expect(image.files[key("b.example")] == nil && image.files[key("e.example")] != nil)
        #expect(image.certificates.keys.sorted() == ["b.example", "c.example"])
        #expect(image.servedCertificates.keys.sorted() == ["b.example", "c.example"])
        image.apply(
            StoreChanges(
                position: SampleStore.position(9), isComplete: true, files: [SampleStore.file("z.example", "[]")]))
        #expect(image.files.keys.map(\.domain) == ["z.example"])
        #expect(image.certificates.isEmpty && image.served.isEmpty && image.refused.isEmpty)
        #expect(image.servedCertificates.isEmpty)
        #expect(image.contentBytes == 2)
    }

    @Test("an older version is served until another one is current, or the file is removed")
    func served() {
        var image = SampleStore.image()
        #expect(image.served[key("*.c.example")]?.version == 1)
        #expect(image.refused == [key("d.example")])
        image.apply(
            StoreChanges(
                position: SampleStore.position(4), isComplete: false,
                files: [
                    SampleStore.file("*.c.example", "better", version: 3),
                    SampleStore.file("d.example", nil, version: 2),
                ]))
        #expect(image.served.isEmpty && image.refused.isEmpty)
        image.keepServed([SampleStore.file("gone.example", "[]")], refused: [key("gone.example")])
        #expect(image.served.isEmpty && image.refused.isEmpty)
    }

    @Test("a cache that was checked is not checked again, but for what was bad", arguments: [true, false])
    func updates(isChecked: Bool) {
        let image = SampleStore.image()
        let updates = image.updates(keys: nil, isChecked: isChecked)
        #expect(updates.count == (isChecked ? 2 : 1))
        #expect(updates[0].changes.isComplete && updates[0].isChecked == isChecked)
        #expect(updates.flatMap(\.changes.files).map(\.key).sorted() == image.files.keys.sorted())
        let doubtful = [key("*.c.example"), key("d.example")]
        #expect(updates[0].changes.files.contains { doubtful.contains($0.key) } == !isChecked)
        #expect(updates.last?.isChecked == false)
        #expect(updates.last?.olderVersions[doubtful[0]]?.map(\.version) == [1])
        #expect(updates[0].changes.certificates.map(\.name).sorted() == ["a.example", "c.example"])
        #expect(updates[0].olderCertificates == ["c.example": SampleStore.certificate("c.example")])
    }

    @Test("an older certificate is presented until another one is current, or the certificate is removed")
    func servedCertificates() {
        for certificate in [
            SampleStore.certificate("c.example", key: "k2"), SampleStore.certificate("c.example", isRemoved: true),
        ] {
            var image = SampleStore.image()
            let memory = image.memory
            image.apply(
                StoreChanges(position: SampleStore.position(4), isComplete: false, certificates: [certificate]))
            #expect(image.servedCertificates.isEmpty && image.memory < memory)
            image.keepServed([], certificates: [SampleStore.certificate("gone.example")])
            #expect(image.servedCertificates.isEmpty)
        }
    }

    @Test(
        "the history of a store is compared by store, generation and token",
        arguments: [
            (5, "token-5", nil, .unchanged), (5, "other", "other", .rewritten), (6, "token-6", "token-5", .behind),
            (6, "token-6", nil, .rewritten), (6, "token-6", "other", .rewritten), (4, "token-4", nil, .rewritten),
            (0, "token-0", nil, .rewritten),
        ] as [(Int64, String, String?, StoreHistory)])
    func histories(generation: Int64, token: String, atHeld: String?, history: StoreHistory) {
        let current = StorePosition(storeID: SampleStore.storeID, generation: generation, token: token)
        #expect(StoreHistory(held: SampleStore.position(5), current: current, token: atHeld) == history)
        let other = StorePosition(storeID: "other", generation: generation, token: token)
        #expect(StoreHistory(held: SampleStore.position(5), current: other, token: atHeld) == .rewritten)
    }

    @Test("nothing can have been another before the first change")
    func firstChange() {
        let held = SampleStore.position(0)
        #expect(StoreHistory(held: held, current: SampleStore.position(3), token: nil) == .behind)
        #expect(StoreHistory(held: held, current: held, token: nil) == .unchanged)
    }
}
