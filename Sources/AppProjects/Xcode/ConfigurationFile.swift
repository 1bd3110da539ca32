/// The lines of a configuration file (`.xcconfig`) that mean something.
struct ConfigurationFile {
    enum Line {
        case setting(name: String, value: String, conditions: [SettingCondition])
        /// `#include "FILE"`, or `#include? "FILE"`, which may be missing.
        case include(String, isOptional: Bool)
    }

    let lines: [Line]

    /// More lines than anybody writes.
    private static let mostLines = 50_000

    /// Reads a file as Xcode does, which passes over what is not well-formed; nil if it has too many lines.
    init?(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard text.count(where: { $0 == 0x0A }) < Self.mostLines else { return nil }
        var lines: [Line] = []
        var rest = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        while let first = rest.popFirst() {
            var line = Array(Self.content(first))
            // A backslash at the end joins the value with the next line.
            while line.last == UInt8(ascii: "\\"), Self.isSetting(line[...]) {
                line.removeLast()
                while let last = line.last, Self.isBlank(last) { line.removeLast() }
                guard let next = rest.popFirst() else { break }
                line.append(UInt8(ascii: " "))
                line += Self.content(next)
            }
            if let read = Self.read(Self.trimmed(line[...])) { lines.append(read) }
        }
        self.lines = lines
    }

    /// A line without its comment and without blanks at either end.
    private static func content(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = line.startIndex
        while end < line.endIndex {
            if line[end...].starts(with: "//".utf8) { break }
            end += 1
        }
        return trimmed(line[..<end])
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || (0x0B...0x0D).contains(byte) }

    private static func isSetting(_ line: ArraySlice<UInt8>) -> Bool { line.first != UInt8(ascii: "#") }

    private static func read(_ line: ArraySlice<UInt8>) -> Line? {
        guard isSetting(line) else { return include(Substring(decoding: line.dropFirst(), as: UTF8.self)) }
        let nameEnd = line.firstIndex { !isInName($0) } ?? line.endIndex
        let name = line[..<nameEnd]
        guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        // The pattern of a condition has an '=', too.
        var end = nameEnd
        var depth = 0
        while end < line.endIndex, depth > 0 || line[end] != UInt8(ascii: "=") {
            if line[end] == UInt8(ascii: "[") { depth = 1 }
            if line[end] == UInt8(ascii: "]") { depth = 0 }
            end += 1
        }
        guard end < line.endIndex else { return nil }
        let between = String(decoding: line[nameEnd..<end], as: UTF8.self).filter { $0 != " " && $0 != "\t" }
        guard let conditions = SettingCondition.read(Substring(between)) else { return nil }
        var value = trimmed(line[(end + 1)...])
        if value.last == UInt8(ascii: ";") { value = trimmed(value.dropLast()) }
        return .setting(
            name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self),
            conditions: conditions)
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Reads what follows the `#` of a line.
    private static func include(_ text: Substring) -> Line? {
        let text = text.drop { $0 == " " || $0 == "\t" }
        guard text.hasPrefix("include") else { return nil }
        var rest = text.dropFirst("include".count)
        let isOptional = rest.first == "?"
        if isOptional { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"", rest.last == "\"", rest.count > 2 else { return nil }
        return .include(String(rest.dropFirst().dropLast()), isOptional: isOptional)
    }
}
