import ArgumentParser
import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates

@main
struct Certcheck: ManualCommand {
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

    static let manual = CommandManual(
        examples: [],
        exits: [.init(3, "if the arguments are wrong, or the result cannot be written")],
        environment: CommandManual.terminalVariables,
        seeAlso: ["aasa(1)", "openssl(1ssl)"])

    /// The words that are commands where a path could stand.
    static let commandNames = ["check", "p12", "csr", "combine", "codes", "explain"]

    static func main() {
        // A reader that is gone is an error like others: the exit codes are those of a check.
        signal(SIGPIPE, SIG_IGN)
        FreedMemory.wipe()
        Tool.run(
            Self.self, failure: CheckExit.failed, suggestions: suggestions,
            manual: Manual(of: Self.self, layout: .onePage),
            meanings: Dictionary(
                CertificateRules.catalogue.rules.map { ($0.code.rawValue, $0.summary) },
                uniquingKeysWith: { first, _ in first })
        ) { HelpScreen.withDefault($0, columns: $1) }
    }

    private static let suggestions = ArgumentSuggestions(
        commands: [
            "verify": "check", "validate": "check", "request": "csr", "renew": "csr", "merge": "combine",
            "export": "combine", "list": "codes", "rules": "codes", "version": "--version",
        ],
        options: [
            "--days": "--warning", "--warn": "--warning", "--crit": "--critical", "--pass": "--password-file",
            "--password": "--password-file", "--json": "--format json", "--output-format": "--format",
            "--no-color": "--color never", "--colour": "--color", "--cn": "--name", "--common-name": "--name",
        ],
        programs: ["aasa"],
        isPath: { access($0, F_OK) == 0 })
}

/// The help of `certcheck` itself.
enum HelpScreen {
    /// Puts what the help of the default command says about arguments and options into the help of the root, where they are
    /// looked for; other help screens stay as they are.
    static func withDefault(_ text: String, columns: Int) -> String {
        let root = Certcheck.helpMessage(columns: columns)
        guard text == root else { return text }
        let checking = Certcheck.helpMessage(for: Check.self, columns: columns)
        guard let overview = checking.firstRange(of: "\n\n"), let usage = checking.firstRange(of: "\nUSAGE: "),
            let arguments = checking.firstRange(of: "\nARGUMENTS:\n"),
            let options = root.firstRange(of: "\nOPTIONS:\n"),
            let commands = root.firstRange(of: "\nSUBCOMMANDS:\n"), options.lowerBound < commands.lowerBound,
            overview.upperBound <= usage.lowerBound
        else { return text }
        let parts = [
            root[..<options.lowerBound], "\n", checking[overview.upperBound..<usage.lowerBound],
            checking[arguments.lowerBound...], root[commands.lowerBound...],
        ]
        return parts.joined()
    }
}

/// The exit codes of `certcheck` that are no result of a check: 0 to 2 are `CheckReport`'s.
enum CheckExit {
    /// Something could not be done: a usage error, a file that cannot be read or written.
    static let failed = ExitCode(3)

    /// Says on standard error why a command fails, and gives what to throw.
    static func failure(_ message: String) -> ExitCode {
        StandardError.write(message)
        return failed
    }
}
