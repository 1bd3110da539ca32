import Foundation
import TestSupport
import Testing

/// The contract of `aasa validate --fix` (validation.md, 5).
@Suite("aasa validate --fix", .waiting)
struct ValidateFixTests {
    /// CR LF, tabs, a byte order mark, and one error that nobody can fix alone.
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

    @Test("what was done and what is left is reported, and other bytes stay")
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

    @Test(
        "a file that cannot be replaced stays as it is, and that is reported", .enabled(if: BuiltTool.canBecomeNobody))
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
    static let late = """
        {"applinks": {"details": [
          {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
            {"/": "/buy/*"},
            {"/": "/buy/drafts/*", "exclude": true},
          ]}
        ]}}

        """
    /// The same file with all fixes.
    static let inOrder = """
        {"applinks": {"details": [
          {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
            {"/": "/buy/drafts/*", "exclude": true},
            {"/": "/buy/*"}
          ]}
        ]}}

        """

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
