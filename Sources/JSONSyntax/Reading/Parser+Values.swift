import Diagnostics

extension Parser {
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

    /// Sees to it that a value may begin at a token: reports what is missing in front of it.
    ///
    /// - Returns: False if it is no value of this level.
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
            if let key = frame.key { scanner.findings.missingColon(behind: key, hasValue: true) }
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
            scanner.findings.missingColon(behind: key, hasValue: false)
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
