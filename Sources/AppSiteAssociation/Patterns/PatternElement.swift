/// A part of a pattern.
package enum PatternElement: Equatable, Sendable {
    /// A byte that stands for itself.
    case byte(UInt8)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: any run of characters, also none.
    case anyRun
    /// Exactly one character that is no `/`. No file can say it; routes can.
    case segmentCharacter
    /// Any run of characters that are no `/`, also none. No file can say it; routes can.
    case segmentRun
    /// A variable for one character of a set.
    indirect case character(ByteSet)
    /// A variable for one of several texts, which have no variables; nothing if there is none.
    case oneOf([[PatternElement]])
}
