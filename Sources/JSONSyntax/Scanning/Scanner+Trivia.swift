extension Scanner {
    /// The end of the comment that begins at an offset; nil if none does.
    func endOfComment(at start: Int) -> Int? {
        switch (bytes[start], bytes[start + 1]) {
        case (UInt8(ascii: "#"), _), (UInt8(ascii: "/"), UInt8(ascii: "/")):
            return bytes.endOfLine(from: start)
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            // Directly after a string, and with a quotation mark before its end, it is rather a path: `""/*"/"`.
            let mayBePath = bytes[start - 1] == UInt8(ascii: "\"")
            var end = start + 2
            while end < bytes.count, !bytes.starts(with: "*/", at: end) {
                if mayBePath, bytes[end] == UInt8(ascii: "\"") { return nil }
                end += 1
            }
            return min(end + 2, bytes.count)
        default:
            return nil
        }
    }

    /// Skips the comment at the next byte; false if there is none.
    mutating func skipComment() -> Bool {
        guard let end = endOfComment(at: offset) else { return false }
        findings.jsonComment(offset..<end, separator: separator(offset..<end))
        offset = end
        return true
    }

    /// A space if what is around a range would become one token without it.
    func separator(_ range: Range<Int>) -> String {
        let (left, right) = (bytes[range.lowerBound - 1], bytes[range.upperBound])
        switch (left, right) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")), (UInt8(ascii: "$"), UInt8(ascii: "{")),
            (UInt8(ascii: "{"), UInt8(ascii: "%")):
            return " "
        case (UInt8(ascii: "}"), UInt8(ascii: "}")) where !lineWithoutEnd.isEmpty:
            return " "
        default:
            if isLineStart(range.lowerBound), isSevenMarks(at: range.upperBound) { return " " }
            return isDelimiter(left) || isDelimiter(right) ? "" : " "
        }
    }

    private func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0:
            true
        default:
            isWhiteSpace(byte)
        }
    }

    /// Skips a run of spaces that JSON does not know, and the plain spaces in it.
    mutating func skipForeignSpaces() {
        let start = offset
        let first = bytes.scalar(at: start).scalar
        var end = start
        var index = start
        var replacement = ""
        var kept = ""
        while true {
            if bytes[index] == 0x20 || bytes[index] == 0x09 {
                kept += bytes[index] == 0x20 ? " " : "\t"
                index += 1
                continue
            }
            guard bytes[index] >= 0x80, case (let scalar, let length) = bytes.scalar(at: index), scalar.isForeignSpace
            else { break }
            replacement += kept + " "
            kept = ""
            index += length
            end = index
        }
        findings.nonASCIISpace(start..<end, first: first, replacement: replacement)
        offset = end
    }

    /// Skips the line of a mark that a merge left; false if there is none at the next byte.
    mutating func skipConflictMarker() -> Bool {
        guard isConflictMarker(at: offset) else { return false }
        findings.mergeConflict(offset..<offset + 7)
        let (end, missing) = endOfConflictMarker(at: offset)
        if let missing { missingConflictMarkers.insert(missing) }
        offset = end
        return true
    }

    /// Where reading goes on after the marker of a merge conflict: one side is read, the common ancestor and the other
    /// side are not.
    ///
    /// - Returns: That offset, and the marker that was looked for in vain.
    func endOfConflictMarker(at offset: Int) -> (end: Int, missing: UInt8?) {
        let endOfLine = bytes.endOfLine(from: offset)
        let closing: UInt8
        switch bytes[offset] {
        case UInt8(ascii: "|"): closing = UInt8(ascii: "=")
        case UInt8(ascii: "="): closing = UInt8(ascii: ">")
        default: return (endOfLine, nil)
        }
        guard !missingConflictMarkers.contains(closing) else { return (endOfLine, nil) }
        var index = endOfLine
        while index < bytes.count {
            if bytes[index] == closing, isConflictMarker(at: index) { return (index, nil) }
            index = bytes.endOfLine(from: index) + 1
        }
        return (endOfLine, closing)
    }

    func isConflictMarker(at offset: Int) -> Bool { isSevenMarks(at: offset) && isLineStart(offset) }

    private func isLineStart(_ offset: Int) -> Bool { offset == start || isLineEnd(bytes[offset - 1]) }

    private func isSevenMarks(at offset: Int) -> Bool {
        switch bytes[offset] {
        case UInt8(ascii: "<"), UInt8(ascii: "|"), UInt8(ascii: "="), UInt8(ascii: ">"):
            (offset + 1..<offset + 7).allSatisfy { bytes[$0] == bytes[offset] }
        default:
            false
        }
    }

    /// An expression of a template up to its end, if that is in the same line; otherwise the mark that begins it.
    mutating func template(_ style: TemplateStyle) -> Token {
        findings.templateMarkup(offset..<offset + 2)
        let start = offset
        var index = start + 2
        if let end = lineWithoutEnd[style], index <= end {
            index = end
        } else {
            while index < bytes.count, !isLineEnd(bytes[index]), !bytes.starts(with: style.end, at: index) {
                index += 1
            }
        }
        guard bytes.starts(with: style.end, at: index) else {
            lineWithoutEnd[style] = index
            return take(.template, length: 2)
        }
        return take(.template, length: index + style.end.utf8CodeUnitCount - start)
    }
}

/// How template languages set off what they replace.
enum TemplateStyle {
    /// `{{ … }}`
    case expression
    /// `{% … %}`
    case statement
    /// `${…}`
    case substitution
    /// `<% … %>`
    case page

    var end: StaticString {
        switch self {
        case .expression: "}}"
        case .statement: "%}"
        case .substitution: "}"
        case .page: "%>"
        }
    }
}
