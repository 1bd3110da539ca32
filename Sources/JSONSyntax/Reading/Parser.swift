import Diagnostics

/// Builds the tree from the tokens, with its own stack, and goes on after every mistake.
struct Parser {
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

    /// What follows the first value is reported as a whole.
    mutating func extraContent(from token: Token) {
        let start = frame.comma ?? token.start
        var end = token.end
        // How many more braces are opened than closed.
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
