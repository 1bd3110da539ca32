import ArgumentParser
import Fuzzing
import FuzzingSupport

@main
struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-fuzz",
        abstract:
            """
            Gives the router, the validator, the readers of certcheck, doctor, signed Android apps, a CA's answers, a \
            store's files, link pages, and the server random input.
            """,
        subcommands: [
            RouterCommand.self, AndroidCommand.self, LintCommand.self, CertificatesCommand.self, AppsCommand.self,
            InputCommand<ServerFuzzer>.self, InputCommand<DoctorFuzzer>.self, InputCommand<HTTP2Fuzzer>.self,
            InputCommand<SignatureFuzzer>.self, InputCommand<ACMEFuzzer>.self, InputCommand<StoreFuzzer>.self,
            InputCommand<LinkFuzzer>.self, InputCommand<ImportFuzzer>.self,
        ]
    )
}

/// Where the random numbers of a run start.
struct SeedOption: ParsableArguments {
    @Option(help: "Start the random numbers here; a run with the same seed checks the same.")
    var seed: UInt64 = .random(in: 0...1_000_000_000)
}
