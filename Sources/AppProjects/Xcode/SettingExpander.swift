internal import BoundedText
internal import URLPatterns

/// Replaces references to build settings in texts, as Xcode does (docs/spec/doctor.md, section 7.1).
///
/// A setting that refers to itself, directly or through others, gets the value of the next assignment, as with
/// `$(inherited)`; therefore no cycle goes on for ever. One that is set nowhere is not taken for empty, as Xcode does: a
/// scheme or the command line of a build may set it.
struct SettingExpander {
    /// Why the value of a text is not known.
    enum Failure: Error, Hashable {
        case unset(String)
        case circular(String)
        case `operator`(String)
        case malformed
        case tooLarge
    }

    /// The settings of a build, the level with the highest precedence first.
    let levels: [SettingTable]
    let build: SettingContext

    /// The longest value that a setting may have; paths and identifiers are shorter.
    private static let longest = 4_096
    /// The most references that may be nested.
    private static let maxLevels = 64
    /// The most steps for one value, for references that double with each level.
    private static let maxSteps = 20_000

    /// The settings whose values are being expanded.
    private var active: [(name: String, position: SettingTable.Position)] = []
    /// The steps that are left for the value that is being expanded.
    private var left = 0

    init(levels: [SettingTable], build: SettingContext) {
        self.levels = levels
        self.build = build
    }

    /// The value of a setting; nil if it is not set.
    ///
    /// - Parameter work: What all values of a project may cost together, in steps.
    mutating func value(of name: String, _ work: inout Int) throws(Failure) -> String? {
        var position = SettingTable.Position()
        guard let text = SettingTable.value(of: name, in: levels, for: build, behind: &position, &work) else {
            return nil
        }
        active = [(name, position)]
        return try whole(text, &work)
    }

    /// The value of a setting as it is written; nil if it is not set.
    func written(_ name: String, _ work: inout Int) -> String? {
        var position = SettingTable.Position()
        return SettingTable.value(of: name, in: levels, for: build, behind: &position, &work)
    }

    /// A text from another file with its references replaced.
    mutating func expanded(_ text: String, _ work: inout Int) throws(Failure) -> String {
        active = []
        return try whole(text, &work)
    }

    private mutating func whole(_ text: String, _ work: inout Int) throws(Failure) -> String {
        let allowed = min(Self.maxSteps, work)
        left = allowed
        defer { work -= allowed - max(0, left) + 1 }
        let bytes = Array(text.utf8)
        var offset = 0
        return String(text: try expand(bytes, &offset, until: nil, depth: 0))
    }

    /// Expands a text up to its end, or up to `:` or the end of the reference that it is in.
    private mutating func expand(
        _ bytes: [UInt8], _ offset: inout Int, until end: UInt8?, depth: Int
    ) throws(Failure) -> [UInt8] {
        guard depth < Self.maxLevels else { throw .tooLarge }
        var result: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            if let end, byte == end || byte == UInt8(ascii: ":") { return result }
            left -= 1
            if byte == UInt8(ascii: "$") {
                result += try reference(bytes, &offset, depth: depth)
            } else {
                result.append(byte)
                offset += 1
            }
            guard left >= 0, result.count <= Self.longest else { throw .tooLarge }
        }
        guard end == nil else { throw .malformed }
        return result
    }

    /// Expands what begins with `$`.
    private mutating func reference(
        _ bytes: [UInt8], _ offset: inout Int, depth: Int
    ) throws(Failure) -> [UInt8] {
        offset += 1
        guard offset < bytes.count else { return [UInt8(ascii: "$")] }
        guard let end = Self.closing(bytes[offset]) else { return try bare(bytes, &offset, depth: depth) }
        offset += 1
        let name = String(text: try expand(bytes, &offset, until: end, depth: depth + 1))
        var text = try value(name, depth: depth)
        while offset < bytes.count, bytes[offset] == UInt8(ascii: ":") {
            let start = offset + 1
            offset = start
            while offset < bytes.count, ![UInt8(ascii: ":"), UInt8(ascii: "="), end].contains(bytes[offset]) {
                offset += 1
            }
            guard offset < bytes.count else { throw .malformed }
            let word = String(text: bytes[start..<offset])
            if bytes[offset] == UInt8(ascii: "=") {
                guard word == "default" else { throw .operator("\(word)=") }
                offset += 1
                let other = try expand(bytes, &offset, until: end, depth: depth + 1)
                if text?.isEmpty ?? true { text = other }
            } else {
                guard let known = SettingOperator(rawValue: word) else { throw .operator(word) }
                text = text.map { Array(known.apply(to: String(text: $0)).utf8) }
            }
        }
        guard offset < bytes.count else { throw .malformed }
        offset += 1
        guard let text else { throw .unset(name) }
        return text
    }

    private static func closing(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "("): UInt8(ascii: ")")
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        default: nil
        }
    }

    /// A name without brackets, or a `$` that is only a character.
    private mutating func bare(
        _ bytes: [UInt8], _ offset: inout Int, depth: Int
    ) throws(Failure) -> [UInt8] {
        let start = offset
        if !bytes[offset].isDigit { while offset < bytes.count, bytes[offset].isWord { offset += 1 } }
        guard offset > start else {
            if bytes[offset] == UInt8(ascii: "$") { offset += 1 }
            return [UInt8(ascii: "$")]
        }
        let name = String(text: bytes[start..<offset])
        guard let text = try value(name, depth: depth) else { throw .unset(name) }
        return text
    }

    /// The expanded value of a setting that a text refers to; nil if it is set nowhere.
    private mutating func value(_ name: String, depth: Int) throws(Failure) -> [UInt8]? {
        // '$()' is nothing: in configuration files it is written between the two slashes of a URL.
        guard !name.isEmpty else { return [] }
        let isInherited = name == "inherited"
        guard let name = isInherited ? active.last?.name : name else { return nil }
        let earlier = active.last { $0.name == name }?.position
        var position = earlier ?? SettingTable.Position()
        let found = SettingTable.value(of: name, in: levels, for: build, behind: &position, &left)
        guard left > 0 else { throw .tooLarge }
        guard let found else {
            if isInherited { return [] }
            if earlier != nil { throw .circular(name) }
            return nil
        }
        active.append((name, position))
        var offset = 0
        let result = try expand(Array(found.utf8), &offset, until: nil, depth: depth + 1)
        active.removeLast()
        return result
    }
}

/// An operator of a reference to a build setting, such as `lower` in `$(TARGET_NAME:lower)`.
enum SettingOperator: String {
    case upper, lower, identifier, rfc1034identifier, c99extidentifier, dir, file, base, suffix

    func apply(to text: String) -> String {
        switch self {
        case .upper: text.uppercased()
        case .lower: text.lowercased()
        case .identifier: Self.identifier(text, "_")
        case .rfc1034identifier: Self.identifier(text, "-")
        case .c99extidentifier: Self.extendedIdentifier(text)
        case .dir: text.lastIndex(of: "/").map { String(text[...$0]) } ?? "./"
        case .file: Self.name(text)
        case .base: Self.extensionStart(text).map { String(Self.name(text)[..<$0]) } ?? Self.name(text)
        case .suffix: Self.extensionStart(text).map { String(Self.name(text)[$0...]) } ?? ""
        }
    }

    /// Letters, digits that are not the first character, and one other character, which replaces all others.
    private static func identifier(_ text: String, _ other: Character) -> String {
        var result = ""
        for character in text {
            let isDigit = ("0"..."9").contains(character)
            let isLetter = character.isASCII && character.isLetter
            result.append(isLetter || character == other || isDigit && !result.isEmpty ? character : other)
        }
        return result
    }

    /// The identifier of a text with the letters that C99 allows in names, which are of any script, digits and `_`.
    private static func extendedIdentifier(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = scalar.properties.isAlphabetic || scalar == "_"
            result.append(isLetter || isDigit && !result.isEmpty ? scalar : "_")
        }
        return String(result)
    }

    private static func name(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// Where the extension of a file name begins, with its dot.
    private static func extensionStart(_ path: String) -> String.Index? {
        let name = name(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return dot
    }
}
