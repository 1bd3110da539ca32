internal import Diagnostics
internal import JSONSyntax

// Values of the right type, or a finding that says which one was expected.
extension ConfigurationReader {
    /// Whether a value is an object; its unknown keys are reported.
    mutating func check(_ value: ConfigurationValue, known: [String]) -> Bool {
        guard let object = value.node.object else {
            let subject = value.name.isEmpty ? "the file" : "'\(value.name)'"
            invalid(value, "\(subject) is \(value.kind); expected an object")
            return false
        }
        for member in object.members where !known.contains(where: { $0.utf8.elementsEqual(member.key.text.utf8) }) {
            unknownKey(member, in: value, object, known)
        }
        return true
    }

    private mutating func unknownKey(
        _ member: JSONMember, in value: ConfigurationValue, _ object: JSONObject, _ known: [String]
    ) {
        let key = member.key.text
        let place = value.name.isEmpty ? "" : " in '\(value.name)'"
        // No key is nearly as long.
        let close = key.utf8.count > 64 ? nil : Spelling.closest(to: key, among: known)
        let hint = close.map { "; did you mean '\($0)'?" } ?? ""
        let fix = close.flatMap { close in
            object.member(close) == nil ? replace(member.keyRange, with: "\"\(close)\"", "write \"\(close)\"") : nil
        }
        add(
            Diagnostic(
                code: DiagnosticCode(rawValue: "unknown-config-key"), severity: .error,
                message: "unknown key \(quoted(key))\(place)\(hint)", range: member.keyRange,
                pointer: value.pointer.member(key).description,
                notes: close == nil ? ["known keys are \(known.joined(separator: ", "))"] : [],
                fixIts: fix.map { [$0] } ?? []))
    }

    mutating func string(_ value: ConfigurationValue) -> String? {
        if let string = value.node.string { return string.text }
        invalid(value, "'\(value.name)' is \(value.kind); expected a string")
        return nil
    }

    mutating func boolean(_ value: ConfigurationValue?) -> Bool? {
        guard let value else { return nil }
        if let boolean = value.node.boolean { return boolean }
        invalid(value, "'\(value.name)' is \(value.kind); expected true or false")
        return nil
    }

    mutating func integer(_ value: ConfigurationValue?, _ range: ClosedRange<Int>) -> Int? {
        guard let value else { return nil }
        if case .number(let literal) = value.node.value, let number = WholeNumber.parse(literal),
            range.contains(number)
        {
            return number
        }
        let expected = "expected a whole number from \(range.lowerBound) to \(range.upperBound)"
        invalid(value, "'\(value.name)' is \(value.number); \(expected)")
        return nil
    }

    mutating func seconds(_ value: ConfigurationValue?) -> Double? {
        guard let value else { return nil }
        if case .number(let literal) = value.node.value, let number = Double(literal), number > 0, number <= 86_400 {
            return number
        }
        invalid(value, "'\(value.name)' is \(value.number); expected seconds, above 0 and at most 86400")
        return nil
    }

    // MARK: Findings

    mutating func invalid(_ value: ConfigurationValue, _ message: String, _ fix: FixIt? = nil) {
        add("invalid-config-value", value, message, fix)
    }

    mutating func notYet(_ value: ConfigurationValue, only possible: String) {
        add("unsupported-config-value", value, "'\(value.name)' can only be \(possible) in this version", nil)
    }

    mutating func invalid(_ message: String, at range: SourceRange, _ pointer: String, _ fix: FixIt? = nil) {
        add(
            Diagnostic(
                code: DiagnosticCode(rawValue: "invalid-config-value"), severity: .error, message: message,
                range: range, pointer: pointer, fixIts: fix.map { [$0] } ?? []))
    }

    private mutating func add(_ code: String, _ value: ConfigurationValue, _ message: String, _ fix: FixIt?) {
        add(
            Diagnostic(
                code: DiagnosticCode(rawValue: code), severity: .error, message: message, range: value.node.range,
                pointer: value.pointer.description, fixIts: fix.map { [$0] } ?? []))
    }

    func replace(_ range: SourceRange, with text: String, _ title: String) -> FixIt {
        FixIt(title: title, applicability: .suggested, edits: [TextEdit(range: range, replacement: text)])
    }
}

extension ConfigurationValue {
    var isNull: Bool { if case .null = node.value { true } else { false } }
}

extension SourceText {
    func text(_ range: SourceRange) -> String { String(decoding: bytes[range.start..<range.end], as: UTF8.self) }
}
