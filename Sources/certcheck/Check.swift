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
            .init(1, "if one expires within the warning time, or only some senders can use its file"),
            .init(
                2,
                """
                if one expires within the critical time, has expired or is not yet valid, or if its file cannot be used to \
                send: the private key is missing or another one's, or an expired certificate is beside the new one
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

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Require this topic: a certificate with none of those given is critical. Repeatable.", valueName: "topic"))
    var topic: [String] = []

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
        if topic.contains("") { throw ValidationError("--topic is empty; is a variable not set?") }
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
        let now = try time.instant()
        let report: CheckReport
        do {
            // Before any file is opened: it might get the number of a descriptor that was meant to hold the password.
            var run = try CheckRun(password: password.password())
            for path in paths { run.add(path) }
            report = Checker(now: now, thresholds: time.thresholds, expectedTopics: topic).check(run.joined())
            // From here on there is no password in memory any more.
        }
        let text =
            switch format {
            case .text where output != nil: TextReport(style: style.fileStyle, width: nil).render(report)
            case .text: TextReport(style: style.style, width: style.width).render(report)
            case .json: JSONReport(isStrict: strict).render(report)
            case .prometheus: PrometheusReport().render(report)
            case .nagios: NagiosReport(isStrict: strict).render(report)
            }
        try write(text)
        let status = ExitCode(report.exitCode(isStrict: strict))
        if !status.isSuccess { throw status }
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
    private var passwords: PasswordProvider
    private var files: [RunFile] = []
    /// Folders in which there is nothing but keys, with the indices of those: the folder is an error unless one of them
    /// belongs to something.
    private var keyFolders: [(file: Int, keys: Range<Int>)] = []

    /// - Throws: `CertificateFileError` if OpenSSL cannot be used.
    init(password: SecretBytes?) throws(CertificateFileError) {
        reader = try CertificateFileReader()
        passwords = PasswordProvider(given: password)
    }

    /// Reads a file, all files in a folder, or standard input for `-`.
    mutating func add(_ argument: String) {
        let path = RawPath(argument: argument)
        guard argument != "-", path.isFolder else {
            let input = argument == "-" ? CertificateInput.standardInput : .file(path)
            return files.append(read(input, folder: nil))
        }
        let before = files.count
        for (path, failure) in FolderWalk.files(below: path) {
            let folder = Path.folder(of: path.text)
            if let failure {
                let message = "the folder cannot be read: \(failure.reason)"
                files.append(
                    RunFile(
                        path: path.text, folder: folder,
                        content: .failure(CertificateFileError(.unreadable, message))))
            } else {
                let file = read(.file(path), folder: folder)
                if file.isNothing, file.keys == nil, file.requestedKey == nil { continue }
                files.append(file)
            }
        }
        let found = before..<files.count
        if files[found].allSatisfy(\.isNothing) {
            keyFolders.append((files.count, found))
            let message = "there is no certificate in this folder or its subfolders"
            files.append(
                RunFile(
                    path: path.text, folder: nil,
                    content: .failure(CertificateFileError(.notACertificate, message, advice: "check the path"))))
        }
    }

    /// The files, certificates joined with the private keys that are in files of their own; such keys are left out.
    func joined() -> [(path: String, content: Content)] {
        let (joined, used) = SeparateKeys.join(files)
        let placeholders = Set(
            keyFolders.filter { folder in folder.keys.contains(where: used.contains) }.map(\.file))
        let remaining = files.indices.filter { !used.contains($0) }
        return zip(remaining, joined).filter { !$1.isNothing && !placeholders.contains($0) }.map {
            ($1.path, $1.content)
        }
    }

    private mutating func read(_ input: CertificateInput, folder: String?) -> RunFile {
        let bytes: SecretBytes
        do throws(CertificateFileError) {
            bytes = try input.read()
        } catch {
            return RunFile(path: input.path, folder: folder, content: .failure(error))
        }
        let budget = ReadingBudget()
        let first = content(bytes, budget)
        let wantsPassword =
            switch first {
            case .success(let file): file.wantsPassword
            case .failure(let error): error.code == .passwordRequired
            }
        guard wantsPassword, passwords.password == nil, passwords.ask(for: input.path) else {
            return file(input.path, folder, first, bytes, budget)
        }
        return file(input.path, folder, content(bytes, budget), bytes, budget)
    }

    private func content(_ bytes: SecretBytes, _ budget: ReadingBudget) -> Content {
        bytes.withBytes { bytes in
            Result { () throws(CertificateFileError) in
                try reader.read(bytes, password: passwords.password.map { Password($0) }, budget: budget)
            }
        }
    }

    /// A file with the keys, or the request, of one without certificates.
    private func file(
        _ path: String, _ folder: String?, _ content: Content, _ bytes: SecretBytes, _ budget: ReadingBudget
    ) -> RunFile {
        var file = RunFile(path: path, folder: folder, content: content)
        switch content {
        case .success(let found) where found.certificates.first?.kind != .tokenKey: return file
        case .failure(let error) where error.code != .notACertificate: return file
        case .success, .failure: break
        }
        bytes.withBytes { bytes in
            let passwords = passwords.password.map { [Password($0)] } ?? []
            file.keys = try? KeyFile(bytes, passwords: passwords, with: reader, budget: budget)
            if file.keys == nil { file.requestedKey = SigningRequest.publicKeyInfo(of: bytes) }
        }
        return file
    }
}

/// The form of the result of a check.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, prometheus, nagios
}

/// When an end is close, and what time it is.
struct TimeOptions: ParsableArguments {
    private static let maximumDays = 100_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Warn this many days before expiry.", valueName: "days"))
    var warning = 30

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report as critical this many days before expiry.", valueName: "days"))
    var critical = 14

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Check as of this time, e.g. 2026-11-21T00:00:00Z (default: now).",
            valueName: "time"))
    var now: String?

    func validate() throws {
        for (name, days) in [("warning", warning), ("critical", critical)] {
            guard days >= 0 else { throw ValidationError("'--\(name) \(days)' is negative; expected 0 days or more") }
            guard days <= Self.maximumDays else {
                throw ValidationError("'--\(name) \(days)' is too large; expected \(Self.maximumDays) days or less")
            }
        }
        guard critical <= warning else {
            throw ValidationError(
                "--critical \(critical) is greater than --warning \(warning); the warning has to come first, so raise --warning "
                    + "or lower --critical")
        }
        _ = try instant()
    }

    var thresholds: Thresholds { Thresholds(warning: warning, critical: critical) }

    /// Seconds since 1970.
    func instant() throws -> Int64 {
        guard let now else { return Int64(time(nil)) }
        do throws(InternetDate.ReadingError) {
            return try InternetDate.seconds(now)
        } catch {
            let reason =
                switch error {
                case .malformed: "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"
                case .noTimeZone: "has no time zone; add Z for UTC, or an offset like +01:00"
                case .noSuchDay: "is a day that does not exist"
                case .noSuchTime: "is a time that does not exist"
                }
            throw ValidationError("--now: \(quoted(now)) \(reason)")
        }
    }
}
