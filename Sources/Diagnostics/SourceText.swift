/// The bytes of a file and where its lines begin.
public struct SourceText: Sendable {
    /// The path as the user gave it, or a name like `<standard input>`.
    public let path: String
    public let bytes: [UInt8]
    private let lineStarts: [Int]

    public init(_ bytes: [UInt8], path: String) {
        self.path = path
        self.bytes = bytes
        self.lineStarts = Self.lineStarts(bytes)
    }

    /// The number of lines; a text without a line end has one.
    public var lineCount: Int { lineStarts.count }

    /// The line and column of a byte offset; an offset outside the text counts as the nearest end.
    public func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1, offset: offset)
    }

    /// The bytes of a line (counted from 1) without its line end; empty for a line that is not there.
    public func line(_ number: Int) -> ArraySlice<UInt8> {
        guard lineStarts.indices.contains(number - 1) else { return [] }
        let start = lineStarts[number - 1]
        var end = number < lineStarts.count ? lineStarts[number] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return bytes[start..<end]
    }

    private static func lineStarts(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            for offset in bytes.indices where bytes[offset] <= 0x0D {
                let byte = bytes[offset]
                if byte == 0x0A || byte == 0x0D && !(offset + 1 < bytes.count && bytes[offset + 1] == 0x0A) {
                    starts.append(offset + 1)
                }
            }
        }
        return starts
    }
}

/// A range of bytes in a source text, as offsets from its first byte.
public struct SourceRange: Hashable, Sendable {
    /// The offset of the first byte, counted from 0.
    public var start: Int
    /// The offset after the last byte; equal to `start` for a gap.
    public var end: Int

    public init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// The number of bytes.
    public var length: Int { end - start }
}

/// A position in a source text, as people count.
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
