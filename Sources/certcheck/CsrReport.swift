import CommandLineSupport
import Diagnostics
import PushCertificates
import SystemSupport

/// What `certcheck csr` says when it is done.
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
                + "without it the certificate is worth nothing",
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
                    "For device management (MDM) instead: let the vendor of the server sign the request, and renew the same "
                    + "certificate at https://identity.apple.com/pushcert/ with the same Apple ID. A new one has a new topic, and "
                    + "every device would have to enrol again."),
            .init(
                text:
                    "Download the certificate, such as aps.cer, and put it together with its key (add '--old FILE' to compare "
                    + "it with the file in use):",
                command: RenewalCommand.line(combine)),
            .init(text: "Revoke nothing before the new file is deployed: Apple allows two certificates at a time."),
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
