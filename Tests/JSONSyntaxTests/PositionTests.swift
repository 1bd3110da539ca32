import JSONSyntax
import Testing

struct PositionTests {
    static let cases = [
        ("[1,\n2,\n]", "trailing-comma 2:2"), ("[1,\r2,\r]", "trailing-comma 2:2"),
        ("[1,\r\n2,\r\n]", "trailing-comma 2:2"), ("\n\r\n\r[1,]", "trailing-comma 4:3"),
        ("[\"é\",]", "trailing-comma 1:6"), ("[\"😀\"\t,]", "trailing-comma 1:9"), ("\u{2028}[]", "non-ascii-space 1:1"),
    ]

    @Test("Lines end with LF, CR or CRLF, columns are bytes", arguments: cases)
    func positions(text: String, summary: String) {
        #expect(read(text).summary == [summary])
    }
}
