/// Tells configurations of the validator apart, and one from what it was before.
struct LintConfigurationIdentity: Equatable, Sendable {
    /// The path of the `.aasa.json`.
    let place: String
    /// The SHA-256 of its bytes, or why it cannot be read.
    let digest: [UInt8]
}
