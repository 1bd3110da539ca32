import SiteStore
import Testing

@Suite("What a node takes over of a store")
struct StoreIntakeTests {
    /// The rows that are admitted, as numbers of the files that are offered.
    private func admitted(
        _ intake: inout StoreIntake, _ files: [(domain: String, text: String?)], size: Int? = nil, lint: Int = 0
    ) -> [Int] {
        files.indices.filter { index in
            let file = SampleStore.file(files[index].domain, files[index].text)
            return intake.admits(
                file.key, digest: file.contents?.digest, size: size ?? file.contents?.bytes.count ?? 0, lint: lint)
        }
    }

    private func image(_ domains: [String], _ text: String = "[]", lint: String? = nil) -> StoreImage {
        var image = StoreImage(SampleStore.position(0))
        image.apply(
            StoreChanges(
                position: SampleStore.position(1), isComplete: true,
                files: domains.map { SampleStore.file($0, text, lint: lint) }))
        return image
    }

    private func limits(_ sites: Int, bytes: Int = .max) -> StoreLimits {
        StoreLimits(sites: sites, bytes: bytes, fileBytes: 100)
    }

    @Test("sites beyond the limit are passed over, and those that are there change all the same")
    func sites() {
        var intake = StoreIntake(limits(3), image(["a.example", "b.example"]))
        let offered = ["c", "d", "b", "c", "e", "a"].map { (domain: "\($0).example", text: Optional("[1]")) }
        #expect(admitted(&intake, offered) == [0, 2, 3, 5])
        let omitted = intake.omitted
        #expect(omitted?.limit == .sites(3) && omitted?.first.domain == "d.example" && omitted?.files == 2)
    }

    @Test("the end of a file counts only where it is there")
    func ends() {
        var intake = StoreIntake(limits(1), image(["a.example"]))
        #expect(admitted(&intake, [("x.example", nil), ("a.example", nil), ("y.example", nil)]) == [1])
        #expect(intake.omitted == nil)
    }

    @Test("equal contents are counted once, and each row with its texts")
    func bytes() {
        // A row takes 320, and contents 96 bytes more than they have.
        var intake = StoreIntake(limits(100, bytes: 2 * 320 + 96 + 50), nil)
        let same = (0..<3).map { (domain: "s\($0).example", text: Optional("same")) }
        #expect(admitted(&intake, same, size: 50) == [0, 1])
        #expect(intake.omitted?.limit == .bytes(786) && intake.omitted?.first.domain == "s2.example")
        var texts = StoreIntake(limits(100, bytes: 1_000), nil)
        #expect(admitted(&texts, same, size: 50, lint: 200) == [0])
    }

    @Test("a change may take the room of what it replaces, and no more")
    func replacing() {
        let image = image(["a.example"], "0123456789", lint: "abc")
        #expect(image.fileMemory == 320 + 96 + 10 + 3)
        let limits = limits(100, bytes: image.fileMemory)
        for (size, isAdmitted) in [(10, true), (13, true), (14, false)] {
            var intake = StoreIntake(limits, image)
            #expect(admitted(&intake, [("a.example", "x")], size: size) == (isAdmitted ? [0] : []))
            #expect((intake.omitted == nil) == isAdmitted)
        }
        var intake = StoreIntake(limits, image)
        #expect(admitted(&intake, [("b.example", "0123456789")]).isEmpty)
    }

    @Test("what an image counts is what its files are, however they have changed")
    func counts() {
        var image = StoreImage(SampleStore.position(0))
        for number in 1...60 {
            let domain = "d\(number % 7).example"
            let text = number % 5 == 0 ? nil : "[\(number % 3)]"
            image.apply(
                StoreChanges(
                    position: SampleStore.position(Int64(number)), isComplete: number % 31 == 0,
                    files: [
                        SampleStore.file(
                            domain, text, name: number % 2 == 0 ? "a" : "b", lint: number % 4 == 0 ? "{}" : nil)
                    ]))
            let counts = Dictionary(image.files.keys.map { ($0.domain, 1) }, uniquingKeysWith: +)
            #expect(image.fileCounts == counts)
            let contents = Set(image.files.values.compactMap(\.contents?.digest)).count
            let lint = image.files.values.reduce(0) { $0 + ($1.lint?.utf8.count ?? 0) }
            #expect(image.fileMemory == image.files.count * 320 + contents * (96 + 3) + lint)
        }
    }

    @Test("changes that end files make room")
    func room() {
        let image = image(["a.example", "b.example"])
        func changes(_ files: [StoredFile], isComplete: Bool) -> StoreChanges {
            StoreChanges(position: SampleStore.position(2), isComplete: isComplete, files: files)
        }
        let (one, new) = (SampleStore.file("a.example", "[1]"), SampleStore.file("c.example", "[1]"))
        #expect(image.hasRoom(after: changes([one, new], isComplete: true)))
        #expect(!image.hasRoom(after: changes([one, new, SampleStore.file("b.example", "[]")], isComplete: true)))
        #expect(!image.hasRoom(after: changes([one, new], isComplete: false)))
        #expect(image.hasRoom(after: changes([one, SampleStore.file("b.example", nil)], isComplete: false)))
    }

    @Test("a file that is published again with its own contents changes no sum")
    func same() {
        let image = image(["a.example"], "0123456789")
        var intake = StoreIntake(limits(100, bytes: image.fileMemory + 10), image)
        #expect(admitted(&intake, Array(repeating: ("a.example", "0123456789"), count: 50)).count == 50)
        #expect(admitted(&intake, [("b.example", "x")]).isEmpty)
    }

    @Test("an image that is nearly full may lack files")
    func nearlyFull() {
        let image = image(["a.example", "b.example"])
        #expect(limits(2).mayOmit(from: image) && !limits(3).mayOmit(from: image))
        #expect(limits(9, bytes: 2_200_000).mayOmit(from: image))
        #expect(!limits(9, bytes: 3_000_000).mayOmit(from: image))
    }
}
