import ArgumentParser
import CommandLineSupport
import Diagnostics
import Glibc
import PushCertificates
import SystemSupport

struct Csr: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csr",
        abstract: "Makes a private key, and the request with which Apple makes a certificate for it.",
        discussion: """
            Writes STEM.key, which never leaves this machine, and STEM.certSigningRequest, which is uploaded. No file is ever \
            overwritten. The key is RSA with 2048 bits; what the request says besides is for people, and Apple looks at none \
            of it. With one of the password options the key is encrypted (AES-256).

            Examples:
              certcheck csr --name com.example.app
              certcheck csr --name com.example.app --country DE --out keys/app
              certcheck csr --name com.example.app --password-file /run/secrets/push

            The old certificate stays in use until the new one is deployed: Apple allows two at a time. Exit 0, or 3 if \
            nothing was done.
            """
    )

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("What a person will recognise, best the bundle ID.", valueName: "name"))
    var name: String

    @Option(parsing: .unconditional, help: ArgumentHelp("An e-mail address in the request.", valueName: "address"))
    var email: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("A country in the request, like DE or US.", valueName: "country"))
    var country: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The path of both files without their endings (default: push-NAME-YYYYMMDD in the current folder).",
            valueName: "stem"),
        completion: .file())
    var out: String?

    @Option(help: "Output format.")
    var format = RenewalFormat.text

    @OptionGroup(title: "Password of the key") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        _ = try subject()
        guard let out else { return }
        let name = RawPath(out).name
        if name.isEmpty || [".", ".."].contains(String(decoding: name, as: UTF8.self)) {
            throw ValidationError(
                "--out \(quoted(out)) names no file; expected a path without an ending, like keys/app")
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
        let password = try password.password()
        let stem = out.map { RawPath(argument: $0) } ?? RawPath(subject.stem)
        let report = CsrReport(stem: stem, subject: subject, password: self.password.source)
        // Before anything is made: nobody shall wonder which of two keys belongs to the request.
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
        var results = StandardOutput(
            failure: CheckExit.failed.rawValue,
            remark:
                "; '\(VisibleText.escaped(report.key.text))' and '\(VisibleText.escaped(report.request.text))' are written"
        )
        switch format {
        case .text: for line in report.lines(style.style, width: style.width) { results.write(line) }
        case .json: results.write(report.json)
        }
        results.flush()
    }

    private func failure(_ path: RawPath, _ reason: String) -> ExitCode {
        CheckExit.failure(
            "error: cannot write '\(VisibleText.escaped(path.text))': \(reason); nothing was written, choose another place with --out"
        )
    }
}
