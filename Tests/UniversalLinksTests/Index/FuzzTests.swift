import Fuzzing
import FuzzingSupport
import Testing

@Suite("Random documents")
struct FuzzTests {
    // `make fuzz` compares for seconds what takes a debug build minutes.
    @Test("the index decides like the plain loop", arguments: TestSeeds.of(1...2))
    func fuzz(seed: UInt64) throws {
        var fuzzer = RouterFuzzer(seed: seed)
        while fuzzer.decisions < 400 {
            if let difference = try fuzzer.round(urls: 25) {
                Issue.record("after \(fuzzer.decisions) decisions: \(difference)")
                return
            }
        }
    }
}
