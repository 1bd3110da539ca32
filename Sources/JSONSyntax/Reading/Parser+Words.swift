import Diagnostics

/// What is no token of JSON, but stands in the place of one.
extension Parser {
    /// A word that is neither a number nor a literal.
    mutating func word(_ token: Token) {
        guard !frame.isSkipping else { return }
        if isKeyDue { return wordAsKey(token) }
        let string = JSONString(scanner.bytes.text(token.range), content: SourceRange(token.range), isVerbatim: true)
        if frame.kind == .array, frame.state != .afterColon, scanner.peek() == UInt8(ascii: ":") {
            guard beginsValue(token) else { return }
            scanner.findings.unquotedKey(token.range)
            return append(.string(string), token.range)
        }
        let isBehindValue = frame.state == .afterValue && frame.kind == .array
        guard isBehindValue || beginsValue(token) else { return }
        let isNumber = scanner.looksLikeNumber(token.range)
        if isNumber {
            scanner.findings.invalidNumber(token.range)
        } else {
            scanner.findings.unquotedValue(token.range, literal: scanner.intendedLiteral(token.range))
        }
        if !isBehindValue { append(isNumber ? .number(string.text) : .string(string), token.range) }
        skip()
    }

    /// Whether a key, or a comma and a key, would be right.
    var isKeyDue: Bool {
        frame.kind == .object && frame.state != .afterColon && frame.state != .afterKey
    }

    /// A word or a number where a key is due: a key if a colon follows, otherwise a value without a key.
    mutating func wordAsKey(_ token: Token) {
        reportExtraComma()
        let isBehindValue = frame.state == .afterValue
        let isKey =
            switch scanner.peek() {
            case UInt8(ascii: ":"), UInt8(ascii: "="): true
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): !isBehindValue
            default: false
            }
        if isKey {
            scanner.findings.unquotedKey(token.range)
            let text = scanner.bytes.text(token.range)
            let string = JSONString(text, content: SourceRange(token.range), isVerbatim: true)
            let gap = isBehindValue ? previousEnd : nil
            key(string, token.range, missingComma: gap)
        } else {
            let isBehindString = isBehindValue && previousEnd == token.start && frame.members.last?.value.string != nil
            scanner.findings.missingKey(token.range, isBehindString: isBehindString)
            skip()
        }
    }

    mutating func unclosedString(_ token: Token) {
        guard !frame.isSkipping else { return }
        if frame.kind == .text, frame.state == .afterValue { return extraContent(from: token) }
        reportExtraComma()
        scanner.findings.unclosedString(token.range)
        scanner.findings.blame(token.start + 1..<max(token.end, token.start + 1))
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
