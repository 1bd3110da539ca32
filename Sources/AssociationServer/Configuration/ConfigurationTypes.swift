internal import AppSiteAssociation
internal import AssociationFiles
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
    /// The values whose type and keys are right.
    private(set) var schema: @Sendable () -> JSONSchema = { .string }

    init(expected: String, read: @escaping @Sendable (ConfigurationValue, inout ConfigurationReader) -> Value?) {
        self.expected = expected
        self.read = read
    }

    func taking(_ schema: @escaping @Sendable @autoclosure () -> JSONSchema) -> Self {
        var type = self
        type.schema = schema
        return type
    }

    func shown(as json: @escaping @Sendable (Value) -> String) -> Self {
        var type = self
        type.json = json
        return type
    }
}

extension ConfigurationType {
    /// The same, or `null`.
    func orNull(expected: String? = nil) -> ConfigurationType<Value?> where Value == String {
        ConfigurationType<Value?>(expected: expected ?? "\(self.expected), or `null`") { value, reader in
            value.isNull ? .some(nil) : read(value, &reader)
        }.taking(.any(of: [schema(), .type("null")])).shown { $0 ?? "null" }
    }

    /// An array whose elements are strings.
    ///
    /// - Parameters:
    ///   - example: an element, as JSON.
    ///   - element: returns `nil` after it has reported what is wrong.
    static func array<Element>(
        expected: String, example: String,
        _ element: @escaping @Sendable (String, ConfigurationValue, inout ConfigurationReader) -> Element?
    ) -> Self where Value == [Element] {
        Self(expected: expected) { list, reader in
            reader.elements(list, example: "[\(example)]")?.compactMap { value in
                reader.string(value, expected: "a string like \(example)").flatMap { element($0, value, &reader) }
            }
        }.taking(.array(of: .string)).shown { $0.isEmpty ? "[]" : "\($0)" }
    }
}

extension ConfigurationReader {
    mutating func string(_ value: ConfigurationValue, expected: String = "a string") -> String? {
        value.node.string?.text ?? reject(value, expected: expected)
    }

    /// The elements of an array; a string or an object alone is one whose brackets were forgotten.
    mutating func elements(_ list: ConfigurationValue, example: String, takesObjects: Bool = false)
        -> [ConfigurationValue]?
    {
        if let elements = list.elements { return elements }
        let isOne = list.node.string != nil || takesObjects && list.node.object != nil
        let range = list.node.range
        return reject(
            list, expected: "an array like \(example)",
            isOne ? .writing("[\(text(range))]", at: range, title: "wrap it in '[ ]'") : nil)
    }

    /// One of a few words.
    ///
    /// - Parameter guess: a word for a text that is near none of them.
    mutating func choice<Value>(
        _ value: ConfigurationValue, of words: [(name: String, value: Value)],
        guess: (String) -> String? = { _ in nil }
    ) -> Value? {
        guard let text = string(value) else { return nil }
        let names = words.map(\.name)
        return words.first { $0.name == text }?.value
            ?? reject(
                value, quoted(text), expected: alternatives(names),
                (guess(text) ?? Spelling.closest(to: text, among: names)).map { value.writing("\"\($0)\"") })
    }

    /// Words for a message: `"a", "b" or "c"`.
    func alternatives(_ names: [String]) -> String {
        let words = names.map { "\"\($0)\"" }
        return "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
    }
}

extension ConfigurationType where Value == Bool {
    static var boolean: Self {
        Self(expected: "`true` or `false`") { value, reader in
            value.node.boolean ?? reader.reject(value, expected: "true or false")
        }.taking(.boolean)
    }
}

extension ConfigurationType where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(expected: "\(range.lowerBound) to \(range.upperBound)") { value, reader in
            // However JSON writes it (RFC 8259, section 6): `1000`, `1e3`, `10.0`.
            if case .number(let literal) = value.node.value, let number = Double(literal).flatMap(Int.init(exactly:)),
                range.contains(number), significantDigits(literal).elementsEqual(significantDigits("\(number)"))
            {
                return number
            }
            return reader.reject(
                value, value.number, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }.taking(
            .type("integer").with("minimum", .number(range.lowerBound)).with("maximum", .number(range.upperBound)))
    }

    /// The digits of a number between its leading and trailing zeros: what `Double` may round away.
    private static func significantDigits(_ literal: String) -> some Collection<UInt8> {
        let digits = literal.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
        let end = digits.lastIndex { $0 != 0x30 }.map { $0 + 1 } ?? 0
        return digits[..<end].drop { $0 == 0x30 }
    }
}

extension ConfigurationType where Value == Int? {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let type = ConfigurationType<Int>.integer(range)
        return Self(expected: type.expected) { value, reader in type.read(value, &reader) }.taking(type.schema())
    }
}

extension ConfigurationType where Value == Double {
    static var seconds: Self {
        seconds("seconds, above 0, at most 86400") {
            $0 > 0 && $0 <= 86_400
        } otherwise: {
            "is \($0.number); expected seconds, above 0 and at most 86400"
        }
    }

    static func seconds(
        _ expected: String, _ isRight: @escaping @Sendable (Double) -> Bool,
        otherwise problem: @escaping @Sendable (ConfigurationValue) -> String
    ) -> Self {
        Self(expected: expected) { value, reader in
            if case .number(let literal) = value.node.value, let number = Double(literal), isRight(number) {
                return number
            }
            return reader.reject(value, "'\(value.name)' \(problem(value))")
        }.taking(.type("number")).shown { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
    }
}

extension ConfigurationType where Value: RawRepresentable<String> & CaseIterable {
    /// One of a few words.
    static var choice: Self {
        let words = Value.allCases.map { (name: $0.rawValue, value: $0) }
        return Self(expected: words.map { "`\"\($0.name)\"`" }.joined(separator: ", ")) { value, reader in
            reader.choice(value, of: words)
        }.taking(.oneOf(words: words.map(\.name))).shown { "\"\($0.rawValue)\"" }
    }
}

extension ConfigurationType where Value == ServerConfiguration.MetricSites? {
    static var metricSites: Self {
        let type = ConfigurationType<ServerConfiguration.MetricSites>.choice
        return Self(expected: type.expected) { value, reader in type.read(value, &reader) }
    }
}

extension ConfigurationValue {
    /// The number as it is written, cut if it is long, or what else the value is.
    fileprivate var number: String {
        guard case .number(let literal) = node.value else { return kind }
        return literal.utf8.count <= 40 ? literal : "\(literal.prefix(40))…"
    }
}

extension ConfigurationType where Value == String {
    /// A string that has a form.
    ///
    /// - Parameters:
    ///   - expected: in Markdown, for the documentation.
    ///   - form: what is expected, for messages.
    ///   - limit: the characters of another string that are shown.
    static func text(
        expected: String, _ form: String, limit: Int = 60, _ isRight: @escaping @Sendable (String) -> Bool
    ) -> Self {
        Self(expected: expected) { value, reader in
            guard let text = reader.string(value) else { return nil }
            return isRight(text) ? text : reader.reject(value, quoted(text, limit: limit), expected: form)
        }
    }

    /// The path of a file or a folder, from the folder of server.json on.
    var path: Self {
        Self(expected: expected) { value, reader in read(value, &reader).map(reader.resolved) }
    }

    static var folder: Self {
        text(expected: "the path of a folder", "the path of a folder") { !$0.isEmpty && !$0.utf8.contains(0) }.path
    }
}

extension ConfigurationType where Value == String? {
    static var adminAddress: Self {
        Self(expected: "a loopback address and a port, a Unix socket, or `\"none\"`") { value, reader in
            guard let text = reader.string(value) else { return nil }
            if let problem = AdminAddress.problem(text, quote: "\"") {
                return reader.reject(
                    value, "'\(value.name)' is \(quoted(text, limit: 120)); \(problem)",
                    AdminAddress.suggestion(for: text).map(value.writing(string:)))
            }
            guard let address = AdminAddress.address(text) else { return .some(nil) }
            if let other = reader.claim([address], text) {
                reader.reject(
                    value,
                    "'\(value.name)' is \(quoted(text, limit: 120)), and 'listen' has \(quoted(other, limit: 120)); "
                        + "expected each address once")
            }
            return text
        }
    }

    static var hostName: Self {
        ConfigurationType<String>.text(expected: "a host name", "a host name, like \"example.com\"") {
            DNSName.isValid($0)
        }.orNull()
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
                return reader.reject(
                    value, quoted(text), expected: "\"stdout\", \"none\" or the path of a file")
            }
            // A word that is nearly one of the two would otherwise become a file that is never looked for.
            if let meant = meantWord(text) {
                let hint = "did you mean \"\(meant)\"? A file of that name is \"./\(VisibleText.escaped(text))\""
                return reader.reject(
                    value, "'\(value.name)' is \(quoted(text)); \(hint)", value.writing("\"\(meant)\""))
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
                return reader.reject(value, expected: "an object like \(example)")
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
        }.taking(JSONSchema.object.with("additionalProperties", JSONSchema.string.json))
            .shown { $0.isEmpty ? "{}" : "\($0)" }
    }

    private static func problem(_ name: String) -> String? {
        switch name {
        case "": return "expected the name of a file"
        case SiteFile.association.name:
            return "it is always served, as \(assetLinksType), and need not be listed here"
        case SiteFile.links.name:
            return "it has the links and pages of a site, which are answered and not served; expected another name"
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
                .writing("\"\(assetLinksType)\"", at: node.range))
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
