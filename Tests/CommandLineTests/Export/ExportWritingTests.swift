import Foundation
import TestSupport
import Testing

/// `aasa export --out`: all files or none, and nothing outside of the folder.
@Suite("aasa export --out", .waiting)
struct ExportWritingTests {
    private let tool: BuiltTool
    private static let file = "public/.well-known/apple-app-site-association"

    init() throws {
        tool = try BuiltTool()
        try tool.write(BuiltTool.sound, to: "aasa")
    }

    /// All that is in the temporary folder below `out`, but for folders, and `other`.
    private func tree() throws -> [String] {
        try tool.shell("find out other ! -type d 2>/dev/null | sort").text.split(separator: "\n").map(String.init)
    }

    @Test("folders are created, the bytes are those of the file, and modes are 0644 and 0755 whatever the umask")
    func modes() throws {
        let outcome = try tool.shell("umask 077; exec \"$tool\" export vercel aasa --out new/../out/a")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("wrote new/../out/a/vercel.json\nwrote new/../out/a/\(Self.file)\n\n"))
        #expect(outcome.text.contains("\n  aasa doctor example.com\n"))
        #expect(try tool.bytes("out/a/\(Self.file)") == Array(BuiltTool.sound.utf8))
        let modes = try tool.shell("find out -printf '%m %P\\n' | sort").text
        #expect(modes == "644 a/\(Self.file)\n644 a/vercel.json\n755 \n755 a\n755 a/public\n755 a/public/.well-known\n")
        #expect(try tool.run("export", "s3-cloudfront", "aasa", "--out", "out/b").status == 0)
        #expect(try tool.shell("find out/b -name upload.sh -printf %m").text == "755")
    }

    @Test("what is there with the same content is unchanged; with other content nothing is written without --force")
    func conflicts() throws {
        #expect(try tool.run("export", "vercel", "aasa", "--out", "out").status == 0)
        let again = try tool.run("export", "vercel", "aasa", "--out", "out")
        #expect(again.status == 0)
        #expect(again.text.hasPrefix("unchanged out/vercel.json\nunchanged out/\(Self.file)\n"))

        try tool.write("mine", to: "out/vercel.json")
        try tool.write("mine, too", to: "out/\(Self.file)")
        let refused = try tool.run("export", "vercel", "aasa", "--out", "out")
        #expect(refused.status == 74 && refused.text.isEmpty)
        #expect(refused.errors.contains("'out/vercel.json': it exists with other content"))
        #expect(refused.errors.contains("'out/\(Self.file)': it exists with other content"))
        #expect(refused.errors.contains("--force"))
        #expect(try tool.text("out/vercel.json") == "mine")

        try FileManager.default.removeItem(atPath: "\(tool.folder.path)/out/\(Self.file)")
        #expect(try tool.run("export", "vercel", "aasa", "--out", "out").status == 74)
        #expect(try tree() == ["out/vercel.json"])

        let forced = try tool.run("export", "vercel", "aasa", "--out", "out", "--force")
        #expect(forced.status == 0 && forced.text.hasPrefix("wrote out/vercel.json\nwrote out/\(Self.file)\n"))
        #expect(forced.errors.contains("'out/vercel.json' was replaced, not merged"))
        #expect(try tree() == ["out/\(Self.file)", "out/vercel.json"])
    }

    @Test("a second export after a change shows the difference, and that what is deployed is a copy")
    func changes() throws {
        #expect(try tool.run("export", "nginx", "aasa", "--out", "out").status == 0)
        let path = "out/.well-known/apple-app-site-association"
        let changed = BuiltTool.sound.replacing("7K3QWZ9PLM.com.shop.app", with: "7K3QWZ9PLM.com.shop.beta")
        try tool.write(changed, to: "aasa")
        let refused = try tool.run("export", "nginx", "aasa", "--out", "out")
        #expect(refused.status == 74 && refused.text.isEmpty)
        #expect(refused.errors.hasPrefix("--- \(path)\n+++ \(path)\n@@ -1"), "\(refused.errors)")
        let lines = refused.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("-") && $0.contains("com.shop.app") })
        #expect(lines.contains { $0.hasPrefix("+") && $0.contains("com.shop.beta") })
        #expect(
            refused.errors.hasSuffix(
                "error: nothing is written: cannot write '\(path)': it exists with other content\n"
                    + "help: replace the files with --force, and deploy again: what is live may be a copy of them\n"),
            "\(refused.errors)")
        let forced = try tool.run("export", "nginx", "aasa", "--out", "out", "--force")
        #expect(forced.status == 0)
        #expect(
            forced.text.contains(
                "\n  - what is live may be a copy of the files that were replaced: deploy them again\n"))
        #expect(try !tool.run("export", "nginx", "aasa", "--out", "out").text.contains("what is live may be"))
    }

    @Test("links and folders in the place of files are refused even with --force, and nothing outside is touched")
    func links() throws {
        for (command, name) in [
            ("mkdir -p out other; echo mine > other/file; ln -s ../other/file out/vercel.json", "vercel.json"),
            ("mkdir -p out other; ln -s ../other/nothing out/vercel.json", "vercel.json"),
            ("mkdir -p out other; ln -s ../other out/public", Self.file),
            ("mkdir -p out/public other; ln -s ../../other out/public/.well-known", Self.file),
            ("mkdir -p out/vercel.json", "vercel.json"), ("mkdir -p out; echo > out/public", Self.file),
            ("mkdir -p out/\(Self.file)", Self.file), ("mkdir out; mkfifo out/vercel.json", "vercel.json"),
        ] {
            try tool.shell(command)
            let before = try tree()
            let outcome = try tool.run("export", "vercel", "aasa", "--out", "out", "--force")
            #expect(outcome.status == 74 && outcome.text.isEmpty, "\(command)")
            #expect(outcome.errors.contains("'out/\(name)': "), "\(command): \(outcome.errors)")
            #expect(try tree() == before, "\(command)")
            try tool.shell("rm -rf out other")
        }
    }

    @Test("the folder itself may be a link; a file, or a broken link, is in the way")
    func root() throws {
        try tool.shell("mkdir real; ln -s real out; ln -s nowhere dangling; echo > file")
        #expect(try tool.run("export", "vercel", "aasa", "--out", "out/").status == 0)
        #expect(try tool.text("real/\(Self.file)") == BuiltTool.sound)
        for folder in ["file", "file/below", "dangling", "dangling/below"] {
            let outcome = try tool.run("export", "vercel", "aasa", "--out", folder)
            #expect(outcome.status == 74, "\(folder): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder.path)/nowhere"))
    }

    @Test("a failure half-way leaves everything as it was")
    func failure() throws {
        // The limit is 512 bytes: the configuration fits, the file does not.
        try tool.write(BuiltTool.sound + String(repeating: "\n", count: 2_000), to: "aasa")
        let fresh = try tool.shell("ulimit -f 1; exec \"$tool\" export vercel aasa --out out/a/b")
        #expect(fresh.status == 74 && fresh.errors.contains("nothing is written"), "\(fresh.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder.path)/out"))

        try tool.write("mine", to: "out/vercel.json")
        try tool.write("mine, too", to: "out/kept")
        let forced = try tool.shell("ulimit -f 1; exec \"$tool\" export vercel aasa --out out --force")
        #expect(forced.status == 74)
        #expect(try tree() == ["out/kept", "out/vercel.json"])
        #expect(try tool.text("out/vercel.json") == "mine")
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder.path)/out/public"))
    }

    @Test("paths in the configuration are absolute, without dots, and those of --install-root if it is given")
    func paths() throws {
        try tool.shell("mkdir -p real/deep; ln -s real/deep link")
        func alias(_ arguments: String...) throws -> Substring? {
            let outcome = try Shell.run([tool.executable, "export", "nginx", "aasa"] + arguments, in: tool.folder.url)
            return outcome.text.firstMatch(of: /alias "(.*)";/)?.1
        }
        let name = "/.well-known/apple-app-site-association"
        #expect(try alias("--install-root", "/srv//my site/./x/../") == "/srv/my site\(name)")
        #expect(try alias("--install-root", "/") == "\(name)")
        for (out, expected) in [
            ("out", "out"), ("./a//b/", "a/b"), ("link/../c", "real/c"), ("new/../d", "d"), ("link", "link"),
        ] {
            #expect(try tool.run("export", "nginx", "aasa", "--out", out).status == 0)
            let text = try tool.text("\(expected)/aasa.nginx.conf")
            #expect(text.contains("alias \"\(tool.folder.path)/\(expected)\(name)\";"), "\(out)")
        }
    }
}
