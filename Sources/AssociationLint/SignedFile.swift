internal import Diagnostics

/// What is inside a signed (CMS) file.
public enum SignedFile: Sendable {
    /// The content, who signed it, who issued the signer's certificate, and when that expires; nil is unknown.
    case content([UInt8], signer: String?, issuer: String?, notAfter: String?)
    /// It is signed data, but its content cannot be read; a clause that says why.
    case unreadable(String)
}

/// The findings about signed (CMS) files.
enum SignatureFindings {
    static func signedFile(signer: String?, issuer: String?, notAfter: String?) -> Diagnostic {
        let notes = [
            signer.map { "signed by \(quoted($0))" }, issuer.map { "the certificate is issued by \(quoted($0))" },
            notAfter.map { "the certificate expires \($0)" },
        ]
        return Diagnostic(
            code: DiagnosticCode(rawValue: "signed-file"), severity: .warning,
            message: "the file is signed, which only iOS 8 needs: publish the plain JSON",
            range: SourceRange(start: 0, end: 0),
            notes: notes.compactMap { $0 } + ["positions refer to the signed content"])
    }

    static func unreadable(_ reason: String) -> Diagnostic {
        Diagnostic(
            code: DiagnosticCode(rawValue: "unreadable-signature"), severity: .error,
            message: "the signed file cannot be unwrapped: \(reason)", range: SourceRange(start: 0, end: 0))
    }
}
