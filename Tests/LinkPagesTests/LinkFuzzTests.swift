import Fuzzing
import FuzzingSupport
import Testing

@Suite("Links of any kind, and requests for them")
struct LinkFuzzTests {
    @Test("no capture changes where a target leads, and every file has an answer", arguments: TestSeeds.of(1...3))
    func inputs(seed: UInt64) {
        var fuzzer = LinkFuzzer(seed: seed)
        for number in 0..<600 {
            let violation = fuzzer.check(LinkFuzzTarget.of(number), number)
            #expect(violation == nil, "input \(number)")
        }
        #expect((fuzzer.outcomes["redirect"] ?? 0) > 1_000)
    }
}
