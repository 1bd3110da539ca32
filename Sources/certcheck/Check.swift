import ArgumentParser
import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates
import SystemSupport

struct Check: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check when push certificates expire, what they are for, and whether their keys are with them.",
        usage: "certcheck [check] [<options>] <path> ...",
        discussion: manual.discussion(
            """
            A path is a .p12 or .pfx, a .cer, .der or .pem, a .p8, or a folder, which is searched recursively; - is standard \
            input. Files are recognised by content, not by name. Nothing is sent over the network.

            No option takes the password itself: other users see arguments. Without an option the terminal is asked once, if \
            a file needs a password. A certificate whose replacement is among the files counts as good.
            """),
        aliases: ["p12"]
    )

    static let manual = CommandManual(
        examples: [
            .init("certcheck push.p12", "check a file; its password is asked for"),
            .init("certcheck --password-file /run/secrets/push push.p12", "check it without being asked"),
            .init("certcheck --warning 45 --critical 21 /etc/push", "check all files in a folder, with other times"),
            .init("certcheck --format nagios --password-env PUSH_PASSWORD push.p12", "be a monitoring plugin"),
            .init(
                "certcheck --format prometheus --output /var/lib/node/push.prom /etc/push",
                "write metrics for the textfile collector"),
        ],
        exits: [
            .init(0, "if all certificates are valid for longer than the warning time"), .init(1, "if one is within it"),
            .init(
                2,
                """
                if one is within the critical time, expired or not yet valid, or if a PKCS #12 has a push certificate \
                without its private key
                """),
            .init(3, "if a file cannot be read or the arguments are wrong"),
        ],
        exitRemark: """
            Of several the first in the order 2, 3, 1, 0. Other findings, such as a foreign issuer, do not affect the exit \
            code unless --strict is given.
            """)

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var time: TimeOptions

    @Option(help: "Choose the output format; prometheus is for the textfile collector.")
    var format = CheckFormat.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write the result to this file, replacing it in one step, instead of to standard output.", valueName: "file"
        ),
        completion: .file())
    var output: String?

    @Flag(help: "Treat warnings, such as a foreign issuer, as errors: exit 1.")
    var strict = false

    @OptionGroup(title: "Password") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        if paths.isEmpty {
            throw ValidationError("no path given; name a certificate, an export, a folder, or - for standard input")
        }
        let count = paths.count { $0 == "-" }
        if count > 1 { throw ValidationError("standard input can be read only once; '-' is there \(count) times") }
        if count == 1, password.source?.isStandardInput == true {
            throw ValidationError("standard input cannot be both the password and a file; give one of them another way")
        }
        // The parser takes a command only as the first word.
        if let word = paths.first, Certcheck.commandNames.contains(word), access(word, F_OK) != 0 {
            throw ValidationError(
                "'\(word)' is a command and must come first: certcheck \(word) …; write './\(word)' for a file of this name"
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

/// Reads files one after the other, and keeps the results.
struct CheckRun {
    typealias Content = Result<CertificateFile, CertificateFileError>

    private let reader: CertificateFileReader
    private var passwords: PasswordSupply
    private(set) var files: [(path: String, content: Content)] = []

    /// - Throws: `CertificateFileError` if OpenSSL cannot be used.
    init(password: Password?) throws(CertificateFileError) {
        reader = try CertificateFileReader()
        passwords = PasswordSupply(given: password)
    }

    /// Reads a file, all files in a folder, or standard input for `-`.
    mutating func add(_ argument: String) {
        guard argument != "-" else { return add(.standardInput) }
        let path = RawPath(argument: argument)
        guard path.isFolder else { return add(.file(path)) }
        let before = files.count
        for (path, failure) in FolderWalk.files(below: path) {
            if let failure {
                let message = "the folder cannot be read: \(failure.reason)"
                files.append((path.text, .failure(CertificateFileError(.unreadable, message))))
            } else {
                let content = read(.file(path))
                if case .failure(let error) = content, error.code == .notACertificate { continue }
                files.append((path.text, content))
            }
        }
        if files.count == before {
            let message = "there is no certificate in this folder or below it"
            files.append(
                (path.text, .failure(CertificateFileError(.notACertificate, message, advice: "check the path"))))
        }
    }

    private mutating func add(_ input: CertificateInput) {
        files.append((input.path, read(input)))
    }

    private mutating func read(_ input: CertificateInput) -> Content {
        do throws(CertificateFileError) {
            let bytes = try input.read()
            let budget = WorkBudget()
            var content = read(bytes, budget)
            if Self.wantsPassword(content), passwords.password == nil, passwords.ask(for: input.path) {
                content = read(bytes, budget)
            }
            return content
        } catch {
            return .failure(error)
        }
    }

    private func read(_ bytes: SecretBytes, _ budget: WorkBudget) -> Content {
        do throws(CertificateFileError) {
            return .success(
                try bytes.withBytes { (bytes) throws(CertificateFileError) in
                    try reader.read(bytes, password: passwords.password, budget: budget)
                })
        } catch {
            return .failure(error)
        }
    }

    private static func wantsPassword(_ content: Content) -> Bool {
        switch content {
        case .success(let file): file.wantsPassword
        case .failure(let error): error.code == .passwordRequired
        }
    }
}

/// How the result of a check is written.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, prometheus, nagios

    /// - Parameters:
    ///   - isToFile: Whether it goes to a file of its own, which is not a terminal.
    ///   - isStrict: Whether findings that are warnings fail the command.
    func render(_ report: CheckReport, _ output: OutputOptions, isToFile: Bool, isStrict: Bool) -> String {
        switch self {
        case .text:
            TextReport(
                style: isToFile ? output.fileStyle : output.style, width: isToFile ? nil : output.width
            ).render(report)
        case .json: JSONReport(isStrict: isStrict).render(report)
        case .prometheus: PrometheusReport().render(report)
        case .nagios: NagiosReport(isStrict: isStrict).render(report)
        }
    }
}
