import Foundation
import PushSamples
import TestSupport
import Testing

/// Wrong arguments of `certcheck`, and its help (cli.md).
@Suite("certcheck: usage", .waiting)
struct CertcheckUsageTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        try tool.write(CertcheckSamples.certificate(), to: "x")
        try tool.write([UInt8](repeating: 0x61, count: 65_537), to: "long")
        try tool.write([0x61, 0, 0x62], to: "nul")
    }

    private static let mistakes: [(arguments: [String], message: String)] = [
        ([], "no path given; name a certificate"),
        (["--format", "xml", "x"], "'text', 'json', 'prometheus' or 'nagios'"),
        (["--warning", "-1", "x"], "'--warning -1' is negative; expected 0 days or more"),
        (["--critical=-1", "x"], "'--critical -1' is negative; expected 0 days or more"),
        (["--warning", "100001", "x"], "'--warning 100001' is too large; expected 100000 days or less"),
        (["--warning", "9223372036854775808", "x"], "'9223372036854775808' is invalid for '--warning <days>'"),
        (["--warning", "1.5", "x"], "'1.5' is invalid for '--warning <days>'"),
        (["--warning", "5", "--critical", "6", "x"], "--critical 6 is greater than --warning 5"),
        (["--warning", "13", "x"], "--critical 14 is greater than --warning 13"),
        (["x", "--warning"], "missing value for '--warning <days>'"),
        (["--now", "yesterday", "x"], "--now: 'yesterday' is not a date and time with an offset"),
        (["--now", "-1", "x"], "--now: '-1' is not a date and time with an offset"),
        (["--now", "2026-11-21T00:00:00", "x"], "--now: '2026-11-21T00:00:00' has no time zone"),
        (["--no-such-option", "x"], "unknown option '--no-such-option'"),
        (["--password", "secret", "x"], "unknown option '--password'"),
        (["--password-env", "CERTCHECK_NOT_SET", "x"], "the environment variable 'CERTCHECK_NOT_SET' is not set"),
        (["--password-file", "none", "x"], "the password file 'none' cannot be read: no such file or directory"),
        (["--password-file", ".", "x"], "the password file '.' cannot be read: is a directory"),
        (["--password-file", "long", "x"], "the password file 'long' contains more than 65,536 bytes"),
        (["--password-file", "nul", "x"], "the password file 'nul' contains a NUL byte"),
        (["--password-fd", "987", "x"], "the descriptor 987 cannot be read: bad file descriptor"),
        (["--password-fd", "-1", "x"], "'--password-fd -1' is not a descriptor; expected 0 or more"),
        (["--password-fd", "stdin", "x"], "'stdin' is invalid for '--password-fd <number>'"),
        (
            ["--password-fd", "0", "--password-env", "HOME", "x"],
            "--password-env and --password-fd exclude each other"
        ),
        (
            ["--password-fd", "0", "--password-env", "HOME", "--password-file", "x", "x"],
            "--password-env and --password-file and --password-fd exclude each other"
        ),
        (["--password-fd", "0", "-"], "standard input cannot be both the password and a file"),
        (["--password-file", "-", "-"], "standard input cannot be both the password and a file"),
        (["--password-file", "/dev/stdin", "-"], "standard input cannot be both the password and a file"),
        (["-", "x", "-"], "standard input can be read only once; '-' is given 2 times"),
        (["--format", "json", "p12", "x"], "'p12' is a command and must come first: certcheck p12 …"),
        (["--format", "a\u{1B}[31m\nb", "x"], #"a\x1b[31m"#),
    ]

    @Test(
        "a usage error is exit 3, says what is meant, and leaves standard output empty",
        arguments: mistakes)
    func usage(arguments: [String], message: String) throws {
        let outcome = try Shell.run(["timeout", "60", tool.executable] + arguments, in: tool.folder.url)
        #expect(outcome.status == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("error: "))
        #expect(outcome.errors.contains(message))
        #expect(!outcome.errors.contains("\u{1B}"))
        #expect(!outcome.errors.contains("Usage"))
        let explicit = try Shell.run(["timeout", "60", tool.executable, "p12"] + arguments, in: tool.folder.url)
        #expect(explicit.status == 3)
        #expect(explicit.errors == outcome.errors)
    }

    @Test("check, formerly p12, is the default command, and a file may have the name of a command")
    func defaultCommand() throws {
        for name in ["check", "p12", "csr", "combine", "explain", "help"] {
            try tool.write(CertcheckSamples.certificate(), to: name)
            #expect(try tool.check("./\(name)").status == 0)
            #expect(try tool.check("--format", "json", name).files() == ["\(name) ok"])
            #expect(try tool.run("p12", "--now", SampleTime.nowText, name).status == 0)
        }
        #expect(try tool.run("p12", "--now", SampleTime.nowText, "--", "x").status == 0)
        try tool.write(CertcheckSamples.certificate(), to: "-x")
        #expect(try tool.check("--", "-x").status == 0)
    }

    @Test("the help names commands, options, examples and exit codes")
    func help() throws {
        let help = try tool.run("--help")
        #expect(help.status == 0)
        #expect(help.errors.isEmpty)
        for text in [
            "USAGE: certcheck [check] [<options>] <path> ...", "certcheck csr", "check, p12 (default)",
            "certcheck explain", "--warning <days>",
            "--critical <days>", "--now <time>", "--format <format>", "--output <file>", "--strict",
            "--password-env <name>", "--password-file <file>", "--password-fd <number>", "--color <color>",
            "No option takes the password itself", "Exit 0 if",
        ] {
            #expect(help.text.contains(text), "\(text)")
        }
        #expect(try tool.run("help").text == help.text)
        #expect(try tool.run("-h").text == help.text)
        let own = try tool.run("p12", "--help")
        #expect(own.status == 0)
        #expect(own.text.contains("--warning <days>") && !own.text.contains("SUBCOMMANDS"))
        #expect(try tool.run("x", "--help").text == own.text)
        #expect(!help.text.split(separator: "\n").contains { $0.count > 80 })
    }

    @Test("--version and completions are no errors")
    func others() throws {
        let version = try tool.run("--version")
        #expect(version.status == 0)
        #expect(version.text.wholeMatch(of: /certcheck \d+\.\d+\.\d+ \(OpenSSL 3\.\d+\.\d+\)\n/) != nil)
        for shell in ["bash", "zsh", "fish"] {
            let script = try tool.run("--generate-completion-script", shell)
            #expect(script.status == 0)
            #expect(script.text.contains("certcheck"))
        }
        #expect(try tool.shell("$tool --help > /dev/full").status == 3)
    }
}
