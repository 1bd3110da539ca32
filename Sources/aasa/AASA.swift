import ArgumentParser
import CommandLineSupport

@main
struct AASA: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "Serves and explains apple-app-site-association files, so that web links open apps.",
        version: version,
        subcommands: [
            Serve.self, Validate.self, Route.self, Test.self, Diff.self, Rules.self, Explain.self,
        ]
    )

    static func main() { Tool.run(Self.self) }
}
