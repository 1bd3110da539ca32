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
        abstract: "Check when push certificates expire, what they are for, and whether their private keys are present.",
        usage: "certcheck [check] [<options>] <path> ...",
        discussion: manual.discussion(
            """
            A path is a .p12 or .pfx, a .cer, .der or .pem, a .p8, or a folder, which is searched recursively; - is standard \
            input. Files are recognized by content, not by name. Nothing is sent over the network.

            No option takes the password itself, because other users can see arguments. Without a password option, a file \
            that needs a password makes certcheck ask for it once on the terminal. A certificate whose replacement is among \
            the files counts as good.
            """),
        aliases: ["p12"]
    )

    static let manual = CommandManual(
        examples: [
            .init("certcheck push.p12", "check a file; asks for its password"),
            .init("certcheck --password-file /run/secrets/push push.p12", "check it without asking for the password"),
            .init(
                "certcheck --warning 45 --critical 21 /etc/push", "check all files in a folder, with other thresholds"),
            .init("certcheck --format nagios --password-env PUSH_PASSWORD push.p12", "run as a monitoring plugin"),
            .init(
                "certcheck --format prometheus --output /var/lib/node/push.prom /etc/push",
                "write metrics for the textfile collector"),
        ],
        exits: [
            .init(0, "if all certificates are valid for longer than the warning time"),
            .init(1, "if one expires within the warning time"),
            .init(
                2,
                """
                if one expires within the critical time, has expired or is not yet valid, or if a PKCS #12 file has a push \
                certificate without its private key
                """),
            .init(3, "if a file cannot be read or the arguments are wrong"),
        ],
        exitRemark: """
            If several apply, the first in the order 2, 3, 1, 0 counts. Other findings, such as an issuer other than Apple, \
            do not affect the exit code unless --strict is given.
            """)

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var time: TimeOptions

    @Option(help: "Choose the output format; prometheus is for the textfile collector.")
    var format = CheckFormat.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write the result to this file (replaced atomically) instead of standard output.", valueName: "file"
        ),
        completion: .file())
    var output: String?

    @Flag(help: "Treat warnings, such as an issuer other than Apple, as errors: exit 1.")
    var strict = false

    @OptionGroup(title: "Password") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        if paths.isEmpty {
            throw ValidationError("no path given; name a certificate, an export, a folder, or - for standard input")
        }
        let count = paths.count { $0 == "-" }
        if count > 1 { throw ValidationError("standard input can be read only once; '-' is given \(count) times") }
        if count == 1, password.source?.isStandardInput == true {
            throw ValidationError(
                "standard input cannot be both the password and a file; read one of them from elsewhere")
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
        run.leaveOutKeysOfCertificates()
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
    /// The indices of the files that a folder was searched for.
    private var foundFiles = Set<Int>()

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
                foundFiles.insert(files.count)
                files.append((path.text, content))
            }
        }
        if files.count == before {
            let message = "there is no certificate in this folder or its subfolders"
            files.append(
                (path.text, .failure(CertificateFileError(.notACertificate, message, advice: "check the path"))))
        }
    }

    /// Takes the keys out that belong to certificates in other files: `privkey.pem` beside `fullchain.pem` signs no tokens.
    mutating func leaveOutKeysOfCertificates() {
        var certificates: [[UInt8]: String] = [:]
        for (path, content) in files {
            for certificate in (try? content.get().certificates) ?? [] where certificate.kind != .tokenKey {
                if let identity = certificate.publicKeyIdentity {
                    certificates[identity] = certificates[identity] ?? path
                }
            }
        }
        for index in files.indices.reversed() {
            guard let key = try? files[index].content.get().certificates.first, key.kind == .tokenKey,
                let path = key.publicKeyIdentity.flatMap({ certificates[$0] })
            else { continue }
            if foundFiles.contains(index) {
                files.remove(at: index)
            } else {
                files[index].content = .failure(
                    CertificateFileError(
                        .notACertificate, "this is the private key of the certificate in '\(path)', not a certificate",
                        advice: "check that file only"))
            }
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
