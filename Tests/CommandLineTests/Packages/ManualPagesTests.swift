import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import Foundation
import PushCertificates
import TestSupport
import Testing

/// The pages that `--generate-manual` prints.
@Suite("Manual pages", .waiting)
struct ManualPagesTests {
    static let tools = ["aasa", "certcheck"]

    /// The commands that the help of a program lists.
    private static func commands(_ tool: BuiltTool) throws -> [String] {
        let help = try tool.run("--help").text
        let list = help[(help.firstRange(of: "SUBCOMMANDS:\n")?.upperBound ?? help.endIndex)...]
        return list.matches(of: #/(?m)^ {2}([a-z]+)[, ]/#).map { String($0.1) }
    }

    private struct Page {
        let tool: String
        let name: String
        let text: String
    }

    /// All pages that the programs list, each printed once.
    private static let pages = Result {
        try tools.flatMap { program in
            let tool = try BuiltTool(program)
            let names = try tool.run("--generate-manual").text.split(separator: "\n").map(String.init)
            let outcome = try tool.run(["--generate-manual"] + names)
            guard outcome.status == 0, outcome.errors.isEmpty else {
                throw TestFailure("\(program): \(outcome.status) \(outcome.errors)")
            }
            let texts = "\n\(outcome.text)".components(separatedBy: "\n.Dd ").dropFirst()
            guard texts.count == names.count else { throw TestFailure("\(texts.count) pages of \(names)") }
            return zip(names, texts).map { name, text in
                Page(tool: program, name: name, text: ".Dd \(text)" + (text.hasSuffix("\n") ? "" : "\n"))
            }
        }
    }

    private static func page(_ name: String) throws -> String {
        try #require(pages.get().first { $0.name == name }, "\(name)").text
    }

    /// A folder with all pages of both programs.
    private static func allPages() throws -> (folder: TemporaryFolder, names: [String]) {
        let folder = try TemporaryFolder()
        let pages = try pages.get()
        for page in pages { try folder.write(page.text, to: page.name) }
        return (folder, pages.map(\.name))
    }

    @Test("there is one for each command of aasa, one for certcheck, and one for each file")
    func names() throws {
        let aasa = try BuiltTool()
        let commands = try Self.commands(aasa)
        #expect(commands.count > 5)
        let expected = ["aasa.1"] + commands.map { "aasa-\($0).1" } + ["aasa-server.json.5", "aasa.json.5"]
        #expect(try aasa.run("--generate-manual").text == expected.map { "\($0)\n" }.joined())
        #expect(try BuiltTool("certcheck").run("--generate-manual").text == "certcheck.1\n")
    }

    @Test("each page of a command has its sections, and every option that the help shows")
    func sections() throws {
        for program in Self.tools {
            let tool = try BuiltTool(program)
            for command in try Self.commands(tool) {
                let page = try Self.page(program == "aasa" ? "aasa-\(command).1" : "certcheck.1")
                let sections = page.matches(of: #/(?m)^\.Sh (.*)$/#).map { String($0.1) }
                for section in [
                    "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
                ] {
                    #expect(sections.contains(section), "\(program) \(command): \(section); give it a 'manual'")
                }
                let help = try tool.run(command, "--help").text
                let options = help.matches(of: #/(?m)^ {2}(?:-\w, )?-(-[a-z-]+)/#).map { String($0.1) }
                #expect(options.contains("-help"))
                for option in options {
                    #expect(
                        page.contains(try Regex("(?m)^\\.It .*Fl \(option)\\b")), "\(program) \(command): -\(option)")
                }
                // The page says apart what the help says in its discussion.
                let description =
                    page[(page.firstRange(of: ".Sh DESCRIPTION")?.upperBound ?? page.startIndex)...]
                    .prefix { $0 != "\0" }.split(separator: ".Sh OPTIONS").first ?? ""
                #expect(!description.contains("Exit 0"), "\(program) \(command)")
                #expect(help.contains("Examples:\n") && help.contains("Exit 0"), "\(program) \(command)")
            }
        }
    }

    @Test("every key, and every code of a finding, is explained")
    func tables() throws {
        func tags(_ page: String) throws -> Set<String> {
            Set(try Self.page(page).matches(of: #/(?m)^\.It Cm (\S+)$/#).map { String($0.1) })
        }
        #expect(try tags("aasa-server.json.5") == Set(ServerConfiguration.keys.map(\.path)))
        #expect(try tags("aasa.json.5") == Set(LintConfiguration.keys.map(\.path)))
        #expect(try tags("aasa-rules.1") == Set(AllRules.catalogue.rules.map(\.code.rawValue)))
        #expect(try tags("certcheck.1") == Set(CertificateRules.catalogue.rules.map(\.code.rawValue)))
    }

    @Test("mandoc finds nothing wrong with them", .needs(ExternalProgram("mandoc")))
    func linted() throws {
        let (folder, names) = try Self.allPages()
        let outcome = try Shell.run(["mandoc", "-Tlint", "-Wwarning"] + names, in: folder.url)
        #expect(outcome.text.isEmpty && outcome.errors.isEmpty)
    }

    @Test(
        "man shows them without a warning, and no line is wider than the terminal",
        .needs(ExternalProgram("man", package: "man-db")))
    func rendered() throws {
        let (folder, names) = try Self.allPages()
        for (width, names, least) in [(60, Array(names.prefix(5)), 250), (80, names, 500)] {
            let script = #"for page; do LC_ALL=C.UTF-8 MANWIDTH=\#(width) man --warnings=w -E UTF-8 -l "$page"; done"#
            let outcome = try Shell.run(["sh", "-c", script, "-"] + names, in: folder.url)
            #expect(outcome.errors.isEmpty)
            let lines = outcome.text.replacing(#/.\x08/#, with: "").split(separator: "\n")
            #expect(lines.count > least)
            for line in lines where line.count > width {
                // A line of code is never broken.
                #expect(width < 80 && line.hasPrefix("      "), "\(line)")
            }
        }
    }

    @Test(
        "the date is that of SOURCE_DATE_EPOCH",
        arguments: [("0", "January 1, 1970"), ("1795305780", "November 22, 2026")])
    func date(_ epoch: String, _ date: String) throws {
        let outcome = try BuiltTool().shell("$tool --generate-manual aasa.1", environment: ["SOURCE_DATE_EPOCH": epoch])
        #expect(outcome.text.hasPrefix(".Dd \(date)\n"))
    }

    @Test("an unknown page is a usage error", arguments: [("aasa", Int32(64)), ("certcheck", 3)])
    func unknown(_ tool: String, _ status: Int32) throws {
        let outcome = try BuiltTool(tool).run("--generate-manual", "nosuch.1")
        #expect(outcome.status == status && outcome.text.isEmpty)
        #expect(outcome.errors == "error: unknown page 'nosuch.1'; '\(tool) --generate-manual' lists the pages\n")
    }

    @Test("the commands understand the examples")
    func examples() throws {
        var count = 0
        for name in Self.tools {
            let tool = try BuiltTool(name)
            for page in try Self.pages.get() where page.tool == name {
                for match in page.text.matches(of: #/(?m)^\.Dl "(.*)"$/#) {
                    var line = String(match.1).replacing(#"\-"#, with: "-")
                    // What stands before a pipe is not ours, and nothing outside of the folder is touched.
                    line = String(line.split(separator: "| ").last ?? "").replacing(" /", with: " ./")
                        .replacing(" <urls", with: "")
                    #expect(!line.contains("\\"), "\(line)")
                    // These would run until they are stopped, and have tests of their own.
                    if line == "aasa serve --demo" || line == "aasa status --watch" { continue }
                    if line.hasPrefix("aasa serve --"), !line.contains("--check") { line += " --check" }
                    // It would run until somebody ends it.
                    if line.hasPrefix("aasa console") { line += " ./no-such-file" }
                    let program = line.prefix { $0 != " " }
                    #expect(program == name, "\(page.name): \(line)")
                    let outcome = try tool.shell(
                        line.replacingCharacters(in: program.startIndex..<program.endIndex, with: "\"$tool\""))
                    let isUnderstood = !outcome.errors.contains("help: see") && !outcome.errors.contains("unknown")
                    #expect(isUnderstood, "\(line): \(outcome.errors)")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }

    @Test("text is shown as it is, whatever it is", .needs(ExternalProgram("mandoc")))
    func escaped() throws {
        var page = ManualPage("sample", section: 1, summary: "a 'summary' with \\ and .Sh")
        page.section("DESCRIPTION")
        let sentences = [
            ".Sh begins no section.", "'aasa' is quoted by `'a b'`, and (`No`).", "A \\ stays: `\\fB`, `a\\nb`.",
            "See `--color auto`, --fix, (--diff) and --.", "Two `a`/`b` in one word; `x`s.", "Dots… and “quotes”: `…`.",
            "`.` is a folder, `\"\"` is empty.", "A [link](serving.md#x) goes; ^ ~ ` stay.",
        ]
        page.prose(sentences.dropLast().joined(separator: " ") + "\n\n  .literal  'line'\n  - `x`\n\n")
        page.prose(sentences.last ?? "")
        let outcome = try Shell.run(
            ["mandoc", "-Tutf8", "-Owidth=400"], input: Data(page.text(date: "November 22, 2026").utf8))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let text = outcome.text.replacing(#/.\x08/#, with: "")
        for expected in [
            ".Sh begins no section.  'aasa' is quoted by ‘'a b'’, and (‘No’).  A \\ stays: ‘\\fB’, ‘a\\nb’.",
            "See ‘--color auto’, --fix, (--diff) and --.  Two ‘a’/‘b’ in one word; ‘x’s.",
            "Dots… and “quotes”: ‘…’.  ‘.’ is a folder, ‘\"\"’ is empty.", "A link goes; ^ ~ ` stay.",
            "           .literal  'line'\n           - `x`\n", "a 'summary' with \\ and .Sh",
        ] {
            #expect(text.contains(expected), "\(expected)\n\(text)")
        }
    }
}
