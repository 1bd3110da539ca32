import ArgumentParser
import CommandLineSupport
import Glibc
import PushCertificates

struct P12: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what push certificates are, whether their keys are with them, and how long they are valid.",
        usage: "certcheck [p12] [<options>] <path> ...",
        discussion: """
            A path is a .p12 or .pfx, a .cer, .der or .pem, a .p8, or a folder, which is searched with all folders in it; - is \
            standard input. What counts is the content, never the name. Nothing is sent over the network.

            Examples:
              certcheck push.p12                      asks for the password
              certcheck --password-file /run/secrets/push push.p12
              certcheck --warning 45 --critical 21 /etc/push
              certcheck --format nagios --password-env PUSH_PASSWORD push.p12
              certcheck --format prometheus --output /var/lib/node/push.prom /etc/push

            No option takes the password itself: other users see arguments. Without an option it is asked for on the terminal, \
            if there is one, when a file needs it; once, for all files.

            Exit 0 if all certificates are valid for longer than the warning time, 1 if one is within it, 2 if one is within \
            the critical time, expired or not yet valid, 3 if a file cannot be read or the arguments are wrong; of several the \
            first in the order 2, 3, 1, 0. What else is found, as a missing key, changes nothing without --strict. A \
            certificate whose replacement is among the files counts as good.
            """
    )

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var time: TimeOptions

    @Option(help: "Output format; prometheus is for the textfile collector.")
    var format = CheckFormat.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write to this file, which is replaced as a whole; nothing goes to standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Exit with 1 for what is no more than a warning, as a missing key or a foreign issuer.")
    var strict = false

    @OptionGroup(title: "Password") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        if paths.isEmpty {
            throw ValidationError("no path is given; name a certificate, an export, a folder, or - for standard input")
        }
        let count = paths.count { $0 == "-" }
        if count > 1 { throw ValidationError("standard input can be read only once; '-' is there \(count) times") }
        if count == 1, password.source?.isStandardInput == true {
            throw ValidationError("standard input cannot be both the password and a file; give one of them another way")
        }
        // The parser takes a command only as the first word.
        if let word = paths.first, Certcheck.commandNames.contains(word), access(word, F_OK) != 0 {
            throw ValidationError(
                "'\(word)' is a command and has to be the first word: certcheck \(word) …; a file of this name is './\(word)'"
            )
        }
    }

    func run() throws {
        let report = try check()
        try write(format.render(report, style, isToFile: output != nil, isStrict: strict))
        let status = ExitCode(report.exitCode(isStrict: strict))
        if !status.isSuccess { throw status }
    }

    /// Afterwards there is no password in memory any more.
    private func check() throws -> CheckReport {
        let now = try time.instant()
        // Before any file is opened: it might get the number of a descriptor that was meant to hold the password.
        var run = try CheckRun(password: password.password())
        for path in paths { run.add(path) }
        return Checker(now: now, thresholds: time.thresholds).check(run.files)
    }

    private func write(_ text: String) throws {
        let bytes = Array(text.utf8) + (text.hasSuffix("\n") ? [] : [UInt8(ascii: "\n")])
        if let output, output != "-" {
            guard let reason = FileReplacement.replace(RawPath(argument: output), with: bytes, newMode: 0o644) else {
                return
            }
            throw CheckExit.failure("error: cannot write '\(output)': \(reason)")
        }
        var results = StandardOutput(failure: CheckExit.failed.rawValue)
        results.write(bytes: bytes)
        results.flush()
    }
}
