/// What became of the entries of an `.aasa.json` for one file.
package struct SuppressionUse: Equatable, Sendable {
    /// The path of the configuration.
    let place: String
    /// The entries that are about the file.
    let concerned: [Int]
    /// Those of them that have ignored something.
    let used: [Int]
}
