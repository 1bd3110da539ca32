/// How urgent something is, from the least to the most.
public enum CheckStatus: String, Sendable, CaseIterable, Comparable {
    case ok, warning, unknown, critical

    public static func < (left: CheckStatus, right: CheckStatus) -> Bool { left.urgency < right.urgency }

    /// What the command exits with; Nagios counts in the same way.
    public var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .warning: 1
        case .critical: 2
        case .unknown: 3
        }
    }

    private var urgency: Int {
        switch self {
        case .ok: 0
        case .warning: 1
        case .unknown: 2
        case .critical: 3
        }
    }
}
