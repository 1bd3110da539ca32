/// How bad a finding is.
public enum Severity: String, Sendable {
    /// The system ignores or refuses it, or it means something else than it says.
    case error
    /// It works, but hardly as meant.
    case warning
}
