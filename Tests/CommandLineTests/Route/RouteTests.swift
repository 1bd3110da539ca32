import Foundation
import TestSupport
import Testing

/// The contract of `aasa route` (cli.md).
@Suite("aasa route", .waiting)
struct RouteTests {
    private let sample: RouteSample
    private var file: String { sample.file }

    init() throws { sample = try RouteSample() }

    private func route(_ arguments: [String], input: String = "") throws -> Shell.Outcome {
        try sample.route(arguments, input: input)
    }

    private func object(_ line: some StringProtocol) throws -> [String: Any] { try sample.object(line) }

    @Test("JSON is one object per line, keys sorted, absent values null")
    func json() throws {
        let urls = ["https://example.com/buy/1?product=7", "https://example.com/help/x", "https://example.com/y"]
        let outcome = try route([file, "--format", "json"] + urls)
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                {"appIDs":["ABCDE12345.com.example.app","ABCDE12345.com.example.beta"],"outcome":"open",\
                "reason":null,"rule":{"comment":"the shop","component":1,"detail":0,"excludes":false,"line":7,\
                "pointer":"/applinks/details/0/components/1"},"url":"https://example.com/buy/1?product=7",\
                "userActivity":{"activityType":"NSUserActivityTypeBrowsingWeb",\
                "webpageURL":"https://example.com/buy/1?product=7"},"version":1}
                {"appIDs":[],"outcome":"excluded","reason":null,"rule":{"comment":"help stays on the web","component":0,"detail":0,\
                "excludes":true,"line":6,"pointer":"/applinks/details/0/components/0"},"url":"https://example.com/help/x",\
                "userActivity":null,"version":1}
                {"appIDs":[],"outcome":"noMatch","reason":"no rule matches","rule":null,"url":"https://example.com/y",\
                "userActivity":null,"version":1}

                """)
    }

    @Test("text names outcome, apps, location and rule, with an empty line between URLs")
    func text() throws {
        let outcome = try route([
            file, "https://example.com/buy/1?product=7", "https://example.com/help", "https://example.com/y",
        ])
        #expect(
            outcome.text == """
                open              https://example.com/buy/1?product=7
                                  ABCDE12345.com.example.app
                                  ABCDE12345.com.example.beta
                                  \(file):7:11: /buy/*  ? product=?*  "the shop"

                excluded          https://example.com/help
                                  \(file):6:11: excludes /help/*  "help stays on the web"

                stays in browser  https://example.com/y
                                  no rule matches

                """)
    }

    @Test("URLs from standard input are answered one per line, in order", arguments: ["\n", "\r\n"])
    func standardInput(lineEnd: String) throws {
        let urls = (0..<5000).map { "https://example.com/\($0 % 3 == 0 ? "news" : "x")/\($0)" }
        let outcome = try route([file, "--format", "json", "-"], input: urls.joined(separator: lineEnd))
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0)
        #expect(lines.count == urls.count)
        for (number, line) in lines.enumerated() {
            let answer = try object(line)
            #expect(answer["url"] as? String == urls[number])
            #expect(answer["outcome"] as? String == (number % 3 == 0 ? "open" : "noMatch"))
        }
        let text = try route([file, "-"], input: "https://e.example/news/1\nhttps://e.example/\n").text
        #expect(
            text == """
                open              https://e.example/news/1  ABCDE12345.com.example.app,ABCDE12345.com.example.beta  \(file):9
                stays in browser  https://e.example/

                """)
    }

    @Test("an answer comes as soon as it is known")
    func streaming() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: RunningServer.executable)
        process.arguments = ["route", file, "--format", "json", "-"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        for number in 0..<3 {
            try input.fileHandleForWriting.write(contentsOf: Data("https://example.com/news/\(number)\n".utf8))
            let answer = String(decoding: output.fileHandleForReading.nextData(), as: UTF8.self)
            #expect(answer.contains("/news/\(number)\""))
            #expect(answer.hasSuffix("\n"))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "what is not a web URL with a host is an error line, and exit 64 after the last",
        arguments: [
            "", "nonsense", "/path", "ftp://example.com/", "https://", "https:///x", "https:/example.com",
            "mailto:a@b.c",
        ])
    func notAWebURL(url: String) throws {
        let outcome = try route([file, "--format", "json", url, "https://example.com/news/1"])
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 64)
        #expect(lines.count == 2)
        let refusal = try object(lines[0])
        #expect(refusal["url"] as? String == url)
        #expect((refusal["error"] as? String)?.hasPrefix("not an http or https URL") == true)
        #expect(Set(refusal.keys) == ["version", "url", "error"])
        #expect(try object(lines[1])["outcome"] as? String == "open")
    }

    @Test("--domain takes other hosts out")
    func domain() throws {
        func outcome(_ domain: String, _ url: String) throws -> String? {
            try object(route([file, "--domain", domain, "--format", "json", url]).text)["outcome"] as? String
        }
        #expect(try outcome("example.com", "https://EXAMPLE.com:8443/news/1") == "open")
        #expect(try outcome("EXAMPLE.com", "https://example.com/news/1") == "open")
        #expect(try outcome("example.com", "https://www.example.com/news/1") == "noMatch")
        #expect(try outcome("*.example.com", "https://www.example.com/news/1") == "open")
        #expect(try outcome("bücher.example", "https://xn--bcher-kva.example/news/1") == "open")
        let other = try route([file, "--domain", "example.com", "https://other.example/news/1"])
        #expect(other.text.contains("the file speaks for example.com only"))
        let json = try object(
            route([file, "--domain", "example.com", "--format", "json", "https://other.example/news/1"]).text)
        #expect(json["reason"] as? String == "the file speaks for example.com only")
    }

    @Test(
        "a domain that is not one is a usage error",
        arguments: ["https://example.com", "example.com/", "a b", "", "*.", "a..b"])
    func invalidDomain(domain: String) throws {
        let outcome = try route([file, "--domain", domain, "https://example.com/"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("is not a domain; expected a name like example.com"))
    }

    @Test("a file that is not valid JSON is exit 65 and named with line and column")
    func unsoundFile() throws {
        let broken = try sample.folder.write("{\n  \"applinks\": {\n    \"details\": [],\n  }\n}\n", to: "broken.json")
        let outcome = try route([broken, "https://example.com/"])
        #expect(outcome.status == 65)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains(#/broken\.json:3:18: error: .+ \[trailing-comma\]/#))
    }

    @Test("a file that cannot be read is exit 66")
    func missingFile() throws {
        for path in ["\(sample.folder.path)/none", sample.folder.path] {
            let outcome = try route([path, "https://example.com/"])
            #expect(outcome.status == 66)
            #expect(outcome.errors.hasPrefix("error: cannot read '\(path)': "))
        }
    }

    @Test("equal keys, a byte order mark and a file over 128 KB can be used")
    func usableFiles() throws {
        let entry = #"{"appIDs":["ABCDE12345.a"],"components":[{"/":"/x"}]}"#
        let padding = String(repeating: " ", count: 140_000)
        let texts = [
            "\u{FEFF}{\"applinks\":{\"details\":[\(entry)]}}",
            "{\"applinks\":{\"details\":[],\"details\":[\(entry)]}}",
            "{\"applinks\":{\"details\":[\(entry)]}\(padding)}",
        ]
        for (number, text) in texts.enumerated() {
            let path = try sample.folder.write(text, to: "usable-\(number).json")
            #expect(
                try object(route([path, "--format", "json", "https://e.example/x"]).text)["outcome"] as? String
                    == "open")
        }
    }

    @Test("a signed file is unwrapped")
    func signedFile() throws {
        let (key, certificate) = ("\(sample.folder.path)/key.pem", "\(sample.folder.path)/cert.pem")
        try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=signer",
            "-keyout", key, "-out", certificate,
        ])
        let signed = "\(sample.folder.path)/signed"
        try Shell.run([
            "openssl", "cms", "-sign", "-nodetach", "-binary", "-in", file, "-signer", certificate, "-inkey", key,
            "-outform",
            "DER", "-out", signed,
        ])
        let answer = try object(route([signed, "--format", "json", "https://example.com/news/1"]).text)
        #expect(answer["outcome"] as? String == "open")
        #expect((answer["rule"] as? [String: Any])?["line"] as? Int == 9)

        try Data([UInt8](try Data(contentsOf: URL(fileURLWithPath: signed)).prefix(200))).write(
            to: URL(fileURLWithPath: "\(signed).cut"))
        let cut = try route(["\(signed).cut", "https://example.com/"])
        #expect(cut.status == 65)
        #expect(cut.errors.contains("[unreadable-signature]"))
    }

    @Test("the file may come from standard input, but not together with the URLs")
    func fileFromStandardInput() throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let outcome = try route(["-", "--format", "json", "https://example.com/news/1"], input: text)
        #expect(try object(outcome.text)["outcome"] as? String == "open")
        #expect(try route(["-", "-"], input: text).status == 64)
    }

    @Test("colors are shown when they are wanted, and control characters never reach the terminal")
    func style() throws {
        #expect(try route([file, "--color", "always", "https://e.example/news/1"]).text.contains("\u{1B}[32mopen"))
        let text = try route([file, "https://e.example/\u{1B}[31mred\n"]).text
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("\\x1b[31mred"))
    }

    @Test("a usage error is one sentence, with nothing of the arguments that steers the terminal")
    func usageErrors() throws {
        let domain = try route([file, "--domain", "a b", "https://example.com/"])
        #expect(
            domain.errors == """
                error: --domain: 'a b' is not a domain; expected a name like example.com or *.example.com, without scheme, \
                port and path
                help: see 'aasa route --help'

                """)
        for arguments in [["--format", "a\u{1B}[31mb"], ["--a\u{1B}[31mb"], ["--domain", "a\u{1B}[31mb"]] {
            let outcome = try route([file, "https://example.com/"] + arguments)
            #expect(outcome.status == 64)
            #expect(!outcome.errors.contains("\u{1B}"))
            #expect(outcome.errors.contains("\\x1b"))
        }
    }

    @Test("marks of direction and separators of lines are shown, not obeyed")
    func directionMarks() throws {
        let text = try route([file, "https://e.example/a\u{202E}b\u{2028}c\u{200B}"]).text
        #expect(text.contains("a\\u{202e}b\\u{2028}c\\u{200b}"))
    }

    @Test("only what makes a file unusable is reported, with notes and what to do")
    func fatalFindings() throws {
        let padding = String(repeating: " ", count: 140_000)
        let broken = try sample.folder.write("{\"a\": 1, \"a\": 2,}\(padding)", to: "broken-large.json")
        let outcome = try route([broken, "https://example.com/"])
        #expect(outcome.status == 65)
        #expect(!outcome.errors.contains("file-too-large") && !outcome.errors.contains("duplicate-key"))
        #expect(outcome.errors.contains("[trailing-comma]\n   |\n 1 | {\"a\": 1, \"a\": 2,}"))
        #expect(outcome.errors.contains("\n   = help: delete the comma\n"))

        let many = try sample.folder.write("[" + String(repeating: "01,", count: 40) + "1]", to: "many.json")
        #expect(try route([many, "https://example.com/"]).errors.contains("   = note: "))
    }

    @Test("a file over 16 MiB is not read")
    func hugeFile() throws {
        let huge = "\(sample.folder.path)/huge.json"
        _ = FileManager.default.createFile(atPath: huge, contents: Data(repeating: 0x78, count: (16 << 20) + 1))
        let outcome = try route([huge, "https://example.com/"])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("huge.json:1:1: error: the file has more than 16,777,216 bytes and is not read"))
    }

    @Test("answers that cannot be written are exit 74")
    func fullDisk() throws {
        let outcome = try Shell.run([
            "sh", "-c", "'\(RunningServer.executable)' route '\(file)' https://e.example/ >/dev/full",
        ])
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot write the result"))
    }

    @Test("a line of megabytes is a URL like any other")
    func longLine() throws {
        let url = "https://example.com/news/" + String(repeating: "x", count: 3_000_000)
        let outcome = try route([file, "-"], input: "\(url)\nhttps://example.com/y\n")
        #expect(outcome.text.hasPrefix("open "))
        #expect(outcome.text.hasSuffix("stays in browser  https://example.com/y\n"))
    }

    @Test("bytes that are not UTF-8 are decided and explained as they are")
    func invalidBytes() throws {
        let decoded = try sample.folder.write(
            #"{"applinks":{"details":[{"appIDs":["A.a"],"components":[{"/":"/?","percentEncoded":false}]}]}}"#,
            to: "d.json")
        let outcome = try Shell.run(
            [RunningServer.executable, "route", decoded, "--explain", "--format", "json", "-"],
            input: Data(Array("https://e.example/".utf8) + [0xFF, 0x0A]))
        let answer = try object(outcome.text)
        #expect(answer["outcome"] as? String == "open")
        #expect((answer["trace"] as? [[String: Any]])?.first?["matched"] as? Bool == true)
    }

    @Test("empty lines among URLs are skipped")
    func emptyLines() throws {
        let outcome = try route([file, "-"], input: "\n  \nhttps://e.example/y\r\n\r\n\t\nhttps://e.example/\n\n")
        #expect(outcome.status == 0)
        #expect(outcome.text == "stays in browser  https://e.example/y\nstays in browser  https://e.example/\n")
    }

    @Test("a URL that misses a rule by one thing has a hint with that rule")
    func hints() throws {
        func hint(_ url: String, _ arguments: String...) throws -> [String: Any]? {
            try object(route([file, "--format", "json", url] + arguments).text)["hint"] as? [String: Any]
        }
        let letterCase = try #require(try hint("https://example.com/Buy/7?product=x"))
        #expect(letterCase["difference"] as? String == "letterCase")
        #expect(letterCase["url"] as? String == "https://example.com/buy/7?product=x")
        #expect((letterCase["rule"] as? [String: Any])?["line"] as? Int == 7)
        let www = try #require(try hint("https://www.example.com/news/1", "--domain", "example.com"))
        #expect(www["difference"] as? String == "host")
        #expect(www["url"] as? String == "https://example.com/news/1")
        #expect(try hint("https://example.com/other") == nil)
        #expect(try hint("https://example.com/news/1") == nil)
        // What is excluded on purpose has no hint.
        #expect(try hint("https://example.com/help/1") == nil)

        let text = try route([file, "https://example.com/Buy/7?product=x"]).text
        #expect(
            text == """
                stays in browser  https://example.com/Buy/7?product=x
                                  no rule matches
                                  hint: line 7 (/buy/*  ? product=?*) would open it with "caseSensitive": false, or as \
                https://example.com/buy/7?product=x

                """)
        // A stream of URLs is answered without, unless it is to be explained.
        let stream = "https://example.com/Buy/7?product=x\n"
        #expect(try object(route([file, "--format", "json", "-"], input: stream).text)["hint"] == nil)
        #expect(
            try object(route([file, "--format", "json", "--explain", "-"], input: stream).text)["hint"]
                is [String: Any])
    }
}
