/// The format of a file by its first token.
enum DetectedFormat {
    /// Only white space.
    case nothing
    case markup(Range<Int>)
    /// Something else that is known.
    case foreign(ForeignFormat)
    /// Something that a JSON text begins with, or a mistaken one.
    case json
    case other(Range<Int>)

    init(_ bytes: ByteView, from start: Int) {
        var index = start
        while index < bytes.count {
            if isWhiteSpace(bytes[index]) || bytes[index] == UInt8(ascii: ",") {
                // A comma is reported later; what the file is does not depend on it.
                index += 1
            } else if bytes[index] >= 0x80, bytes.scalar(at: index).scalar.isForeignSpace {
                index += bytes.scalar(at: index).length
            } else {
                break
            }
        }
        if index >= bytes.count {
            self = .nothing
        } else if let format = ForeignFormat(bytes, at: index) {
            self = .foreign(format)
        } else if bytes[index] == UInt8(ascii: "<"), Self.isMarkup(bytes[index + 1]) {
            self = .markup(index..<bytes.endOfLine(from: index))
        } else if Self.isBeginning(bytes, index, isAtLineStart: index == start || isLineEnd(bytes[index - 1])) {
            self = .json
        } else {
            self = .other(index..<bytes.endOfLine(from: index))
        }
    }

    /// The first line of what is not JSON and not known otherwise.
    var line: Range<Int>? {
        switch self {
        case .markup(let line), .other(let line): line
        case .nothing, .foreign, .json: nil
        }
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") || isLetter(byte)
    }

    private static func isBeginning(_ bytes: ByteView, _ index: Int, isAtLineStart: Bool) -> Bool {
        let next = bytes[index + 1]
        switch bytes[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"):
            return true
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        case UInt8(ascii: "-"):
            return isDigit(next)
        case UInt8(ascii: "/"):
            return next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
        case UInt8(ascii: "$"):
            return next == UInt8(ascii: "{")
        case UInt8(ascii: "<") where next == UInt8(ascii: "%"):
            return true
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"):
            return isAtLineStart && (index..<index + 7).allSatisfy { bytes[$0] == bytes[index] }
        case 0x80...:
            return QuoteFamily.foreign(at: index, in: bytes) != nil
        default:
            return isLiteral(bytes, index)
        }
    }

    private static func isLiteral(_ bytes: ByteView, _ index: Int) -> Bool {
        let literals: [StaticString] = ["true", "false", "null"]
        return literals.contains { literal in
            let end = bytes[index + literal.utf8CodeUnitCount]
            return bytes.starts(with: literal, at: index) && !isLetter(end) && !isDigit(end)
        }
    }
}

/// A format that files have which should be JSON, recognized by how they begin.
enum ForeignFormat {
    /// Rich text, as TextEdit saves it by default.
    case richText
    /// The header of an HTTP response, as `curl -i` prints it.
    case httpResponse
    /// A property list in XML.
    case propertyList
    /// A property list in its binary form.
    case binaryPropertyList
    /// A certificate or a key.
    case pem
    /// JavaScript or TypeScript, such as Expo's `app.config.js`.
    case script
    /// Cordova's `config.xml` (W3C, "Packaged Web Apps").
    case widget
    /// Resources of an Android app, such as `strings.xml`.
    case resources

    /// - Parameter offset: Where the first token begins.
    init?(_ bytes: ByteView, at offset: Int) {
        if bytes.starts(with: "{\\rtf", at: offset) {
            self = .richText
        } else if bytes.starts(with: "HTTP/", at: offset), isDigit(bytes[offset + 5]) {
            self = .httpResponse
        } else if bytes.starts(with: "bplist0", at: offset) {
            self = .binaryPropertyList
        } else if bytes.starts(with: "-----BEGIN ", at: offset) {
            self = .pem
        } else if bytes.starts(with: "<plist", at: offset)
            || Self.declares("<plist", or: "<!DOCTYPE plist", bytes, offset)
        {
            self = .propertyList
        } else if bytes.starts(with: "<widget", at: offset) || Self.declares("<widget", or: "<widget", bytes, offset) {
            self = .widget
        } else if bytes.starts(with: "<resources", at: offset)
            || Self.declares("<resources", or: "<resources", bytes, offset)
        {
            self = .resources
        } else if Self.scripts.contains(where: { bytes.starts(with: $0, at: offset) }) {
            self = .script
        } else {
            return nil
        }
    }

    private static let scripts: [StaticString] = ["export default ", "module.exports", "import ", "const "]

    /// Whether one of two tags is soon after an XML declaration or a document type.
    private static func declares(
        _ tag: StaticString, or other: StaticString, _ bytes: ByteView, _ start: Int
    ) -> Bool {
        guard bytes.starts(with: "<?xml", at: start) || bytes.starts(with: "<!DOCTYPE", at: start) else { return false }
        return (start..<min(start + 256, bytes.count)).contains { index in
            bytes[index] == UInt8(ascii: "<")
                && (bytes.starts(with: tag, at: index) || bytes.starts(with: other, at: index))
        }
    }
}

/// The front matter that a site generator reads and takes away from the head of a file.
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
