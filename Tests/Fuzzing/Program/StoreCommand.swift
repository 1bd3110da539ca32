import ArgumentParser
import Fuzzing
import FuzzingSupport

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Read mutated caches and key files of a store.",
        discussion: """
            Exits with 1 at the first file of which damaged bytes are taken, whose keys are shown, or that takes more than \
            two seconds of CPU time. A crash is a crash; the same seed repeats it.
            """
    )

    @Argument(help: "How many files.")
    var count: Int

    @Option(help: "Give them to this reader (default: to all in turn).")
    var target: StoreFuzzTarget?

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the file of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        var fuzzer = try StoreFuzzer(seed: start.seed)
        let begin = ProcessTime.nanoseconds
        for number in from..<from + count {
            let start = ProcessTime.nanoseconds
            var violation = try fuzzer.check(target ?? StoreFuzzTarget.of(number), number)
            let time = ProcessTime.nanoseconds - start
            if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
            if let violation {
                print("seed \(self.start.seed), file \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) files, no violation, \(count * 1_000_000_000 / time) a second")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}

extension StoreFuzzTarget: ExpressibleByArgument {}
