internal import BoundedText
package import Diagnostics
package import JSONSyntax

/// Changes to a JSON text that keep it valid and in its own style: commas, lines and indentation follow what is there.
///
/// The edits of one call do not overlap and are in order; those of several calls have to be looked at by the caller.
package enum JSONEdits {
    /// Deletes a member with its comma, and with its line if nothing else is there.
    package static func delete(member: JSONMember, in object: JSONObject, source: SourceText) -> TextEdit {
        // Members are in the order of the text.
        let index = object.members.partitioningIndex { $0.keyRange.start >= member.keyRange.start }
        return delete(index, of: object.members.lazy.map(\.range), source)
    }

    /// Deletes an element with its comma, and with its line if nothing else is there.
    ///
    /// - Parameter index: An index that is not in the array makes an edit that changes nothing.
    package static func delete(element index: Int, in array: [JSONNode], source: SourceText) -> TextEdit {
        delete(index, of: array.lazy.map(\.range), source)
    }

    /// Moves an element before an earlier one; its text stays as it is.
    package static func move(
        element index: Int, before target: Int, in array: [JSONNode], source: SourceText
    ) -> [TextEdit] {
        guard array.indices.contains(index), array.indices.contains(target), target < index else { return [] }
        let text = source.text(array[index].range)
        return [
            insert(element: text, before: target, in: array, source: source),
            delete(element: index, in: array, source: source),
        ]
    }

    /// Inserts an element, with a comma, before another one.
    ///
    /// - Parameter text: The element as JSON text.
    package static func insert(element text: String, before index: Int, in array: [JSONNode], source: SourceText)
        -> TextEdit
    {
        insert(at: index, in: array, source) { ($0.start, text + "," + $1) }
    }

    /// Inserts an element, with a comma, after another one.
    ///
    /// - Parameter text: The element as JSON text.
    package static func insert(element text: String, after index: Int, in array: [JSONNode], source: SourceText)
        -> TextEdit
    {
        insert(at: index, in: array, source) { ($0.end, "," + $1 + text) }
    }

    /// Inserts a member as the first of an object.
    ///
    /// - Parameters:
    ///   - key: The key, unescaped.
    ///   - value: The value as JSON text.
    package static func insert(first key: String, _ value: String, in node: JSONNode, source: SourceText) -> TextEdit {
        insert(literal(key), value, in: node, source, isFirst: true)
    }

    /// Inserts a member as the last of an object; parameters as for the first.
    package static func insert(last key: String, _ value: String, in node: JSONNode, source: SourceText) -> TextEdit {
        insert(literal(key), value, in: node, source, isFirst: false)
    }

    /// Gives a member another key.
    package static func rename(_ member: JSONMember, to key: String) -> TextEdit {
        replace(member.keyRange, with: literal(key))
    }

    /// Replaces a value.
    ///
    /// - Parameter text: The new value as JSON text.
    package static func replace(_ node: JSONNode, with text: String) -> TextEdit { replace(node.range, with: text) }

    /// Replaces the bytes of a range.
    package static func replace(_ range: SourceRange, with text: String) -> TextEdit {
        TextEdit(range: range, replacement: text)
    }

    /// Puts text around a range.
    package static func wrap(_ range: SourceRange, in opening: String, _ closing: String) -> [TextEdit] {
        [
            replace(SourceRange(start: range.start, end: range.start), with: opening),
            replace(SourceRange(start: range.end, end: range.end), with: closing),
        ]
    }

    /// A string as JSON text, quotes included.
    package static func literal(_ text: String) -> String {
        var result: [UInt8] = [0x22]
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: result += [0x5C, byte]
            case 0x0A: result += Array(#"\n"#.utf8)
            case 0x0D: result += Array(#"\r"#.utf8)
            case 0x09: result += Array(#"\t"#.utf8)
            case 0..<0x20: result += Array(#"\u00"#.utf8) + (byte < 0x10 ? [0x30] : []) + String(byte, radix: 16).utf8
            default: result.append(byte)
            }
        }
        return String(text: result + [0x22])
    }
}

extension JSONEdits {
    private static func delete(
        _ index: Int, of items: some RandomAccessCollection<SourceRange>, _ source: SourceText
    ) -> TextEdit {
        let found = items.index(items.startIndex, offsetBy: max(index, 0), limitedBy: items.endIndex) ?? items.endIndex
        guard index >= 0, found < items.endIndex else { return replace(SourceRange(start: 0, end: 0), with: "") }
        let item = items[found]
        let next = found < items.index(before: items.endIndex) ? items[items.index(after: found)] : nil
        let previous = found > items.startIndex ? items[items.index(before: found)] : nil
        if let next, let previous, source.hasLineEnd(from: item.end, to: next.start),
            !source.hasLineEnd(from: previous.end, to: item.start)
        {
            // The last of its line: what follows stays where it is.
            return replace(SourceRange(start: previous.end, end: item.end), with: "")
        }
        if let next, let start = source.lineStart(of: item.start), let end = source.lineStart(of: next.start) {
            // Whole lines go, so that what follows keeps its indentation.
            return replace(SourceRange(start: start, end: end), with: "")
        }
        if let next { return replace(SourceRange(start: item.start, end: next.start), with: "") }
        if let previous { return replace(SourceRange(start: previous.end, end: item.end), with: "") }
        return replace(source.withSurroundingSpace(item), with: "")
    }

    /// - Parameter insertion: What is inserted where, by the range of the element at the index and the space between two.
    private static func insert(
        at index: Int, in array: [JSONNode], _ source: SourceText, _ insertion: (SourceRange, String) -> (Int, String)
    ) -> TextEdit {
        guard array.indices.contains(index) else { return replace(SourceRange(start: 0, end: 0), with: "") }
        let second = array.count > 1 ? array[1].range.start : nil
        let gap = JSONStyle(source).gap(like: array[index].range.start, second: second)
        let (offset, text) = insertion(array[index].range, gap)
        return replace(SourceRange(start: offset, end: offset), with: text)
    }

    /// - Parameter key: The key as JSON text.
    private static func insert(
        _ key: String, _ value: String, in node: JSONNode, _ source: SourceText, isFirst: Bool
    ) -> TextEdit {
        let members = node.object?.members ?? []
        guard let first = members.first, let last = members.last else {
            let inside = SourceRange(start: node.range.start + 1, end: max(node.range.end - 1, node.range.start + 1))
            return replace(inside, with: key + (JSONStyle.isSpacious(source) ? ": " : ":") + value)
        }
        let style = JSONStyle(source)
        let second = members.count > 1 ? members[1].keyRange.start : nil
        let text = key + style.colon(of: first) + value
        if isFirst {
            let offset = first.keyRange.start
            return replace(
                SourceRange(start: offset, end: offset), with: text + "," + style.gap(like: offset, second: second))
        }
        let offset = last.value.range.end
        let gap = style.gap(like: last.keyRange.start, second: second)
        return replace(SourceRange(start: offset, end: offset), with: "," + gap + text)
    }
}

extension JSONMember {
    /// The key, the value and what is between them.
    var range: SourceRange { SourceRange(start: keyRange.start, end: value.range.end) }
}

/// The layout of the items of objects and arrays in a file.
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
        if before.contains(where: \.isLineEnd) { return String(text: before) }
        // In one line: as between the first two, for after a bracket there is often another space, or none.
        guard let second else { return Self.isSpacious(source) ? " " : "" }
        let between = source.space(before: second)
        return between.contains(where: \.isLineEnd) ? " " : String(text: between)
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
        return String(text: bytes[range])
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
        text = String(text: result)
    }

    /// The white space before a member that is the first of its line.
    private static func indentation(of member: JSONMember, _ source: SourceText) -> ArraySlice<UInt8> {
        let start = member.keyRange.start
        return source.lineStart(of: start).map { source.bytes[$0..<start] } ?? []
    }
}
