import Foundation
import TestSupport
import Testing

/// `aasa console` from outside (console.md, section 1).
@Suite("aasa console", .waiting)
struct ConsoleCommandTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(BuiltTool.sound, to: "apple-app-site-association")
        try tool.write(BuiltTool.faulty, to: "other.json")
    }

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> RunningConsole {
        try RunningConsole(arguments, in: tool.folder.url, environment: environment)
    }

    @Test(
        "one line of output is the URL, the rest of the port is 404, and a signal ends it with 0",
        arguments: [SIGINT, SIGTERM])
    func url(signal: Int32) throws {
        let console = try start("apple-app-site-association", "other.json")
        #expect(console.url.wholeMatch(of: #/http://127\.0\.0\.1:\d+/[0-9a-f]{32}/console//#) != nil)
        let page = try console.ask("GET", "console/")
        #expect(page.status == 200 && page.text.contains("other.json") && page.text.contains("1 error"))
        #expect(page["Cache-Control"] == "no-store" && page["X-Frame-Options"] == "DENY")
        let wrong = console.base.replacingOccurrences(of: console.base.dropFirst(1).prefix(1), with: "x")
        for path in ["/", "/console/", "/api/v1/validate", "\(wrong)console/", console.base, "\(console.base)x"] {
            let answer = try console.ask(raw: "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(answer.status == 404 && answer["Content-Type"]?.hasPrefix("text/plain") == true, "\(path)")
        }
        let end = console.end(signal)
        #expect(end.status == 0 && end.output.isEmpty && end.errors.isEmpty, "\(end)")
    }

    @Test("each start has another secret")
    func secret() throws {
        #expect(try start().base != start().base)
    }

    @Test("files are read again for each page, and never written")
    func files() throws {
        let console = try start("apple-app-site-association", "--domain", "shop.app")
        #expect(try console.ask("GET", "console/files/1").text.contains("no findings"))
        try tool.write(BuiltTool.faulty, to: "apple-app-site-association")
        let page = try console.ask("GET", "console/files/1")
        #expect(page.text.contains("1 error") && page.text.contains("data-severity=\"error\""))
        #expect(try tool.text("apple-app-site-association") == BuiltTool.faulty)
        try FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent("apple-app-site-association"))
        #expect(try console.ask("GET", "console/files/1").text.contains("cannot be read: no such file"))
        #expect(try console.ask("GET", "console/files/2").status == 404)
        #expect(try console.ask("GET", "console/playground?file=1").status == 200)
    }

    @Test("a folder is searched, and a link is decided for the domain that is given")
    func folder() throws {
        let file = #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/buy/*"}]}]}}"#
        try tool.write(file, to: "site/.well-known/apple-app-site-association")
        try tool.write("[]", to: "site/.well-known/assetlinks.json")
        let console = try start("site", "--domain", "shop.app")
        #expect(try console.ask("GET", "console/").text.contains("site/.well-known/assetlinks.json"))
        let opens = try console.ask("GET", "console/files/1?url=https%3A%2F%2Fshop.app%2Fbuy%2F7").text
        #expect(opens.contains(#"data-outcome="open""#) && opens.contains(#"aria-current="true""#))
        let near = try console.ask("GET", "console/files/1?url=https%3A%2F%2Fwww.shop.app%2Fbuy%2F7").text
        #expect(near.contains(#"data-outcome="noMatch""#) && near.contains(#"data-change="www""#))
    }

    @Test("a manifest that is named has the findings of aasa validate, and a damaged one says what it is")
    func manifest() throws {
        let sample = try AndroidSample()
        try sample.writeManifest(host: "https://shop.example", prefix: "buy")
        try sample.tool.write("<manifest>", to: "damaged/AndroidManifest.xml")
        let report = try sample.run(["validate", "--format", "json", "AndroidManifest.xml"]).object()
        let codes = (report["diagnostics"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
        #expect(codes.contains("manifest-host-form") && codes.contains("manifest-path-without-slash"))
        let console = try RunningConsole(
            ["AndroidManifest.xml", "damaged/AndroidManifest.xml"], in: sample.tool.folder.url)
        let page = try console.ask("GET", "console/files/1").text
        for code in codes { #expect(page.contains(#"<code class="finding-code">\#(code)</code>"#), "\(code)") }
        #expect(page.contains("<mark data-code=\"manifest-host-form\""))
        #expect(page.components(separatedBy: "class=\"finding-code\"").count - 1 == codes.count)
        let files = try console.ask("GET", "console/").text
        #expect(!files.contains("no findings") && !files.contains("No findings"))
        let damaged = try console.ask("GET", "console/files/2").text
        #expect(damaged.contains("1 error") && damaged.contains("unreadable-file"))
    }

    @Test(
        "what cannot be shown is refused before anything listens",
        arguments: [
            (["nothing.json"], 66, "error: cannot read 'nothing.json'"),
            (["-"], 64, "error: standard input"),
            (["--listen", "0.0.0.0:0"], 64, "can be reached by other machines"),
            (["--listen", "192.0.2.1:80"], 64, "can be reached by other machines"),
            (["--listen", "localhost"], 64, "is not an address with a port"),
            (["--listen", "x"], 64, "is not an address"),
            (["--domain", "a b"], 64, "is not a domain"),
        ] as [([String], Int32, String)])
    func refusals(arguments: [String], status: Int32, message: String) throws {
        let outcome = try tool.run(["console"] + arguments)
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome)")
    }

    @Test("more than 100 files are too many, and a folder without any is missing something")
    func counts() throws {
        let many = try tool.run(["console"] + Array(repeating: "other.json", count: 101))
        #expect(many.status == 64 && many.errors.contains("101 files"))
        try FileManager.default.createDirectory(
            at: tool.folder.url.appendingPathComponent("empty"), withIntermediateDirectories: true)
        #expect(try tool.run("console", "empty").status == 66)
    }

    @Test("it listens on the address of --listen, and an address in use is 69")
    func listening() throws {
        let console = try start("--listen", "[::1]:0")
        #expect(console.url.hasPrefix("http://[::1]:"))
        let taken = try start("--listen", "localhost:0")
        let outcome = try tool.run("console", "--listen", "\(taken.port)")
        #expect(outcome.status == 69 && outcome.errors.contains("address already in use"), "\(outcome)")
        withExtendedLifetime(taken) {}
    }

    @Test("--open starts the browser without a shell, and goes on without one")
    func opening() throws {
        let folder = tool.folder.url.path
        try tool.folder.writeProgram("#!/bin/sh\necho \"$#:$1\" >'\(folder)/opened'\n", to: "xdg-open")
        let console = try start("--open", environment: ["PATH": "\(folder):/usr/bin:/bin"])
        #expect(Waiting.until { (try? tool.text("opened")) == "1:\(console.url)\n" })
        try tool.folder.writeProgram("#!/bin/sh\nexit 3\n", to: "xdg-open")
        let other = try start("--open", environment: ["PATH": "\(folder):/usr/bin:/bin"])
        #expect(other.waitForError("warning: 'xdg-open' cannot open the URL"))
        #expect(try other.ask("GET", "console/").status == 200)
        let none = try start("--open", environment: ["PATH": folder + "/nothing"])
        #expect(none.waitForError("warning: cannot start 'xdg-open'"))
        #expect(try none.ask("GET", "console/").status == 200)
    }
}
