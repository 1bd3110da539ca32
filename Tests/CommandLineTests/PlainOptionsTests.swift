import CommandLineSupport
import Testing

/// Arguments that are read without the option parser.
@Suite("plain options")
struct PlainOptionsTests {
    private func read(_ arguments: [String]) -> PlainOptions? {
        PlainOptions(arguments[...], single: ["--one", "--two"], repeatable: ["--many"], flags: ["--flag"])
    }

    @Test("each value is that of the option before it")
    func values() throws {
        let options = try #require(read(["--many", "a", "--one", "b", "--flag", "--many", "c"]))
        #expect(options["--one"] == "b" && options["--two"] == nil)
        #expect(options.all("--many") == ["a", "c"])
        #expect(options.has("--flag"))
        let none = try #require(read([]))
        #expect(none.all("--many").isEmpty && !none.has("--flag"))
    }

    @Test(
        "what may mean something else to the parser is not read",
        arguments: [
            ["--one=a"], ["--one"], ["--one", ""], ["--one", "--flag"], ["--one", "-"], ["--one", "-1"],
            ["--one", "a", "--one", "b"], ["--flag", "--flag"], ["--flag=true"], ["a"], ["--one", "a", "b"], ["--"],
            ["--many", "a", "--", "b"], ["-o", "a"], ["--help"], ["--unknown", "a"], [""], ["--many"],
        ])
    func others(arguments: [String]) {
        #expect(read(arguments) == nil)
    }
}
