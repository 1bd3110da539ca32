internal import Diagnostics

/// The codes of what depends on the time or on the other files of a run (push-certificates.md, section 8).
extension DiagnosticCode {
    static let expired = DiagnosticCode(rawValue: "expired")
    static let notYetValid = DiagnosticCode(rawValue: "not-yet-valid")
    static let validityReversed = DiagnosticCode(rawValue: "validity-reversed")
    static let expiresSoon = DiagnosticCode(rawValue: "expires-soon")
    static let superseded = DiagnosticCode(rawValue: "superseded")
    static let issuerExpired = DiagnosticCode(rawValue: "issuer-expired")
    static let caExpired = DiagnosticCode(rawValue: "ca-expired")
    static let clockSuspicious = DiagnosticCode(rawValue: "clock-suspicious")
}
