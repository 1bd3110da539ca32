import BoundedText
import Diagnostics

/// Findings inside a token, and about text between tokens that is not one.
extension SyntaxFindings {
    mutating func mergeConflict(_ mark: Range<Int>) {
        report(.mergeConflict, mark) { findings in
            Wording(
                "merge conflict marker \(findings.text(mark))", advice: "resolve the conflict, then remove its markers")
        }
    }

    mutating func templateMarkup(_ mark: Range<Int>) {
        report(.templateMarkup, mark) { findings in
            Wording(
                "template markup \(findings.text(mark)) is left in the file",
                advice: "validate the file that is generated from the template, not the template itself")
        }
    }

    /// - Parameter separator: What has to replace the deleted bytes; empty if nothing has to.
    mutating func jsonComment(_ comment: Range<Int>, separator: String) {
        report(.jsonComment, comment) { findings in
            Wording(
                "comments are not allowed in JSON",
                fixIts: [FixIt(.suggested, "delete the comment", replacing: comment, with: separator)])
        }
    }

    mutating func nonASCIISpace(_ run: Range<Int>, first: Unicode.Scalar, replacement: String) {
        report(.nonASCIISpace, run) { _ in
            Wording(
                "space U+\(hexadecimal(first)) between tokens: JSON allows only plain spaces, tabs and line breaks",
                fixIts: [FixIt(.automatic, "replace it with a space", replacing: run, with: replacement)])
        }
    }

    mutating func curlyQuote(_ quote: Range<Int>, _ fixIts: [FixIt]) {
        report(.curlyQuote, quote) { findings in
            Wording(
                "typographic quotation mark \(findings.text(quote)) around a string: JSON allows only '\"'",
                fixIts: fixIts)
        }
    }

    mutating func singleQuotedString(_ token: Range<Int>, _ fixIts: [FixIt]) {
        let content = token.lowerBound + 1..<token.upperBound - 1
        report(.singleQuotedString, token) { findings in
            Wording(
                "string \(findings.text(content)) in single quotes: JSON allows only '\"'",
                fixIts: fixIts)
        }
    }

    mutating func unclosedString(_ token: Range<Int>) {
        report(.unclosedString, token) { findings in
            Wording("string \(findings.text(token)) is not closed before the end of the line")
        }
    }

    /// - Parameter line: The first line of the string.
    mutating func brokenString(_ line: Range<Int>) {
        report(.unclosedString, line) { _ in
            Wording(
                "a string cannot contain a line break", advice: "write each line as a string of its own, or in one line"
            )
        }
    }

    mutating func unquotedKey(_ word: Range<Int>) {
        report(.unquotedKey, word) { findings in
            let quoted = findings.inQuotationMarks(word)
            return Wording(
                "key \(findings.text(word)) is not in quotation marks",
                fixIts: [FixIt(.automatic, "wrap the key in quotation marks", replacing: word, with: quoted)])
        }
    }

    mutating func unquotedValue(_ word: Range<Int>, literal: String?) {
        report(.unquotedValue, word) { findings in
            let quoted = findings.inQuotationMarks(word)
            let fixIt =
                literal.map { FixIt(.suggested, "write '\($0)'", replacing: word, with: $0) }
                ?? FixIt(.suggested, "wrap the value in quotation marks", replacing: word, with: quoted)
            let problem = literal == nil ? "not in quotation marks" : "not a JSON literal"
            return Wording("value \(findings.text(word)) is \(problem)", fixIts: [fixIt])
        }
    }

    private func inQuotationMarks(_ word: Range<Int>) -> String {
        "\"" + String(text: source.bytes[word]) + "\""
    }

    mutating func invalidNumber(_ word: Range<Int>) {
        report(.invalidNumber, word) { findings in Wording("\(findings.text(word)) is not a valid JSON number") }
    }

    mutating func invalidEscape(_ range: Range<Int>) {
        report(.invalidEscape, range) { findings in Wording("\(findings.text(range)) is not a valid JSON escape") }
    }

    mutating func loneSurrogate(_ range: Range<Int>) {
        report(.loneSurrogate, range) { findings in
            Wording("\(findings.text(range)) is an unpaired surrogate: the system ignores the whole file")
        }
    }

    mutating func combiningMarks(_ range: Range<Int>, areIndicators: Bool) {
        report(.combiningMarks, range) { _ in
            let most =
                areIndicators
                ? "\(BoundedText.longestRunOfIndicators) regional indicators"
                : "\(BoundedText.longestRunOfMarks) combining marks"
            return Wording(
                "more than \(most) in succession, which no text of a language has",
                advice: "delete them, or percent-encode them if they are part of a URL or of a pattern for URLs")
        }
    }

    mutating func controlCharacter(_ range: Range<Int>, _ scalar: Unicode.Scalar) {
        report(.controlCharacter, range) { _ in
            let escape =
                switch scalar.value {
                case 0x08: "\\b"
                case 0x09: "\\t"
                case 0x0C: "\\f"
                default: "\\u" + hexadecimal(scalar)
                }
            return Wording(
                "control character U+\(hexadecimal(scalar)) in a string",
                fixIts: [FixIt(.automatic, "write '\(escape)'", replacing: range, with: escape)])
        }
    }
}

private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
}
