import ArgumentParser
import CommandLineSupport
import Glibc

@main
struct Certcheck: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "certcheck",
        abstract: "Checks push certificates for Apple's devices, and renews them without a Mac.",
        usage: """
            certcheck [p12] [<options>] <path> ...
            certcheck csr | combine [<options>] ...
            """,
        version: version,
        subcommands: [P12.self, Csr.self, Combine.self],
        defaultSubcommand: P12.self
    )

    /// The words that are commands where a path could stand.
    static let commandNames = ["p12", "csr", "combine"]

    static func main() {
        // A reader that is gone is an error like others: the exit codes are those of a check.
        signal(SIGPIPE, SIG_IGN)
        Tool.run(Self.self, failure: CheckExit.failed) { HelpScreen.withDefault($0) }
    }
}
