extension Scanner {
    /// Skips a comment that begins with a slash; false if there is none.
    mutating func skipComment() -> Bool {
        switch bytes[offset + 1] {
        case UInt8(ascii: "/"):
            skipLineComment()
            return true
        case UInt8(ascii: "*"):
            var end = offset + 2
            while end < bytes.count, !(bytes[end] == UInt8(ascii: "*") && bytes[end + 1] == UInt8(ascii: "/")) {
                end += 1
            }
            skipComment(to: min(end + 2, bytes.count))
            return true
        default:
            return false
        }
    }

    mutating func skipLineComment() {
        skipComment(to: bytes.endOfLine(from: offset))
    }

    private mutating func skipComment(to end: Int) {
        // What a comment keeps apart has to stay apart.
        let separates = isWordStart(bytes[offset - 1]) && isWordStart(bytes[end])
        findings.jsonComment(offset..<end, replacement: separates ? " " : "")
        offset = end
    }

    /// Skips a run of spaces that JSON does not know, and the blanks inside of it.
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
            guard bytes[index] >= 0x80, case let (scalar, length) = bytes.scalar(at: index), scalar.isForeignSpace
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
    mutating func skipConflictMark() -> Bool {
        guard isConflictMark(bytes[offset], at: offset) else { return false }
        let mark = bytes[offset]
        findings.mergeConflict(offset..<offset + 7)
        offset = bytes.endOfLine(from: offset)
        // One side is read, the common ancestor and the other side are not.
        switch mark {
        case UInt8(ascii: "|"): skip(toConflictMark: UInt8(ascii: "="))
        case UInt8(ascii: "="): skip(toConflictMark: UInt8(ascii: ">"))
        default: break
        }
        return true
    }

    private func isConflictMark(_ byte: UInt8, at place: Int) -> Bool {
        guard place == start || isLineEnd(bytes[place - 1]), place + 7 <= bytes.count else { return false }
        return (place..<place + 7).allSatisfy { bytes[$0] == byte }
    }

    private mutating func skip(toConflictMark mark: UInt8) {
        guard !hasNoMoreConflictMarks.contains(mark) else { return }
        var index = offset
        while index < bytes.count {
            if isConflictMark(mark, at: index) {
                offset = index
                return
            }
            index = bytes.endOfLine(from: index) + 1
        }
        hasNoMoreConflictMarks.insert(mark)
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
