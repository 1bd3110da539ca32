/// What becomes of an activity whose route is still at work on an earlier one.
public enum ExecutionPolicy: Hashable, Sendable {
    /// The earlier one is cancelled, and what its handler still says is of no importance.
    case newestWins
    /// It waits until the earlier ones are done, in the order in which they came.
    case oneAfterAnother
    /// Both run at the same time.
    case sideBySide
}
