/// What a file is by its first token.
enum Beginning {
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
                // A comma is blamed later; what the file is does not depend on it.
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
