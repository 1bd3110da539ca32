import ArgumentParser
import BoundedText
import CommandLineSupport
import Diagnostics
import Glibc
import PushCertificates
import SystemSupport

struct Csr: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "csr",
        abstract: "Create a private key and a certificate signing request for Apple.",
        discussion: manual.discussion(
            """
            Writes STEM.key, which never leaves this machine, and STEM.certSigningRequest, which you upload. No file is ever \
            overwritten. The key is an RSA key of 2048 bits. The other fields are only informational; Apple ignores them. A \
            password option encrypts the key (AES-256).

            Keep using the old certificate until the new one is deployed: Apple allows two at a time.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("certcheck csr --name com.example.app", "create a key and a request"),
            .init("certcheck csr --name com.example.app --country DE --out keys/app", "choose the names of the files"),
            .init("certcheck csr --name com.example.app --password-file /run/secrets/push", "encrypt the key"),
        ],
        exits: [.init(0, "if the files are written"), .init(3, "if nothing was done")])

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the name of the request, preferably the app's bundle ID.", valueName: "name"))
    var name: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Add an e-mail address to the request (default: none).", valueName: "address"))
    var email: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Add a country to the request, like DE or US (default: none).", valueName: "country"))
    var country: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write STEM.key and STEM.certSigningRequest (default: push-NAME-YYYYMMDD in the current folder).",
            valueName: "stem"),
        completion: .file())
    var out: String?

    @Option(help: "Choose the output format.")
    var format = ResultFormat.text

    @OptionGroup(title: "Password of the key") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        _ = try subject()
        guard let out else { return }
        let name = RawPath(out).name
        if name.isEmpty || [".", ".."].contains(String(text: name)) {
            throw ValidationError(
                "--out \(quoted(out)) is not the name of a file; expected a path without an ending, like keys/app")
        }
        if out == "-" { throw ValidationError("--out -: a private key is never written to standard output") }
    }

    private func subject() throws(ValidationError) -> SigningRequestSubject {
        do throws(RenewalError) {
            return try SigningRequestSubject(name: name, email: email, country: country, now: Int64(time(nil)))
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() throws {
        let subject = try subject()
        let password = try password.password().map { Password($0) }
        let stem = out.map { RawPath(argument: $0) } ?? RawPath(subject.stem)
        let report = CsrReport(stem: stem, subject: subject, password: self.password.source)
        // Before anything is made: otherwise it is not known which of two keys belongs to the request.
        for path in [report.key, report.request] {
            if let obstacle = NewFile.obstacle(at: path) { throw failure(path, obstacle) }
        }
        try write(try request(subject, password), report)
    }

    private func request(
        _ subject: SigningRequestSubject, _ password: Password?
    ) throws(ExitCode) -> SigningRequest {
        do throws(RenewalError) {
            return try SigningRequest(subject, keyPassword: password, with: try CombineFiles.reader())
        } catch {
            throw CheckExit.failure("error: \(error)")
        }
    }

    private func write(_ request: SigningRequest, _ report: CsrReport) throws {
        let failed = request.withKeyText { keyText in
            NewFile.create([
                NewFile(report.key, mode: 0o600, bytes: keyText),
                NewFile(report.request, mode: 0o644, bytes: request.text),
            ])
        }
        if let failed { throw failure(failed.path, failed.reason) }
        let names = "'\(VisibleText.escaped(report.key.text))' and '\(VisibleText.escaped(report.request.text))'"
        format.write(
            report.lines(style.style, width: style.width), json: report.json, remark: "; \(names) are written")
    }

    private func failure(_ path: RawPath, _ reason: String) -> ExitCode {
        CheckExit.failure(
            "error: cannot write '\(VisibleText.escaped(path.text))': \(reason); nothing was written; choose another path with --out"
        )
    }
}

/// The result of `certcheck csr`.
struct CsrReport {
    let key: RawPath
    let request: RawPath
    /// Both without their endings.
    let stem: RawPath
    let subject: SigningRequestSubject
    /// Where the password of the key came from; nil if it has none.
    let password: PasswordSource?

    init(stem: RawPath, subject: SigningRequestSubject, password: PasswordSource?) {
        self.stem = stem
        key = stem.appending(".key")
        request = stem.appending(".certSigningRequest")
        self.subject = subject
        self.password = password
    }

    func lines(_ style: TextStyle, width: Int?) -> [String] {
        let protection = password == nil ? "not encrypted, only you can read it" : "encrypted"
        return [
            "wrote \(style.bold(VisibleText.escaped(key.text))), the private key (\(protection)); "
                + "without it the certificate is useless",
            "wrote \(style.bold(VisibleText.escaped(request.text))), the request",
        ] + steps.lines(style, width: width)
    }

    var json: String {
        let subject = JSONOutput.object([
            "commonName": .string(subject.commonName), "email": .optional(subject.email),
            "country": .optional(subject.country),
        ])
        return JSONOutput.object([
            "version": .number(1), "tool": .string("certcheck"), "command": .string("csr"), "key": .string(key.text),
            "request": .string(request.text), "written": .array([.string(key.text), .string(request.text)]),
            "keyIsEncrypted": .boolean(password != nil), "subject": subject, "next": steps.json,
        ]).text
    }

    private var steps: RenewalSteps {
        let request = "'\(VisibleText.escaped(request.text))'"
        return RenewalSteps(steps: [
            .init(
                text:
                    "Upload \(request) at https://developer.apple.com/account/resources/certificates/add (Certificates, "
                    + "Identifiers & Profiles): choose Apple Push Notification service SSL (Sandbox & Production), or the kind of "
                    + "the certificate in use, and its identifier."),
            .init(
                text:
                    "For device management (MDM): let the vendor of the server sign the request, and renew the same "
                    + "certificate at https://identity.apple.com/pushcert/ with the same Apple ID. A new one has a new topic, and "
                    + "every device would have to enroll again."),
            .init(
                text:
                    "Download the certificate, such as aps.cer, and combine it with its key (add '--old FILE' to compare "
                    + "it with the file in use):",
                command: ShellText.line(combine)),
            .init(text: "Revoke the old certificate only after the new file is deployed: Apple allows two at a time."),
        ])
    }

    private var combine: [String] {
        var words = ["certcheck", "combine", "aps.cer", "--key", key.text, "--out", stem.appending(".p12").text]
        switch password {
        case .environment(let name): words += ["--password-env", name]
        case .file(let path) where path != "-": words += ["--password-file", path]
        // Is gone by then; the terminal is asked.
        case .file, .descriptor, nil: break
        }
        return words
    }
}

/// The steps to be taken next, in order.
struct RenewalSteps {
    /// A step: what to do, and perhaps the line to be copied for it.
    struct Step {
        let text: String
        var command: String?
    }

    let steps: [Step]

    /// - Parameter width: The columns of the terminal; nil if there is none, and nothing is broken into lines.
    func lines(_ style: TextStyle, width: Int?) -> [String] {
        var lines = ["", style.bold("Next:")]
        for (index, step) in steps.enumerated() {
            let number = "\(index + 1). "
            let columns = width.map { max(20, min($0, 100) - number.utf8.count) } ?? .max
            for (row, line) in WrappedText.lines(step.text, columns: columns).enumerated() {
                lines.append((row == 0 ? number : String(repeating: " ", count: number.utf8.count)) + line)
            }
            // Never broken, so that it can be copied.
            if let command = step.command { lines.append("     \(style.bold(command))") }
        }
        return lines
    }

    var json: JSONOutput {
        .array(steps.map { .object(["text": .string($0.text), "command": .optional($0.command)]) })
    }
}

/// The format of a result that is either for people or for programs.
enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// Writes a result to standard output.
    ///
    /// - Parameter remark: the text after the reason if that fails.
    func write(_ lines: @autoclosure () -> [String], json: @autoclosure () -> String, remark: String = "") {
        var results = StandardOutput(failure: CheckExit.failed.rawValue, remark: remark)
        for line in self == .text ? lines() : [json()] { results.write(line) }
        results.flush()
    }
}
