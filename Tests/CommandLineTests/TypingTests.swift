import CommandLineSupport
import Foundation
import TestSupport
import Testing

/// The programs' answers to somebody who has mistyped something, and the spellings that both understand (cli.md).
@Suite("typing", .waiting)
struct TypingTests {
    private let aasa: BuiltTool
    private let certcheck: BuiltTool

    init() throws {
        aasa = try BuiltTool()
        certcheck = try BuiltTool("certcheck")
    }

    @Test(
        "a word that is not a command is a usage error with the one that is meant",
        arguments: [
            ("validte x", "unknown command 'validte'; did you mean 'validate'?"),
            ("check x", "unknown command 'check'; did you mean 'validate'?"),
            ("lint x", "unknown command 'lint'; did you mean 'validate'?"),
            ("fix x", "unknown command 'fix'; did you mean 'validate --fix'?"),
            ("chek x", "unknown command 'chek'; did you mean 'validate'?"),
            ("LINT", "unknown command 'LINT'; did you mean 'validate'?"),
            ("something", "unknown command 'something'; 'aasa --help' lists the commands"),
            ("help nosuch", "unknown command 'nosuch'; 'aasa --help' lists the commands"),
            ("help rout", "unknown command 'rout'; did you mean 'route'?"),
            ("certcheck x.p12", "'certcheck' is a program of its own; run it without 'aasa' before it"),
            ("--color never validte x", "unknown command 'validte'; did you mean 'validate'?"),
        ])
    func commands(line: String, message: String) throws {
        let outcome = try aasa.shell("\"$tool\" \(line)")
        #expect(outcome.status == 64)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors == "error: \(message)\n")
    }

    @Test("certcheck takes a word for a command only if it is not a file")
    func certcheckCommands() throws {
        let unknown = try certcheck.run("combin", "a")
        #expect(unknown.status == 3)
        #expect(unknown.errors == "error: unknown command 'combin'; did you mean 'combine'?\n")
        #expect(try certcheck.run("help", "nosuch").status == 3)
        for path in ["./combin", "combin.cer", "elsewhere"] {
            #expect(try certcheck.run(path).text.contains("[not-found]"), "\(path)")
        }
        try certcheck.write("x", to: "combin")
        #expect(try certcheck.run("combin").text.contains("[not-a-certificate]"))
    }

    @Test(
        "an option that a command does not have is answered with the one that is meant, if the command has it",
        arguments: [
            ("serve --port 8443", "unknown option '--port'; did you mean '--listen'?", "serve"),
            ("serve --dir x", "unknown option '--dir'; did you mean '--sites'?", "serve"),
            ("serve --sties x", "unknown option '--sties'; did you mean '--sites'?", "serve"),
            ("validate --no-color x", "unknown option '--no-color'; did you mean '--color never'?", "validate"),
            ("validate --port 1 x", "unknown option '--port'", "validate"),
            ("rules --formta json", "unknown option '--formta'; did you mean '--format'?", "rules"),
            (
                "validate --kind foo x",
                "the value 'foo' is invalid for '--kind <kind>'; expected 'aasa', 'assetlinks' or 'manifest'",
                "validate"
            ),
            ("validate", "missing expected argument '<path> ...'", "validate"),
            (
                "explain",
                "name the code of a finding, as in 'aasa explain dead-exclude'; 'aasa rules' lists them", "explain"
            ),
            (
                "rules --format xml",
                "the value 'xml' is invalid for '--format <format>'; expected 'text', 'json' or 'markdown'", "rules"
            ),
        ])
    func options(line: String, message: String, command: String) throws {
        let outcome = try aasa.shell("\"$tool\" \(line)")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "error: \(message)\nhelp: see 'aasa \(command) --help'\n")
    }

    @Test("an error while a command runs is one line")
    func runTime() throws {
        let outcome = try certcheck.run("--password-file", "none", "x")
        #expect(outcome.status == 3)
        #expect(outcome.errors == "error: the password file 'none' cannot be read: no such file or directory\n")
    }

    @Test("--color may come before the command")
    func globalOption() throws {
        try aasa.write(BuiltTool.faulty, to: "file")
        for options in ["--color always", "--color=always"] {
            let outcome = try aasa.shell("\"$tool\" \(options) validate file")
            #expect(outcome.status == 1)
            #expect(outcome.text.contains("\u{1B}[31m"))
        }
        #expect(try certcheck.shell("\"$tool\" --color never codes").status == 0)
    }

    @Test("the version names the program and the OpenSSL in use", arguments: ["aasa", "certcheck"])
    func version(program: String) throws {
        let tool = try BuiltTool(program)
        let line = try tool.run("--version").text
        let match = try #require(line.wholeMatch(of: /(\w+) (\d+\.\d+\.\d+) \(OpenSSL (\d+\.\d+\.\d+)\)\n/))
        #expect(match.1 == program)
        #expect(match.2 == Product.version)
        #expect(try Shell.run(["openssl", "version"]).text.contains(" \(match.3) "))
        for other in ["-V", "-v", "version"] { #expect(try tool.run(other).text == line, "\(other)") }
    }

    @Test("colors can be forced and forbidden by the environment")
    func colors() throws {
        try aasa.write(BuiltTool.faulty, to: "file")
        func isColored(_ environment: [String: String]) throws -> Bool {
            var all = ["NO_COLOR": "", "FORCE_COLOR": "", "CLICOLOR_FORCE": ""]
            all.merge(environment) { $1 }
            return try aasa.shell("\"$tool\" validate file", environment: all).text.contains("\u{1B}[")
        }
        #expect(try !isColored([:]))
        #expect(try isColored(["FORCE_COLOR": "1"]))
        #expect(try isColored(["CLICOLOR_FORCE": "1"]))
        #expect(try !isColored(["CLICOLOR_FORCE": "0"]))
        #expect(try !isColored(["FORCE_COLOR": "0"]))
        #expect(try !isColored(["FORCE_COLOR": "1", "NO_COLOR": "1"]))
    }

    @Test("help never breaks a line within a command in quotation marks")
    func unbroken() throws {
        for columns in [40, 66, 80] {
            for command in ["rules", "validate", "explain", "serve", "doctor"] {
                let help = try aasa.shell("COLUMNS=\(columns) \"$tool\" help \(command)").text
                let paragraphs = help.split(separator: "USAGE:").first ?? ""
                for line in paragraphs.split(separator: "\n") {
                    let quotes = line.replacing(/\w'\w/, with: "").count { $0 == "'" }
                    #expect(quotes.isMultiple(of: 2), "\(columns): \(line)")
                }
                #expect(!help.contains("\u{A0}"))
            }
        }
        #expect(try aasa.run("help", "rules").text.contains("Run 'aasa explain CODE' for"))
    }

    @Test("help fits into the columns there are, and lists values once", arguments: [60, 80, 120])
    func help(columns: Int) throws {
        let commands = ["", "validate", "route", "test", "diff", "rules", "explain", "serve"]
        let certificateCommands = ["", "p12", "csr", "combine", "codes"]
        for (tool, names) in [(aasa, commands), (certcheck, certificateCommands)] {
            for name in names {
                let text = try tool.shell("\"$tool\" \(name) --help", environment: ["COLUMNS": "\(columns)"]).text
                #expect(text.contains("USAGE: "))
                let tooLong = text.split(separator: "\n").filter { $0.count > columns }
                #expect(tooLong.isEmpty, "\(name): \(tooLong)")
                #expect(text.firstMatch(of: /or \w+\.\s+\(values:/) == nil, "\(name)")
            }
        }
        #expect(
            try aasa.shell("\"$tool\" serve --help", environment: ["COLUMNS": ""]).text
                == aasa.shell("\"$tool\" serve --help", environment: ["COLUMNS": "80"]).text)
    }
}
