import ArgumentParser
import Fuzzing
import FuzzingSupport

@main
struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-fuzz",
        abstract:
            "Gives the router, the validator, the readers of certcheck, doctor and a CA's answers, and the server random input.",
        subcommands: [
            RouterCommand.self, LintCommand.self, CertificatesCommand.self, ServerCommand.self, AppsCommand.self,
            DoctorCommand.self,
            ACMECommand.self,
        ]
    )
}

/// Where the random numbers of a run start.
struct SeedOption: ParsableArguments {
    @Option(help: "Start the random numbers here; a run with the same seed checks the same.")
    var seed: UInt64 = .random(in: 0...1_000_000_000)
}

struct RouterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "router",
        abstract: "Compare the router's index with the reference matcher on random documents and URLs.",
        discussion: "Exits with 1 at the first difference, and prints it with the smallest document that shows it."
    )

    @Argument(help: "For how many seconds of CPU time.")
    var seconds: Int

    @OptionGroup var start: SeedOption

    func run() throws {
        let seed = start.seed
        var fuzzer = RouterFuzzer(seed: seed)
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
