import SiteStore
import Testing

@Suite("Changes that end many sites")
struct MassRemovalTests {
    @Test(
        "more than 10 and more than a tenth are many",
        arguments: [
            (10, 10, false), (11, 11, true), (11, 109, true), (11, 110, false), (199, 2_000, false), (201, 2_000, true),
        ])
    func limits(sites: Int, total: Int, isMass: Bool) { #expect(MassRemoval.isMass(sites, of: total) == isMass) }

    private static func first(_ counts: [(Int64?, Int)], _ confirmed: Int64? = nil) -> MassRemoval? {
        let generations = counts.flatMap { Array(repeating: $0.0, count: $0.1) }
        return MassRemoval.first(of: generations, total: 100, confirmed: confirmed, last: 50)
    }

    @Test("each change counts by itself, and what is confirmed does not")
    func changes() {
        #expect(Self.first((1...60).map { (Int64($0), 1) }) == nil)
        let removal = MassRemoval(sites: 20, of: 100, generation: 7, isDated: true)
        #expect(Self.first([(7, 20), (8, 10)]) == removal)
        #expect(Self.first([(7, 20), (5, 30)]) == removal)
        #expect(Self.first([(7, 20), (5, 30)], 7) == nil)
        #expect(Self.first([(7, 20), (5, 30)], 6) == removal)
        // What the store never had ends by a change that nobody can date.
        #expect(Self.first([(nil, 20)], 7) == MassRemoval(sites: 20, of: 100, generation: 50, isDated: false))
        #expect(Self.first([(nil, 20), (7, 20)]) == removal)
    }

    @Test("the sites that end are those without any file", arguments: [true, false])
    func ended(isComplete: Bool) {
        var image = StoreImage(SampleStore.position(0))
        let domains = (0..<20).map { "d\($0).example" }
        let files = domains.map { SampleStore.file($0, "[]") } + [SampleStore.file("d3.example", "[]", name: "a")]
        image.apply(StoreChanges(position: SampleStore.position(1), isComplete: true, files: files))
        var changes = StoreChanges(position: SampleStore.position(2), isComplete: isComplete)
        changes.files = [SampleStore.file("new.example", "[]"), SampleStore.file("d4.example", "[1]", version: 2)]
        if isComplete {
            changes.files += [SampleStore.file("d3.example", "[]", name: "a")]
        } else {
            changes.files += domains.filter { $0 != "d4.example" }.map { SampleStore.file($0, nil, version: 2) }
        }
        #expect(image.domainsEnded(by: changes) == Set(domains).subtracting(["d3.example", "d4.example"]))
    }
}
