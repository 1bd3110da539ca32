import ArgumentParser
import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates
import SystemSupport

struct Combine: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "combine",
        abstract: "Combine a certificate and its private key into the file that a server needs, .p12 or PEM.",
        discussion: manual.discussion(
            """
            The private key is matched by its public key, so --keys finds the right one among all files directly in a \
            folder. The new file is read back and compared before it gets its name, and no file is ever overwritten. Its \
            password comes from one of the password options, or is asked for on the terminal.

            A file that has both already is taken apart: --serial chooses one of several certificates, and its key is the \
            one in the file.

            By default macOS can open the file, too (3DES, SHA-1); --modern is stronger. --pem writes a text file with the \
            certificate, then those of its issuers, then the key. --old compares the certificate with \
            the file in use, and refuses it if it lacks one of that file's topics.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init(
                "certcheck combine aps.cer --key push-com.example.app-20261121.key", "combine a certificate and its key"
            ),
            .init("certcheck combine aps.cer --keys keys --old push.p12 --out new.p12", "compare with the file in use"),
            .init("certcheck combine aps.cer --keys keys --password-file secret --modern", "use AES-256 and SHA-256"),
            .init("certcheck combine aps.cer --key app.key --pem --no-password", "write PEM, as many servers want it"),
            .init(
                "certcheck combine both.p12 --serial 1A2B3C --out new.p12",
                "take one of several certificates out of a file"),
        ],
        exits: [.init(0, "if the file is written"), .init(3, "if nothing was done")])

    @Argument(
        help: ArgumentHelp(
            "The certificate as downloaded from Apple, or a file that has it, .p12 or PEM; - is standard input.",
            valueName: "cer"),
        completion: .file())
    var cer: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read the private key from this file (default: the certificate's own); - is standard input.",
            valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Search the files of this folder for the private key.", valueName: "dir"),
        completion: .directory)
    var keys: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Read the password of an encrypted key, or of a .p12 that has it, from this environment variable (default: the \
            new file's password).
            """,
            valueName: "name"))
    var keyPasswordEnv: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write this file (default: the name of the certificate with .p12 or .pem).", valueName: "file"),
        completion: .file())
    var out: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Compare with this file, which is in use now; - is standard input.", valueName: "file"),
        completion: .file())
    var old: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read the password of the file in use from this environment variable (default: the new file's password).",
            valueName: "name"))
    var oldPasswordEnv: String?

    @Flag(help: "Accept another identifier, or fewer topics, than in the file in use.")
    var allowDifferentTopic = false

    @Flag(help: "Protect the file with AES-256 and SHA-256, which macOS cannot import.")
    var modern = false

    @Flag(help: "Write PEM instead of PKCS #12.")
    var pem = false

    @Flag(help: "Write a file without a password; anybody who can read it can send.")
    var noPassword = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take the certificate with this serial number, of several.", valueName: "serial"))
    var serial: String?

    @Flag(help: "Add Apple's intermediate certificate G4 to the file.")
    var chain = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Add the certificates of this file, the issuer's first, each the issuer of the one before.",
            valueName: "file"),
        completion: .file())
    var chainFile: String?

    @Option(help: "Choose the output format.")
    var format = ResultFormat.text

    @OptionGroup(title: "Password of the new file") var password: PasswordOptions

    @OptionGroup var style: OutputOptions

    func validate() throws {
        switch (key, keys) {
        case (.some, .some): throw ValidationError("--key and --keys exclude each other; name one of them")
        case ("", _), (_, ""): throw ValidationError("the path of the private key is empty; is a variable not set?")
        default: break
        }
        if pem, modern { throw ValidationError("--modern is about PKCS #12; leave it out with --pem") }
        if chain, chainFile != nil {
            throw ValidationError("--chain and --chain-file exclude each other; name one of them")
        }
        if noPassword, password.source != nil {
            throw ValidationError(
                "--no-password excludes the password options; the password of a key is --key-password-env")
        }
        let fromInput =
            [cer, key, old, chainFile].count { $0 == "-" } + (password.source?.isStandardInput == true ? 1 : 0)
        guard fromInput <= 1 else {
            throw ValidationError("standard input can be read only once; read the others from files")
        }
        if cer == "-", out == nil { throw ValidationError("name the new file with --out; standard input has no name") }
        if out == "-" { throw ValidationError("--out -: a private key is never written to standard output") }
        if out == "" { throw ValidationError("the path of --out is empty; is a variable not set?") }
    }

    func run() throws {
        // Before any file is opened: it might get the number of a descriptor that was meant to hold the password.
        let passwords = CombinePasswords(
            new: try password.password().map { Password($0) },
            key: try keyPasswordEnv.map { Password(try PasswordSource.environment($0).read()) },
            old: try oldPasswordEnv.map { Password(try PasswordSource.environment($0).read()) })
        do throws(RenewalError) {
            let result = try combine(passwords)
            format.write(
                result.lines(style.style, width: style.width), json: result.json,
                remark: "; '\(VisibleText.escaped(target.text))' is written")
        } catch {
            throw CheckExit.failure("error: \(error)")
        }
    }

    private func combine(_ passwords: CombinePasswords) throws(RenewalError) -> CombineReport {
        let target = target
        // Before the user is asked for a password.
        if let obstacle = NewFile.obstacle(at: target) { throw failure(target, obstacle) }
        let files = try CombineFiles()
        let certificate = try files.certificate(cer, serial: serial, passwords)
        let key = try self.key(of: certificate, files, passwords)
        let issuers = try issuers(of: certificate, files)
        var warnings = certificate.warnings(now: Int64(time(nil))).map {
            "the certificate in \(CombineFiles.name(cer)): \($0)"
        }
        if let old {
            let replacement = try files.replacement(of: old, by: certificate, passwords)
            if let refusal = replacement.refusal {
                guard allowDifferentTopic else {
                    throw RenewalError(
                        refusal.code, "\(refusal.message); --allow-different-topic accepts it anyway")
                }
                warnings.append(refusal.message)
            }
            warnings += replacement.warnings
        }
        for warning in warnings { StandardError.write("warning: \(warning)") }

        let file = try CombinedFile(
            certificate, key: key.key, password: noPassword ? nil : try passwords.forNewFile(), form: form,
            issuers: issuers, with: files.reader)
        let obstacle = NewFile(target, mode: 0o600, bytes: file.bytes).place { bytes in
            do throws(RenewalError) {
                try file.verify(bytes)
                return nil
            } catch {
                return error.message
            }
        }
        if let obstacle { throw failure(target, obstacle) }
        return CombineReport(
            path: target.text, key: key.path, certificate: certificate.certificate, form: form,
            hasIssuer: chain || chainFile != nil, hasPassword: !noPassword, warnings: warnings
        )
    }

    private var form: CombinedFile.Form { pem ? .pem : modern ? .modern : .compatible }

    private func key(
        of certificate: IssuedCertificate, _ files: CombineFiles, _ passwords: CombinePasswords
    ) throws(RenewalError) -> CombineKeySearch.Found {
        var search = CombineKeySearch(of: certificate, files, passwords)
        if let key { return try search.inFile(key) }
        if let keys { return try search.inFolder(keys) }
        guard let own = certificate.ownKey else {
            throw RenewalError(
                .noMatchingKey,
                "the private key is not in \(CombineFiles.name(cer)), or cannot be read; name its file with --key, or a folder "
                    + "with --keys")
        }
        return (own, cer)
    }

    private func issuers(
        of certificate: IssuedCertificate, _ files: CombineFiles
    ) throws(RenewalError) -> IssuerChain {
        if chain { return try IssuerChain(builtInWith: files.reader) }
        guard let chainFile else { return IssuerChain() }
        return try CombineFiles.reading(chainFile) { bytes throws(RenewalError) in
            try IssuerChain(bytes, of: certificate, with: files.reader)
        }
    }

    private var target: RawPath {
        if let out { return RawPath(argument: out) }
        return RawPath(argument: cer).removingExtension([".cer", ".crt", ".der", ".pem", ".cert"]).appending(
            pem ? ".pem" : ".p12")
    }

    private func failure(_ path: RawPath, _ reason: String) -> RenewalError {
        let statement = "cannot write '\(VisibleText.escaped(path.text))': \(reason)"
        return RenewalError(.unsuitableFile, "\(statement); nothing was written; choose another path with --out")
    }
}

/// The result of `certcheck combine`.
struct CombineReport {
    let path: String
    /// Where the key was.
    let key: String
    let certificate: PushCertificate
    let form: CombinedFile.Form
    let hasIssuer: Bool
    let hasPassword: Bool
    let warnings: [String]

    private var end: String? { certificate.notAfter.map { InternetDate.string($0) } }

    func lines(_ style: TextStyle, width: Int?) -> [String] {
        let topics = certificate.topics.map { topic in
            topic.name + (topic.purposes.isEmpty ? "" : " (\(topic.purposes.joined(separator: ", ")))")
        }
        let environments = certificate.environments.map(\.rawValue).joined(separator: ", ")
        return ["wrote \(style.bold(VisibleText.escaped(path)))"]
            + Self.rows("kind", [certificate.kind.rawValue]) + Self.rows("topics", topics.isEmpty ? ["none"] : topics)
            + Self.rows("environments", [environments.isEmpty ? "none" : environments])
            + Self.rows("expires", [end ?? "never"]) + Self.rows("key from", [key == "-" ? "standard input" : key])
            + steps.lines(style, width: width)
    }

    private static func rows(_ name: String, _ values: [String]) -> [String] {
        values.enumerated().map { index, value in
            "  \(TerminalWidth.padded(index == 0 ? name : "", to: 14))\(VisibleText.escaped(value))"
        }
    }

    var json: String {
        return JSONOutput.object([
            "version": .number(1), "tool": .string("certcheck"), "command": .string("combine"), "path": .string(path),
            "written": .array([.string(path)]), "key": .string(key), "modern": .boolean(form == .modern),
            "format": .string(form == .pem ? "pem" : "pkcs12"), "password": .boolean(hasPassword),
            "chain": .boolean(hasIssuer),
            "certificate": .object(certificate.members), "warnings": .array(warnings.map(JSONOutput.string)),
            "next": steps.json,
        ]).text
    }

    private var steps: RenewalSteps {
        var steps = [
            RenewalSteps.Step(
                text:
                    "Deploy the new file, and restart the server: most read it only at startup. The old one still works."
            ),
            .init(
                text: "Check the file in its new location:", command: ShellText.line(["certcheck", path])),
        ]
        if certificate.kind == .mdm {
            steps.append(
                .init(text: "The topic must match that of the file in use; --old compares them. Revoke nothing."))
        } else {
            steps.append(
                .init(
                    text:
                        "Only then revoke the old certificate, or let it expire: revoking it earlier causes an outage.")
            )
        }
        return RenewalSteps(steps: steps)
    }
}
