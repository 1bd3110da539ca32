import AssociationConsole
import AssociationLint
import ConsoleSamples
import Diagnostics
import Foundation
import FuzzingSupport
import HTTP1
import ServiceHealth
import SystemSupport
import Testing

/// The pages (console.md, section 3).
struct ConsolePagesTests {
    private static let responder = ConsoleResponder(
        rules: RuleRegistry.catalogue, version: "1.2.3", unwrap: { _ in nil }, refusal: { _, _, _ in nil })

    private static let paths = [
        "", "console", "console/", "console/sites", "console/sites?q=site-000&sort=certificate&order=desc",
        "console/sites?offset=50&problem=stale",
        "console/sites/site-00001.example", "console/sites/site-00061.example?url=https://site-00061.example/buy/7",
        "console/sites/site-00000.example?url=https://x/%3Cb%3E", "console/sites/site-00003.example",
        "console/sites/_wildcard.wild.example", "console/sites/nobody.example", "console/playground",
        "console/playground?site=site-00001.example", "console/certificates", "console/certificates?offset=50",
        "console/doctor", "console/doctor?domain=%3Cb%3E", "console/fleet", "console/fleet?before=100",
        "console/fleet?before=3", "console/fleet/812", "console/fleet/810", "console/fleet/3", "console/fleet/900",
        "console/metrics", "console/rules", "console/rules?q=team", "console/rules/dead-exclude",
    ]

    static func answer(_ target: String, _ content: ConsoleContent) throws -> ConsoleAnswer {
        let head = "GET /\(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let request = try #require(ConsoleRequest(parsing: head.utf8))
        return responder.answer(request, content, now: SampleServer.now)
    }

    private func view(_ target: String, _ content: ConsoleContent) throws -> Markup {
        let answer = try Self.answer(target, content)
        #expect(answer.contentType == "text/html; charset=utf-8")
        return try Markup(String(decoding: answer.body, as: UTF8.self))
    }

    @Test("every page has the same elements whatever the data says", arguments: TestSeeds.of(1...6))
    func structure(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let plain = ConsoleContent.server(SampleServer(sites: 100, texts: HostileTexts(all: "plain"), hasStore: true))
        let texts = HostileTexts(all: Self.hostile(&random))
        let hostile = ConsoleContent.server(SampleServer(sites: 100, texts: texts, hasStore: true))
        // The findings in a file depend on what is in it, so its lists are compared with nothing.
        for path in Self.paths
        where !path.contains("site-00061") && !path.contains("site-00000") && !path.contains("_wildcard") {
            let (one, other) = (try view(path, plain), try view(path, hostile))
            #expect(one.elements == other.elements, "\(path), seed \(seed)")
        }
        for path in Self.paths { try check(try view(path, hostile), "\(path), seed \(seed)") }
    }

    private static func hostile(_ random: inout SplitMix64) -> String {
        let pieces = [
            "<", ">", "\"", "'", "&", "&lt;", "<script>", "</script>", "<!--", "-->", "]]>", "</li>",
            "<img src=x onerror=a>",
            "javascript:", "\u{202E}", "\u{0}", "\u{1}", "\u{9B}", "\u{FEFF}", "{{", "}}", "${", "\\", "/", "é", "💥",
            " ", "\n", "\r",
            "</textarea>", "</title>", "`", "=",
        ]
        return (0..<random.number(1...12)).map { _ in random.pick(pieces) }.joined()
    }

    /// The rules that hold for each page.
    private func check(_ page: Markup, _ path: String) throws {
        #expect(page.count("main") == 1 && page.count("h1") == 1, "\(path)")
        // Below, titles are the tips of charts.
        #expect(page.tags.prefix { $0.name != "body" }.count { $0.name == "title" } == 1, "\(path)")
        #expect(page.count("style") == 0 && page.count("img") == 0 && page.count("iframe") == 0, "\(path)")
        let scripts = page.tags.filter { $0.name == "script" }
        let isScripted = path.hasPrefix("console/playground") || path.hasPrefix("console/doctor")
        #expect(scripts.count == (isScripted ? 2 : 1), "\(path)")
        var names: Set<String> = []
        for tag in page.tags {
            for (name, value) in tag.attributes {
                #expect(!name.hasPrefix("on") && name != "style", "\(path): \(tag.name) \(name)")
                if name == "id" { #expect(names.insert(value).inserted, "\(path): #\(value)") }
                guard name == "href" || name == "src" || name == "action" else { continue }
                #expect(!value.contains(":"), "\(path): \(value)")
            }
        }
        for tag in page.tags where tag.name == "label" {
            #expect(names.contains(tag.attributes["for"] ?? ""), "\(path): label for \(tag.attributes["for"] ?? "")")
        }
        #expect(
            !page.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0 == "\u{202E}" },
            "\(path)")
    }

    @Test("the frame says where one is, and what the page is about")
    func frame() throws {
        let content = ConsoleContent.server(SampleServer(sites: 100))
        for (path, title, link) in [
            ("console/", "Health", "./"), ("console", "Health", "console/"), ("", "Health", "console/"),
            ("console/sites", "Sites", "sites"), ("console/metrics", "Metrics", "metrics"),
            ("console/certificates", "Certificates", "certificates"),
        ] {
            let page = try view(path, content)
            #expect(page.text.contains("\(title) – aasa console"))
            let current = page.tags.first { $0.attributes["aria-current"] == "page" }
            #expect(current?.attributes["href"] == link, "\(path)")
            let first = page.tags.first { $0.name == "a" }
            #expect(first?.attributes["href"] == "#main" && page.text.contains("aasa 1.2.3"))
        }
    }

    @Test("codes are listed, found by words and explained, and a finding leads to its code")
    func rules() throws {
        let content = ConsoleContent.server(SampleServer(sites: 100))
        func codes(_ query: String) throws -> [String] {
            try view("console/rules\(query)", content).tags.compactMap { $0.attributes["data-code"] }
        }
        let all = RuleRegistry.catalogue.rules.map(\.code.rawValue)
        #expect(try codes("") == all)
        let found = try codes("?q=dead-exclude")
        #expect(found.contains("dead-exclude") && found.count < all.count)
        #expect(try view("console/rules?q=nosuchword", content).text.contains("No code is about this."))
        let page = try view("console/rules/dead-exclude", content)
        let rule = try #require(RuleRegistry.catalogue["dead-exclude"])
        #expect(page.text.contains(rule.summary) && page.text.contains("Bad") && page.text.contains("Good"))
        #expect(page.tags.contains { $0.attributes["href"] == "../rules" })
        #expect(try Self.answer("console/rules/nosuch", content).status == .notFound)
        let site = try view("console/sites/site-00061.example", content)
        let links = site.tags.compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("../rules/") }
        #expect(!links.isEmpty)
        for link in links { #expect(all.contains(String(link.dropFirst("../rules/".count)))) }
    }

    @Test("sites are sorted, filtered and paginated, and the page stays small")
    func sites() throws {
        let content = ConsoleContent.server(SampleServer())
        func domains(_ query: String) throws -> [String] {
            try view("console/sites?\(query)", content).tags.compactMap { $0.attributes["data-domain"] }
        }
        #expect(try domains("").count == 50)
        #expect(try domains("").first == "*.wild.example")
        #expect(try domains("order=desc").first == "site-09999.example")
        #expect(try domains("q=SITE-0999").first == "site-09990.example")
        #expect(try domains("state=no-certificate").first == "site-00131.example")
        #expect(try domains("sort=nonsense&q=09999") == ["site-09999.example"])
        #expect(try domains("q=%3Cb%3E").isEmpty)
        #expect(try domains("problem=stale").first == "*.wild.example")
        #expect(try domains("problem=stale&state=published").isEmpty)
        let page = try view("console/sites?sort=findings&order=desc", content)
        #expect(page.text.contains("1–50 of 10,001"))
        #expect(
            page.tags.contains { $0.attributes["rel"] == "next" }
                && !page.tags.contains { $0.attributes["rel"] == "prev" })
        #expect(page.tags.first { $0.attributes["aria-sort"] != nil }?.attributes["aria-sort"] == "descending")
        for sort in ["domain", "state", "certificate", "fetch", "findings"] {
            #expect(try Self.answer("console/sites?sort=\(sort)", content).body.count <= 60_000)
        }
    }

    @Test("a site shows its file with the findings at their lines, and what a link does by which line")
    func site() throws {
        let content = ConsoleContent.server(SampleServer(sites: 100))
        let page = try view("console/sites/SITE-00001.example?url=https://site-00001.example/buy/7", content)
        #expect(page.tags.first { $0.attributes["id"] == "decision" }?.attributes["data-outcome"] == "open")
        #expect(page.tags.first { $0.attributes["id"] == "android" } != nil)
        #expect(page.tags.first { $0.attributes["aria-current"] == "true" }?.attributes["id"] == "L8")
        #expect(page.tags.contains { $0.name == "mark" && $0.attributes["data-code"] == "dead-exclude" })
        #expect(page.tags.filter { $0.attributes["data-matched"] == "true" }.count == 1)
        let near = try view("console/sites/site-00001.example?url=https://site-00001.example/Buy/7", content)
        #expect(near.tags.contains { $0.attributes["data-change"] == "letter-case" })
        let stale = try view("console/sites/site-00061.example", content)
        #expect(stale.text.contains("Served") && stale.text.contains("Rejected"))
        #expect(try view("console/sites/site-00003.example", content).text.contains("The store does not answer."))
        #expect(try Self.answer("console/sites/nobody.example", content).status == .notFound)
    }

    @Test("a site shows each of its files with its URL, how its certificate is judged, its doctor, and its versions")
    func files() throws {
        let content = ConsoleContent.server(SampleServer(sites: 200))
        for (site, host, judgement) in [
            ("site-00061.example", "site-00061.example", "ok"),
            ("site-00131.example", "site-00131.example", "critical"),
            ("_wildcard.wild.example", "www.wild.example", "critical"),
        ] {
            let page = try view("console/sites/\(site)", content)
            for name in ["apple-app-site-association", "assetlinks.json"] {
                #expect(page.tags.contains { $0.attributes["data-file"] == name }, "\(site)")
                #expect(page.text.contains("https://\(host)/.well-known/\(name)"), "\(site)")
            }
            let links = page.tags.compactMap { $0.attributes["href"] }
            #expect(links.contains("../doctor?domain=\(host)"), "\(site)")
            // Where a link within the page leads to is there.
            let names = page.tags.compactMap { $0.attributes["id"] }
            for link in links where link.hasPrefix("#") { #expect(names.contains(String(link.dropFirst())), "\(link)") }
            let certificate = page.tags.first { $0.attributes["id"] == "certificate" }
            #expect(certificate?.attributes["data-severity"] == judgement, "\(site)")
        }
        let page = try view("console/sites/site-00131.example", content)
        #expect(page.text.contains("no certificate: nobody can fetch this file"))
        #expect(page.text.contains("U+202E") && page.text.contains("ci@build-4"))
    }

    @Test(
        "the playground opens exactly the version that a link stands beside, and without a name the newest one",
        arguments: ["site-00061.example", "site-00000.example", "site-00001.example"])
    func playground(site: String) throws {
        let texts = HostileTexts(all: "plain")
        let content = ConsoleContent.server(SampleServer(sites: 100, texts: texts))
        func opened(_ query: String) throws -> (name: String?, text: String?) {
            let start = try view("console/playground?\(query)", content).tags.first {
                $0.attributes["id"] == "playground"
            }
            return (
                start?.attributes["data-name"],
                start?.attributes["data-base64"].flatMap { Data(base64Encoded: $0) }.map {
                    String(decoding: $0, as: UTF8.self)
                }
            )
        }
        let page = try view("console/sites/\(site)", content)
        let links = page.tags.compactMap { $0.attributes["href"] }.filter { $0.contains("playground?") }
        let (isStale, isRefused) = (site == "site-00061.example", site == "site-00000.example")
        var opens: [String] = []
        for link in links {
            let query = String(link.split(separator: "?")[1])
            let (name, text) = try opened(query)
            #expect(query.contains("&file=\(name ?? "")&version="), "\(query)")
            let expected = query.hasSuffix("=rejected") ? texts.file : SampleServer.file
            if name == "apple-app-site-association" { #expect(text == expected, "\(query)") }
            opens.append(text ?? "")
        }
        #expect(opens.count == (isStale ? 3 : 2) && Set(opens).count == opens.count, "\(links)")
        #expect(try opened("site=\(site)").text == (isStale || isRefused ? texts.file : SampleServer.file))
        for query in ["file=nothing", "file=assetlinks.json&version=rejected", "version=other"] {
            #expect(
                try Self.answer("console/playground?site=\(site)&\(query)", content).status == .notFound, "\(query)")
        }
        #expect(try Self.answer("console/playground?site=nobody.example", content).status == .notFound)
    }

    @Test("a rejected file whose text is not here is not opened: the served one is, and no link offers the other")
    func unreadable() throws {
        let content = ConsoleContent.server(OneSite(served: Array(SampleServer.file.utf8), rejected: []))
        let playground = try view("console/playground?site=one.example", content)
        #expect(playground.tags.contains { $0.attributes["data-base64"]?.hasPrefix("ewogICJhcHBsaW5rcyI6") == true })
        let links = try view("console/sites/one.example", content).tags.compactMap { $0.attributes["href"] }
        #expect(links.filter { $0.contains("playground?") }.map { $0.hasSuffix("&version=served") } == [true])
    }

    @Test("a site's file that is too large for the playground is not replaced by the example")
    func large() throws {
        let bytes = [UInt8](repeating: 0x20, count: 190_001)
        let page = try view(
            "console/playground?site=one.example", .server(OneSite(served: bytes, rejected: nil)))
        #expect(page.text.contains("The file is larger than the playground takes"))
        #expect(!page.tags.contains { $0.attributes["id"] == "playground" })
    }

    @Test("a manifest is shown with its findings, which are counted, and is not decided as an association file")
    func manifest() throws {
        let content = ConsoleContent.files(SomeFiles(files: ["app/AndroidManifest.xml": "<manifest>\n</manifest>"]))
        #expect(try view("console/", content).text.contains("1 error, 1 warning"))
        let page = try view("console/files/1?url=https://a.b/", content)
        #expect(page.text.contains("1 error, 1 warning") && !page.text.contains("No findings"))
        #expect(page.tags.contains { $0.name == "mark" && $0.attributes["data-code"] == "manifest-host-form" })
        #expect(!page.tags.contains { ["try", "decision"].contains($0.attributes["id"]) })
        #expect(page.tags.contains { $0.attributes["href"]?.contains("playground?file=1") == true })
    }

    @Test("the line of an assetlinks.json that decides is pointed out; without rules it is said what decides")
    func android() throws {
        let statement =
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
            + #""package_name":"com.shop.app","sha256_cert_fingerprints":["\#(Self.fingerprint)"]}"#
        let rules =
            ",\n" + #""relation_extensions":{"delegate_permission/common.handle_all_urls":"#
            + #"{"dynamic_app_link_components":["# + "\n" + #"{"/":"/help/*","exclude":true},"# + "\n"
            + #"{"/":"/buy/*"}]}}"#
        let content = ConsoleContent.files(
            SomeFiles(files: ["a/assetlinks.json": "\(statement)\(rules)}]", "b/assetlinks.json": "\(statement)}]"]))
        let decided = try view("console/files/1?url=https://shop.app/buy/7", content)
        #expect(decided.tags.first { $0.attributes["id"] == "android" }?.attributes["data-outcome"] == "open")
        #expect(decided.tags.first { $0.attributes["aria-current"] == "true" }?.attributes["id"] == "L4")
        let open = try view("console/files/2?url=https://shop.app/buy/7", content)
        #expect(open.tags.first { $0.attributes["id"] == "android" }?.attributes["data-outcome"] == "unknown")
        #expect(open.text.contains("it has no dynamic rules, so its manifest decides"))
        #expect(!open.text.contains("--manifest"))
    }

    private static let fingerprint = (0..<32).map { _ in "5A" }.joined(separator: ":")

    @Test("assets have a strong tag, and no page's own markup is large")
    func sizes() throws {
        let content = ConsoleContent.server(SampleServer(sites: 0, texts: HostileTexts(all: "")))
        for path in ["console/", "console/sites", "console/playground", "console/certificates", "console/doctor"] {
            #expect(try Self.answer(path, content).body.count <= 20_000, "\(path)")
        }
        var bytes = 0
        for name in ["console.css", "playground.css", "icon.svg"] + Self.scripts {
            let answer = try Self.answer("console/assets/\(name)", content)
            bytes += answer.body.count
            let tag = try #require(answer.fields.first { $0.name == "ETag" }?.value)
            #expect(tag.utf8.count == 66 && answer.status == .ok)
            let head = "GET /console/assets/\(name) HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"x\", \(tag)\r\n\r\n"
            let request = try #require(ConsoleRequest(parsing: head.utf8))
            let again = Self.responder.answer(request, content, now: 0)
            #expect(again.status == .notModified && again.body.isEmpty)
        }
        #expect(bytes <= 120_000)
    }

    private static let scripts = [
        "times.js", "text.js", "api.js", "editor.js", "findings.js", "links.js", "changes.js", "takeaway.js",
        "playground.js", "doctor.js",
    ]

    @Test("scripts make no markup of text, keep nothing, and handle no names of attributes")
    func scripts() throws {
        let content = ConsoleContent.server(SampleServer(sites: 0))
        let banned = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setTimeout(\"",
            "localStorage", "sessionStorage", "indexedDB", "document.cookie", "serviceWorker", "WebSocket", "srcdoc",
            "history.pushState", "history.replaceState", "location.hash =", "location.assign",
            "DOMParser", "createContextualFragment",
        ]
        for name in Self.scripts {
            let text = String(decoding: try Self.answer("console/assets/\(name)", content).body, as: UTF8.self)
            for word in banned { #expect(!text.contains(word), "\(name): \(word)") }
        }
        for name in ["console.css", "playground.css"] {
            let style = String(decoding: try Self.answer("console/assets/\(name)", content).body, as: UTF8.self)
            for word in ["@import", "url(", "http"] { #expect(!style.contains(word), "\(name): \(word)") }
        }
    }
}

/// A server of one site with these files.
private struct OneSite: ConsoleSource {
    let served: [UInt8]?
    let rejected: [UInt8]?

    var facts: HealthFacts {
        HealthFacts(sites: [SampleServer.site("one.example", rejected == nil ? .published : .stale, loadedAt: 0)])
    }
    var certificates: [CertificateFacts] { [] }
    var metricsHistory: MetricsHistory {
        MetricsHistory(end: 0, requests: [], appleFetches: [], handshakes: [], handshakeFailures: [])
    }

    func siteDocuments(of domain: String) -> SiteDocuments? {
        func document(_ bytes: [UInt8]) -> ConsoleDocument {
            ConsoleDocument(bytes: bytes, sha256: nil, report: FileReport(SourceText(bytes, path: "file"), []))
        }
        let file = SiteFileDocuments(
            SiteState.File.association, served: served.map(document), rejected: rejected.map(document))
        return SiteDocuments([file])
    }
    func versions(of domain: String) -> ConsoleVersions { .none }
    func doctor(_ domain: String) -> DoctorAnswer { .unavailable }
}

/// Files of `aasa console`, of which each manifest has the same two findings.
private struct SomeFiles: ConsoleFiles {
    let files: [(path: String, text: String)]
    var domain: String? { nil }
    var paths: [String] { files.map(\.path) }

    init(files: KeyValuePairs<String, String>) {
        self.files = files.map { ($0.key, $0.value) }
    }

    func content(at index: Int) -> Result<[UInt8], SystemError> { .success(Array(files[index].text.utf8)) }
    func doctor(_ target: String) -> DoctorAnswer { .unavailable }
    func live(_ authority: String) -> LiveFiles? { nil }

    func report(_ bytes: [UInt8], path: String) -> FileReport {
        let kind = FileKind(path: path, bytes)
        guard kind == .manifest else { return Linter().check(bytes, path: path, as: kind).report() }
        return FileReport(
            SourceText(bytes, path: path),
            [
                Diagnostic(
                    code: DiagnosticCode(rawValue: "manifest-host-form"), severity: .error, message: "one",
                    range: SourceRange(start: 0, end: 9)),
                Diagnostic(
                    code: DiagnosticCode(rawValue: "manifest-encoded-path"), severity: .warning, message: "two",
                    range: SourceRange(start: 11, end: 13)),
            ])
    }
}
