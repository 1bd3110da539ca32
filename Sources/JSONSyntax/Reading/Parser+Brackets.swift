import Diagnostics

extension Parser {
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
