/// What becomes of a URL (matching.md, section 4).
public enum Outcome: String, Sendable {
    /// At least one app opens it.
    case open
    /// No app opens it, and at least one is excluded from it.
    case excluded
    /// No rule matches it for any app.
    case noMatch
}
