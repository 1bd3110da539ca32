import Testing
import aasa_bench

@Suite("Random documents")
struct FuzzTests {
    @Test("the index decides like the plain loop", arguments: 1...4 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        var fuzzer = Fuzzer(seed: seed)
        while fuzzer.decisions < 400 {
            if let difference = try fuzzer.round(urls: 25) {
                Issue.record("seed \(seed), after \(fuzzer.decisions) decisions: \(difference)")
                return
            }
        }
    }
}
