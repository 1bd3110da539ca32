import Foundation
import TestSupport
import Testing

/// The checks of live domains in `aasa console`, against sites, an Apple and a Google of our own (console.md, sections 3 and 4).
@Suite("aasa console, live domains", .waiting)
struct LiveConsoleTests {
    private let tool: BuiltTool
    private let network: StubNetwork

    init() throws {
        tool = try BuiltTool()
        network = try StubNetwork()
    }

    private func start(_ arguments: String...) throws -> RunningConsole {
        try RunningConsole(arguments + network.options, in: tool.folder.url)
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    /// The bytes that the playground begins with.
    private static func text(_ page: String) throws -> String {
        let encoded = try #require(page.firstMatch(of: #/data-base64="([^"]*)"/#)?.1)
        return String(decoding: try #require(Data(base64Encoded: String(encoded))), as: UTF8.self)
    }

    @Test("a check has what the command prints, and the file that came opens in the playground")
    func check() throws {
        let site = try network.site("shop.example", .good)
        site.answer(StubNetwork.assetLinks, with: .json(StubNetwork.goodStatements))
        network.appleHas(site.authority)
        let console = try start()
        let (status, body) = try console.post("doctor", ["domain": "https://\(site.authority)/buy/7"])
        let (report, printed) = (
            try Self.object(body),
            try tool.doctor(["--format", "json", "https://\(site.authority)/buy/7"], network: network).object()
        )
        #expect(status == 200 && Set(report.keys) == Set(printed.keys))
        let domains = try #require(report["domains"] as? [[String: Any]])
        let others = try #require(printed["domains"] as? [[String: Any]])
        #expect(domains.count == 1 && Set(domains[0].keys) == Set(others[0].keys))
        let codes = [domains, others].map { ($0[0]["diagnostics"] as? [[String: Any]])?.map { $0["code"] as? String } }
        #expect(codes[0] == codes[1])
        #expect(domains[0]["files"] as? [String] == ["apple-app-site-association", "assetlinks.json"])
        let links = try #require(domains[0]["links"] as? [[String: Any]])
        #expect(links.first?["outcome"] as? String == "open")

        let authority = site.authority.replacingOccurrences(of: ":", with: "%3A")
        let page = try console.ask("GET", "console/playground?live=\(authority)")
        #expect(page.status == 200 && page.text.contains(#"value="shop.example""#))
        #expect(try Self.text(page.text) == StubNetwork.goodFile)
        #expect(
            page.text.contains("data-assetlinks=\"\(Data(StubNetwork.goodStatements.utf8).base64EncodedString())\""))
        #expect(try console.ask("GET", "console/playground?live=other.example").status == 404)
    }

    @Test("a file with errors opens, too; a link needs no scheme, and nothing is kept of a host without a file")
    func faulty() throws {
        let site = try network.site("shop.example", .good)
        site.answer(StubNetwork.wellKnown, with: .json(#"{"applinks": {"details": [}}"#))
        let console = try start()
        func check(_ target: String) throws -> [String: Any] {
            let report = try Self.object(try console.post("doctor", ["domain": target]).text)
            return try #require((report["domains"] as? [[String: Any]])?.first)
        }
        let page = "console/playground?live=\(site.authority.replacingOccurrences(of: ":", with: "%3A"))"
        let domain = try check("\(site.authority)/buy/7")
        #expect(domain["status"] as? String == "error" && (domain["links"] as? [Any])?.count == 1)
        #expect(try Self.text(try console.ask("GET", page).text) == #"{"applinks": {"details": [}}"#)
        site.answer(StubNetwork.wellKnown, with: .status(404))
        #expect(try check(site.authority)["files"] as? [String] == [])
        #expect(try console.ask("GET", page).status == 404)
    }

    @Test("private addresses and IP addresses are refused as by the command, and what is no target says so")
    func addresses() throws {
        let site = try network.site("shop.example", .good)
        let options = network.options.filter { $0 != "--allow-private" && !$0.hasPrefix("http:") }
            .filter { $0 != "--cdn" && $0 != "--google" }
        let console = try RunningConsole(options + ["--no-cdn", "--no-google"], in: tool.folder.url)
        let refused = try console.post("doctor", ["domain": site.authority])
        #expect(refused.status == 200 && refused.text.contains("dns-private-address"))
        #expect(site.requests.isEmpty)
        for (target, words) in [
            ("127.0.0.1", "is an IP address"), ("2130706433", "is an IP address"),
            ("ftp://shop.example", "has the scheme"),
            ("a b", "host name"), ("", "has no host"), ("-", "is not a domain"),
            ("/etc/passwd", "has no host"),
        ] {
            let (status, text) = try console.post("doctor", ["domain": target])
            let error = try #require(try Self.object(text)["error"] as? [String: Any], "\(text)")
            #expect(status == 200 && (error["message"] as? String)?.contains(words) == true, "\(target): \(text)")
        }
    }

    @Test("GET contacts nobody, whoever has led to the page")
    func pages() throws {
        let site = try network.site("shop.example", .good)
        let console = try start("https://\(site.authority)/buy/7")
        #expect(console.query == "domain=https%3A%2F%2Fshop.example%3A\(site.port)%2Fbuy%2F7")
        let path = "console/doctor?\(console.query ?? "")"
        for fields in [[], ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: same-origin"]] {
            let page = try console.ask("GET", path, fields)
            #expect(page.status == 200 && page.text.contains("value=\"https://\(site.authority)/buy/7\""))
            #expect(page.text.contains(" data-run") == (fields.first?.hasSuffix("same-origin") ?? false))
        }
        #expect(site.requests.isEmpty && network.apple.requests.isEmpty)
        #expect(try console.ask("GET", "api/v1/doctor?domain=shop.example").status == 405)
    }

    @Test("a domain and files together: the files are shown, and the URL is that of the check")
    func together() throws {
        try tool.write(BuiltTool.sound, to: "apple-app-site-association")
        let console = try start("shop.example", "apple-app-site-association")
        #expect(console.query == "domain=shop.example")
        #expect(try console.ask("GET", "console/files/1").status == 200)
        // What exists as a file is a file.
        try tool.write(BuiltTool.sound, to: "other.example")
        let files = try start("other.example")
        #expect(files.query == nil)
        #expect(try files.ask("GET", "console/files/1").status == 200)
    }

    @Test(
        "options of the doctor are looked at before anything listens",
        arguments: [
            (["--resolve", "x"], 64, "--resolve"), (["--cdn", "http://example.com"], 64, "--cdn"),
            (["--ca-file", "nosuch.pem"], 66, "nosuch.pem"), (["--ca-file", "empty.pem"], 65, "empty.pem"),
            (["--parallel", "2"], 64, "--parallel"),
        ] as [([String], Int32, String)])
    func options(arguments: [String], status: Int32, words: String) throws {
        try tool.write("no certificate", to: "empty.pem")
        let outcome = try tool.run(["console"] + arguments)
        #expect(outcome.status == status && outcome.output.isEmpty && outcome.errors.contains(words), "\(outcome)")
    }
}
