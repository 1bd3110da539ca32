import ArgumentParser
import Fuzzing
import FuzzingSupport

struct HTTP2Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http2",
        abstract: "Give HTTP/2 sessions mutated sequences of frames.",
        discussion: """
            Exits with 1 at the first sequence that is answered against the rules, or takes more than two seconds of CPU \
            time. A crash is a crash; 'http2-fuzz-latest' then holds the options that repeat it.
            """
    )

    @Argument(help: "How many sequences.")
    var count: Int

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the sequence of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        let latest = try LatestInput("http2-fuzz-latest")
        var fuzzer = try HTTP2Fuzzer(seed: start.seed)
        let begin = ProcessTime.nanoseconds
        for number in from..<from + count {
            latest.set("aasa-fuzz http2 1 --seed \(start.seed) --from \(number)")
            let start = ProcessTime.nanoseconds
            var violation = fuzzer.check(number)
            let time = ProcessTime.nanoseconds - start
            if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
            if let violation {
                print("seed \(self.start.seed), sequence \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) sequences, no violation, \(count * 1_000_000_000 / time) a second")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}
