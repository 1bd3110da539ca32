import AssociationServer
import Testing

@Suite("Waiting until changes have come to rest")
struct DebouncerTests {
    /// When it is time to look, for changes at these times.
    @Test(
        "it is time 200 ms after the last change, and 2 s after the first one at the latest",
        arguments: [
            ([], nil), ([0], 200), ([1_000, 1_150], 1_350), ([0, 199, 398], 598),
            (Array(stride(from: 0, through: 1_900, by: 100)), 2_000), ([5, 1_990], 2_005),
        ] as [([Int64], Int64?)])
    func due(changes: [Int64], expected: Int64?) {
        var debouncer = Debouncer(quiet: 200, longest: 2_000)
        for time in changes { debouncer.changed(at: time) }
        #expect(debouncer.due == expected)
    }

    @Test("after a look it begins again")
    func reset() {
        var debouncer = Debouncer(quiet: 200, longest: 2_000)
        debouncer.changed(at: 0)
        debouncer.reset()
        #expect(debouncer.due == nil)
        debouncer.changed(at: 5_000)
        #expect(debouncer.due == 5_200)
    }
}
