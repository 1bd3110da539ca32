import Fuzzing
import Testing

struct HTTP2FuzzTests {
    @Test("mutated sequences of frames are answered by the rules")
    func sequences() throws {
        var fuzzer = try HTTP2Fuzzer(seed: 1)
        for number in 0..<800 {
            let violation = fuzzer.check(number)
            #expect(violation == nil, "seed 1, sequence \(number)")
            if violation != nil { break }
        }
        // All ends are reached.
        for outcome in ["requests", "refused", "open", "ended", "ended with an error"] {
            #expect(fuzzer.outcomes[outcome, default: 0] > 0, "\(outcome)")
        }
    }
}
