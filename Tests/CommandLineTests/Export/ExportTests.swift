import Foundation
import TestSupport
import Testing

/// The arguments and the output of `aasa export` (docs/spec/deploy.md, section B1).
@Suite("aasa export", .waiting)
struct ExportTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(BuiltTool.sound, to: "apple-app-site-association")
    }

    private static let links = ExportedFiles.links

    @Test("without --out, standard output is the configuration alone, and the steps are on standard error")
    func shown() throws {
        let outcome = try tool.run("export", "nginx")
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("# Made by 'aasa export nginx' ("))
        #expect(outcome.text.contains("alias \"/var/www/aasa/.well-known/apple-app-site-association\";"))
        #expect(outcome.text.hasSuffix("}\n"))
        #expect(!outcome.text.contains("assetlinks.json"))
        #expect(outcome.errors.contains("\n  1. "))
        #expect(outcome.errors.contains("\n  aasa doctor example.com\n"))
        let check = #"curl -sS -o /dev/null -w '%{http_code} %{content_type} %{redirect_url}\n' https://example.com"#
        #expect(
            outcome.errors.contains("\n  \(check)/.well-known/apple-app-site-association   # 200 application/json\n"))
    }

    @Test("names are taken in any case, aliases too, and an unknown one is answered with the nearest")
    func names() throws {
        #expect(try tool.run("export", "NGINX").text == tool.run("export", "nginx").text)
        #expect(try tool.run("export", "WordPress").text == tool.run("export", "htaccess").text)
        for (alias, name) in [
            ("httpd", "apache"), ("apache2", "apache"), ("s3", "s3-cloudfront"), ("CloudFront", "s3-cloudfront"),
            ("aws", "s3-cloudfront"), ("express.js", "express"), ("next.js", "next"), ("gitlab", "gitlab-pages"),
            ("lighty", "lighttpd"),
        ] { #expect(try tool.run("export", alias).text == tool.run("export", name).text, "\(alias)") }
        for (name, hint) in [
            ("k8s", "'aasa serve' serves the files: see 'Load balancers and clouds' in docs/behind-a-proxy.md"),
            ("Kubernetes", "behind an Ingress or a load balancer"), ("docker", "see 'Image' in docs/packages.md"),
            ("ngnix", "did you mean 'nginx'?"), ("word-press", "did you mean 'wordpress'?"),
            ("cloudflare", "did you mean 'cloudflare-pages' or 'cloudflare-workers'?"),
            ("firebase", "did you mean 'firebase-hosting'?"), ("geocities", "'aasa export --list' lists the hosts"),
            ("./apple-app-site-association", "the host comes before the files"),
        ] {
            let outcome = try tool.run("export", name)
            #expect(outcome.status == 64 && outcome.text.isEmpty, "\(name)")
            #expect(outcome.errors.hasPrefix("error: unknown host '\(name)'; "), "\(outcome.errors)")
            #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        }
    }

    @Test("wrong arguments are 64, with one sentence")
    func usage() throws {
        try tool.write(BuiltTool.sound, to: "other")
        for (arguments, reason) in [
            ("", "missing host; 'aasa export --list' lists the hosts"), ("--list nginx", "--list shows all hosts"),
            ("nginx - -", "standard input can be read only once"), ("nginx --force", "--force needs --out"),
            ("nginx --domain '*.example.com'", "Apple asks the parent domain: write --domain example.com"),
            ("nginx --domain 'a b'", "--domain: "), ("nginx --install-root srv", "not an absolute path"),
            ("nginx --out ''", "--out: "), ("nginx --install-root '/srv/$HOME'", "nginx takes '$'"),
            (#"vercel --install-root "$(printf '/a\007b')""#, ""),
            (#"nginx --install-root "$(printf '/a\007b')""#, "control character (U+0007)"),
            ("nginx apple-app-site-association other", "are each an association file"),
        ] {
            let outcome = try tool.shell("exec \"$tool\" export \(arguments)")
            #expect(outcome.status == (reason.isEmpty ? 0 : 64), "\(arguments)")
            #expect(reason.isEmpty || outcome.errors.contains(reason), "\(arguments): \(outcome.errors)")
            #expect(reason.isEmpty || outcome.text.isEmpty)
        }
    }

    @Test("the domain is in the checks and notes as it is in URLs")
    func domain() throws {
        let outcome = try tool.run("export", "nginx", "--domain", "Bücher.example")
        #expect(outcome.errors.contains("aasa doctor xn--bcher-kva.example\n"))
        #expect(outcome.errors.contains("https://xn--bcher-kva.example/.well-known/apple-app-site-association"))
        #expect(outcome.errors.contains("redirects xn--bcher-kva.example to www"))
    }

    @Test("files are told apart by their content, and read from standard input")
    func contents() throws {
        try tool.write(Self.links, to: "b")
        let both = try tool.run("export", "nginx", "b", "apple-app-site-association")
        #expect(try both.text == tool.run("export", "nginx", "apple-app-site-association", "b").text)
        #expect(both.text.contains("apple-app-site-association\"") && both.text.contains("assetlinks.json\""))
        let input = try tool.run("export", "nginx", "-", input: Self.links)
        #expect(input.status == 0)
        #expect(input.text.contains("assetlinks.json\"") && !input.text.contains("apple-app-site-association"))
        let out = try tool.run("export", "nginx", "-", "--out", "out", input: "\u{FEFF} \(BuiltTool.sound)")
        #expect(out.status == 0 && out.errors.contains("[byte-order-mark]"))
        let bytes = try tool.bytes("out/.well-known/apple-app-site-association")
        #expect(bytes == Array("\u{FEFF} \(BuiltTool.sound)".utf8))
    }

    @Test("without files, those in the folder are taken, or those in .well-known")
    func defaults() throws {
        try tool.write(Self.links, to: "site/.well-known/assetlinks.json")
        #expect(try tool.run("export", "nginx", in: "site").text.contains("assetlinks.json\""))
        try tool.write(BuiltTool.sound, to: "site/apple-app-site-association")
        #expect(try !tool.run("export", "nginx", in: "site").text.contains("assetlinks.json\""))
        try tool.write("", to: "empty/file")
        let none = try tool.run("export", "nginx", in: "empty")
        #expect(none.status == 66)
        let inFolder = try tool.run("export", "nginx", "site/", "--out", "exported")
        #expect(inFolder.status == 0)
        #expect(try tool.bytes("exported/.well-known/apple-app-site-association") == Array(BuiltTool.sound.utf8))
        #expect(try tool.run("export", "nginx", "site/.well-known").text.contains("assetlinks.json\""))
        let noneThere = try tool.run("export", "nginx", "empty")
        #expect(noneThere.status == 66)
        #expect(
            noneThere.errors
                == "error: there is no 'apple-app-site-association' or 'assetlinks.json' in 'empty/' or in its "
                + "'.well-known'\nhelp: name the files: aasa export HOST FILE\n")
        #expect(none.errors.contains("'apple-app-site-association'") && none.errors.contains("'.well-known'"))
        let missing = try tool.run("export", "nginx", "nowhere")
        #expect(missing.status == 66)
        #expect(missing.errors == "error: cannot read 'nowhere': no such file or directory\n")
    }

    @Test("files are checked as 'aasa validate' does, with .aasa.json, and nothing is written if there are errors")
    func findings() throws {
        try tool.write(BuiltTool.faulty, to: "faulty")
        let faulty = try tool.run("export", "vercel", "faulty", "--out", "out")
        #expect(faulty.status == 1 && faulty.text.isEmpty)
        #expect(faulty.errors.contains("faulty:1:28: error: ") && faulty.errors.contains("[invalid-app-id]"))
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder.path)/out"))

        try tool.write(BuiltTool.doubtful, to: "doubtful")
        let doubtful = try tool.run("export", "vercel", "doubtful")
        #expect(doubtful.status == 0 && doubtful.text.hasPrefix("{"))
        #expect(doubtful.errors.contains("doubtful:1:25: warning: "))
        let strict = try tool.run("export", "vercel", "doubtful", "--strict")
        #expect(strict.status == 1 && strict.text.isEmpty)

        let code = try #require(doubtful.errors.firstMatch(of: /warning: .* \[([a-z-]+)\]/)?.1)
        try tool.write(#"{"severity": {"\#(code)": "off"}}"#, to: ".aasa.json")
        let quiet = try tool.run("export", "vercel", "doubtful", "--strict")
        #expect(quiet.status == 0 && !quiet.errors.contains("warning"), "\(quiet.errors)")

        let size = 131_072 - BuiltTool.sound.utf8.count
        try tool.write(BuiltTool.sound + String(repeating: " ", count: size + 1), to: "large")
        let large = try tool.run("export", "vercel", "large")
        #expect(large.status == 1 && large.errors.contains("[file-too-large]"))
    }

    @Test("JSON has the files, what to do and how to check, and the same bytes each time")
    func json() throws {
        try tool.write(Self.links, to: "assetlinks.json")
        let outcome = try tool.run("export", "vercel", "--format", "json", "--domain", "example.org")
        let object = try outcome.object()
        #expect(Set(object.keys) == ["version", "host", "title", "files", "steps", "notes", "checks"])
        #expect(object["version"] as? Int == 1 && object["host"] as? String == "vercel")
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.allSatisfy { Set($0.keys) == ["path", "role", "content"] })
        #expect(
            files.map { $0["path"] as? String } == [
                "vercel.json", "public/.well-known/apple-app-site-association", "public/.well-known/assetlinks.json",
            ])
        #expect(files.map { $0["role"] as? String } == ["configuration", "association", "association"])
        #expect(files[0]["content"] as? String == (try tool.run("export", "vercel").text))
        #expect(files[1]["content"] is NSNull && files[2]["content"] is NSNull)
        #expect((object["checks"] as? [String])?.count == 3)
        for _ in 0..<2 {
            #expect(
                try tool.run("export", "vercel", "--format", "json", "--domain", "example.org").output == outcome.output
            )
        }
        let written = try tool.run("export", "vercel", "--format", "json", "--out", "out").object()
        let again = try tool.run("export", "vercel", "--format", "json", "--out", "out").object()
        for (answer, status) in [(written, "written"), (again, "unchanged")] {
            let files = try #require(answer["files"] as? [[String: Any]])
            #expect(files.map { $0["status"] as? String } == [status, status, status])
        }
    }

    @Test("in JSON a failure is an object, too")
    func failures() throws {
        try tool.write(BuiltTool.faulty, to: "faulty")
        try tool.write("mine", to: "out/vercel.json")
        for (arguments, code, status) in [
            (["faulty"], "unusable-file", 1), (["nowhere"], "unreadable-file", 66),
            (["--out", "out"], "unwritable-file", 74),
        ] {
            let outcome = try Shell.run(
                [tool.executable, "export", "vercel", "--format", "json"] + arguments, in: tool.folder.url)
            #expect(outcome.status == status)
            let error = try #require(try outcome.object()["error"] as? [String: Any])
            #expect(error["code"] as? String == code && error["exitCode"] as? Int == status)
            #expect((error["diagnostics"] as? [Any])?.isEmpty == (code != "unusable-file"))
        }
    }

    @Test("the help has an example and points to the list; hosts are completed")
    func help() throws {
        let help = try tool.run("export", "--help").text
        #expect(help.contains("aasa export nginx --domain example.com --out deploy\n") && help.contains("--list"))
        #expect(try tool.run("--generate-completion-script", "bash").text.contains("azure-static-web-apps"))
    }
}
