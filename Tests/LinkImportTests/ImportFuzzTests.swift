import Fuzzing
import FuzzingSupport
import Testing

@Suite("Exports and answers of any kind")
struct ImportFuzzTests {
    @Test("what is written has no errors, and nobody else is asked", arguments: TestSeeds.of(1...3))
    func inputs(seed: UInt64) {
        var fuzzer = ImportFuzzer(seed: seed)
        for number in 0..<1_500 {
            let violation = fuzzer.check(ImportFuzzTarget.of(number), number)
            #expect(violation == nil, "input \(number)")
        }
        #expect(fuzzer.outcomes.count == 4, "\(fuzzer.outcomes)")
    }
}
