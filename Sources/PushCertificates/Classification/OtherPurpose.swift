internal import Diagnostics

/// The purpose of a certificate without anything of push, as far as known.
enum OtherPurpose {
    static func finding(_ evidence: KindEvidence) -> Diagnostic {
        let whatItIs =
            describe(evidence).map { "this is \($0), not a push certificate" }
            ?? "the certificate is not for push notifications: Apple's push extensions are missing, and it is not named like a push "
            + "certificate"
        return RuleDescription.notPush.finding(
            whatItIs,
            advice: "check the push certificate instead; its name usually begins with 'Apple Push Services: '")
    }

    /// Like `a TLS server's certificate`; nil if nothing tells.
    static func describe(_ evidence: KindEvidence) -> String? {
        if let name = evidence.commonName, let known = names.first(where: { ASCIICase.begins(name.utf8, with: $0.0) }) {
            return known.1
        }
        if let known = marks.first(where: { evidence.extensions.contains($0.0) }) { return known.1 }
        if evidence.extensions.contains(where: { $0.utf8.starts(with: ObjectIdentifier.appleCodeSigning.utf8) }) {
            return "one of Apple's certificates for code signing"
        }
        return usages.first { evidence.extendedKeyUsages.contains($0.0) }?.1
    }

    private static let vendor =
        "an MDM vendor's certificate, which signs customers' requests for push certificates"

    private static let names: [(String, String)] = [
        ("MDM Vendor:", vendor), ("MDM CSR Signing Certificate:", vendor),
        ("Apple Pay ", "a certificate for Apple Pay"),
        ("Merchant ID:", "a certificate for Apple Pay"),
    ]

    /// Apple's extensions for signing code, the more telling first.
    private static let marks: [(String, String)] = [
        ("1.2.840.113635.100.6.1.13", "a Developer ID certificate for signing apps for the Mac"),
        ("1.2.840.113635.100.6.1.14", "a Developer ID certificate for signing installer packages"),
        ("1.2.840.113635.100.6.1.8", "a certificate for signing installer packages for the Mac App Store"),
        ("1.2.840.113635.100.6.1.2", "a code signing certificate for development"),
        ("1.2.840.113635.100.6.1.12", "a code signing certificate for development"),
        ("1.2.840.113635.100.6.1.4", "a code signing certificate for distribution"),
        ("1.2.840.113635.100.6.1.7", "a code signing certificate for distribution"),
    ]

    private static let usages: [(String, String)] = [
        (ObjectIdentifier.codeSigning, "a code signing certificate"),
        (ObjectIdentifier.serverAuthentication, "a TLS server's certificate"),
        (ObjectIdentifier.emailProtection, "an e-mail certificate"),
        (ObjectIdentifier.timeStamping, "a time-stamping certificate"),
        (ObjectIdentifier.ocspSigning, "an OCSP signing certificate"),
        (ObjectIdentifier.clientAuthentication, "a TLS client's certificate"),
    ]
}
