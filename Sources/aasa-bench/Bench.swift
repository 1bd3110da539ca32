import ArgumentParser

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract:
            "Measures and fuzzes the matcher and the validator, and fuzzes the server and the reading of certificates.",
        subcommands: [
            Match.self, Fuzz.self, Allocations.self, Lint.self, LintFuzz.self, CertificateFuzz.self, ServerFuzz.self,
        ]
    )
}
