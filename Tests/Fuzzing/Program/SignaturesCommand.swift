import ArgumentParser
import Fuzzing
import FuzzingSupport

struct SignaturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signatures",
        abstract: "Read mutated APKs, JARs and keystores for the certificates that they are signed with.",
        discussion: """
            Exits with 1 at the first file that is answered against the rules, or takes more than two seconds of CPU \
            time, or once more than 200 MiB of memory are used; the file is then kept in the current folder. A crash is a \
            crash, and leaves 'signatures-fuzz-latest'.
            """
    )

    @Argument(help: "How many files.")
    var count: Int

    @Option(help: "Mutate this part (default: all in turn).")
    var target: SignatureFuzzTarget?

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the file of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        let latest = try LatestInput("signatures-fuzz-latest")
        var fuzzer = try SignatureFuzzer(seed: start.seed)
        let begin = ProcessTime.nanoseconds
        let memory = PeakMemory.kibibytes
        var earlyMemory = memory
        for number in from..<from + count {
            let target = target ?? SignatureFuzzTarget.of(number)
            latest.set("aasa-fuzz signatures 1 --target \(target.rawValue) --seed \(start.seed) --from \(number)")
            var violation = fuzzer.check(target, number)
            if number - from == count / 10 { earlyMemory = PeakMemory.kibibytes }
            if violation == nil, number % 1_024 == 0, PeakMemory.kibibytes - memory > 200 << 10 {
                violation = "uses \(PeakMemory.kibibytes >> 10) MiB"
            }
            if let violation {
                let kept = try FuzzFile("signatures-fuzz-input")
                kept.set(fuzzer.latest)
                kept.keep(as: "signatures-fuzz-\(start.seed)-\(number)")
                print("seed \(start.seed), file \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) files, no violation, \(count * 1_000_000_000 / time) a second")
        let peak = PeakMemory.kibibytes
        print("\(peak - memory) KiB more than at the start, \(peak - earlyMemory) KiB more than after a tenth")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}

extension SignatureFuzzTarget: ExpressibleByArgument {}
