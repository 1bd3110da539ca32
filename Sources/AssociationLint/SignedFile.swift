package import Diagnostics
internal import JSONSyntax

/// The content of a signed (CMS) file.
public enum SignedFile: Sendable {
    /// The content, who signed it, who issued the signer's certificate, and when that expires; nil is unknown.
    case content([UInt8], signer: String?, issuer: String?, notAfter: String?)
    /// It is signed data, but its content cannot be read; a clause that says why.
    case unreadable(String)
}

/// The findings about signed (CMS) files.
package enum SignatureFindings {
    static func signedFile(signer: String?, issuer: String?, notAfter: String?) -> Diagnostic {
        let notes = [
            signer.map { "signed by \(quoted($0))" }, issuer.map { "the certificate is issued by \(quoted($0))" },
            notAfter.map { "the certificate expires \($0)" },
        ]
        return Diagnostic(
            .signedFile, "the file is signed, which only iOS 8 needs: publish the plain JSON",
            notes: notes.compactMap { $0 } + ["positions refer to the signed content"])
    }

    package static func unreadable(_ reason: String) -> Diagnostic {
        Diagnostic(.unreadableSignature, "the signed file cannot be unwrapped: \(reason)")
    }
}

extension RuleDescription {
    static let signedFile = RuleDescription(
        "signed-file", .warning, summary: "the file is signed (CMS)",
        reason: """
            Only iOS 8 asked for a signature; newer systems take plain JSON, and nobody notices when the signer's certificate \
            expires (Apple, "Supporting associated domains"). The content is checked, the signature is not verified.
            """, basis: [.apple],
        // Signed data without a signer: nothing in it expires.
        bad: """
            -----BEGIN CMS-----
            MF8GCSqGSIb3DQEHAqBSMFACAQExADBHBgkqhkiG9w0BBwGgOgQ4eyJ3ZWJjcmVk
            ZW50aWFscyI6eyJhcHBzIjpbIjdLM1FXWjlQTE0uY29tLnNob3AuYXBwIl19fQox
            AA==
            -----END CMS-----

            """, good: SyntaxRules.good)
    package static let unreadableSignature = RuleDescription(
        "unreadable-signature", .error, summary: "the file is signed data without readable content",
        reason: "The file has no readable content, so the system finds no associations in it, either.",
        basis: [.inferred],
        bad: """
            -----BEGIN CMS-----
            MAsGCSqGSIb3DQEHAg==
            -----END CMS-----

            """, good: SyntaxRules.good)
}
