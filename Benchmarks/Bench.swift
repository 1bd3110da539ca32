import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract:
            "Measures the router, the validator, an app's routes, the server's handshakes, links and plans of certificates.",
        subcommands: [
            Match.self, Allocations.self, Lint.self, Routes.self, Handshakes.self, Issuance.self, Links.self,
        ]
    )
}
