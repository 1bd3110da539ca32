import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa-bench",
        abstract: "Measures the router, the validator and an app's routes.",
        subcommands: [Match.self, Allocations.self, Lint.self, Routes.self]
    )
}
