extension Scanner {
    /// Whether a byte may begin a word without quotes; one of its characters beyond ASCII is looked at elsewhere.
    func isWordStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "*"):
            true
        default:
            isLetter(byte) || isDigit(byte)
        }
    }

    private func lengthOfWordCharacter(at index: Int, isPath: Bool) -> Int {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "$"):
            return bytes[index + 1] == UInt8(ascii: "{") ? 0 : 1
        case UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "?"):
            return 1
        case UInt8(ascii: "/"):
            return isPath ? 1 : 0
        case 0x80...:
            let (scalar, length) = bytes.scalar(at: index)
            return scalar.isForeignLetter && !scalar.isForeignSpace ? length : 0
        default:
            return isWordStart(byte) ? 1 : 0
        }
    }

    /// What is without quotes at the next byte: it begins with a character of a word, or with a slash.
    mutating func word() -> Token {
        let isPath = bytes[offset] == UInt8(ascii: "/")
        var end = offset
        while case let length = lengthOfWordCharacter(at: end, isPath: isPath), length > 0 { end += length }
        return take(.word, length: end - offset)
    }

    @inline(__always)
    mutating func literalOrWord() -> Token {
        let literal: (kind: Token.Kind, length: Int) =
            switch bytes[offset] {
            case UInt8(ascii: "t") where bytes.starts(with: "true", at: offset): (.true, 4)
            case UInt8(ascii: "f") where bytes.starts(with: "false", at: offset): (.false, 5)
            case UInt8(ascii: "n") where bytes.starts(with: "null", at: offset): (.null, 4)
            default: (.word, 0)
            }
        if literal.length > 0, lengthOfWordCharacter(at: offset + literal.length, isPath: false) == 0 {
            return take(literal.kind, length: literal.length)
        }
        return word()
    }

    @inline(__always)
    mutating func numberOrWord() -> Token {
        if let end = endOfNumber(), lengthOfWordCharacter(at: end, isPath: false) == 0 {
            return take(.number, length: end - offset)
        }
        return word()
    }

    /// The end of the number at the next byte (RFC 8259, section 6); nil if there is none.
    private func endOfNumber() -> Int? {
        var index = offset
        func skipDigits() -> Bool {
            let start = index
            while isDigit(bytes[index]) { index += 1 }
            return index > start
        }
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if bytes[index] == UInt8(ascii: "0") { index += 1 } else if !skipDigits() { return nil }
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits() else { return nil }
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() else { return nil }
        }
        return index
    }

    /// Whether a word was meant as a number: `01`, `+1`, `.5`, `1.`, `1e`, `0x1F`, `1_000`, `-Infinity`, `NaN`.
    func looksLikeNumber(_ word: Range<Int>) -> Bool {
        var start = word.lowerBound
        while bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"), start < word.upperBound {
            start += 1
        }
        let rest = start..<word.upperBound
        if bytes.equals("NaN", rest) || bytes.equals("Infinity", rest) || rest.isEmpty { return true }
        let radixMark = bytes[start + 1] | 0x20
        if bytes[start] == UInt8(ascii: "0"), rest.count > 2, [0x78, 0x6F, 0x62].contains(radixMark) {
            return rest.dropFirst(2).allSatisfy { hexValue(bytes[$0]) != nil || bytes[$0] == UInt8(ascii: "_") }
        }
        var index = start
        func skipDigits() -> Bool {
            let start = index
            while index < word.upperBound, isDigit(bytes[index]) || bytes[index] == UInt8(ascii: "_") { index += 1 }
            return index > start
        }
        var hasDigits = skipDigits()
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            hasDigits = skipDigits() || hasDigits
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            _ = skipDigits()
        }
        return hasDigits && index == word.upperBound
    }

    /// The literal that a word was meant for.
    func intendedLiteral(_ word: Range<Int>) -> String? {
        guard word.count <= 9 else { return nil }
        return switch bytes.text(word).lowercased() {
        case "true": "true"
        case "false": "false"
        case "null", "nil", "none", "undefined": "null"
        default: nil
        }
    }
}
