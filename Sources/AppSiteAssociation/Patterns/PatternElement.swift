/// A part of a pattern.
package enum PatternElement: Equatable, Sendable {
    /// A byte that stands for itself.
    case byte(UInt8)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: any run of characters, also none.
    case anyRun
    /// A variable for one character of a set.
    indirect case character(ByteSet)
    /// A variable for one of several texts, which have no variables; nothing if there is none.
    case oneOf([[PatternElement]])
}
