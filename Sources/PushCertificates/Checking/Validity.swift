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
        // Above ten years nobody counts days.
        default: "\(seconds / 31_557_600) years"
        }
    }
}
