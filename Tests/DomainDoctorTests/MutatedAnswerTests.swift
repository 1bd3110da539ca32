import Fuzzing
import FuzzingSupport
import Testing

/// Answers from the network, which may be anything (doctor.md, sections 9 and 11).
@Suite("mutated answers")
struct MutatedAnswerTests {
    @Test("are judged and reported by the rules in every format", arguments: TestSeeds.of(1...1))
    func mutations(seed: UInt64) throws {
        var fuzzer = try DoctorFuzzer(seed: seed)
        for number in 0..<240 {
            let target = DoctorFuzzTarget.of(number)
            if let violation = fuzzer.check(target, number) {
                Issue.record("\(target.rawValue), input \(number): \(violation)")
            }
        }
        for outcome in ["header read", "header malformed", "http ok", "http error", "cdn ok", "google ok"] {
            #expect(fuzzer.outcomes[outcome, default: 0] > 0, "\(outcome)")
        }
    }
}
