import Diagnostics

/// Builds the tree from the tokens, with its own stack, and goes on after every mistake.
struct JSONParser {
    var scanner: Scanner
    let maximumLevels: Int
    /// The innermost value that is open.
    var frame: Frame
    /// Those around it.
    var stack: [Frame] = []
    var openArrays = 0
    var openObjects = 0
    var hasTooManyLevels = false
    var root: JSONNode?
    /// The end of the last token.
    var previousEnd: Int

    init(_ scanner: Scanner, maximumLevels: Int) {
        self.scanner = scanner
        self.maximumLevels = maximumLevels
        frame = Frame(.text, start: scanner.offset)
        previousEnd = scanner.offset
    }

    mutating func parse() {
        while true {
            let token = scanner.next()
            switch token.kind {
            case .string: string(token)
            case .comma: comma(token)
            case .colon: colon(token)
            case .openBrace: open(.object, token)
            case .openBracket: open(.array, token)
            case .closeBrace: close(.object, token)
            case .closeBracket: close(.array, token)
            case .number, .true, .false, .null: scalar(token)
            case .word: word(token)
            case .equals: equals(token)
            case .unclosedString: unclosedString(token)
            case .template: template(token)
            case .unexpected: unexpected(token)
            case .end: return end()
            }
            previousEnd = token.end
        }
    }

    private mutating func comma(_ token: Token) {
        if frame.isSkipping {
            frame.isSkipping = false
        } else {
            switch frame.state {
            case .afterValue where frame.kind == .text: return commaAfterText(token)
            case .afterValue: break
            case .afterKey: keyWithoutValue()
            case .afterColon: missingValue()
            case .first, .afterComma:
                reportExtraComma()
                frame.extraComma = token.start
                return
            }
        }
        frame.state = .afterComma
        frame.comma = token.start
    }

    /// A comma after the first value: one too many if nothing follows, or the beginning of what should not be there.
    private mutating func commaAfterText(_ token: Token) {
        if let first = frame.comma {
            reportExtraComma()
            frame.extraComma = token.start
            frame.comma = first
        } else {
            frame.comma = token.start
        }
    }

    mutating func reportExtraComma() {
        guard let offset = frame.extraComma else { return }
        frame.extraComma = nil
        scanner.findings.extraComma(at: offset, separator: scanner.separator(offset..<offset + 1))
    }

    private mutating func colon(_ token: Token) {
        guard !frame.isSkipping else { return }
        if frame.extraComma != nil { reportExtraComma() }
        switch (frame.kind, frame.state) {
        case (.object, .afterKey):
            reportCommaMissingBeforeKey()
            frame.state = .afterColon
        case (.object, .first), (.object, .afterComma):
            frame.state = .afterColon
        case (.array, .afterValue) where frame.elements.last?.string != nil && !frame.isAfterPair:
            if frame.pairs == 0 { frame.pairFinding = scanner.findings.pairInArray(token.range) }
            frame.elements.removeLast()
            frame.pairs += 1
            frame.state = .afterColon
        default:
            unexpected(token)
        }
    }

    mutating func reportCommaMissingBeforeKey() {
        guard let gap = frame.missingComma, let key = frame.key else { return }
        frame.missingComma = nil
        scanner.findings.missingComma(at: gap, before: key)
    }

    private mutating func equals(_ token: Token) {
        guard !frame.isSkipping, frame.state == .afterKey else { return unexpected(token) }
        reportCommaMissingBeforeKey()
        scanner.findings.equalsSign(token.range)
        frame.state = .afterColon
    }

    mutating func unexpected(_ token: Token) {
        guard !frame.isSkipping else { return }
        if frame.kind == .text, frame.state == .afterValue, !isBracket(token.kind) { return extraContent(from: token) }
        reportExtraComma()
        if isBracket(token.kind) {
            scanner.findings.unexpectedBracket(token.range)
        } else {
            scanner.findings.unexpectedCharacter(token.range)
        }
        skip()
    }

    private func isBracket(_ kind: Token.Kind) -> Bool { kind == .closeBrace || kind == .closeBracket }

    /// Skips to the next comma of this level, or to its closing bracket.
    mutating func skip() {
        guard frame.kind != .text else { return }
        frame.state = .afterValue
        frame.isSkipping = true
        frame.isIncomplete = true
        frame.dropKey()
        frame.extraComma = nil
    }

    /// Reports all that follows the first value as one finding.
    mutating func extraContent(from token: Token) {
        let start = frame.comma ?? token.start
        var end = token.end
        // The number of braces that are opened and not closed.
        var depth = token.kind == .openBrace ? 1 : 0
        scanner.findings.isQuiet = true
        while case let next = scanner.next(), next.kind != .end {
            end = next.end
            if next.kind == .openBrace { depth += 1 } else if next.kind == .closeBrace { depth -= 1 }
        }
        scanner.findings.isQuiet = false
        if token.kind == .colon, frame.comma == nil, let key = root, key.string != nil {
            scanner.findings.missingOpeningBrace(before: key.range.start..<key.range.end, end: end, depth: depth)
        } else {
            scanner.findings.extraContent(start..<end)
        }
        frame.comma = nil
        frame.extraComma = nil
    }
}

/// An array or object that is being read, or the text around the first value.
struct Frame {
    enum Kind {
        case text, array, object
    }

    enum State {
        /// After the opening bracket.
        case first
        case afterComma
        /// In an object, after a key.
        case afterKey
        case afterColon
        case afterValue
    }

    let kind: Kind
    let start: Int
    /// Whether the bracket is one that the reader made up, or that is part of something reported.
    var isImplied = false
    var state = State.first
    /// Whether everything is skipped up to the next comma of this level or its closing bracket.
    var isSkipping = false
    /// Whether anything of it was skipped.
    var isIncomplete = false
    /// The comma before what is due.
    var comma: Int?
    /// A further comma there, not reported yet.
    var extraComma: Int?
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    /// Whether the last member is only a key; its value is not read yet.
    var hasKey = false
    /// Where the comma before that key is missing.
    var missingComma: Int?
    /// In an array: how many elements were the value of a pair, and what was reported about the first.
    var pairs = 0
    var pairFinding: Int?
    /// In an array: whether the last element was the value of a pair.
    var isAfterPair = false

    init(_ kind: Kind, start: Int) {
        self.kind = kind
        self.start = start
    }

    /// The opening bracket.
    var bracket: Range<Int> { start..<start + 1 }

    /// The key that waits for its value.
    var key: Range<Int>? {
        guard hasKey, let range = members.last?.keyRange else { return nil }
        return range.start..<range.end
    }

    mutating func dropKey() {
        guard hasKey else { return }
        members.removeLast()
        hasKey = false
        missingComma = nil
    }
}

extension JSONParser {
    var isFull: Bool { stack.count >= maximumLevels }

    mutating func open(_ kind: Frame.Kind, _ token: Token) {
        if !frame.isSkipping {
            if frame.kind == .text, frame.state == .afterValue { return extraContent(from: token) }
            _ = beginsValue(token)
        }
        guard !isFull else { return skipLevels(token) }
        push(kind, at: token.start, isImplied: scanner.findings.claimed.contains(token.start))
    }

    mutating func push(_ kind: Frame.Kind, at start: Int, isImplied: Bool) {
        var inner = Frame(kind, start: start)
        inner.isImplied = isImplied
        swap(&inner, &frame)
        stack.append(inner)
        if kind == .array { openArrays += 1 } else { openObjects += 1 }
    }

    /// Skips a value that is nested too deeply. Its brackets are only counted.
    private mutating func skipLevels(_ token: Token) {
        if !hasTooManyLevels { scanner.findings.nestingTooDeep(token.range, levels: maximumLevels) }
        hasTooManyLevels = true
        let wasQuiet = scanner.findings.isQuiet
        scanner.findings.isQuiet = true
        var levels = 1
        while levels > 0 {
            let token = scanner.next()
            switch token.kind {
            case .openBrace, .openBracket: levels += 1
            case .closeBrace, .closeBracket: levels -= 1
            case .end: levels = 0
            default: break
            }
        }
        scanner.findings.isQuiet = wasQuiet
        skip()
    }

    mutating func close(_ kind: Frame.Kind, _ token: Token) {
        if frame.kind != kind {
            guard prepareClosing(kind, token) else { return }
        } else {
            finishLevel()
        }
        pop(to: token.end)
    }

    /// Makes the frame that a bracket closes the innermost one; false if there is none.
    private mutating func prepareClosing(_ kind: Frame.Kind, _ token: Token) -> Bool {
        let count = kind == .array ? openArrays : openObjects
        if frame.kind == .text, frame.comma != nil {
            extraContent(from: token)
            return false
        }
        guard !scanner.findings.claimed.contains(token.start) else { return false }
        guard count > 0 || isWrongKind else {
            unexpected(token)
            return false
        }
        finishLevel()
        if count == 0 || count == 1 && stack.count > 1 && stack[1].kind == kind && scanner.peekAfterCommas().byte != 0 {
            // It closes nothing, or would close the first value although more follows: a bracket of the wrong kind.
            reportUnclosed(closing: token.range)
            return true
        }
        while frame.kind != kind {
            reportUnclosed(closing: token.range)
            pop(to: previousEnd)
        }
        return true
    }

    /// Whether a bracket that closes nothing may well be meant to close the innermost frame, by what follows.
    private var isWrongKind: Bool {
        guard let outer = stack.last else { return false }
        let next = scanner.peekAfterCommas()
        switch next.byte {
        case 0: return outer.kind == .text
        case UInt8(ascii: "]"): return outer.kind == .array
        case UInt8(ascii: "}"): return outer.kind == .object
        default: return outer.kind != .text && next.hasComma
        }
    }

    private mutating func reportUnclosed(closing bracket: Range<Int>?) {
        guard !frame.isImplied else { return }
        scanner.findings.unclosedBracket(frame.bracket, closing: bracket)
    }

    /// Reports what is missing or too much before a closing bracket or the end.
    private mutating func finishLevel() {
        guard !frame.isSkipping else { return }
        switch frame.state {
        case .afterValue: break
        case .afterKey: keyWithoutValue()
        case .afterColon: missingValue()
        case .first, .afterComma: finishCommas()
        }
    }

    private mutating func finishCommas() {
        if let comma = frame.comma {
            scanner.findings.trailingComma(at: comma, separator: scanner.separator(comma..<comma + 1))
            reportExtraComma()
        } else if let comma = frame.extraComma {
            scanner.findings.trailingComma(at: comma, separator: scanner.separator(comma..<comma + 1))
        }
        frame.extraComma = nil
    }

    /// Closes the innermost frame and gives its value to the one around it.
    private mutating func pop(to end: Int) {
        guard var closed = stack.popLast() else { return }
        swap(&closed, &frame)
        let range = closed.start..<end
        if closed.kind == .array {
            openArrays -= 1
            if closed.pairFinding != nil { amendPairs(in: closed, range) }
            if !frame.isSkipping { append(.array(closed.elements), range) }
        } else {
            openObjects -= 1
            closed.dropKey()
            if closed.members.count > 1 { scanner.findings.duplicateKeys(in: closed.members) }
            if !frame.isSkipping { append(.object(JSONObject(closed.members)), range) }
        }
    }

    /// Braces would do for an array that holds nothing but pairs.
    private mutating func amendPairs(in array: Frame, _ range: Range<Int>) {
        guard let finding = array.pairFinding, array.pairs == array.elements.count, !array.isIncomplete,
            scanner.bytes[range.upperBound - 1] == UInt8(ascii: "]")
        else { return }
        scanner.findings.amendPairInArray(finding, brackets: range)
    }

    /// The end of the text.
    mutating func end() {
        if frame.kind != .text {
            if frame.state == .afterComma { finishLevel() }
            while frame.kind != .text {
                reportUnclosed(closing: nil)
                pop(to: previousEnd)
            }
            return
        }
        finishCommas()
    }
}
