import Testing
import URLPatterns

@Suite("Values by the beginnings of texts")
struct PrefixIndexTests {
    @Test(
        "a text has the values of all of its beginnings, and of no other text",
        arguments: [
            ("", [[0, 3]]), ("/", [[0, 3], [4]]), ("/a", [[0, 3], [4], [1]]), ("/ab/c", [[0, 3], [4], [1], [2, 5]]),
            ("/b", [[0, 3], [4]]), ("x", [[0, 3]]),
        ])
    func beginnings(text: String, values: [[Int]]) {
        var index = PrefixIndex<Int>()
        #expect(index.isEmpty && index.candidates(for: Array(text.utf16)).isEmpty)
        for (value, beginning) in ["", "/a", "/ab/", "", "/", "/ab/"].enumerated() {
            index.insert(value, beginning: Array(beginning.utf16))
        }
        #expect(index.candidates(for: Array(text.utf16)) == values)
        #expect(index.cost(of: Array(text.utf16)) == min(5, text.utf16.count))
    }
}
