import Foundation
import TestSupport
import Testing

/// The contract of `aasa validate --fix` (validation.md, 5).
@Suite("aasa validate --fix", .waiting)
struct ValidateFixTests {
    /// CR LF, tabs, a byte order mark, and one error that nobody can mend alone.
    private static let broken =
        "\u{FEFF}{\r\n\t\"webcredentials\" : { \"apps\": [ \" 7K3QWZ9PLM.com.shop.app\", \"com.shop.beta\",, ] }\r\n}\r\n\r\n"
    private static let fixed =
        "{\r\n\t\"webcredentials\" : { \"apps\": [ \"7K3QWZ9PLM.com.shop.app\", \"com.shop.beta\" ] }\r\n}\r\n\r\n"

    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    private func status(_ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(tool.folder.path + "/" + name, &status) == 0)
        return status
    }

    @Test("what was done and what is left is said, and other bytes stay")
    func text() throws {
        try tool.write(Self.broken, to: "file")
        let outcome = try tool.run("validate", "--fix", "file")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                file:1:1: fixed: deleted the byte order mark [byte-order-mark]
                file:2:33: fixed: deleted the white space [whitespace-in-app-id]
                file:2:76: fixed: deleted the comma [trailing-comma]
                file:2:77: fixed: deleted the comma [extra-comma]

                file:2:60: error: app ID 'com.shop.beta' is missing its Team ID (application identifier prefix) [invalid-app-id]
                   |
                 2 |     "webcredentials" : { "apps": [ "7K3QWZ9PLM.com.shop.app", "com.shop.beta" ] }
                   |                                                               ^^^^^^^^^^^^^^^
                   |
                   = help: add your Team ID before it, e.g. 'ABCDE12345.com.shop.beta'; find the Team ID at developer.apple.com > Account > Membership details

                Fixed 4 findings. Found 1 error in 1 file. Run 'aasa explain invalid-app-id' for details.

                """)
        #expect(try tool.text("file") == Self.fixed)
    }

    @Test("a file is replaced as a whole, keeps its mode, and once fixed is not touched")
    func replacement() throws {
        try tool.write(BuiltTool.doubtful.replacing("]}]", with: "],}]"), to: "sub/file")
        #expect(chmod(tool.folder.path + "/sub/file", 0o640) == 0)
        try tool.link("link", to: "sub/file")
        let before = try status("sub/file")

        #expect(try tool.run("validate", "--fix", "link").status == 0)
        #expect(try tool.text("sub/file") == BuiltTool.doubtful)
        let after = try status("sub/file")
        #expect(after.st_ino != before.st_ino)
        #expect(after.st_mode == before.st_mode)
        #expect(after.st_uid == before.st_uid && after.st_gid == before.st_gid)
        #expect(try status("link").st_mode & S_IFMT == S_IFLNK)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path + "/sub") == ["file"])

        let again = try tool.run("validate", "--fix", "link")
        #expect(!again.text.contains("fixed:"))
        let last = try status("sub/file")
        #expect(last.st_ino == after.st_ino)
        #expect(last.st_mtim.tv_sec == after.st_mtim.tv_sec && last.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    }

    @Test(
        "fixes that get in each other's way are applied one after the other",
        arguments: [
            (#"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app",,,]}}"#, BuiltTool.sound),
            (
                #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app","7K3QWZ9PLM.com.shop.app"," 7K3QWZ9PLM.com.shop.app"]}}"#,
                BuiltTool.sound
            ),
            (
                #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app","7K3QWZ9PLM.com.shop.app"," x"]}}"#,
                #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app","x"]}}"#
            ),
            (
                #"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":["é y","b"]}]}}"#,
                #"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":["/%C3%A9%20y","/b"]}]}}"#
            ),
        ])
    func rounds(text: String, fixed: String) throws {
        let outcome = try tool.run("validate", "--fix", "-", input: text)
        #expect(outcome.text == fixed)
        #expect(outcome.status == (fixed.contains("\"x\"") ? 1 : 0), "\(outcome.errors)")
    }

    @Test("thousands of mistakes are mended")
    func many() throws {
        let apps = (0..<2_100).map { "\"7K3QWZ9PLM.com.shop.app\($0)\"" }
        let outcome = try tool.run(
            "validate", "--fix", "-", input: "{\"webcredentials\":{\"apps\":[\(apps.joined(separator: ",,"))]}}")
        #expect(outcome.text == "{\"webcredentials\":{\"apps\":[\(apps.joined(separator: ","))]}}")
        #expect(outcome.status == 0)
    }

    @Test("of standard input the text goes to standard output, and the findings aside")
    func standardInput() throws {
        let outcome = try tool.run("validate", "--fix", "-", input: Self.broken)
        #expect(outcome.status == 1)
        #expect(outcome.text == Self.fixed)
        #expect(outcome.errors.contains("<standard input>:1:1: fixed: deleted the byte order mark [byte-order-mark]\n"))
        #expect(outcome.errors.contains("[invalid-app-id]\n"))

        let sound = try tool.run("validate", "--fix", "--format", "github", "-", input: BuiltTool.sound)
        #expect(sound.status == 0)
        #expect(sound.text == BuiltTool.sound)
        #expect(sound.errors.isEmpty)
    }

    @Test("JSON lists the findings that are gone")
    func json() throws {
        try tool.write(Self.broken, to: "file")
        let report = try tool.run("validate", "--fix", "--format", "json", "file").object()
        let fixed = try #require(report["fixed"] as? [[String: Any]])
        #expect(
            fixed.map { $0["code"] as? String } == [
                "byte-order-mark", "whitespace-in-app-id", "trailing-comma", "extra-comma",
            ])
        #expect(fixed.map { $0["path"] as? String } == Array(repeating: "file", count: 4))
        #expect((report["diagnostics"] as? [[String: Any]])?.map { $0["code"] as? String } == ["invalid-app-id"])
        #expect(report["summary"] as? [String: Int] == ["errors": 1, "files": 1, "warnings": 0])

        let none = try tool.run("validate", "--fix", "--format", "json", "file").object()
        #expect((none["fixed"] as? [Any])?.isEmpty == true)
    }

    @Test("what is turned off is not fixed, and UTF-16 never is")
    func left() throws {
        try tool.write("\u{FEFF}" + BuiltTool.sound, to: "mark")
        try tool.write(Array(Self.fixed.utf8.flatMap { [$0, 0] }), to: "utf16")
        let before = (try tool.bytes("mark"), try tool.bytes("utf16"))
        let outcome = try tool.run("validate", "--fix", "--disable", "byte-order-mark", "mark", "utf16")
        #expect(outcome.status == 1)
        #expect(!outcome.text.contains("fixed:"))
        #expect((try tool.bytes("mark"), try tool.bytes("utf16")) == before)
    }

    @Test("a file that cannot be replaced stays as it is, and that is said", .enabled(if: BuiltTool.canBecomeNobody))
    func readOnly() throws {
        try tool.write(Self.broken, to: "closed/file")
        try tool.write(Self.broken, to: "open/file")
        for (name, mode) in [
            ("", 0o755), ("closed", 0o555), ("open", 0o777), ("closed/file", 0o666), ("open/file", 0o444),
        ] {
            #expect(chmod("\(tool.folder.path)/\(name)", mode_t(mode)) == 0)
        }
        let outcome = try Shell.run(
            [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", RunningServer.executable, "validate",
                "--fix",
            ]
                + ["closed/file", "open/file"], in: tool.folder.url)
        #expect(outcome.status == 74)
        #expect(
            outcome.errors == """
                error: cannot write 'closed/file', nothing is fixed: no file can be created in its folder: permission denied
                error: cannot write 'open/file', nothing is fixed: permission denied

                """)
        #expect(!outcome.text.contains("fixed:"))
        #expect(outcome.findings.count == 10)
        for name in ["closed", "open"] {
            #expect(try tool.text("\(name)/file") == Self.broken)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(tool.folder.path)/\(name)") == ["file"])
        }
    }

    /// A rule that comes too late, which a suggested fix moves, and a comma too much.
    private static let late = """
        {"applinks": {"details": [
          {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
            {"/": "/buy/*"},
            {"/": "/buy/drafts/*", "exclude": true},
          ]}
        ]}}

        """
    private static let inOrder = """
        {"applinks": {"details": [
          {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
            {"/": "/buy/drafts/*", "exclude": true},
            {"/": "/buy/*"}
          ]}
        ]}}

        """

    @Test("what can be fixed is counted, and suggested fixes are applied when they are asked for")
    func suggested() throws {
        try tool.write(Self.late, to: "file")
        let plain = try tool.run("validate", "file")
        #expect(
            plain.lastLine
                == "Found 2 errors in 1 file. Run 'aasa explain dead-exclude' for details; 1 fix available with --fix, "
                + "1 more with --fix --suggested.")
        let counts = try tool.run("validate", "--format", "json", "file").object()["fixable"] as? [String: Int]
        #expect(counts == ["automatic": 1, "suggested": 1])

        let fixed = try tool.run("validate", "--fix", "file")
        #expect(
            fixed.lastLine
                == "Fixed 1 finding. Found 1 error in 1 file. Run 'aasa explain dead-exclude' for details; 1 fix available "
                + "with --fix --suggested.")
        try tool.write(Self.late, to: "file")
        let all = try tool.run("validate", "--fix", "--suggested", "file")
        #expect(all.status == 0)
        #expect(all.lastLine == "Fixed 2 findings. 1 file is fine.")
        // It closes links, which is what it is for; but it is said.
        let note = "note: file: with the fixes, links such as 'https://example.com/buy/drafts' no longer open an app\n"
        #expect(all.text.contains(note), "\(all.text)")
        #expect(all.text.contains("file:4:5: fixed: moved rule '/buy/drafts/*' above line 3 [dead-exclude]\n"))
        #expect(try tool.text("file") == Self.inOrder)
    }

    @Test("a suggested fix that would add an error is left, and that is said")
    func refused() throws {
        // Moved out of 'applinks', the list is read, and has an app ID that no app can have.
        let nested = #"{"applinks":{"details":[],"webcredentials":{"apps":["com.shop.app"]}}}"#
        try tool.write(nested, to: "file")
        let before = try tool.run("validate", "file")
        try #require(before.text.contains("[nested-service]"))
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        #expect(outcome.status == 1)
        #expect(try tool.text("file") == nested)
        #expect(
            outcome.text.contains(
                """
                note: file:1:27: not fixed: the result would have another error: app ID 'com.shop.app' is missing its Team ID \
                (application identifier prefix) [nested-service]

                """), "\(outcome.text)")
        // What was refused is not offered again.
        #expect(!outcome.lastLine.contains("available"), "\(outcome.lastLine)")
        let counts = try tool.run("validate", "--fix", "--suggested", "--format", "json", "file").object()["fixable"]
        #expect(counts as? [String: Int] == ["automatic": 0, "suggested": 0])
    }

    /// The paths of an entry after `--fix --suggested`.
    private func fixPaths(_ paths: String) throws -> (paths: String, outcome: Shell.Outcome) {
        let start = #"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":"#
        try tool.write(start + paths + "}]}}", to: "file")
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        let text = try tool.text("file")
        try #require(text.hasPrefix(start) && text.hasSuffix("}]}}"))
        return (String(text.dropFirst(start.count).dropLast(4)), outcome)
    }

    @Test("a fix that needs another one is made with it, and one that cannot be made does not keep others from it")
    func together() throws {
        let first = try fixPaths(#"["*", "NOT /admin/*", "/buy/*", "not /help"]"#)
        #expect(first.paths == #"["NOT /help", "NOT /admin/*", "*"]"#)
        #expect(
            first.outcome.text == """
                file:1:100: fixed: deleted rule '/buy/*' [unreachable-rule]
                file:1:111: fixed: wrote 'NOT ' [malformed-not]
                file:1:100: fixed: moved 'NOT /help' before '*' [dead-exclude]
                file:1:97: fixed: moved 'NOT /admin/*' before '*' [dead-exclude]

                note: file: with the fixes, links such as 'https://example.com/help' no longer open an app
                Fixed 4 findings. 1 file is fine.

                """)
        let second = try fixPaths(#"["*", "NOT https://x.com/a", "NOT /b"]"#)
        #expect(second.paths == #"["NOT /b", "NOT /a", "*"]"#)
        #expect(second.outcome.status == 0)
    }

    @Test("a service that has mistakes of its own is moved with their fixes, and so is the one beside it")
    func services() throws {
        try tool.write(
            """
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a/*"}]}],
            "webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]},"appclips":{"apps":"7K3QWZ9PLM.com.shop.app.Clip"}}}
            """, to: "file")
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        let lines = outcome.text.split(separator: "\n").map { $0.replacing(#/^file:\d+:\d+: /#, with: "") }
        #expect(
            lines == [
                "fixed: moved 'webcredentials' to the top level of the file [nested-service]",
                "fixed: moved 'appclips' to the top level of the file [nested-service]",
                "fixed: wrapped 'apps' in [ ] [wrong-type]", "Fixed 3 findings. 1 file is fine.",
            ])
    }

    @Test("a rule that would still come too late is left, with the reason, and others are fixed")
    func tooLate() throws {
        // The second entry of the app comes after one that opens everything.
        try tool.write(
            """
            {"applinks":{"apps":[],"details":[
            {"appID":"7K3QWZ9PLM.com.shop.app","paths":["*"]},
            {"appID":"7K3QWZ9PLM.com.shop.app","paths":["not /help","/a//b"]}]}}

            """, to: "file")
        let outcome = try tool.run(
            "validate", "--fix", "--suggested", "file", "--disable", "same-app-twice,unreachable-rule")
        #expect(
            outcome.text.contains(
                """
                note: file:3:46: not fixed: 'NOT /help' would still come after '*', which matches first; move it up by hand \
                [malformed-not]

                """), "\(outcome.text)")
        #expect(outcome.text.contains("file:3:60: fixed: wrote '/' [double-slash-in-pattern]\n"), "\(outcome.text)")
        #expect(!outcome.lastLine.contains("available"))
    }

    @Test("paths that nothing reads are deleted only where the components say the same")
    func onlyPaths() throws {
        func fix(_ components: String) throws -> (text: String, outcome: Shell.Outcome) {
            try tool.write(
                """
                {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"paths":["/shared/*"],
                "components":[\(components)]}]}}

                """, to: "file")
            let outcome = try tool.run("validate", "--fix", "--suggested", "file")
            return (try tool.text("file"), outcome)
        }
        let same = try fix(#"{"/":"/shared/*"}"#)
        #expect(same.outcome.text.contains("file:1:63: fixed: deleted 'paths' [ignored-paths]\n"))
        let moved = try fix(#"{"/":"/x/*","exclude":true}"#)
        #expect(moved.outcome.text.contains("fixed: moved the rules of 'paths' to 'components' [ignored-paths]\n"))
        #expect(moved.text.contains("/shared/*") && !moved.text.contains("paths"))
        let others = try fix(#"{"/":"/x/*"}"#)
        #expect(others.text.contains(#""paths":["/shared/*"]"#) && !others.outcome.lastLine.contains("available"))
    }

    @Test("--diff shows what would be changed, and changes nothing")
    func difference() throws {
        try tool.write(Self.late, to: "file")
        let before = try status("file")
        let outcome = try tool.run("validate", "--fix", "--diff", "file")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                --- file
                +++ file
                @@ -1,6 +1,6 @@
                 {"applinks": {"details": [
                   {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
                     {"/": "/buy/*"},
                -    {"/": "/buy/drafts/*", "exclude": true},
                +    {"/": "/buy/drafts/*", "exclude": true}
                   ]}
                 ]}}

                """)
        #expect(outcome.errors == "1 finding would be fixed; 1 more with --suggested.\n")
        #expect(try tool.text("file") == Self.late)
        let rules = Array(repeating: "{\"/\": \"/a\"}", count: 1_100).joined(separator: ",")
        let many = #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [\#(rules)]}]}}"#
        try tool.write(many, to: "many")
        let left = try tool.run("validate", "--diff", "many").errors
        #expect(left.hasPrefix("Nothing to fix; 1,") && left.hasSuffix(" more with --suggested.\n"), "\(left)")
        #expect(try status("file").st_ino == before.st_ino)

        // It is a patch.
        #expect(try tool.run("validate", "--diff", "--suggested", "file").errors == "2 findings would be fixed.\n")
        try tool.shell("$tool validate --diff --suggested file > patch; git apply --unsafe-paths -p0 patch")
        #expect(try tool.text("file") == Self.inOrder)
        let none = try tool.run("validate", "--diff", "file")
        #expect(none.status == 0)
        #expect(none.text.isEmpty && none.errors == "Nothing to fix.\n")

        let input = try tool.run("validate", "--diff", "-", "-q", input: Self.late)
        #expect(input.text.hasPrefix("--- <standard input>\n+++ <standard input>\n@@ "))
        #expect(input.errors.isEmpty)
        let missing = try tool.run("validate", "--diff", "nosuch", "file")
        #expect(missing.status == 66)
        #expect(missing.errors.hasPrefix("error: cannot read 'nosuch': "))
    }

    @Test("a diff of a hostile file cannot steer the terminal that shows it in colors")
    func hostileDifference() throws {
        try tool.write("{\"a\u{1B}]0;x\u{7}\":[1,],\n\t\"b\":1}", to: "file")
        let plain = try tool.run("validate", "--diff", "file")
        #expect(plain.text.contains("\u{1B}]0;x"))
        let colored = try tool.run("validate", "--diff", "file", "--color", "always").text
        #expect(colored.contains(#"\x1b]0;x\x07"#) && colored.contains("\t\"b\""))
        #expect(!colored.replacing(/\u{1B}\[[0-9;]*m/, with: "").contains("\u{1B}"))
    }

    @Test("a search never fixes a file through a link that points outside the folder")
    func links() throws {
        let name = "apple-app-site-association"
        let broken = BuiltTool.doubtful.replacing("]}]", with: "],}]")
        try tool.write(broken, to: "outside/\(name)")
        try tool.write(broken, to: "site/inside")
        try tool.link("site/\(name)", to: "../outside/\(name)")
        try tool.link("site/\(name).json", to: "inside")
        let outcome = try tool.run("validate", "--fix", "site")
        #expect(try tool.text("outside/\(name)") == broken)
        #expect(try tool.text("site/inside") == BuiltTool.doubtful)
        #expect(
            outcome.text.contains(
                "note: site/\(name): not fixed, because it is a link that points outside 'site'; name the file itself\n"
            ))
        #expect(outcome.status == 1)

        // Named, it is meant.
        #expect(try tool.run("validate", "--fix", "site/\(name)").status == 0)
        #expect(try tool.text("outside/\(name)") == BuiltTool.doubtful)
    }

    @Test("of the mode of a file only the permissions stay")
    func modes() throws {
        try tool.write(BuiltTool.doubtful.replacing("]}]", with: "],}]"), to: "file")
        #expect(chmod(tool.folder.path + "/file", 0o6755) == 0)
        #expect(try tool.run("validate", "--fix", "file").status == 0)
        #expect(try status("file").st_mode & 0o7777 == 0o755)
    }
}

extension BuiltTool {
    /// Root may write everywhere: only who can be somebody else can be refused.
    fileprivate static let canBecomeNobody =
        getuid() == 0
        && (try? Shell.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", RunningServer.executable, "--version"]))?
            .status == 0
}
