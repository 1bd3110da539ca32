/// A place in a source text, as people count.
public struct SourcePosition: Hashable, Sendable {
    /// The line, counted from 1. LF, CR and CR LF each end one line.
    public var line: Int
    /// The column in UTF-8 bytes, counted from 1.
    public var column: Int
    /// The offset in bytes, counted from 0.
    public var offset: Int

    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}
