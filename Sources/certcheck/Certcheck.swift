import ArgumentParser
import CommandLineSupport
import Glibc
import OpenSSL

@main
struct Certcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certcheck",
        abstract: "Check push certificates for Apple devices, and renew them without a Mac.",
        usage: """
            certcheck [check] [<options>] <path> ...
            certcheck csr --name <name> [<options>]
            certcheck combine [<options>] <cer>
            certcheck codes
            certcheck explain <code> ...
            """,
        version: Product.versionLine("certcheck", openSSL: LibraryContext.versionNumber),
        subcommands: [Check.self, Csr.self, Combine.self, Codes.self, Explain.self],
        defaultSubcommand: Check.self
    )

    /// The words that are commands where a path could stand.
    static let commandNames = ["check", "p12", "csr", "combine", "codes", "explain"]

    static func main() {
        // A reader that is gone is an error like others: the exit codes are those of a check.
        signal(SIGPIPE, SIG_IGN)
        FreedMemory.wipe()
        Tool.run(Self.self, failure: CheckExit.failed, aids: aids) { HelpScreen.withDefault($0, columns: $1) }
    }

    private static let aids = TypingAids(
        commands: [
            "verify": "check", "validate": "check", "request": "csr", "renew": "csr", "merge": "combine",
            "export": "combine", "list": "codes", "rules": "codes", "version": "--version",
        ],
        options: [
            "--days": "--warning", "--warn": "--warning", "--crit": "--critical", "--pass": "--password-file",
            "--password": "--password-file", "--json": "--format json", "--output-format": "--format",
            "--no-color": "--color never", "--colour": "--color", "--cn": "--name", "--common-name": "--name",
        ],
        isPath: { access($0, F_OK) == 0 })
}
