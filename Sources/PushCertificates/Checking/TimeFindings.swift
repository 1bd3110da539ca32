internal import Diagnostics
internal import SystemSupport

/// The findings about the time of one certificate (push-certificates.md, sections 7 and 8).
struct TimeFindings {
    let certificate: PushCertificate
    let index: Int
    let validity: Validity
    let thresholds: Thresholds

    /// The findings about a certificate whose time counts.
    var all: [Diagnostic] {
        if validity.isReversed { return [reversed] }
        return (validity.isNotYetValid ? [notYetValid] : []) + (end.map { [$0] } ?? []) + issuer
    }

    /// The findings about one that a newer one replaces: what is past matters no more.
    func superseded(by newer: CertificateReference, until notAfter: Int64) -> [Diagnostic] {
        let past = [statementOfEnd].compactMap { $0 }.map { finding($0.rule, .note, $0.text) }
        let note = finding(
            .superseded, .note,
            "\(title) is replaced by the one in '\(VisibleText.escaped(newer.path))', valid until "
                + InternetDate.dayAndMinute(notAfter),
            advice: "delete this one when nothing uses it any more")
        return past + issuer + [note]
    }

    /// The findings about a CA beside other certificates, which does no harm.
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
            "\(title) expires before it becomes valid (valid from \(InternetDate.dayAndMinute(validity.notBefore)) until "
                + "\(InternetDate.dayAndMinute(validity.notAfter)))",
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
        "\(TimeSpan(seconds: distance).fromNow) (\(InternetDate.dayAndMinute(second)))"
    }

    private var title: String { certificate.title }

    private func finding(
        _ rule: RuleDescription, _ severity: Severity, _ message: String, advice: String? = nil
    ) -> Diagnostic {
        rule.finding(message, severity, advice: advice).about(certificate, index)
    }

    /// The seconds by which a clock may differ from Apple's without being noticed elsewhere.
    private static let clockTolerance: Int64 = 300
}

/// The advice about a certificate that expires (push-certificates.md, section 10).
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

/// The position of a time in the validity of a certificate (push-certificates.md, section 7). All are seconds.
package struct Validity: Sendable, Equatable {
    package let notBefore: Int64
    /// The last second in which it is valid (RFC 5280, section 4.1.2.5).
    package let notAfter: Int64
    package let now: Int64

    /// Until the end: 0 in the last second, negative after it.
    package var left: Int64 { notAfter.subtractingWithLimits(now) }
    /// Until the beginning: 0 or less once it has come.
    package var untilBegin: Int64 { notBefore.subtractingWithLimits(now) }
    /// Whole days until the end, rounded down.
    package var daysLeft: Int {
        let (days, rest) = left.quotientAndRemainder(dividingBy: Self.day)
        return Int(clamping: rest < 0 ? days - 1 : days)
    }

    package var isReversed: Bool { notAfter < notBefore }
    package var isNotYetValid: Bool { notBefore > now }
    package var isExpired: Bool { notAfter < now }
    package var isValid: Bool { !isNotYetValid && !isExpired }

    /// The urgency of the end, whatever the beginning.
    package func urgencyOfEnd(_ thresholds: Thresholds) -> CheckStatus {
        if isExpired || isWithin(thresholds.critical) { return .critical }
        return isWithin(thresholds.warning) ? .warning : .ok
    }

    package func status(_ thresholds: Thresholds) -> CheckStatus {
        isReversed || isNotYetValid ? .critical : urgencyOfEnd(thresholds)
    }

    /// Whether the end is so many days away or less.
    private func isWithin(_ days: Int) -> Bool {
        let (seconds, overflow) = Int64(days).multipliedReportingOverflow(by: Self.day)
        return overflow ? days > 0 : left <= seconds
    }

    private static let day: Int64 = 86_400
}

extension Validity {
    /// Nil for a token key.
    init?(of certificate: PushCertificate, now: Int64) {
        guard let notBefore = certificate.notBefore, let notAfter = certificate.notAfter else { return nil }
        self.init(notBefore: notBefore, notAfter: notAfter, now: now)
    }
}

extension Int64 {
    /// The difference, or the nearest number that there is.
    fileprivate func subtractingWithLimits(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}

/// When an end comes close, in days; exactly so many days are inside.
public struct Thresholds: Sendable, Equatable {
    public let warning: Int
    public let critical: Int

    public init(warning: Int = 30, critical: Int = 14) {
        self.warning = warning
        self.critical = critical
    }
}

/// A span of time as people say it: `395 days`, `3 h`, `12 min`.
package struct TimeSpan: Sendable {
    private let seconds: UInt64
    private let isPast: Bool

    /// - Parameter seconds: From now; negative for what is past.
    package init(seconds: Int64) {
        self.seconds = seconds.magnitude
        isPast = seconds < 0
    }

    /// Like `in 3 h`, or `3 h ago`.
    package var fromNow: String { fromNow(less: "less than a minute") }
    /// The same for a table.
    package var shortFromNow: String { fromNow(less: "< 1 min") }

    private func fromNow(less: String) -> String {
        let span = length ?? less
        return isPast ? "\(span) ago" : "in \(span)"
    }

    /// Rounded down: the last day is counted in hours, the last hour in minutes; nil for less than one.
    private var length: String? {
        switch seconds {
        case ..<60: nil
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        case ..<172_800: "1 day"
        case ..<315_576_000: "\(seconds / 86_400) days"
        // Above ten years days say nothing.
        default: "\(seconds / 31_557_600) years"
        }
    }
}
