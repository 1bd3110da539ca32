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
        // A note once a newer certificate replaces the one without its key.
        case .noPrivateKey, .keyMismatch: [.critical, .warning, .note]
        case .notPush, .kindDisagrees, .pushExtensionMissing, .topicsMalformed, .userIDNotInTopics, .outlivesIssuer,
            .keyUnreadable, .unprotectedKey, .weakKey, .clockSuspicious:
            [.warning]
        case .superseded, .issuerExpired, .caExpired, .wrongIntermediate, .weakSignature, .tokenKey, .noMAC,
            .trailingBytes, .base64Text, .bagSkipped:
            [.note]
        }
    }
}
