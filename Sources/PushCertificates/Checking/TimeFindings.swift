internal import Diagnostics

/// What is to be said about the time of one certificate (push-certificates.md, sections 7 and 8).
struct TimeFindings {
    let certificate: PushCertificate
    let index: Int
    let validity: Validity
    let thresholds: Thresholds

    /// For one whose time counts.
    var all: [Finding] {
        if validity.isReversed { return [reversed] }
        return (validity.isNotYetValid ? [notYetValid] : []) + (end.map { [$0] } ?? []) + issuer
    }

    /// For one that a newer one replaces: what is past matters no more.
    func superseded(by place: CertificatePlace, until notAfter: Int64, isSameFile: Bool) -> [Finding] {
        let past = [statementOfEnd].compactMap { $0 }.map { finding($0.code, .note, $0.text) }
        let newer = isSameFile ? "another certificate of this file" : "the one in '\(VisibleText.escaped(place.path))'"
        let note = finding(
            .superseded, .note,
            "replaced by \(newer), which is valid until \(Timestamp(seconds: notAfter)); once nothing uses this one "
                + "any more, it can go")
        return past + issuer + [note]
    }

    /// For a CA beside other certificates, which harms nobody.
    var besideOthers: [Finding] {
        guard validity.isExpired else { return [] }
        return [
            finding(
                .caExpired, .note,
                "this CA certificate expired \(when(validity.notAfter, validity.left)); nothing needs it here, and the "
                    + "next export can do without it")
        ]
    }

    private var end: Finding? {
        guard let end = statementOfEnd else { return nil }
        let isCritical = validity.urgencyOfEnd(thresholds) == .critical
        return finding(
            end.code, isCritical ? .critical : .warning, "\(end.text); \(RenewalAdvice.text(certificate.kind))")
    }

    /// Nil if the end is far away.
    private var statementOfEnd: (code: FindingCode, text: String)? {
        guard validity.urgencyOfEnd(thresholds) != .ok else { return nil }
        let when = when(validity.notAfter, validity.left)
        return validity.isExpired ? (.expired, "expired \(when)") : (.expiresSoon, "expires \(when)")
    }

    private var notYetValid: Finding {
        let statement = "not valid yet: begins \(when(validity.notBefore, validity.untilBegin))"
        let advice =
            validity.untilBegin <= Self.clockTolerance
            ? "check the clock of this machine, which seems to be slow"
            : "use the one before it until then, or check the clock of this machine"
        return finding(.notYetValid, .critical, "\(statement); \(advice)")
    }

    private var reversed: Finding {
        finding(
            .validityReversed, .critical,
            "valid from \(Timestamp(seconds: validity.notBefore)) until \(Timestamp(seconds: validity.notAfter)): it "
                + "ends before it begins; no server accepts it: make a new one")
    }

    private var issuer: [Finding] {
        guard let notAfter = certificate.issuer?.notAfter else { return [] }
        let validity = Validity(notBefore: .min, notAfter: notAfter, now: validity.now)
        guard validity.isExpired else { return [] }
        return [
            finding(
                .issuerExpired, .note,
                "the certificate of its issuer expired \(when(notAfter, validity.left)); whoever checks the whole "
                    + "chain refuses both: a new certificate comes from a newer issuer")
        ]
    }

    private func when(_ second: Int64, _ distance: Int64) -> String {
        "\(TimeSpan(seconds: distance).fromNow), on \(Timestamp(seconds: second))"
    }

    private func finding(_ code: FindingCode, _ severity: Finding.Severity, _ message: String) -> Finding {
        Finding(code, severity, message, certificate: index)
    }

    /// By so many seconds a clock may differ from Apple's without being noticed elsewhere.
    private static let clockTolerance: Int64 = 300
}
