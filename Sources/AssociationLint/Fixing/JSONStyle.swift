internal import Diagnostics
internal import JSONSyntax

/// How the items of objects and arrays are laid out in a file.
struct JSONStyle {
    private let source: SourceText

    init(_ source: SourceText) {
        self.source = source
    }

    /// The white space to put between a comma and an item.
    ///
    /// - Parameters:
    ///   - item: Where a similar item begins.
    ///   - second: Where the second item of the object or array begins, if there is one.
    func gap(like item: Int, second: Int?) -> String {
        let before = source.space(before: item)
        if before.contains(where: \.isLineEnd) { return String(decoding: before, as: UTF8.self) }
        // In one line: as between the first two, for after a bracket there is often another space, or none.
        guard let second else { return Self.isSpacious(source) ? " " : "" }
        let between = source.space(before: second)
        return between.contains(where: \.isLineEnd) ? " " : String(decoding: between, as: UTF8.self)
    }

    /// The text between key and value.
    func colon(of member: JSONMember) -> String {
        let space = source.space(before: member.value.range.start)
        return space.isEmpty && member.keyRange.end + 1 == member.value.range.start ? ":" : ": "
    }

    /// Whether there is a space after the first colon of a file.
    static func isSpacious(_ source: SourceText) -> Bool {
        let bytes = source.bytes
        guard
            let colon = bytes.indices.first(where: { index in
                bytes[index] == UInt8(ascii: ":") && index > 0 && bytes[index - 1] == UInt8(ascii: "\"")
            }), colon + 1 < bytes.count
        else { return true }
        return bytes[colon + 1].isJSONSpace
    }
}

extension SourceText {
    /// The text of a range.
    func text(_ range: SourceRange) -> String {
        let range = Range(clamping: range, to: bytes.indices)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    func hasLineEnd(from start: Int, to end: Int) -> Bool {
        bytes[Range(clamping: SourceRange(start: start, end: end), to: bytes.indices)].contains(where: \.isLineEnd)
    }

    /// The white space before an offset.
    func space(before offset: Int) -> ArraySlice<UInt8> {
        let head = bytes.prefix(max(offset, 0))
        return head[(head.lastIndex { !$0.isJSONSpace } ?? -1) + 1..<head.endIndex]
    }

    /// Where the line of an item begins; nil if something else is before it there.
    func lineStart(of item: Int) -> Int? {
        space(before: item).lastIndex(where: \.isLineEnd).map { $0 + 1 }
    }

    /// A range with the white space on both sides, and a comma after it, which a reader may have accepted.
    func withSurroundingSpace(_ range: SourceRange) -> SourceRange {
        let start = range.start - space(before: range.start).count
        func afterSpace(_ offset: Int) -> Int { bytes.dropFirst(offset).firstIndex { !$0.isJSONSpace } ?? bytes.count }
        var end = afterSpace(range.end)
        if end < bytes.count, bytes[end] == UInt8(ascii: ",") { end = afterSpace(end + 1) }
        return SourceRange(start: start, end: end)
    }
}

extension Range<Int> {
    fileprivate init(clamping range: SourceRange, to bounds: Range<Int>) {
        let start = Swift.min(Swift.max(range.start, bounds.lowerBound), bounds.upperBound)
        self = start..<Swift.min(Swift.max(range.end, start), bounds.upperBound)
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    fileprivate var isJSONSpace: Bool { isLineEnd || self == 0x20 || self == 0x09 }
}

/// The value of a member, indented as a member of another object.
struct MovedText {
    let text: String

    init(_ member: JSONMember, to target: JSONObject, _ source: SourceText) {
        let here = Self.indentation(of: member, source)
        let there = target.members.first.map { Self.indentation(of: $0, source) } ?? []
        let excess = max(here.count - there.count, 0)
        var result: [UInt8] = []
        var skipped = excess
        // No string has a line end in it, so every line begins between tokens.
        for byte in source.text(member.value.range).utf8 {
            let isLineEnd = byte == 0x0A || byte == 0x0D
            if !isLineEnd, skipped < excess, byte == 0x20 || byte == 0x09 {
                skipped += 1
            } else {
                skipped = isLineEnd ? 0 : excess
                result.append(byte)
            }
        }
        text = String(decoding: result, as: UTF8.self)
    }

    /// The white space before a member that is the first of its line.
    private static func indentation(of member: JSONMember, _ source: SourceText) -> ArraySlice<UInt8> {
        let start = member.keyRange.start
        return source.lineStart(of: start).map { source.bytes[$0..<start] } ?? []
    }
}
