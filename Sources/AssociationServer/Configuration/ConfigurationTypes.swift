internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import JSONSyntax
internal import URLPatterns

/// The type of a key of server.json: how its value is read, and what is expected of it.
struct ConfigurationType<Value: Sendable>: Sendable {
    /// In Markdown, for the documentation.
    let expected: String
    /// A value as JSON, for the documentation.
    private(set) var json: @Sendable (Value) -> String = { "\($0)" }
    /// Returns `nil` after it has reported what is wrong.
    let read: @Sendable (ConfigurationValue, inout ConfigurationReader) -> Value?

    init(expected: String, read: @escaping @Sendable (ConfigurationValue, inout ConfigurationReader) -> Value?) {
        self.expected = expected
        self.read = read
    }

    func shown(as json: @escaping @Sendable (Value) -> String) -> Self {
        var type = self
        type.json = json
        return type
    }
}

extension ConfigurationType where Value == Bool {
    static var boolean: Self {
        Self(expected: "`true` or `false`") { value, reader in
            if let boolean = value.node.boolean { return boolean }
            reader.reject(value, "'\(value.name)' is \(value.kind); expected true or false")
            return nil
        }
    }
}

extension ConfigurationType where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(expected: "\(range.lowerBound) to \(range.upperBound)") { value, reader in
            if case .number(let literal) = value.node.value, let number = wholeNumber(literal), range.contains(number) {
                return number
            }
            let expected = "expected a whole number from \(range.lowerBound) to \(range.upperBound)"
            reader.reject(value, "'\(value.name)' is \(value.number); \(expected)")
            return nil
        }
    }
}

extension ConfigurationType where Value == Int? {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let type = ConfigurationType<Int>.integer(range)
        return Self(expected: type.expected) { value, reader in type.read(value, &reader) }
    }
}

extension ConfigurationType where Value == Double {
    static var seconds: Self {
        Self(expected: "seconds, above 0, at most 86400") { value, reader in
            if case .number(let literal) = value.node.value, let number = Double(literal), number > 0, number <= 86_400
            {
                return number
            }
            reader.reject(value, "'\(value.name)' is \(value.number); expected seconds, above 0 and at most 86400")
            return nil
        }.shown { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
    }
}

extension ConfigurationType where Value: RawRepresentable<String> & CaseIterable {
    /// One of a few words.
    static var choice: Self {
        let known = Value.allCases.map(\.rawValue)
        let words = known.map { "\"\($0)\"" }
        return Self(expected: words.map { "`\($0)`" }.joined(separator: ", ")) { value, reader in
            guard let text = reader.string(value) else { return nil }
            if let choice = Value(rawValue: text) { return choice }
            let expected = "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
            let close = text.utf8.count > 64 ? nil : Spelling.closest(to: text, among: known)
            reader.reject(
                value, "'\(value.name)' is \(quoted(text)); expected \(expected)",
                close.map { reader.replacement(of: value.node.range, with: "\"\($0)\"") })
            return nil
        }.shown { "\"\($0.rawValue)\"" }
    }
}

extension ConfigurationReader {
    mutating func string(_ value: ConfigurationValue) -> String? {
        if let string = value.node.string { return string.text }
        reject(value, "'\(value.name)' is \(value.kind); expected a string")
        return nil
    }
}

extension ConfigurationValue {
    /// The number as it is written, cut if it is long, or what else the value is.
    fileprivate var number: String {
        guard case .number(let literal) = node.value else { return kind }
        return literal.utf8.count <= 40 ? literal : "\(literal.prefix(40))…"
    }
}

/// The value of a number that is whole, however JSON writes it (RFC 8259, section 6): `1000`, `1e3`, `10.0`; `nil` if it is
/// not, or too large.
private func wholeNumber(_ literal: String) -> Int? {
    let zero = UInt8(ascii: "0")
    var rest = Array(literal.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let parts = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : []
    var digits = Array(parts[0]) + fraction
    guard !digits.isEmpty, digits.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) }) else { return nil }
    let trailing = digits.reversed().prefix { $0 == zero }.count
    if trailing == digits.count { return 0 }
    digits.removeLast(trailing)
    // Of the last digit that is not zero.
    let power = rest.dropFirst(mantissa.count).dropFirst()
    guard let exponent = power.isEmpty ? 0 : Int(String(text: power)) else { return nil }
    let (zeros, overflow) = exponent.addingReportingOverflow(trailing - fraction.count)
    guard !overflow, (0...18).contains(zeros) else { return nil }
    digits += [UInt8](repeating: zero, count: zeros)
    return Int((isNegative ? "-" : "") + String(text: digits))
}

extension ConfigurationType where Value == String? {
    static var adminAddress: Self {
        Self(expected: "a loopback address and a port, a Unix socket, or `\"none\"`") { value, reader in
            guard let text = reader.string(value) else { return nil }
            guard let problem = AdminAddress.problem(text, quote: "\"") else {
                guard let address = AdminAddress.address(text) else { return .some(nil) }
                if let other = reader.claim([address], text) {
                    reader.reject(
                        value,
                        "'\(value.name)' is \(quoted(text, limit: 120)), and 'listen' has \(quoted(other, limit: 120)); "
                            + "expected each address once")
                }
                return text
            }
            let fix = AdminAddress.suggestion(for: text).map {
                reader.replacement(of: value.node.range, with: JSONOutput.string($0).text)
            }
            reader.reject(value, "'\(value.name)' is \(quoted(text, limit: 120)); \(problem)", fix)
            return nil
        }
    }

    static var hostName: Self {
        Self(expected: "a host name, or `null`") { value, reader in
            if case .null = value.node.value { return .some(nil) }
            guard let text = reader.string(value) else { return nil }
            if DNSName.isValid(text) { return text }
            reader.reject(
                value, "'\(value.name)' is \(quoted(text)); expected a host name, like \"example.com\"")
            return nil
        }
    }
}

extension ConfigurationType where Value == String {
    static var folder: Self {
        Self(expected: "the path of a folder") { value, reader in
            guard let text = reader.string(value) else { return nil }
            guard !text.isEmpty, !text.utf8.contains(0) else {
                reader.reject(value, "'\(value.name)' is \(quoted(text)); expected the path of a folder")
                return nil
            }
            return reader.resolved(text)
        }
    }
}

extension ConfigurationType where Value == ServerConfiguration.LogSink {
    private static var standardOutput: String { "stdout" }
    private static var none: String { "none" }

    static var logSink: Self {
        Self(expected: "`\"stdout\"`, `\"none\"`, or the path of a file") { value, reader in
            guard let text = reader.string(value) else { return nil }
            switch text {
            case standardOutput: return .standardOutput
            case none: return ServerConfiguration.LogSink.none
            default: break
            }
            guard !text.isEmpty, !text.utf8.contains(0), !text.hasSuffix("/") else {
                let expected = "expected \"stdout\", \"none\" or the path of a file"
                reader.reject(value, "'\(value.name)' is \(quoted(text)); \(expected)")
                return nil
            }
            // A word that is nearly one of the two would otherwise become a file that nobody looks for.
            if let meant = meantWord(text) {
                let hint = "did you mean \"\(meant)\"? A file of that name is \"./\(VisibleText.escaped(text))\""
                reader.reject(
                    value, "'\(value.name)' is \(quoted(text)); \(hint)",
                    reader.replacement(of: value.node.range, with: "\"\(meant)\""))
                return nil
            }
            return .file(reader.resolved(text))
        }
    }

    private static func meantWord(_ text: String) -> String? {
        guard text.utf8.count <= 16, !text.contains("/"), !text.contains(".") else { return nil }
        return switch text.lowercased() {
        case "-", "standardoutput", "stderr": standardOutput
        case "off", "false", "null", "no": none
        default: Spelling.closest(to: text, among: [standardOutput, none])
        }
    }
}

extension ConfigurationType where Value == [ServerConfiguration.WellKnownFile] {
    private static var assetLinksType: String { "application/json" }
    /// The longest file name of Linux.
    private static var longestName: Int { 255 }
    /// Longer than any that is in use; the answer's head has to stay small.
    private static var longestType: Int { 255 }

    /// In the order of the names; `assetlinks.json`, which is always served, is left out.
    static var wellKnownFiles: Self {
        Self(expected: "an object of file names and content types") { value, reader in
            guard let object = value.node.object else {
                let example = "{\"security.txt\": \"text/plain; charset=utf-8\"}"
                reader.reject(value, "'\(value.name)' is \(value.kind); expected an object like \(example)")
                return nil
            }
            var files: [ServerConfiguration.WellKnownFile] = []
            for member in object.members {
                let name = member.key.text
                let problem = problem(name)
                if let problem {
                    reader.reject(
                        member.keyRange, value.pointer.member(name), "'\(value.name)' has \(quoted(name)); \(problem)")
                }
                guard let type = contentType(of: name, member.value, in: value, &reader), problem == nil,
                    name != SiteFile.assetLinks.name
                else { continue }
                files.append(ServerConfiguration.WellKnownFile(name: name, contentType: type))
            }
            return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }.shown { $0.isEmpty ? "{}" : "\($0)" }
    }

    private static func problem(_ name: String) -> String? {
        switch name {
        case "": return "expected the name of a file"
        case SiteFile.association.name:
            return "it is always served, as \(assetLinksType), and need not be listed here"
        default: break
        }
        if name.contains("/") { return "expected the name of a file in the folder of a site, without a '/'" }
        if name.hasPrefix(".") { return "expected a name that does not begin with a dot: such files are never served" }
        if name.hasSuffix("~") || name.hasSuffix(".swp") {
            return "expected another name: editors use this one for backup files, which are never served"
        }
        if !PathSegment.isPlain(name) {
            return "expected a name of letters, digits and '-._~!$&'()*+,;=:@', which need no encoding in a URL"
        }
        return name.utf8.count > longestName ? "expected at most \(longestName) characters" : nil
    }

    private static func contentType(
        of name: String, _ node: JSONNode, in value: ConfigurationValue, _ reader: inout ConfigurationReader
    ) -> String? {
        let subject = "the content type of \(quoted(name)) in '\(value.name)'"
        let pointer = value.pointer.member(name)
        guard let type = node.string?.text else {
            reader.reject(node.range, pointer, "\(subject) is \(node.kind); expected a string like \"text/plain\"")
            return nil
        }
        if name == SiteFile.assetLinks.name, type != assetLinksType {
            reader.reject(
                node.range, pointer, "\(subject) is \(quoted(type)); it can only be \"\(assetLinksType)\"",
                reader.replacement(of: node.range, with: "\"\(assetLinksType)\""))
            return nil
        }
        guard MediaType.isValid(type), type.utf8.count <= longestType else {
            let expected = "expected a media type like \"text/plain; charset=utf-8\""
            reader.reject(node.range, pointer, "\(subject) is \(quoted(type)); \(expected)")
            return nil
        }
        return type
    }
}
