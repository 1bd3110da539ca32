import HTTPClient
import Testing

@Suite("the reader of headers")
struct HeaderReaderTests {
    /// Lines after the first one, without their ends, and the value of the only field.
    private static let folds: [([String], String)] = [
        (["A: one", "  two"], "one two"), (["A:", " one"], "one"), (["A: one", " "], "one"), (["A:", "\t", " "], ""),
        (["A: one", "\t ", " two\t"], "one two"),
    ]

    @Test("white space around a value is no part of it, however it is folded", arguments: folds)
    func folded(lines: [String], value: String) throws {
        var reader = HeaderReader(limit: 1_000)
        for line in ["HTTP/1.1 200 OK"] + lines + [""] {
            let bytes = Array("\(line)\r\n".utf8)
            try bytes.withUnsafeBufferPointer { try reader.read($0) }
        }
        #expect(reader.head?.fields == [HeaderField("A", value)])
    }
}
