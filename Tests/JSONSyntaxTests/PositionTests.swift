import Diagnostics
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

struct StringRangeTests {
    /// A string as it is written, a part of what it says, and the bytes that this part is written as.
    static let cases: [(written: String, part: Range<Int>, bytes: String)] = [
        ("abc", 0..<3, "abc"), ("abc", 1..<2, "b"), ("abc", 1..<1, ""), ("abc", 3..<3, ""), ("abc", 2..<9, "c"),
        ("aéb", 1..<3, "é"), ("aéb", 3..<4, "b"),
        (#"\/a\/b"#, 0..<1, #"\/"#), (#"\/a\/b"#, 1..<2, "a"), (#"\/a\/b"#, 2..<4, #"\/b"#),
        (#"a\u00e9b"#, 1..<3, #"\u00e9"#), (#"a\u00e9b"#, 2..<3, #"\u00e9"#), (#"a\u00e9b"#, 3..<4, "b"),
        (#"a\ud83d\ude00b"#, 1..<5, #"\ud83d\ude00"#), (#"a\ud83d\ude00b"#, 5..<6, "b"),
        (#"\n\"\\x"#, 3..<4, "x"), (#"\n\"\\x"#, 1..<2, #"\""#), (#"é\tx"#, 2..<4, #"\tx"#), (#"\t"#, 1..<1, ""),
        (#"\t"#, 5..<9, ""), (#"a\tb"#, 2..<2, ""),
        // Also after what is not an escape, or only half of one.
        (#"\qx\ud800y"#, 0..<1, #"\q"#), (#"\qx\ud800y"#, 2..<5, #"\ud800"#), (#"\qx\ud800y"#, 5..<6, "y"),
    ]

    @Test("A part of a string is found in the file", arguments: cases)
    func mapping(written: String, part: Range<Int>, bytes: String) throws {
        let document = read("[\n  \"\(written)\"]")
        let string = try #require(document.root?.array?.first?.string)
        let range = string.sourceRange(ofUTF8: part, in: document.source)
        #expect(document.text(range) == bytes)
        #expect(range.start >= string.content.start && range.end <= string.content.end)
    }

    @Test("Every byte of a string comes from the bytes that it is written as")
    func everyByte() throws {
        let document = read(#"["a\/é\u00e9\ud83d\ude00\"b"]"#)
        let string = try #require(document.root?.array?.first?.string)
        #expect(string.text == "a/éé😀\"b")
        let starts = (0...string.text.utf8.count).map {
            string.sourceRange(ofUTF8: $0..<$0, in: document.source).start - string.content.start
        }
        #expect(starts == [0, 1, 3, 3, 5, 5, 11, 11, 11, 11, 23, 25, 26])
    }

    @Test("Other quotes change nothing")
    func otherQuotes() throws {
        let document = read(#"['it\'s', “x”]"#)
        let strings = try #require(document.root?.array?.compactMap { $0.string })
        #expect(strings.map(\.text) == ["it's", "x"])
        #expect(strings.map(\.isVerbatim) == [false, true])
        #expect(document.text(strings[0].sourceRange(ofUTF8: 2..<4, in: document.source)) == #"\'s"#)
        #expect(document.text(strings[1].sourceRange(ofUTF8: 0..<1, in: document.source)) == "x")
    }
}

struct JSONPointerTests {
    @Test("A pointer escapes what RFC 6901 demands")
    func escaping() {
        let pointer = JSONPointer().member("applinks").element(0).member("a/b~c").member("")
        #expect(JSONPointer().description.isEmpty)
        #expect(pointer.description == "/applinks/0/a~1b~0c/")
    }
}
