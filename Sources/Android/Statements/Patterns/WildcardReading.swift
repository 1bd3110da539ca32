/// The ways in which the `*` of a pattern can be read.
package enum WildcardReading: Sendable {
    /// Android's: a `*` ends at the first occurrence of the character behind it, and never gives that back.
    case android
    /// Apple's: a `*` is any run of characters with which the rest matches.
    case backtracking
}
