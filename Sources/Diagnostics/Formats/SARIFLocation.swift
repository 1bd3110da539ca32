internal import BoundedText

/// The file of a result, as SARIF names it.
struct SARIFArtifact {
    /// The absolute path of the folder that `%SRCROOT%` stands for; nil for the one that paths start from.
    let root: String?
    /// The absolute path of the folder that paths start from; nil for the root.
    let workingDirectory: String?

    /// The `artifactLocation` of a path as the user gave it.
    func location(_ path: String) -> JSONOutput {
        // Something on the web.
        if path.hasPrefix("https://") || path.hasPrefix("http://") {
            return .object(["uri": .string(Self.encoded(path, keeping: ":/?#[]@!$&'()*+,;=%"))])
        }
        // Not a file: a name such as `<standard input>`.
        if path.hasPrefix("<"), path.hasSuffix(">") {
            return .object([
                "uri": .string(Self.encoded(path)),
                "description": .object(["text": .string(String(path.dropFirst().dropLast()))]),
            ])
        }
        guard let root else {
            return path.hasPrefix("/") ? Self.absolute(Self.names(path)) : Self.relative(Self.names(path)[...])
        }
        let names = Self.names(path.hasPrefix("/") ? path : "/\(workingDirectory ?? root)/\(path)")
        let rootNames = Self.names("/\(root)")
        guard names.starts(with: rootNames), names.count > rootNames.count else { return Self.absolute(names) }
        return Self.relative(names[rootNames.count...])
    }

    private static func absolute(_ names: [[UInt8]]) -> JSONOutput {
        .object(["uri": .string("file:///" + uri(names[...]))])
    }

    private static func relative(_ names: ArraySlice<[UInt8]>) -> JSONOutput {
        .object(["uri": .string(uri(names)), "uriBaseId": .string("%SRCROOT%")])
    }

    /// The names in a path, without `.` and, where something is before it, without `..`; the file system is not asked about
    /// links.
    private static func names(_ path: String) -> [[UInt8]] {
        let up = Array("..".utf8)
        var names: [[UInt8]] = []
        for name in path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init) where name != [UInt8(ascii: ".")] {
            if name == up, let last = names.last, last != up {
                names.removeLast()
            } else if name != up || !path.hasPrefix("/") {
                names.append(name)
            }
        }
        return names
    }

    private static func uri(_ names: ArraySlice<[UInt8]>) -> String {
        names.map { encoded(String(text: $0)) }.joined(separator: "/")
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986: a colon in the first name would look like a scheme.
    ///
    /// - Parameter others: Further characters that stay, in ASCII.
    private static func encoded(_ text: String, keeping others: String = "") -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case let byte where others.utf8.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

/// Columns of a source text in Unicode code points, where `SourcePosition` counts bytes.
///
/// A byte that is not UTF-8 counts as one character, as most readers put a replacement in its place.
struct CharacterColumns {
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// The offsets of the first character, of the one `step` after it, and so on: a line may be as long as the file, and have
    /// thousands of findings.
    private let marks: [Int]
    private static let step = 64

    init(_ source: SourceText) {
        bytes = source.bytes
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        marks = isASCII ? [] : Self.marks(bytes)
    }

    /// The column of a position, counted from 1.
    func column(_ position: SourcePosition) -> Int {
        guard !isASCII else { return position.column }
        return count(before: position.offset) - count(before: position.offset - position.column + 1) + 1
    }

    /// The number of characters that begin before an offset.
    private func count(before offset: Int) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle] <= offset { low = middle } else { high = middle }
        }
        guard low < marks.count else { return 0 }
        var count = low * Self.step
        var walk = CharacterWalk(bytes, from: marks[low])
        while walk.offset < offset, walk.advance() { count += 1 }
        return count
    }

    private static func marks(_ bytes: [UInt8]) -> [Int] {
        var marks: [Int] = []
        var walk = CharacterWalk(bytes, from: 0)
        var count = 0
        repeat {
            if count % step == 0 { marks.append(walk.offset) }
            count += 1
        } while walk.advance()
        return marks
    }
}

/// A walk over the characters of UTF-8 bytes; a byte that is none counts as one.
private struct CharacterWalk {
    private(set) var offset: Int
    private var iterator: ArraySlice<UInt8>.Iterator
    private var parser = Unicode.UTF8.ForwardParser()
    private var bad = 0

    init(_ bytes: [UInt8], from start: Int) {
        offset = start
        iterator = bytes[start...].makeIterator()
    }

    /// Goes past the next character; false at the end.
    mutating func advance() -> Bool {
        if bad == 0 {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return false
            case .valid(let encoded):
                offset += encoded.count
                return true
            case .error(let length): bad = length
            }
        }
        bad -= 1
        offset += 1
        return true
    }
}
