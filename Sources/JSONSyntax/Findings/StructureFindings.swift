import Diagnostics

/// What is wrong with the order of the tokens.
extension SyntaxFindings {
    /// - Parameter separator: What has to stand in place of what is deleted.
    mutating func trailingComma(at offset: Int, separator: String) {
        comma(.trailingComma, at: offset, "trailing comma", separator)
    }

    /// - Parameter separator: What has to stand in place of what is deleted.
    mutating func extraComma(at offset: Int, separator: String) {
        comma(.extraComma, at: offset, "unexpected comma: a value or a key is missing", separator)
    }

    private mutating func comma(_ code: SyntaxCode, at offset: Int, _ message: String, _ separator: String) {
        let range = offset..<offset + 1
        report(code, range) { _ in
            Wording(message, fixIts: [FixIt(.automatic, "delete the comma", replacing: range, with: separator)])
        }
    }

    mutating func missingComma(at gap: Int, before next: Range<Int>) {
        report(.missingComma, gap..<gap) { findings in
            Wording(
                "missing comma before \(findings.text(next))",
                fixIts: [FixIt(.automatic, "insert ','", replacing: gap..<gap, with: ",")])
        }
    }

    mutating func missingColon(behind key: Range<Int>, hasValue: Bool) {
        let gap = key.upperBound..<key.upperBound
        report(.missingColon, gap) { findings in
            let fixIt =
                hasValue
                ? FixIt(.suggested, "insert ':'", replacing: gap, with: ":")
                : FixIt(.displayOnly, "write a colon and a value", replacing: gap, with: ": \"VALUE\"")
            return Wording("missing colon after key \(findings.text(key))", fixIts: [fixIt])
        }
    }

    /// An equals sign in place of a colon; `=>` is blamed at its first character.
    mutating func equalsSign(_ range: Range<Int>) {
        report(.missingColon, range.lowerBound..<range.lowerBound + 1) { findings in
            Wording(
                "\(findings.text(range)) between key and value",
                fixIts: [FixIt(.suggested, "write ':'", replacing: range, with: ":")])
        }
    }

    mutating func missingValue(at gap: Int) {
        report(.missingValue, gap..<gap) { _ in
            Wording(
                "missing value after the colon",
                fixIts: [FixIt(.displayOnly, "write a value", replacing: gap..<gap, with: " \"VALUE\"")])
        }
    }

    mutating func missingKey(_ value: Range<Int>, isBehindString: Bool = false) {
        report(.missingKey, value) { findings in
            Wording(
                "\(findings.text(value)) in an object has no key",
                notes: isBehindString ? ["a quotation mark inside a string is written '\\\"'"] : [])
        }
    }

    mutating func pairInArray(_ colon: Range<Int>) -> Int? {
        report(.pairInArray, colon) { _ in Wording("key and value in an array: only objects have keys") }
    }

    mutating func amendPairInArray(_ index: Int, brackets: Range<Int>) {
        let open = SourceRange(start: brackets.lowerBound, end: brackets.lowerBound + 1)
        let close = SourceRange(start: brackets.upperBound - 1, end: brackets.upperBound)
        let edits = [TextEdit(range: open, replacement: "{"), TextEdit(range: close, replacement: "}")]
        amend(index, with: FixIt(title: "wrap the pairs in { }", applicability: .suggested, edits: edits))
    }

    mutating func unclosedBracket(_ bracket: Range<Int>, closing other: Range<Int>?) {
        report(.unclosedBracket, bracket) { findings in
            guard let other else { return Wording("\(findings.text(bracket)) is never closed") }
            let line = findings.line(of: other.lowerBound)
            return Wording("\(findings.text(bracket)) is not closed before \(findings.text(other)) on line \(line)")
        }
    }

    mutating func unexpectedBracket(_ range: Range<Int>) {
        report(.unexpectedBracket, range) { findings in Wording("\(findings.text(range)) closes nothing") }
    }

    mutating func unexpectedCharacter(_ range: Range<Int>) {
        report(.unexpectedCharacter, range) { findings in
            Wording("unexpected character \(findings.text(range))")
        }
    }

    mutating func extraContent(_ range: Range<Int>) {
        report(.extraContent, range) { findings in
            Wording("unexpected text after the JSON value: \(findings.text(range))")
        }
    }

    mutating func nestingTooDeep(_ bracket: Range<Int>, levels: Int) {
        report(.nestingTooDeep, bracket) { _ in
            Wording("more than \(levels) levels of brackets: the system ignores the whole file")
        }
    }

    mutating func duplicateKey(_ range: Range<Int>, name: String, first: Int) {
        report(.duplicateKey, range) { findings in
            Wording(
                "key \(quoted(name)) appears twice in the object: one of them is ignored",
                notes: ["\(findings.source.place(of: first, from: range.lowerBound)) has it too"])
        }
    }
}
