import ArgumentParser
import Fuzzing
import FuzzingSupport

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Judge domains with mutated answers, and report them in every format.",
        discussion: """
            Exits with 1 at the first input that is answered against the rules, or takes more than two seconds of CPU \
            time, or once more than 200 MiB of memory are used. A crash is a crash; 'doctor-fuzz-latest' then holds \
            the options that repeat it.
            """
    )

    @Argument(help: "How many inputs.")
    var count: Int

    @Option(help: "What is mutated (default: each in turn).")
    var target: DoctorFuzzTarget?

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the input of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        let latest = try LatestInput("doctor-fuzz-latest")
        var fuzzer = try DoctorFuzzer(seed: start.seed)
        let begin = ProcessTime.nanoseconds
        let memory = PeakMemory.kibibytes
        var earlyMemory = memory
        var slowest = (nanoseconds: 0, number: from)
        for number in from..<from + count {
            let target = target ?? DoctorFuzzTarget.of(number)
            latest.set("aasa-fuzz doctor 1 --target \(target.rawValue) --seed \(start.seed) --from \(number)")
            let time = ProcessTime.nanoseconds
            var violation = fuzzer.check(target, number)
            let nanoseconds = ProcessTime.nanoseconds - time
            if nanoseconds > slowest.nanoseconds { slowest = (nanoseconds, number) }
            if number - from == count / 10 { earlyMemory = PeakMemory.kibibytes }
            if violation == nil, number % 1_024 == 0, PeakMemory.kibibytes - memory > 200 << 10 {
                violation = "uses \(PeakMemory.kibibytes >> 10) MiB"
            }
            if let violation {
                print("seed \(start.seed), \(target.rawValue), input \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) inputs, no violation, \(count * 1_000_000_000 / time) a second")
        print("input \(slowest.number) took longest, \(slowest.nanoseconds / 1_000) µs")
        let peak = PeakMemory.kibibytes
        print("\(peak - memory) KiB more than at the start, \(peak - earlyMemory) KiB more than after a tenth")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}

extension DoctorFuzzTarget: ExpressibleByArgument {}
