import Diagnostics

extension JSONParser {
    @inline(__always)
    mutating func string(_ token: Token) {
        guard !frame.isSkipping else { return }
        let value = scanner.value(of: token)
        switch frame.state {
        case .first, .afterComma:
            if frame.kind == .object {
                key(value, token.range)
            } else {
                append(.string(value), token.range)
            }
        case .afterColon, .afterValue, .afterKey:
            if frame.kind == .object, frame.state == .afterValue {
                // A key if a colon follows; what it is otherwise shows then.
                key(value, token.range, missingComma: previousEnd)
            } else if beginsValue(token) {
                append(.string(value), token.range)
            }
        }
    }

    @inline(__always)
    mutating func key(_ key: JSONString, _ range: Range<Int>, missingComma: Int? = nil) {
        if frame.extraComma != nil { reportExtraComma() }
        if frame.members.isEmpty { frame.members.reserveCapacity(4) }
        let range = SourceRange(range)
        frame.members.append(JSONMember(key: key, keyRange: range, value: JSONNode(.null, range: range)))
        frame.hasKey = true
        frame.missingComma = missingComma
        frame.state = .afterKey
    }

    /// A number or a literal.
    mutating func scalar(_ token: Token) {
        guard !frame.isSkipping else { return }
        if isKeyDue { return wordAsKey(token) }
        guard beginsValue(token) else { return }
        let value: JSONValue =
            switch token.kind {
            case .true: .boolean(true)
            case .false: .boolean(false)
            case .null: .null
            default: .number(scanner.bytes.text(token.range))
            }
        append(value, token.range)
    }

    /// Checks that a value may begin at a token, and reports what is missing before it.
    ///
    /// - Returns: False if it is not a value of this level.
    @inline(__always)
    mutating func beginsValue(_ token: Token) -> Bool {
        if frame.state == .afterColon, frame.hasKey || frame.kind == .array { return true }
        return beginsUnexpectedValue(token)
    }

    private mutating func beginsUnexpectedValue(_ token: Token) -> Bool {
        reportExtraComma()
        switch (frame.kind, frame.state) {
        case (.text, .afterValue):
            extraContent(from: token)
            return false
        case (.array, .afterValue):
            scanner.findings.missingComma(at: previousEnd, before: token.range)
            return true
        case (.array, _), (.text, _):
            return true
        case (.object, .afterKey):
            reportCommaMissingBeforeKey()
            if let key = frame.key { scanner.findings.missingColon(after: key, hasValue: true) }
        case (.object, _):
            scanner.findings.missingKey(token.range)
        }
        skip()
        return false
    }

    /// A key that a comma or a closing bracket follows.
    mutating func keyWithoutValue() {
        guard let key = frame.key else { return }
        if frame.missingComma != nil {
            scanner.findings.missingKey(key)
        } else {
            scanner.findings.missingColon(after: key, hasValue: false)
        }
        frame.dropKey()
    }

    /// A colon that a comma or a closing bracket follows.
    mutating func missingValue() {
        scanner.findings.missingValue(at: previousEnd)
        frame.dropKey()
        frame.isIncomplete = true
    }

    @inline(__always)
    mutating func append(_ value: JSONValue, _ range: Range<Int>) {
        let node = JSONNode(value, range: SourceRange(range))
        if frame.extraComma != nil { reportExtraComma() }
        switch frame.kind {
        case .object:
            if frame.hasKey {
                frame.members[frame.members.count &- 1].value = node
                frame.hasKey = false
            }
        case .array:
            if frame.elements.isEmpty { frame.elements.reserveCapacity(4) }
            frame.elements.append(node)
            frame.isAfterPair = frame.state == .afterColon
        case .text:
            root = node
        }
        frame.state = .afterValue
    }
}

/// Reading text that is not a token of JSON, but is where one should be.
extension JSONParser {
    /// A word that is neither a number nor a literal.
    mutating func word(_ token: Token) {
        guard !frame.isSkipping else { return }
        if isKeyDue { return wordAsKey(token) }
        let string = JSONString(
            text: scanner.bytes.text(token.range), content: SourceRange(token.range), isVerbatim: true)
        if frame.kind == .array, frame.state != .afterColon, scanner.peek() == UInt8(ascii: ":") {
            guard beginsValue(token) else { return }
            scanner.findings.unquotedKey(token.range)
            return append(.string(string), token.range)
        }
        let isAfterValue = frame.state == .afterValue && frame.kind == .array
        guard isAfterValue || beginsValue(token) else { return }
        let isNumber = scanner.looksLikeNumber(token.range)
        if isNumber {
            scanner.findings.invalidNumber(token.range)
        } else {
            scanner.findings.unquotedValue(token.range, literal: scanner.intendedLiteral(token.range))
        }
        if !isAfterValue { append(isNumber ? .number(string.text) : .string(string), token.range) }
        skip()
    }

    /// Whether a key, or a comma and a key, would be right.
    var isKeyDue: Bool {
        frame.kind == .object && frame.state != .afterColon && frame.state != .afterKey
    }

    /// A word or a number where a key is due: a key if a colon follows, otherwise a value without a key.
    mutating func wordAsKey(_ token: Token) {
        reportExtraComma()
        let isAfterValue = frame.state == .afterValue
        let isKey =
            switch scanner.peek() {
            case UInt8(ascii: ":"), UInt8(ascii: "="): true
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): !isAfterValue
            default: false
            }
        if isKey {
            scanner.findings.unquotedKey(token.range)
            let text = scanner.bytes.text(token.range)
            let string = JSONString(text: text, content: SourceRange(token.range), isVerbatim: true)
            let gap = isAfterValue ? previousEnd : nil
            key(string, token.range, missingComma: gap)
        } else {
            let isAfterString = isAfterValue && previousEnd == token.start && frame.members.last?.value.string != nil
            scanner.findings.missingKey(token.range, isAfterString: isAfterString)
            skip()
        }
    }

    mutating func unclosedString(_ token: Token) {
        guard !frame.isSkipping else { return }
        if frame.kind == .text, frame.state == .afterValue { return extraContent(from: token) }
        reportExtraComma()
        if scanner.offset > token.end {
            scanner.findings.brokenString(token.range)
        } else {
            scanner.findings.unclosedString(token.range)
        }
        scanner.findings.claim(token.start + 1..<max(token.end, token.start + 1))
        skip()
    }

    mutating func template(_ token: Token) {
        defer {
            // The mark alone: most likely a bracket too many.
            if token.range.count == 2, scanner.bytes[token.end - 1] == UInt8(ascii: "{"), !isFull {
                skip()
                push(.object, at: token.start, isImplied: true)
            }
        }
        guard !frame.isSkipping, frame.kind != .text else { return }
        reportExtraComma()
        switch scanner.peek() {
        case UInt8(ascii: "\""), UInt8(ascii: "{"):
            guard isKeyDue, frame.state != .afterValue else { return skip() }
            // A statement between members. What it repeats may well end with a comma.
            frame.comma = nil
        default:
            skip()
        }
    }
}
