import Diagnostics
import Testing

struct SourceTextTests {
    static func source(_ text: String) -> SourceText { SourceText(Array(text.utf8), path: "file") }

    @Test("LF, CR and CRLF each end one line", arguments: ["ab\ncd\n\nef", "ab\rcd\r\ref", "ab\r\ncd\r\n\r\nef"])
    func lines(text: String) {
        let source = Self.source(text)
        #expect(source.lineCount == 4)
        #expect((1...4).map { String(decoding: source.line($0), as: UTF8.self) } == ["ab", "cd", "", "ef"])
    }

    @Test("LF CR is two ends of lines")
    func reversed() {
        #expect(Self.source("a\n\rb").lineCount == 3)
    }

    @Test("A text has at least one line, and an empty one behind its last line end")
    func counts() {
        #expect(Self.source("").lineCount == 1)
        #expect(Self.source("a").lineCount == 1)
        #expect(Self.source("a\n").lineCount == 2)
        #expect(Self.source("\r\n").lineCount == 2)
    }

    @Test(
        "A position counts lines and bytes from 1",
        arguments: [
            (0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 1, 4), (4, 2, 1), (6, 2, 3), (7, 3, 1), (8, 3, 2), (99, 3, 2),
            (-1, 1, 1),
        ])
    func positions(offset: Int, line: Int, column: Int) {
        let position = Self.source("ab\r\né\rx").position(at: offset)
        #expect([position.line, position.column] == [line, column])
        #expect(position.offset == min(max(offset, 0), 8))
    }

    @Test("A line that is not there is empty", arguments: [-1, 0, 3, 100])
    func missingLine(number: Int) {
        #expect(Self.source("a\nb").line(number).isEmpty)
    }

    @Test("The line of a diagnostic is the contract with other tools")
    func line() {
        let diagnostic = Diagnostic(
            code: DiagnosticCode(rawValue: "trailing-comma"), severity: .error, message: "comma with nothing behind it",
            range: SourceRange(start: 3, end: 4))
        #expect(
            diagnostic.line(in: Self.source("[\n1,]"))
                == "file:2:2: error: comma with nothing behind it [trailing-comma]")
        #expect(diagnostic.range.length == 1)
    }
}
