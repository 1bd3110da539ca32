/// A character of a source line as it is shown, with the marks drawn over it.
struct VisibleCell {
    /// What is shown; an escape for what cannot be.
    var text: String
    /// The columns it takes.
    var width: Int
    /// The offset of its first byte.
    let start: Int
    /// The offset behind its last byte.
    var end: Int

    /// The characters of some bytes of a line. A byte that is no UTF-8 is shown as a replacement character.
    static func cells(_ bytes: ArraySlice<UInt8>) -> [VisibleCell] {
        var cells: [VisibleCell] = []
        cells.reserveCapacity(bytes.count)
        var previous: Unicode.Scalar?
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return cells
            case .error(let length):
                for place in offset..<offset + length {
                    cells.append(VisibleCell(text: "\u{FFFD}", width: 1, start: place, end: place + 1))
                }
                offset += length
                previous = nil
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                let isShown = cells.add(scalar, at: offset..<offset + encoded.count, after: previous)
                offset += encoded.count
                previous = isShown ? scalar : nil
            }
        }
    }

    /// What is shown in place of a character; nil for the character itself.
    fileprivate static func substitute(_ scalar: Unicode.Scalar) -> String? {
        if scalar == "\t" { return "    " }
        if scalar.isASCII { return VisibleText.escape(scalar) }
        // A blank that is none for JSON should not look like one.
        if scalar.properties.generalCategory == .spaceSeparator { return VisibleText.codePoint(scalar) }
        return VisibleText.escape(scalar)
    }
}

extension [VisibleCell] {
    /// Adds a character to the cells.
    ///
    /// - Parameter previous: The character before; nil if there is none or something else is shown in its place.
    /// - Returns: Whether the character is shown itself.
    fileprivate mutating func add(
        _ scalar: Unicode.Scalar, at range: Range<Int>, after previous: Unicode.Scalar?
    ) -> Bool {
        if let text = VisibleCell.substitute(scalar) {
            append(VisibleCell(text: text, width: text.utf8.count, start: range.lowerBound, end: range.upperBound))
            return false
        }
        var text = String(Character(scalar))
        var width = TerminalWidth.columns(scalar, after: previous)
        if width == 0 || scalar.value == 0xFE0F {
            if previous != nil, let last = indices.last {
                self[last].text += text
                self[last].width += width
                self[last].end = range.upperBound
                return true
            }
            // A mark without anything below it gets the usual dotted circle.
            text = "\u{25CC}" + text
            width = 1
        }
        append(VisibleCell(text: text, width: width, start: range.lowerBound, end: range.upperBound))
        return true
    }
}
