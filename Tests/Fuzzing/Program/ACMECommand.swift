import ArgumentParser
import Fuzzing
import FuzzingSupport

struct ACMECommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acme",
        abstract: "Read mutated answers of a CA, and hold conversations with one that says anything.",
        discussion: """
            Exits with 1 at the first answer that is taken against the rules, or that takes more than two seconds of CPU \
            time. A crash is a crash; the same seed repeats it.
            """
    )

    @Argument(help: "How many answers.")
    var count: Int

    @Option(help: "Give them to this reader (default: to all in turn).")
    var target: ACMEFuzzTarget?

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the answer of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        var fuzzer = try ACMEFuzzer(seed: start.seed)
        let begin = ProcessTime.nanoseconds
        for number in from..<from + count {
            let start = ProcessTime.nanoseconds
            var violation = fuzzer.check(target ?? ACMEFuzzTarget.of(number), number)
            let time = ProcessTime.nanoseconds - start
            if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
            if let violation {
                print("seed \(self.start.seed), answer \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) answers, no violation, \(count * 1_000_000_000 / time) a second")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}

extension ACMEFuzzTarget: ExpressibleByArgument {}
