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
