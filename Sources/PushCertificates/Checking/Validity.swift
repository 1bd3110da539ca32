/// How the time lies in the validity of a certificate (push-certificates.md, section 7). All are seconds.
package struct Validity: Sendable, Equatable {
    package let notBefore: Int64
    /// The last second in which it is valid (RFC 5280, section 4.1.2.5).
    package let notAfter: Int64
    package let now: Int64

    package init(notBefore: Int64, notAfter: Int64, now: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.now = now
    }

    /// Nil for a token key.
    init?(of certificate: PushCertificate, now: Int64) {
        guard let notBefore = certificate.notBefore, let notAfter = certificate.notAfter else { return nil }
        self.init(notBefore: notBefore, notAfter: notAfter, now: now)
    }

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

    /// How urgent the end is, whatever the beginning.
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

extension Int64 {
    /// The difference, or the nearest number that there is.
    fileprivate func subtractingWithLimits(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}
