import Diagnostics

/// Findings about the order of the tokens.
extension SyntaxFindings {
    /// - Parameter separator: What has to replace the deleted bytes; empty if nothing has to.
    mutating func trailingComma(at offset: Int, separator: String) {
        comma(.trailingComma, at: offset, "trailing comma", separator)
    }

    /// - Parameter separator: What has to replace the deleted bytes; empty if nothing has to.
    mutating func extraComma(at offset: Int, separator: String) {
        comma(.extraComma, at: offset, "unexpected comma: expected a value or a key", separator)
    }

    private mutating func comma(_ rule: RuleDescription, at offset: Int, _ message: String, _ separator: String) {
        let range = offset..<offset + 1
        report(rule, range) { _ in
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

    mutating func missingColon(after key: Range<Int>, hasValue: Bool) {
        let gap = key.upperBound..<key.upperBound
        report(.missingColon, gap) { findings in
            // '[{ "https://…" }]', as people write 'asset_statements'.
            let isURL = ["\"https://", "\"http://"].contains { findings.source.bytes[key].starts(with: $0.utf8) }
            let fixIt =
                hasValue
                ? FixIt(.suggested, "insert ':'", replacing: gap, with: ":")
                : isURL
                    ? FixIt(
                        .displayOnly,
                        "write 'include' before the URL of an 'assetlinks.json' whose statements count here",
                        replacing: key.lowerBound..<key.lowerBound, with: "\"include\": ")
                    : FixIt(.displayOnly, "write a colon and a value", replacing: gap, with: ": \"VALUE\"")
            return Wording("missing colon after key \(findings.text(key))", fixIts: [fixIt])
        }
    }

    /// An equals sign in place of a colon; `=>` is reported at its first character.
    mutating func equalsSign(_ range: Range<Int>) {
        report(.missingColon, range.lowerBound..<range.lowerBound + 1) { findings in
            Wording(
                "expected ':' after the key, found \(findings.text(range))",
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

    mutating func missingKey(_ value: Range<Int>, isAfterString: Bool = false) {
        report(.missingKey, value) { findings in
            Wording(
                "missing key before \(findings.text(value))",
                notes: isAfterString ? ["a quotation mark inside a string is written '\\\"'"] : [])
        }
    }

    mutating func pairInArray(_ colon: Range<Int>) -> Int? {
        report(.pairInArray, colon) { _ in
            Wording("key and value in an array: only objects have keys", label: "expected ',' or ']'")
        }
    }

    mutating func amendPairInArray(_ index: Int, brackets: Range<Int>) {
        let open = SourceRange(start: brackets.lowerBound, end: brackets.lowerBound + 1)
        let close = SourceRange(start: brackets.upperBound - 1, end: brackets.upperBound)
        let edits = [TextEdit(range: open, replacement: "{"), TextEdit(range: close, replacement: "}")]
        amend(index, with: FixIt("wrap the pairs in { }", .suggested, edits))
    }

    mutating func unclosedBracket(_ bracket: Range<Int>, closing other: Range<Int>?) {
        report(.unclosedBracket, bracket) { findings in
            guard let other else { return Wording("\(findings.text(bracket)) is never closed") }
            let position = findings.source.position(at: other.lowerBound)
            let closing = findings.source.bytes[bracket.lowerBound] == UInt8(ascii: "[") ? "]" : "}"
            return Wording(
                "\(findings.text(bracket)) is not closed before \(findings.text(other)) on line \(position.line)",
                labels: [Diagnostic.Label(SourceRange(other), "expected '\(closing)' before this")])
        }
    }

    mutating func unexpectedBracket(_ range: Range<Int>) {
        report(.unexpectedBracket, range) { findings in Wording("unmatched \(findings.text(range))") }
    }

    mutating func unexpectedCharacter(_ range: Range<Int>) {
        report(.unexpectedCharacter, range) { findings in
            Wording("unexpected character \(findings.text(range))")
        }
    }

    mutating func extraContent(_ range: Range<Int>) {
        report(.extraContent, range) { findings in
            Wording("unexpected text after the JSON value: \(findings.firstLine(range))")
        }
    }

    /// - Parameters:
    ///   - key: The key that the text begins with.
    ///   - end: The end of the last token.
    ///   - depth: How many more braces are opened than closed after the key.
    mutating func missingOpeningBrace(before key: Range<Int>, end: Int, depth: Int) {
        let start = key.lowerBound..<key.lowerBound
        report(.extraContent, start) { findings in
            var edits = [TextEdit(range: SourceRange(start), replacement: "{")]
            if depth == 0 { edits.append(TextEdit(range: SourceRange(end..<end), replacement: "}")) }
            return Wording(
                "missing '{' before \(findings.text(key))",
                fixIts: depth == 0 || depth == -1
                    ? [FixIt(depth == 0 ? "wrap the text in { }" : "insert '{'", .suggested, edits)] : [])
        }
    }

    mutating func nestingTooDeep(_ bracket: Range<Int>, levels: Int) {
        report(.nestingTooDeep, bracket) { _ in
            Wording("brackets are nested more than \(levels) levels deep: the system ignores the whole file")
        }
    }

    mutating func duplicateKey(_ range: Range<Int>, name: String, first: SourceRange) {
        report(.duplicateKey, range) { findings in
            Wording(
                "key \(quoted(name)) appears twice in the object: one of them is ignored",
                labels: [Diagnostic.Label(first, "first used here")])
        }
    }
}

/// The text of a key, compared byte by byte: to JSON, the two forms of `é` are two keys.
private struct KeyText: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { hasher.combine(text.utf8.count) }
    }
}

extension SyntaxFindings {
    /// Reports every member whose key an earlier one has.
    mutating func duplicateKeys(in members: [JSONMember]) {
        if members.count <= 8 {
            for index in members.indices.dropFirst() {
                let key = members[index].key.text
                guard let first = members[..<index].first(where: { $0.key.text.hasSameBytes(as: key) }) else {
                    continue
                }
                report(members[index], first)
            }
        } else {
            var seen: [KeyText: Int] = [:]
            seen.reserveCapacity(members.count)
            for (index, member) in members.enumerated() {
                let key = KeyText(text: member.key.text)
                if let first = seen[key] { report(member, members[first]) } else { seen[key] = index }
            }
        }
    }

    private mutating func report(_ member: JSONMember, _ first: JSONMember) {
        duplicateKey(
            member.keyRange.start..<member.keyRange.end, name: member.key.text, first: first.keyRange)
    }
}
