public import Diagnostics

/// The rules of certcheck (push-certificates.md, section 8): `certcheck codes`, `certcheck explain` and the documentation are
/// made from them.
public enum CertificateRules {
    /// Why a file cannot be read, then what is found in one that can.
    public static let catalogue = RuleCatalogue([RuleGroup("Certificates", all)])

    private static let all: [RuleDescription] = [
        .notFound, .unreadable, .tooLarge, .notACertificate, .corrupt, .passwordRequired, .wrongPassword,
        .legacyProviderMissing, .unsupportedAlgorithm, .expired, .notYetValid, .validityReversed, .expiresSoon,
        .superseded, .notPush, .kindDisagrees, .pushExtensionMissing, .topicsMalformed, .userIDNotInTopics,
        .notAppleIssued, .issuerExpired, .caExpired, .wrongIntermediate, .outlivesIssuer, .noPrivateKey,
        .keyMismatch, .severalIdentities, .authorityFirst, .unexpectedTopic,
        .mdmTopicChanged, .keyUnreadable, .unprotectedKey, .weakKey, .weakSignature, .clockSuspicious, .tokenKey,
        .noMAC, .trailingBytes, .base64Text, .bagSkipped,
    ]
}

extension RuleDescription {
    private static func certificate(
        _ code: String, _ severities: [Severity], _ summary: String, reason: String, advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, severities.first ?? .note, or: Array(severities.dropFirst()), subject: .certificate, summary: summary,
            reason: reason, advice: advice)
    }

    /// A finding of this kind about a file as a whole; `Diagnostic.about(_:_:)` makes it one about a certificate.
    ///
    /// - Parameters:
    ///   - message: What is wrong, one clause.
    ///   - severity: One of those that it can have; nil for the usual one.
    ///   - advice: What to do, best one command; nil where there is nothing to do.
    func finding(_ message: String, _ severity: Severity? = nil, advice: String? = nil) -> Diagnostic {
        Diagnostic(self, as: severity, message, subject: .file(""), advice: advice)
    }
}

extension RuleDescription {
    // Why a file cannot be read.
    static let notFound = certificate(
        "not-found", [.error], "the path does not exist",
        reason: "There is no file or folder with this name, or a part of the path is not a folder.",
        advice: "Check the path.")
    static let unreadable = certificate(
        "unreadable", [.error], "the file cannot be read",
        reason: "Permission is missing, the disk reports an error, or it is not a regular file.",
        advice: "Run certcheck as a user with permission to read the file, or name the file itself.")
    static let tooLarge = certificate(
        "too-large", [.error], "the file has more than 10 MiB, or needs more computing time than any real file",
        reason:
            "A file determines how much work it takes to derive its keys. The work is estimated before it is done: "
            + "more than 7 seconds, 5,000,000 iterations, 1 GiB of memory, 1,000 keys or 2,000 certificates are "
            + "refused.",
        advice: "Export it again with fewer iterations, or split it.")
    static let notACertificate = certificate(
        "not-a-certificate", [.error], "the content is something else, or has no certificate in it",
        reason: "Files are recognized by content, not by name. A signing request, a web page saved instead of the "
            + "download, or a key alone has no expiry date to check.",
        advice: "Name the file with the certificate, or download it again.")
    static let corrupt = certificate(
        "corrupt", [.error], "the file is damaged",
        reason: "Its type is recognized, but it is truncated, or its structure is broken.",
        advice: "Download or export it again.")
    static let passwordRequired = certificate(
        "password-required", [.error], "the file needs a password, and none was given",
        reason: "It does not open without a password or with an empty one, and there is no terminal to ask on.",
        advice: "Give the password with --password-env, --password-file or --password-fd.")
    static let wrongPassword = certificate(
        "wrong-password", [.error], "the password does not open the file",
        reason:
            "The checksum (MAC) does not match the password in any of its usual encodings. A damaged file looks the "
            + "same.",
        advice: "Check the password; if it is right, export the file again.")
    static let legacyProviderMissing = certificate(
        "legacy-provider-missing", [.error],
        "the file needs RC2, RC4 or DES, and OpenSSL's provider 'legacy' is not installed",
        reason: "Keychain Access exports certificates with RC2, which OpenSSL 3 keeps in a separate module.",
        advice:
            "Install it (on Debian 13 the package 'openssl-provider-legacy'), or export the file again with AES or "
            + "3DES.")
    static let unsupportedAlgorithm = certificate(
        "unsupported-algorithm", [.error], "this version of OpenSSL does not support an algorithm of the file",
        reason: "The MAC or the encryption uses an algorithm that is newer or rarer than the library.",
        advice: "Export it again with AES-256 and SHA-256, or use a newer OpenSSL.")

    // What is found in a file.
    static let expired = certificate(
        "expired", [.critical, .note], "the certificate has expired",
        reason: "Apple's servers close every connection that presents it; no notification is delivered.",
        advice: "Renew it now: run 'certcheck csr', and deploy the new certificate.")
    static let notYetValid = certificate(
        "not-yet-valid", [.critical, .note], "the certificate is not valid yet",
        reason: "Its validity begins in the future, or the clock of this machine is slow.",
        advice: "Keep using the old certificate until then, or check the clock.")
    static let validityReversed = certificate(
        "validity-reversed", [.critical, .note], "the certificate expires before it becomes valid",
        reason: "No server ever accepts it.", advice: "Create a new one.")
    static let expiresSoon = certificate(
        "expires-soon", [.critical, .warning, .note], "the certificate expires within the warning or the critical time",
        reason: "After that no notification is delivered. --warning and --critical set the thresholds, in days.",
        advice:
            "Run 'certcheck csr', deploy the new certificate, then revoke the old one (never before). Apple allows "
            + "two at a time; if there are already two, revoke one that nobody uses. An MDM certificate is renewed with the "
            + "same Apple ID instead: a new one has another topic.")
    static let superseded = certificate(
        "superseded", [.note], "another certificate of the run replaces this one",
        reason:
            "The newer one has the same topics, environments and team, is valid now and expires later, so the old "
            + "one no longer counts.",
        advice: "Delete the old one when nothing uses it any more.")
    static let notPush = certificate(
        "not-push", [.warning], "the certificate is not for push notifications",
        reason: "It has none of Apple's push extensions: a code signing or TLS certificate, for instance.",
        advice: "Name the push certificate.")
    static let kindDisagrees = certificate(
        "kind-disagrees", [.warning], "the name and the extensions of the certificate indicate different kinds",
        reason: "Apple's servers use the extensions; people look at the name.",
        advice: "Check that this is the certificate that you want to use.")
    static let pushExtensionMissing = certificate(
        "push-extension-missing", [.warning],
        "the certificate is named like a push certificate, but Apple's push extensions are missing",
        reason: "Without an extension Apple's servers do not know which environment it is for.",
        advice: "Download it again from Apple, unless it is for a test server.")
    static let topicsMalformed = certificate(
        "topics-malformed", [.warning], "the list of topics is malformed",
        reason: "The readable part is shown; servers may read it differently.",
        advice: "Download the certificate again from Apple, unless it is for a test server.")
    static let userIDNotInTopics = certificate(
        "userid-not-in-topics", [.warning], "the user ID is not among the topics",
        reason: "In Apple's certificates the user ID is the bundle ID, and the first topic.",
        advice: "Check that this is the certificate that you want to use.")
    static let notAppleIssued = certificate(
        "not-apple-issued", [.warning, .note], "the certificate is not signed by Apple",
        reason: "It has no chain of signatures to one of the ten Apple authorities that are built in. Apple's servers "
            + "reject other certificates.",
        advice: "Download it again from developer.apple.com, unless it is for a test server.")
    static let issuerExpired = certificate(
        "issuer-expired", [.note], "the authority that issued the certificate has expired",
        reason: "The certificate itself is still valid, but servers that check the whole chain reject it.",
        advice: "A new certificate comes from a newer authority.")
    static let caExpired = certificate(
        "ca-expired", [.note], "another certificate in the file, of a CA, has expired",
        reason: "Nothing needs it there.", advice: "Leave it out of the next export.")
    static let wrongIntermediate = certificate(
        "wrong-intermediate", [.note], "the file has a CA certificate that did not issue the push certificate",
        reason: "Apple's servers need no intermediate certificate; a server that wants one needs the issuer's.",
        advice: "Leave it out, or use 'certcheck combine --chain'.")
    static let outlivesIssuer = certificate(
        "outlives-issuer", [.warning], "the certificate expires after the authority that issued it",
        reason: "It may be rejected once its issuer has expired.", advice: "Renew it before that date.")
    static let noPrivateKey = certificate(
        "no-private-key", [.critical, .warning, .note], "the private key is not in the PKCS#12 file",
        reason:
            "A server cannot use a certificate without its private key, so this is critical for a push certificate. A "
            + "certificate in a file of its own (.cer, .pem) needs none.",
        advice:
            "Export the certificate together with its key: in Keychain Access, expand the certificate and select "
            + "both. If the key is in a file of its own, use 'certcheck combine'.")
    static let keyMismatch = certificate(
        "key-mismatch", [.critical, .warning, .note], "the private key in the file belongs to another certificate",
        reason: "A server cannot use such a pair, so this is critical for a push certificate.",
        advice: "Find the key with which the signing request was made, and combine the two with 'certcheck combine'. "
            + "Without that key the certificate cannot be used: start again with 'certcheck csr'.")
    static let severalIdentities = certificate(
        "several-identities", [.critical, .warning, .note], "the file has several certificates or keys to send with",
        reason:
            "Senders take the first one, take the last one, or refuse the file. This is critical if one of them has "
            + "expired, or if the first one of a PEM file cannot be used; else it is a warning, as is a PKCS#12 "
            + "file with another private key beside that of its certificate.",
        advice: "Make a file with one certificate and its key: 'certcheck combine --serial' takes one out.")
    static let authorityFirst = certificate(
        "ca-first", [.warning, .note], "the certificate of a CA comes before the push certificate",
        reason: "Senders present the first certificate of a PEM file, or refuse the file because the private key does "
            + "not match it.",
        advice: "Put the push certificate first, and CA certificates after it, as 'certcheck combine --pem' does.")
    static let unexpectedTopic = certificate(
        "unexpected-topic", [.critical, .note], "the certificate has none of the topics of --topic",
        reason: "Nothing that is sent with it arrives where it is meant to.",
        advice: "Use the certificate of the topic. For MDM, renew the same certificate with the same Apple ID.")
    static let mdmTopicChanged = certificate(
        "mdm-topic-changed", [.note], "an MDM certificate has another topic than the older one that has to be replaced",
        reason:
            "A certificate for MDM that is made anew instead of renewed has a new topic, and every device has to enroll again.",
        advice: "Renew the older one at identity.apple.com with the same Apple ID.")
    static let keyUnreadable = certificate(
        "key-unreadable", [.warning, .note], "the private key in the file cannot be read",
        reason: "It has another password, damaged or unknown encryption parameters, or an unknown type. The "
            + "certificates are still reported.",
        advice: "Give the key's password, or export the file again.")
    static let unprotectedKey = certificate(
        "unprotected-key", [.warning], "no password protects the private key in the PKCS#12 file",
        reason: "Anybody who has the file can send notifications to your apps.",
        advice: "Protect the file itself, or export it again with a password.")
    static let weakKey = certificate(
        "weak-key", [.warning], "the RSA key has fewer than 2048 bits", reason: "Such keys can be broken.",
        advice: "Create the next one with 2048 bits, as 'certcheck csr' does.")
    static let weakSignature = certificate(
        "weak-signature", [.note], "the certificate is signed with SHA-1 or MD5",
        reason: "These digests are no longer safe; Apple signs with SHA-256 today.",
        advice: "Nothing. The next certificate will have a better signature.")
    static let clockSuspicious = certificate(
        "clock-suspicious", [.warning], "the clock is earlier than Apple's current certificate authority",
        reason: "The dates in the report are not reliable.", advice: "Check the clock, or --now.")
    static let tokenKey = certificate(
        "token-key", [.note], "the file is a private key, such as a signing key for tokens (.p8)",
        reason:
            "It is not a certificate. A key from Apple's developer portal does not expire; the file does not say which "
            + "service it is for. If another checked file has the certificate of the key, it is not a token key, and "
            + "is not listed.",
        advice: "Nothing. Its key ID, usually in the file's name, is listed in Apple's developer portal.")
    static let noMAC = certificate(
        "no-mac", [.note], "the PKCS#12 file has no MAC", reason: "Changes to the file cannot be detected.",
        advice: "Export it again if it does not come directly from you.")
    static let trailingBytes = certificate(
        "trailing-bytes", [.note], "there are bytes after the end of the content",
        reason: "They are ignored; an editor may have added a line break.", advice: "Nothing.")
    static let base64Text = certificate(
        "base64-text", [.note], "the content is base64 text",
        reason: "It is decoded here; other programs may refuse it.", advice: "Decode it with 'base64 -d'.")
    static let bagSkipped = certificate(
        "bag-skipped", [.note], "the PKCS#12 file also contains items that are neither certificates nor keys",
        reason: "Revocation lists, secrets and unknown bags are ignored.", advice: "Nothing.")
}
