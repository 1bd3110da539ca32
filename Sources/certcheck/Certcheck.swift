import ArgumentParser
import CommandLineSupport
import Glibc
import OpenSSL

@main
struct Certcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certcheck",
        abstract: "Checks push certificates for Apple's devices, and renews them without a Mac.",
        usage: """
            certcheck [p12] [<options>] <path> ...
            certcheck csr --name <name> [<options>]
            certcheck combine [<options>] <cer>
            certcheck codes
            """,
        version: Product.versionLine("certcheck", openSSL: LibraryContext.versionNumber),
        subcommands: [P12.self, Csr.self, Combine.self, Codes.self],
        defaultSubcommand: P12.self
    )

    /// The words that are commands where a path could stand.
    static let commandNames = ["p12", "csr", "combine", "codes"]

    static func main() {
        // A reader that is gone is an error like others: the exit codes are those of a check.
        signal(SIGPIPE, SIG_IGN)
        FreedMemory.wipe()
        Tool.run(Self.self, failure: CheckExit.failed, aids: aids) { HelpScreen.withDefault($0, columns: $1) }
    }

    private static let aids = TypingAids(
        commands: [
            "check": "p12", "verify": "p12", "validate": "p12", "request": "csr", "renew": "csr", "merge": "combine",
            "export": "combine", "list": "codes", "rules": "codes", "version": "--version",
        ],
        options: [
            "--days": "--warning", "--warn": "--warning", "--crit": "--critical", "--pass": "--password-file",
            "--password": "--password-file", "--json": "--format json", "--output-format": "--format",
            "--no-color": "--color never", "--colour": "--color", "--cn": "--name", "--common-name": "--name",
        ],
        isPath: { access($0, F_OK) == 0 })
}
