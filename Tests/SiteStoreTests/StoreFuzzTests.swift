import Fuzzing
import FuzzingSupport
import Testing

@Suite("Caches and key files of any kind")
struct StoreFuzzTests {
    @Test("nothing damaged is taken, and no key is shown", arguments: TestSeeds.of(1...3))
    func files(seed: UInt64) throws {
        var fuzzer = try StoreFuzzer(seed: seed)
        for number in 0..<900 {
            let violation = try fuzzer.check(StoreFuzzTarget.of(number), number)
            #expect(violation == nil, "file \(number)")
        }
    }
}
