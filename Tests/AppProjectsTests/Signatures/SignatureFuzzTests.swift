import Fuzzing
import FuzzingSupport
import Testing

@Suite("Mutated signatures of apps")
struct SignatureFuzzTests {
    @Test("are read or refused, and nothing else", arguments: TestSeeds.of(1...4))
    func mutated(seed: UInt64) throws {
        var fuzzer = try SignatureFuzzer(seed: seed)
        for number in 0..<500 { #expect(fuzzer.check(SignatureFuzzTarget.of(number), number) == nil, "\(number)") }
        for target in SignatureFuzzTarget.allCases {
            let outcomes = fuzzer.outcomes.keys.filter { $0.hasPrefix("\(target.rawValue) ") }
            #expect(outcomes.count > 1, "\(target.rawValue)")
        }
    }
}
