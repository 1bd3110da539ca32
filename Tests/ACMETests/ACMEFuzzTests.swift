import Fuzzing
import FuzzingSupport
import Testing

@Suite("Answers of any kind")
struct ACMEFuzzTests {
    @Test("no answer of a CA is taken against the rules", arguments: TestSeeds.of(1...3))
    func answers(seed: UInt64) throws {
        var fuzzer = try ACMEFuzzer(seed: seed)
        for number in 0..<400 {
            let violation = fuzzer.check(ACMEFuzzTarget.of(number), number)
            #expect(violation == nil, "answer \(number)")
        }
    }
}
