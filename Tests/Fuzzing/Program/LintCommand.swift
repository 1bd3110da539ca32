import ArgumentParser
import Fuzzing
import FuzzingSupport

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check and fix mutated association files.",
        discussion: """
            Exits with 1 at the first file whose findings contradict each other or the file, or that a fix breaks, and writes \
            the file to standard output. A crash is a crash. For each 600 files there is one that is made to take long, \
            which must not take more than 2 seconds and 200 MiB for anything that is done with it.
            """
    )

    @Argument(help: "How many files.")
    var count: Int

    @OptionGroup var start: SeedOption

    @Option(help: "Check this many files that are made to take long (default: one for each 600 of the others).")
    var hostile: Int?

    func run() throws {
        let seed = start.seed
        var fuzzer = LintFuzzer(seed: seed)
        var slowest = 0
        for number in 0..<count {
            let start = ProcessTime.nanoseconds
            let violation = fuzzer.round()
            slowest = max(slowest, ProcessTime.nanoseconds - start)
            if let violation {
                print("seed \(seed), file \(number): \(violation)\n\(String(decoding: fuzzer.text, as: UTF8.self))")
                throw ExitCode(1)
            }
        }
        print("seed \(seed): \(count) files, \(fuzzer.findings) findings, the slowest took \(slowest / 1_000) µs")
        let hostileCount = hostile ?? max(1, count / 600)
        var hostileFuzzer = HostileFuzzer(seed: seed)
        for number in 0..<hostileCount {
            guard let violation = hostileFuzzer.next() else { continue }
            print("seed \(seed), file \(number) that is made to take long: \(violation)\n\(hostileFuzzer.text)")
            print("compared with:\n\(hostileFuzzer.other)")
            throw ExitCode(1)
        }
        print(
            "seed \(seed): \(hostileCount) files that are made to take long, at most \(hostileFuzzer.slowest / 1_000_000) ms (\(hostileFuzzer.slowestStep)) "
                + "and \(hostileFuzzer.largest / 1_024) MiB")
    }
}
