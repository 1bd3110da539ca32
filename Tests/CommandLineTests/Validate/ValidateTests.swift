import Foundation
import TestSupport
import Testing

/// The contract of `aasa validate` (cli.md; validation.md, 1 and 4).
@Suite("aasa validate", .waiting)
struct ValidateTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    @Test("names that are not UTF-8 are read, as arguments and in a folder, and shown with their bytes escaped")
    func names() throws {
        let outcome = try tool.shell(
            #"""
            d=$(printf 'caf\351'); mkdir "$d"
            printf '{"applinks":{}}' >"$d/apple-app-site-association"; cp "$d/apple-app-site-association" "$d/f"
            $tool validate "$d/f" --kind aasa; $tool validate "$d" -q; $tool route "$d/f" https://a.example/x; $tool validate .
            """#)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        let places = outcome.text.split(separator: "\n").filter { $0.hasSuffix("[missing-details]") }.map {
            String($0.prefix { $0 != ":" })
        }
        let found = #"caf\xE9/apple-app-site-association"#
        #expect(places == [#"caf\xE9/f"#, found, found], "\(outcome.text)")
        #expect(
            try tool.shell(#"printf '{"applinks":{},}' >$(printf 'b\377'); $tool validate --fix $(printf 'b\377')"#)
                .status == 0)
        #expect(try tool.shell(#"cat $(printf 'b\377')"#).text == #"{"applinks":{}}"#)
    }

    @Test("in the C locale nothing but ASCII is written about a file of ASCII")
    func ascii() throws {
        try tool.write(#"{"webcredentials":{"apps":["com.shop.app"]}}"#, to: "file")
        let outcome = try tool.shell("LC_ALL=C $tool validate file")
        #expect(outcome.status == 1 && outcome.output.allSatisfy { $0 < 0x80 }, "\(outcome.text)")
    }

    @Test("text has a block for each finding and a line that sums up")
    func text() throws {
        try tool.write(
            """
            {
              "webcredentials": {
                "apps": ["com.example.app"]
              }
            }
            """, to: "file")
        let outcome = try tool.run("validate", "file")
        #expect(outcome.status == 1)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.text == """
                file:3:14: error: app ID 'com.example.app' is missing its Team ID (application identifier prefix) [invalid-app-id]
                   |
                 3 |     "apps": ["com.example.app"]
                   |              ^^^^^^^^^^^^^^^^^
                   |
                   = help: add your Team ID before it, e.g. 'ABCDE12345.com.example.app'; find the Team ID at developer.apple.com > Account > Membership details

                Found 1 error in 1 file. Run 'aasa explain invalid-app-id' for details.

                """)
        let colored = try tool.run("validate", "file", "--color", "always").text
        #expect(colored.contains("\u{1B}[31m"))
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == outcome.text)
    }

    @Test("an error is exit 1, a warning only with --strict")
    func exitCodes() throws {
        try tool.write(BuiltTool.sound, to: "sound")
        try tool.write(BuiltTool.faulty, to: "faulty")
        try tool.write(BuiltTool.doubtful, to: "doubtful")

        let sound = try tool.run("validate", "sound", "--strict")
        #expect(sound.status == 0)
        #expect(sound.text == "1 file is fine.\n")
        #expect(try tool.run("validate", "faulty").status == 1)
        let doubtful = try tool.run("validate", "doubtful")
        #expect(doubtful.status == 0)
        #expect(doubtful.lastLine == "Found 1 warning in 1 file. Run 'aasa explain missing-rules' for details.")
        #expect(try tool.run("validate", "doubtful", "--strict").status == 1)
    }

    @Test("all files are reported, by path, and one that cannot be read is exit 66")
    func severalFiles() throws {
        try tool.write(BuiltTool.faulty, to: "z")
        try tool.write(BuiltTool.faulty, to: "a")
        try tool.write(BuiltTool.sound, to: "m")
        let outcome = try tool.run("validate", "z", "missing", "m", "a", "./z")
        #expect(outcome.status == 66)
        #expect(
            outcome.findings == [
                "a:1:28: error [invalid-app-id]", "missing:1:1: error [unreadable-file]",
                "z:1:28: error [invalid-app-id]",
            ])
        #expect(outcome.lastLine == "Found 3 errors in 3 of 4 files. Run 'aasa explain invalid-app-id' for details.")
        #expect(outcome.errors == "error: cannot read 'missing': no such file or directory\n")

        let under = try tool.run("validate", "m/x")
        #expect(under.status == 66)
        #expect(under.errors == "error: cannot read 'm/x': not a directory\n")
    }

    @Test("a folder is searched, in an order of its own, without .git, links to folders and pipes")
    func folders() throws {
        for name in [
            "b/.well-known/apple-app-site-association", "b/apple-app-site-association",
            ".git/apple-app-site-association", "b/node_modules/x/apple-app-site-association",
        ] {
            try tool.write(BuiltTool.faulty, to: name)
        }
        try tool.write(BuiltTool.sound, to: "a/apple-app-site-association.json")
        try tool.write(BuiltTool.faulty, to: "a/other.json")
        try tool.write(BuiltTool.faulty, to: "a/apple-app-site-association/x")
        try tool.link("a/up", to: "..")
        try tool.link("a/beside", to: "../b")
        try tool.link("c", to: "a/other.json")
        try tool.link("b/apple-app-site-association.json", to: "../c")
        #expect(mkfifo(tool.folder.path + "/pipe", 0o600) == 0)
        try tool.link("a/up-to-pipe", to: "../pipe")
        try FileManager.default.createDirectory(
            at: tool.folder.url.appendingPathComponent("d"), withIntermediateDirectories: true)
        try tool.link("d/apple-app-site-association", to: "../pipe")

        let expected = [
            "b/.well-known/apple-app-site-association:1:28: error [invalid-app-id]",
            "b/apple-app-site-association:1:28: error [invalid-app-id]",
            "b/apple-app-site-association.json:1:28: error [invalid-app-id]",
        ]
        let here = try tool.run("validate", ".")
        #expect(here.status == 1)
        #expect(here.findings == expected)
        #expect(here.lastLine == "Found 3 errors in 3 of 4 files. Run 'aasa explain invalid-app-id' for details.")
        #expect(
            here.text.contains(
                """

                checked: a/apple-app-site-association.json, b/.well-known/apple-app-site-association, \
                b/apple-app-site-association, b/apple-app-site-association.json
                Found 3 errors
                """), "\(here.text)")
        #expect(!(try tool.run("validate", "--quiet", ".").text.contains("checked:")))
        #expect(!(try tool.run("validate", "b/apple-app-site-association").text.contains("checked:")))
        #expect(try tool.run("validate", "b/").findings == expected)

        let none = try tool.run("validate", "d", "a/apple-app-site-association")
        #expect(none.status == 66)
        #expect(
            none.errors == """
                error: no file named apple-app-site-association, assetlinks.json or AndroidManifest.xml in the folder 'd'; name the file itself
                error: no file named apple-app-site-association, assetlinks.json or AndroidManifest.xml in the folder 'a/apple-app-site-association'; name the file itself

                """)

        try tool.link("d/apple-app-site-association.json", to: "gone")
        let dangling = try tool.run("validate", "d")
        #expect(dangling.status == 66)
        #expect(
            dangling.errors == "error: cannot read 'd/apple-app-site-association.json': no such file or directory\n")
    }

    @Test("- is standard input, once")
    func standardInput() throws {
        let outcome = try tool.run("validate", "-", input: BuiltTool.faulty)
        #expect(outcome.status == 1)
        #expect(outcome.findings == ["<standard input>:1:28: error [invalid-app-id]"])
        #expect(try tool.run("validate", "-", "-").status == 64)
        #expect(try tool.run("validate", "--config", "-", "x").status == 64)
    }

    @Test("of --disable and --severity the last one wins")
    func settings() throws {
        try tool.write(BuiltTool.faulty, to: "faulty")
        try tool.write(BuiltTool.doubtful, to: "doubtful")
        let warning = try tool.run(
            "validate", "faulty", "--disable", "invalid-app-id", "--severity", "invalid-app-id=warning")
        #expect(warning.status == 0)
        #expect(warning.findings == ["faulty:1:28: warning [invalid-app-id]"])
        let off = try tool.run("validate", "--severity=invalid-app-id=warning", "faulty", "--disable=invalid-app-id")
        #expect(off.status == 0)
        #expect(off.findings.isEmpty)
        let list = try tool.run("validate", "faulty", "doubtful", "--disable", "invalid-app-id,missing-rules")
        #expect(list.status == 0 && list.findings.isEmpty)
        let severities = try tool.run(
            "validate", "faulty", "doubtful", "--severity", "invalid-app-id=warning,missing-rules=error")
        #expect(
            severities.findings == ["doubtful:1:25: error [missing-rules]", "faulty:1:28: warning [invalid-app-id]"])
        let both = try tool.run(
            "validate", "--severity", "missing-rules=off", "--severity", "missing-rules=error", "--disable",
            "invalid-app-id",
            "faulty", "doubtful")
        #expect(both.status == 1)
        #expect(both.findings == ["doubtful:1:25: error [missing-rules]"])
    }

    @Test("errors of the syntax stay what they are")
    func unchangeable() throws {
        try tool.write("[,]", to: "file")
        let outcome = try tool.run(
            "validate", "--disable", "trailing-comma", "--severity", "extra-comma=warning", "--disable", "not-json",
            "file")
        #expect(outcome.status == 1)
        #expect(outcome.findings.filter { $0.contains("comma") }.count == 1)
        #expect(
            outcome.errors == """
                warning: 'extra-comma' is a syntax error and cannot be suppressed
                warning: 'not-json' is an error of the file itself and cannot be suppressed
                warning: 'trailing-comma' is a syntax error and cannot be suppressed

                """)
    }

    @Test("a rule that is off can be asked for, and the oldest system given")
    func onDemand() throws {
        try tool.write(
            """
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/buy/*"}]}]}}
            """, to: "file")
        #expect(try tool.run("validate", "file").findings.isEmpty)
        let asked = try tool.run("validate", "file", "--severity", "parent-path-included=warning")
        #expect(asked.findings.map { $0.split(separator: " ").last } == ["[parent-path-included]"])
        let old = try tool.run("validate", "file", "--minimum-ios", "12.0", "--format", "jsonl")
        #expect(old.status == 0)
        #expect(old.text.contains(#""code":"needs-newer-os""#))
    }

    @Test(
        "a usage error is exit 64 and says what is meant",
        arguments: [
            (
                ["--disable", "missing-appid"],
                "unknown code 'missing-appid'; did you mean 'missing-app-id' or 'missing-apps'?"
            ),
            (["--severity", "unkown-key=off"], "unknown code 'unkown-key'; did you mean 'unknown-key'?"),
            (["--disable", "qqqqqqqq"], "unknown code 'qqqqqqqq'; 'aasa rules' lists them"),
            (["--severity", "unknown-key=fatal"], "write CODE=error, CODE=warning or CODE=off"),
            (["--severity", "unknown-key"], "write CODE=error, CODE=warning or CODE=off"),
            (["--minimum-ios", "thirteen"], "'thirteen' is not a version of iOS; write it as 13.0"),
            (["--format", "xml"], "'text', 'json', 'jsonl', 'sarif' or 'github'"),
            (["--severity", "unknown-key=off,dead-exclude"], "'dead-exclude' is not a severity of a code"),
            (["--disable", "unknown-key,nonsense"], "unknown code 'nonsense'"),
            (["--fix", "-"], "standard input must be the only file"),
            (["--suggested"], "--suggested needs --fix or --diff"),
            (["--diff", "--format", "json"], "--diff cannot be combined with --format"),
        ])
    func usage(arguments: [String], message: String) throws {
        let outcome = try Shell.run([RunningServer.executable, "validate", "file"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains(message))
    }

    @Test("a huge file is not read to its end")
    func huge() throws {
        try tool.write("", to: "huge")
        let handle = try #require(FileHandle(forWritingAtPath: tool.folder.path + "/huge"))
        try handle.truncate(atOffset: 20_000_000)
        try handle.close()
        let outcome = try tool.run("validate", "huge", "--format", "github")
        #expect(outcome.status == 1)
        #expect(outcome.text.hasPrefix("::error file=huge,line=1,col=1,endLine=1,endColumn=1,title=file-too-large::"))
        #expect(outcome.text.split(separator: "\n").count == 1)
    }

    @Test("a signed file is checked as what it contains, and the signer named", arguments: ["DER", "PEM"])
    func signed(form: String) throws {
        try TestCertificate.make(["DNS:shop.example"], in: tool.folder.url)
        let signed = try Shell.run(
            ["openssl", "cms", "-sign", "-binary", "-nodetach", "-outform", form]
                + ["-signer", "fullchain.pem", "-inkey", "privkey.pem", "-out", "file"],
            input: Data("{\n\"webcredentials\":{\"apps\":[\"com.shop.app\",]}}".utf8), in: tool.folder.url)
        #expect(signed.status == 0, "\(signed.errors)")
        let before = try tool.bytes("file")
        let outcome = try tool.run("validate", "--fix", "file")
        #expect(outcome.status == 1)
        #expect(
            outcome.findings == [
                "file:1:1: warning [signed-file]", "file:2:27: error [invalid-app-id]",
                "file:2:41: error [trailing-comma]",
            ])
        #expect(outcome.text.contains("= note: signed by 'CN=test'"))
        #expect(outcome.errors.contains("'file' is not fixed: signed files"))
        #expect(try tool.bytes("file") == before)
    }

    @Test("names cannot write lines of their own")
    func unreadableNames() throws {
        try tool.write("{", to: "a\nb\u{1B}[31m")
        let outcome = try tool.run("validate", "a\nb\u{1B}[31m", "c\nd")
        #expect(
            outcome.findings == [
                #"a\x0ab\x1b[31m:1:1: error [unclosed-bracket]"#, #"c\x0ad:1:1: error [unreadable-file]"#,
            ])
        #expect(outcome.errors == #"error: cannot read 'c\x0ad': no such file or directory"# + "\n")
    }
}
