/// What a site generator reads and takes away from the head of a file.
struct FrontMatter {
    /// From its first line to its last, without the end of that.
    let block: Range<Int>
    /// The block and the end of its last line.
    let lines: Range<Int>

    /// A block `---` … `---`, or lines `key: value` before the first line that starts with `{` or `[`.
    init?(_ bytes: ByteView, from start: Int) {
        var lines = Lines(bytes, from: start)
        guard var first = lines.next() else { return nil }
        while bytes.isEmptyLine(first) {
            guard let next = lines.next() else { return nil }
            first = next
        }
        let end = bytes.isFence(first) ? Self.closingFence(bytes, lines) : nil
        guard let last = end ?? Self.lastPair(bytes, first, lines) else { return nil }
        block = first.lowerBound..<bytes.trimmed(last).upperBound
        var next = last.upperBound
        if bytes[next] == 0x0D { next += 1 }
        if bytes[next] == 0x0A { next += 1 }
        self.lines = first.lowerBound..<next
    }

    private static func closingFence(_ bytes: ByteView, _ lines: Lines) -> Range<Int>? {
        var lines = lines
        while let line = lines.next() {
            if bytes.isFence(line) { return line }
        }
        return nil
    }

    /// The last of the lines before the one that starts with a bracket, if all of them may be front matter.
    private static func lastPair(_ bytes: ByteView, _ first: Range<Int>, _ lines: Lines) -> Range<Int>? {
        var lines = lines
        var last: Range<Int>?
        var current: Range<Int>? = first
        while let line = current {
            let content = bytes.trimmed(line)
            switch bytes[content.lowerBound] {
            case UInt8(ascii: "{") where !content.isEmpty, UInt8(ascii: "[") where !content.isEmpty: return last
            default: break
            }
            if bytes.isFence(line) || bytes.isPair(content) {
                last = line
            } else if !content.isEmpty {
                return nil
            }
            current = lines.next()
        }
        return nil
    }
}

/// The lines of a text, without their ends.
private struct Lines {
    private let bytes: ByteView
    private var offset: Int

    init(_ bytes: ByteView, from start: Int) {
        self.bytes = bytes
        offset = start
    }

    mutating func next() -> Range<Int>? {
        guard offset < bytes.count else { return nil }
        let line = offset..<bytes.endOfLine(from: offset)
        offset = line.upperBound + (bytes[line.upperBound] == 0x0D && bytes[line.upperBound + 1] == 0x0A ? 2 : 1)
        return line
    }
}

extension ByteView {
    fileprivate func trimmed(_ line: Range<Int>) -> Range<Int> {
        var (start, end) = (line.lowerBound, line.upperBound)
        while start < end, isWhiteSpace(self[start]) { start += 1 }
        while start < end, isWhiteSpace(self[end - 1]) { end -= 1 }
        return start..<end
    }

    fileprivate func isEmptyLine(_ line: Range<Int>) -> Bool { trimmed(line).isEmpty }

    /// Whether a line is `---`.
    fileprivate func isFence(_ line: Range<Int>) -> Bool {
        let content = trimmed(line)
        return content.lowerBound == line.lowerBound && equals("---", content)
    }

    /// Whether a line without the space around it is `key: value`.
    fileprivate func isPair(_ line: Range<Int>) -> Bool {
        var index = line.lowerBound
        guard isLetter(self[index]) || self[index] == UInt8(ascii: "_") else { return false }
        while isLetter(self[index]) || isDigit(self[index]) || self[index] == UInt8(ascii: "_")
            || self[index] == UInt8(ascii: "-")
        {
            index += 1
        }
        return self[index] == UInt8(ascii: ":") && isWhiteSpace(self[index + 1]) && index + 1 < line.upperBound
    }
}
