import TestSupport
import Testing

/// `aasa links qr` (cli.md, 1.14).
@Suite("aasa links qr", .waiting)
struct LinksQRTests {
    private static let url = "https://go.example.com/summer"

    @Test("SVG is one image, and text has half as many lines as modules")
    func formats() throws {
        let tool = try BuiltTool()
        let svg = try tool.run("links", "qr", Self.url)
        #expect(svg.status == 0 && svg.text.hasPrefix("<svg ") && svg.text.hasSuffix("</svg>\n"))
        let text = try tool.run("links", "qr", Self.url, "--format", "text", "--level", "L")
        let lines = text.text.split(separator: "\n")
        // Version 3 at the most: 29 modules and the quiet zone.
        #expect(lines.count >= 15 && lines.count <= 19 && lines.allSatisfy { $0.count == lines[0].count })
        #expect(try tool.run("links", "qr", Self.url, "--level", "H").text.utf8.count > svg.text.utf8.count)
    }

    @Test(
        "what is no URL, too long or an unknown level is a usage error",
        arguments: [
            ["go.example.com"], ["mailto:a@b"], [""],
            ["https://go.example.com/" + String(repeating: "a", count: 1_000)], [url, "--level", "X"], [],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try BuiltTool().run(["links", "qr"] + arguments)
        #expect(outcome.status == 64 && outcome.text.isEmpty && !outcome.errors.isEmpty)
    }
}
