import ArgumentParser
import Glibc

struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares the router's index with the reference matcher on random documents and URLs.",
        discussion: "Exits with 1 at the first difference, and prints it with the smallest document that shows it."
    )

    @Argument(help: "For how many seconds of CPU time.")
    var seconds: Int

    @Option(help: "Where the random numbers start; a run with the same seed compares the same.")
    var seed: UInt64 = .random(in: 0...1_000_000_000)

    func run() throws {
        var fuzzer = Fuzzer(seed: seed)
        let end = ProcessTime.nanoseconds + seconds * 1_000_000_000
        while ProcessTime.nanoseconds < end {
            if let difference = try fuzzer.round(urls: 100) {
                print("seed \(seed), after \(fuzzer.decisions) decisions: \(difference)")
                throw ExitCode(1)
            }
        }
        print("seed \(seed): \(fuzzer.decisions) decisions, no difference")
    }
}
