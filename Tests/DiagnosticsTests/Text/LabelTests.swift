import Diagnostics
import Testing

/// Ranges with a text after their marks.
struct LabelTests {
    private static let source = SourceText(
        """
        {
          "components": [
            { "/": "*" },
            { "/": "/a/*" },

            { "/": "/api/*", "exclude": true }
          ]
        }
        """)

    private func block(
        _ range: String, label: String?, _ labels: [(String, String)], in source: SourceText = source,
        width: Int? = nil,
        isColored: Bool = false
    ) -> String {
        var diagnostic = Diagnostic("dead-exclude", .error, "m", source.range(of: range))
        diagnostic.label = label
        diagnostic.labels = labels.map { Diagnostic.Label(source.range(of: $0.0), $0.1) }
        return TextRenderer(style: TextStyle(isColored: isColored), width: width).render(diagnostic, in: source)
            .joined(separator: "\n")
    }

    @Test("Labelled lines are in the order of the file, with a gap where lines are left out")
    func order() {
        #expect(
            block(
                #"{ "/": "/api/*", "exclude": true }"#, label: "the app still opens",
                [(#"{ "/": "*" }"#, "matches first")])
                    == """
                    file:6:5: error: m [dead-exclude]
                       |
                     3 |     { "/": "*" },
                       |     ------------ matches first
                    ...
                     6 |     { "/": "/api/*", "exclude": true }
                       |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the app still opens
                    """)
        #expect(
            block(#"{ "/": "*" }"#, label: nil, [(#"{ "/": "/a/*" }"#, "here")]) == """
                file:3:5: error: m [dead-exclude]
                   |
                 3 |     { "/": "*" },
                   |     ^^^^^^^^^^^^
                 4 |     { "/": "/a/*" },
                   |     --------------- here
                """)
    }

    @Test("Ranges of one line share it")
    func sameLine() {
        #expect(
            block("\"exclude\"", label: "a key", [("\"/api/*\"", "a pattern")]) == """
                file:6:22: error: m [dead-exclude]
                   |
                 6 |     { "/": "/api/*", "exclude": true }
                   |            -------- a pattern
                   |                      ^^^^^^^^^ a key
                """)
    }

    @Test("A range that is far away in the same line is shown by itself")
    func longLine() {
        let source = SourceText("[1," + String(repeating: "0,", count: 2_000) + "2]")
        #expect(
            block("2]", label: "the end", [("1", "the start")], in: source, width: 40) == """
                file:1:4004: error: m [dead-exclude]
                   |
                 1 | [1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,…
                   |  - the start
                 1 | …,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2]
                   |                                 ^^
                   |                             the end
                """)
    }

    @Test("On a terminal a label that has no room after the marks is below them")
    func wrapping() {
        #expect(
            block(
                "\"exclude\"", label: "this key has a long text", [(#"{ "/": "*" }"#, "and so does the object here")],
                width: 40) == """
                    file:6:22: error: m [dead-exclude]
                       |
                     3 |     { "/": "*" },
                       |     ------------
                       |     and so does the object here
                    ...
                     6 | … "/": "/api/*", "exclude": true }
                       |                  ^^^^^^^^^
                       |            this key has a long text
                    """)
    }

    @Test("The gutter has room for the lines of labels")
    func gutter() {
        let source = SourceText((1...12).map { "line \($0)" }.joined(separator: "\n"))
        #expect(
            block("line 2", label: nil, [("line 11", "here")], in: source) == """
                file:2:1: error: m [dead-exclude]
                    |
                  2 | line 2
                    | ^^^^^^
                 ...
                 11 | line 11
                    | ------- here
                """)
    }

    @Test("A range over several lines is marked in its first")
    func severalLines() {
        #expect(
            block("[\n    { \"/\": \"*\" },\n", label: "a list", []) == """
                file:2:17: error: m [dead-exclude]
                   |
                 2 |   "components": [
                   |                 ^ a list
                """)
    }

    @Test("What a label says cannot talk to the terminal, and the colors of labels differ")
    func looks() {
        let text = block("\"exclude\"", label: "\u{1B}[2J", [(#"{ "/": "*" }"#, "x")], isColored: true)
        #expect(text.contains("\u{1B}[31m^^^^^^^^^ \\x1b[2J\u{1B}[0m"))
        #expect(text.contains("\u{1B}[36m------------ x\u{1B}[0m"))
    }

    @Test("Thousands of labels are not shown")
    func many() {
        var diagnostic = Diagnostic("x", .error, "m", SourceRange(start: 0, end: 1))
        diagnostic.labels = Array(repeating: Diagnostic.Label(SourceRange(start: 2, end: 3), "l"), count: 10_000)
        #expect(TextRendererTests.plain.render(diagnostic, in: Self.source).count < 30)
    }
}
