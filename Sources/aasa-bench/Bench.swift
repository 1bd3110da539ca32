import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract:
            "Measures and fuzzes the matcher and the validator, measures routes, and fuzzes the server and certificates.",
        subcommands: [
            Match.self, Fuzz.self, Allocations.self, Lint.self, LintFuzz.self, CertificateFuzz.self, ServerFuzz.self,
            Routes.self,
        ]
    )
}
