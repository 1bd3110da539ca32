/// What a file is by its first token.
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
        } else if bytes.starts(with: "<plist", at: offset) || Self.isPropertyList(bytes, offset) {
            self = .propertyList
        } else {
            return nil
        }
    }

    /// Whether the document type is that of property lists, which is after the XML declaration if there is one.
    private static func isPropertyList(_ bytes: ByteView, _ start: Int) -> Bool {
        guard bytes.starts(with: "<?xml", at: start) || bytes.starts(with: "<!DOCTYPE", at: start) else { return false }
        return (start..<min(start + 256, bytes.count)).contains { index in
            bytes[index] == UInt8(ascii: "<")
                && (bytes.starts(with: "<plist", at: index) || bytes.starts(with: "<!DOCTYPE plist", at: index))
        }
    }
}
