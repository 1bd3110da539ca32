/// A range of bytes in a source text, as offsets from its first byte.
public struct SourceRange: Hashable, Sendable {
    /// The offset of the first byte, counted from 0.
    public var start: Int
    /// The offset behind the last byte; equal to `start` for a gap.
    public var end: Int

    public init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// The number of bytes.
    public var length: Int { end - start }
}
