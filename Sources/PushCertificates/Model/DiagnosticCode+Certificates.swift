internal import Diagnostics

/// The codes of what is said at any time (push-certificates.md, section 8).
extension DiagnosticCode {
    static let notPush = DiagnosticCode(rawValue: "not-push")
    static let kindDisagrees = DiagnosticCode(rawValue: "kind-disagrees")
    static let pushExtensionMissing = DiagnosticCode(rawValue: "push-extension-missing")
    static let topicsMalformed = DiagnosticCode(rawValue: "topics-malformed")
    static let userIDNotInTopics = DiagnosticCode(rawValue: "userid-not-in-topics")
    static let notAppleIssued = DiagnosticCode(rawValue: "not-apple-issued")
    static let wrongIntermediate = DiagnosticCode(rawValue: "wrong-intermediate")
    static let outlivesIssuer = DiagnosticCode(rawValue: "outlives-issuer")
    static let noPrivateKey = DiagnosticCode(rawValue: "no-private-key")
    static let keyMismatch = DiagnosticCode(rawValue: "key-mismatch")
    static let keyUnreadable = DiagnosticCode(rawValue: "key-unreadable")
    static let unprotectedKey = DiagnosticCode(rawValue: "unprotected-key")
    static let weakKey = DiagnosticCode(rawValue: "weak-key")
    static let weakSignature = DiagnosticCode(rawValue: "weak-signature")
    static let tokenKey = DiagnosticCode(rawValue: "token-key")
    static let noMAC = DiagnosticCode(rawValue: "no-mac")
    static let trailingBytes = DiagnosticCode(rawValue: "trailing-bytes")
    static let base64Text = DiagnosticCode(rawValue: "base64-text")
    static let bagSkipped = DiagnosticCode(rawValue: "bag-skipped")
}
