internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Reads a property list in the old style, as `project.pbxproj` is one: `{ key = value; }`, `( value, value )`, strings
/// with or without quotes, comments.
///
/// All of it has to be well-formed, and what is not asked for is not kept.
struct OldPropertyListReader {
    indirect enum Value {
        case string(String)
        case array([Value])
        case dictionary([String: Value])
        /// It was not asked for.
        case skipped
    }

    /// Which members of a dictionary are kept, by the keys on the way to it.
    typealias Filter = (_ way: [String], _ key: String) -> Bool

    private static let maxLevels = 512
    private let bytes: [UInt8]
    /// The name of the file in messages.
    private let path: String
    private let isKept: Filter
    /// Whether a member that was read is kept after all.
    private let isWorthKeeping: (_ way: [String], _ value: Value) -> Bool
    private var offset = 0
    private var way: [String] = []
    private var levels = 0
    /// The number of values in what was read so far.
    private var kept = 0

    static func read(
        _ bytes: [UInt8], path: String, keeping isKept: @escaping Filter,
        ifWorthIt isWorthKeeping: @escaping (_ way: [String], _ value: Value) -> Bool
    ) throws(AppProjectError) -> Value {
        var reader = OldPropertyListReader(bytes: bytes, path: path, isKept: isKept, isWorthKeeping: isWorthKeeping)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        let value = try reader.value(isNeeded: true)
        try reader.skipBlanks()
        guard reader.offset == bytes.count else { throw reader.failure("something follows the end of the list") }
        return value
    }

    private func failure(_ message: String) -> AppProjectError {
        AppProjectError(
            .unusable, path, "the project cannot be read: \(message)",
            position: SourceText(bytes, path: path).position(at: min(offset, bytes.count)))
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// White space and comments.
    private mutating func skipBlanks() throws(AppProjectError) {
        while let byte {
            switch byte {
            case 0x20, 0x09...0x0D: offset += 1
            case UInt8(ascii: "/") where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "/"):
                while let byte = self.byte, byte != 0x0A, byte != 0x0D { offset += 1 }
            case UInt8(ascii: "/") where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "*"):
                let start = offset
                offset += 2
                while offset + 1 < bytes.count,
                    !(bytes[offset] == UInt8(ascii: "*") && bytes[offset + 1] == UInt8(ascii: "/"))
                {
                    offset += 1
                }
                guard offset + 1 < bytes.count else {
                    offset = start
                    throw failure("a comment does not end")
                }
                offset += 2
            default: return
            }
        }
    }

    private mutating func value(isNeeded: Bool) throws(AppProjectError) -> Value {
        try skipBlanks()
        guard levels < Self.maxLevels else { throw failure("it is nested more than \(Self.maxLevels) levels deep") }
        levels += 1
        defer { levels -= 1 }
        switch byte {
        case UInt8(ascii: "{"): return try dictionary(isNeeded: isNeeded)
        case UInt8(ascii: "("): return try array(isNeeded: isNeeded)
        case UInt8(ascii: "<"):
            try data()
            return .skipped
        default:
            let text = try string(isNeeded: isNeeded)
            return isNeeded ? .string(text) : .skipped
        }
    }

    private mutating func dictionary(isNeeded: Bool) throws(AppProjectError) -> Value {
        let start = offset
        offset += 1
        var members: [String: Value] = [:]
        while true {
            try skipBlanks()
            guard let byte else {
                offset = start
                throw failure("a '{' is not closed")
            }
            if byte == UInt8(ascii: "}") { break }
            let key = try string(isNeeded: isNeeded)
            try expect("=")
            let isKept = isNeeded && self.isKept(way, key)
            let keptBefore = kept
            if isKept {
                way.append(key)
                try keep()
            }
            let value = try value(isNeeded: isKept)
            if isKept {
                way.removeLast()
                if isWorthKeeping(way, value) { members[key] = value } else { kept = keptBefore }
            }
            try expect(";")
        }
        offset += 1
        return isNeeded ? .dictionary(members) : .skipped
    }

    /// The most values that are kept to be asked for; the largest projects have some thousands.
    private static let maxKept = 200_000

    private mutating func keep() throws(AppProjectError) {
        kept += 1
        guard kept <= Self.maxKept else { throw failure("it has too many objects") }
    }

    private mutating func array(isNeeded: Bool) throws(AppProjectError) -> Value {
        let start = offset
        offset += 1
        var elements: [Value] = []
        while true {
            try skipBlanks()
            guard let byte else {
                offset = start
                throw failure("a '(' is not closed")
            }
            if byte == UInt8(ascii: ")") { break }
            if isNeeded { try keep() }
            let element = try value(isNeeded: isNeeded)
            if isNeeded { elements.append(element) }
            try skipBlanks()
            if self.byte == UInt8(ascii: ",") {
                offset += 1
            } else if self.byte != UInt8(ascii: ")") {
                throw failure("',' or ')' was expected")
            }
        }
        offset += 1
        return isNeeded ? .array(elements) : .skipped
    }

    private mutating func data() throws(AppProjectError) {
        while let byte, byte != UInt8(ascii: ">") { offset += 1 }
        guard byte != nil else { throw failure("a '<' is not closed") }
        offset += 1
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(AppProjectError) {
        try skipBlanks()
        guard byte == UInt8(ascii: character) else { throw failure("'\(character)' was expected") }
        offset += 1
    }

    private mutating func string(isNeeded: Bool) throws(AppProjectError) -> String {
        if let byte, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try quotedString(byte, isNeeded) }
        let start = offset
        while let byte, byte.isWord || "$/:.-+@".utf8.contains(byte) { offset += 1 }
        guard offset > start else {
            throw failure(byte == nil ? "the file ends within a value" : "a value or a key was expected")
        }
        return isNeeded ? String(text: bytes[start..<offset]) : ""
    }

    private mutating func quotedString(_ quote: UInt8, _ isNeeded: Bool) throws(AppProjectError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while let byte, byte != quote {
            offset += 1
            if byte != UInt8(ascii: "\\") {
                if isNeeded { text.append(byte) }
            } else if isNeeded {
                text += escapedCharacter() ?? []
            } else {
                offset += 1
            }
        }
        guard byte == quote else {
            offset = start
            throw failure("a string does not end")
        }
        offset += 1
        return isNeeded ? String(text: text) : ""
    }

    /// The character after a backslash, which is behind us; nil at the end of the file.
    private mutating func escapedCharacter() -> [UInt8]? {
        guard let byte else { return nil }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "U"):
            var value: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = self.byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { break }
                value = value << 4 | UInt16(digit)
                offset += 1
            }
            return BoundedText.utf8(of: [value])
        default: return [byte]
        }
    }
}

extension OldPropertyListReader.Value {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var array: [Self]? { if case .array(let elements) = self { elements } else { nil } }
    subscript(key: String) -> Self? { if case .dictionary(let members) = self { members[key] } else { nil } }
    var members: [String: Self] { if case .dictionary(let members) = self { members } else { [:] } }
}
