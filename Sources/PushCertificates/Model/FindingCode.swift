/// What there is to say about a file or a certificate (push-certificates.md, section 8); its raw value is stable.
public enum FindingCode: String, Sendable, CaseIterable, CustomStringConvertible {
    case expired
    case notYetValid = "not-yet-valid"
    case validityReversed = "validity-reversed"
    case expiresSoon = "expires-soon"
    case superseded
    case notPush = "not-push"
    case kindDisagrees = "kind-disagrees"
    case pushExtensionMissing = "push-extension-missing"
    case topicsMalformed = "topics-malformed"
    case userIDNotInTopics = "userid-not-in-topics"
    case notAppleIssued = "not-apple-issued"
    case issuerExpired = "issuer-expired"
    case caExpired = "ca-expired"
    case wrongIntermediate = "wrong-intermediate"
    case outlivesIssuer = "outlives-issuer"
    case noPrivateKey = "no-private-key"
    case keyMismatch = "key-mismatch"
    case keyUnreadable = "key-unreadable"
    case unprotectedKey = "unprotected-key"
    case weakKey = "weak-key"
    case weakSignature = "weak-signature"
    case clockSuspicious = "clock-suspicious"
    case tokenKey = "token-key"
    case noMAC = "no-mac"
    case trailingBytes = "trailing-bytes"
    case base64Text = "base64-text"
    case bagSkipped = "bag-skipped"

    public var description: String { rawValue }

    /// The severities it comes with, the usual one first.
    public var severities: [Finding.Severity] {
        switch self {
        case .expired, .notYetValid, .validityReversed: [.critical, .note]
        case .expiresSoon: [.critical, .warning, .note]
        case .notAppleIssued: [.warning, .note]
        case .notPush, .kindDisagrees, .pushExtensionMissing, .topicsMalformed, .userIDNotInTopics, .outlivesIssuer,
            .noPrivateKey, .keyMismatch, .keyUnreadable, .unprotectedKey, .weakKey, .clockSuspicious:
            [.warning]
        case .superseded, .issuerExpired, .caExpired, .wrongIntermediate, .weakSignature, .tokenKey, .noMAC,
            .trailingBytes, .base64Text, .bagSkipped:
            [.note]
        }
    }

    /// What it says, one clause.
    public var summary: String {
        switch self {
        case .expired: "its end has passed"
        case .notYetValid: "its beginning has not come yet"
        case .validityReversed: "it ends before it begins"
        case .expiresSoon: "its end is within the warning or the critical time"
        case .superseded: "another certificate of the run replaces it"
        case .notPush: "it is a certificate for something else"
        case .kindDisagrees: "its name says another kind than its extensions"
        case .pushExtensionMissing: "its name is that of a push certificate, but it has none of Apple's push extensions"
        case .topicsMalformed: "its list of topics is not as it should be"
        case .userIDNotInTopics: "its user ID is not among its topics"
        case .notAppleIssued: "no signature leads from it to Apple"
        case .issuerExpired: "the authority that issued it has expired; it is valid all the same"
        case .caExpired: "an authority beside it in the file has expired"
        case .wrongIntermediate: "an authority beside it in the file has not issued it"
        case .outlivesIssuer: "it ends after the authority that issued it"
        case .noPrivateKey: "its private key is not in the PKCS#12 file"
        case .keyMismatch: "the private key in the file is another one's"
        case .keyUnreadable: "the private key in the file cannot be decrypted or is of an unknown kind"
        case .unprotectedKey: "the private key in a PKCS#12 file is protected by no password"
        case .weakKey: "its RSA key has less than 2,048 bits"
        case .weakSignature: "it is signed with SHA-1 or MD5"
        case .clockSuspicious: "the clock is before the beginning of Apple's present authority"
        case .tokenKey: "the file is a signing key for tokens, which does not expire"
        case .noMAC: "the PKCS#12 file has no checksum with a key, so nothing proves that it is as it was"
        case .trailingBytes: "something stands behind the end of the content"
        case .base64Text: "the content is written as base64"
        case .bagSkipped: "the PKCS#12 file has something in it that is neither a certificate nor a key"
        }
    }
}
