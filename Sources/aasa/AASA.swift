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

    /// Runs the command. What an error repeats of the arguments is escaped, line by line.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            guard !status.isSuccess else { exit(withError: error) }
            for line in fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
            where !line.isEmpty {
                StandardError.write(String(line))
            }
            exit(withError: status)
        }
    }
}
