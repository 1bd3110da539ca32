internal import AssociationLint

/// Which entries of an `.aasa.json` have ignored something in one file.
package struct SuppressionUse: Equatable, Sendable {
    /// The path of the configuration.
    let place: String
    /// The entries that are about the file.
    let concerned: [Ignore]
    /// Those of them that have ignored something.
    let used: [Ignore]
}
