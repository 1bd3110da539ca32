import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract:
            """
            Measures the router, the validator, an app's routes, links and their pages, the server's handshakes and plans of \
            certificates.
            """,
        subcommands: [
            Match.self, Allocations.self, Lint.self, Routes.self, LinkAnswers.self, Links.self, Handshakes.self,
            Issuance.self,
        ]
    )
}
