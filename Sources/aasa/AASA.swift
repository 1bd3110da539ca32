import ArgumentParser

@main
struct AASA: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "Serves and explains apple-app-site-association files, so that web links open apps.",
        version: "0.1.0",
        subcommands: [Serve.self, Route.self]
    )
}
