internal import Diagnostics

/// The findings about the time of one certificate (push-certificates.md, sections 7 and 8).
struct TimeFindings {
    let certificate: PushCertificate
    let index: Int
    let validity: Validity
    let thresholds: Thresholds

    /// For one whose time counts.
    var all: [Diagnostic] {
        if validity.isReversed { return [reversed] }
        return (validity.isNotYetValid ? [notYetValid] : []) + (end.map { [$0] } ?? []) + issuer
    }

    /// For one that a newer one replaces: what is past matters no more.
    func superseded(by newer: CertificateReference, until notAfter: Int64, isSameFile: Bool) -> [Diagnostic] {
        let past = [statementOfEnd].compactMap { $0 }.map { finding($0.rule, .note, $0.text) }
        let name = isSameFile ? "another certificate of this file" : "the one in '\(VisibleText.escaped(newer.path))'"
        let note = finding(
            .superseded, .note,
            "\(title) is replaced by \(name), valid until \(Timestamp(seconds: notAfter).minute)",
            advice: "delete this one when nothing uses it any more")
        return past + issuer + [note]
    }

    /// For a CA beside other certificates, which harms nobody.
    var besideOthers: [Diagnostic] {
        guard validity.isExpired else { return [] }
        return [
            finding(
                .caExpired, .note,
                "the CA certificate \(title) expired \(when(validity.notAfter, validity.left))",
                advice: "leave it out of the next export; nothing needs it")
        ]
    }

    private var end: Diagnostic? {
        guard let end = statementOfEnd else { return nil }
        let isCritical = validity.urgencyOfEnd(thresholds) == .critical
        return finding(
            end.rule, isCritical ? .critical : .warning, end.text, advice: RenewalAdvice.text(certificate.kind))
    }

    /// Nil if the end is far away.
    private var statementOfEnd: (rule: RuleDescription, text: String)? {
        guard validity.urgencyOfEnd(thresholds) != .ok else { return nil }
        let when = when(validity.notAfter, validity.left)
        return validity.isExpired
            ? (.expired, "\(title) expired \(when)") : (.expiresSoon, "\(title) expires \(when)")
    }

    private var notYetValid: Diagnostic {
        let statement = "\(title) is not valid yet: it becomes valid \(when(validity.notBefore, validity.untilBegin))"
        let advice =
            validity.untilBegin <= Self.clockTolerance
            ? "check the clock of this machine; it seems to be slow"
            : "keep using the old certificate until then, or check the clock of this machine"
        return finding(.notYetValid, .critical, statement, advice: advice)
    }

    private var reversed: Diagnostic {
        finding(
            .validityReversed, .critical,
            "\(title) expires before it becomes valid (valid from \(Timestamp(seconds: validity.notBefore).minute) until "
                + "\(Timestamp(seconds: validity.notAfter).minute))",
            advice: "create a new one: no server accepts this one")
    }

    private var issuer: [Diagnostic] {
        guard let notAfter = certificate.issuer?.notAfter else { return [] }
        let validity = Validity(notBefore: .min, notAfter: notAfter, now: validity.now)
        guard validity.isExpired else { return [] }
        return [
            finding(
                .issuerExpired, .note,
                "\(title): its issuer's certificate expired \(when(notAfter, validity.left))",
                advice:
                    "renew it if a server checks the whole chain and rejects it; a new one comes from a newer issuer"
            )
        ]
    }

    private func when(_ second: Int64, _ distance: Int64) -> String {
        "\(TimeSpan(seconds: distance).fromNow) (\(Timestamp(seconds: second).minute))"
    }

    private var title: String { certificate.title }

    private func finding(
        _ rule: RuleDescription, _ severity: Severity, _ message: String, advice: String? = nil
    ) -> Diagnostic {
        rule.finding(message, severity, advice: advice).about(certificate, index)
    }

    /// By so many seconds a clock may differ from Apple's without being noticed elsewhere.
    private static let clockTolerance: Int64 = 300
}

/// What to do about a certificate that expires (push-certificates.md, section 10).
enum RenewalAdvice {
    static func text(_ kind: CertificateKind) -> String {
        switch kind {
        case .mdm:
            "renew this certificate at identity.apple.com with the same Apple ID; do not create a new one: it would have "
                + "another topic, and every device would have to enroll again"
        case .ca:
            "download the current one from https://www.apple.com/certificateauthority/"
        case .notPush:
            "renew it with its issuer"
        case .applePushServices, .apnsDevelopment, .apnsProduction, .voip, .watchkit, .websitePush, .passTypeID,
            .tokenKey:
            "renew now: run 'certcheck csr', deploy the new certificate, then revoke the old one (never before)"
        }
    }
}
