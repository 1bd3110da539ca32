import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract: "Measures the router, the validator, an app's routes and the server's handshakes.",
        subcommands: [Match.self, Allocations.self, Lint.self, Routes.self, Handshakes.self]
    )
}
