import ArgumentParser
import CommandLineSupport
import Glibc
import OpenSSL

@main
struct Certcheck: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "certcheck",
        abstract: "Checks push certificates for Apple's devices, and renews them without a Mac.",
        usage: """
            certcheck [p12] [<options>] <path> ...
            certcheck csr --name <name> [<options>]
            certcheck combine [<options>] <cer>
            certcheck codes
            """,
        version: version,
        subcommands: [P12.self, Csr.self, Combine.self, Codes.self],
        defaultSubcommand: P12.self
    )

    /// The words that are commands where a path could stand.
    static let commandNames = ["p12", "csr", "combine", "codes"]

    static func main() {
        // A reader that is gone is an error like others: the exit codes are those of a check.
        signal(SIGPIPE, SIG_IGN)
        FreedMemory.wipe()
        Tool.run(Self.self, failure: CheckExit.failed) { HelpScreen.withDefault($0) }
    }
}
