import AssociationConsole
import AssociationLint
import ConsoleSamples
import Diagnostics
import Foundation
import FuzzingSupport
import HTTP1
import SystemSupport
import Testing

/// The pages of the doctor and of a store, and the playground with what a check has got (console.md, section 3).
struct DoctorAndFleetTests {
    private static let server = ConsoleContent.server(SampleServer(sites: 100, hasStore: true))
    private static let checked = ConsoleContent.files(CheckedFiles())

    private static func view(
        _ target: String, _ content: ConsoleContent = server, fields: String = ""
    ) throws -> (status: Status, page: Markup) {
        let head = "GET /\(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
        let request = try #require(ConsoleRequest(parsing: head.utf8))
        let answer = responder.answer(request, content, now: SampleServer.now)
        return (answer.status, try Markup(String(decoding: answer.body, as: UTF8.self)))
    }

    private static let responder = ConsoleResponder(
        rules: RuleRegistry.catalogue, version: "1.2.3", unwrap: { _ in nil }, refusal: { _, _, _ in nil })

    // MARK: the doctor

    @Test(
        "a check begins by itself only where a page of the console has led to it",
        arguments: [
            ("console/doctor?domain=a.example", "same-origin", true), ("console/doctor", "same-origin", false),
            ("console/doctor?domain=a.example", "none", false),
            ("console/doctor?domain=a.example", "cross-site", false),
            ("console/doctor?domain=a.example", "same-site", false), ("console/doctor?domain=a.example", nil, false),
        ])
    func begins(target: String, site: String?, runs: Bool) throws {
        for content in [Self.server, Self.checked] {
            let (_, page) = try Self.view(target, content, fields: site.map { "Sec-Fetch-Site: \($0)\r\n" } ?? "")
            let form = try #require(page.tags.first { $0.attributes["id"] == "doctor" })
            #expect((form.attributes["data-run"] != nil) == runs)
            let field = page.tags.first { $0.attributes["id"] == "domain" }
            #expect(field?.attributes["name"] == "domain")
            if target.contains("?") { #expect(field?.attributes["value"] == "a.example") }
        }
    }

    @Test("the first page of files has the field, and the doctor is in its navigation")
    func firstPage() throws {
        let (_, page) = try Self.view("console/", Self.checked)
        let form = try #require(page.tags.first { $0.attributes["id"] == "doctor" })
        #expect(form.attributes["action"] == "doctor" && form.attributes["data-run"] == nil)
        #expect(page.tags.contains { $0.name == "a" && $0.attributes["href"] == "doctor" })
        #expect(!page.tags.contains { $0.attributes["href"] == "fleet" })
    }

    @Test("the API checks what is asked for, and says when another check runs")
    func check() throws {
        func post(_ body: String) throws -> (Int, String) {
            let head =
                "POST /api/v1/doctor HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            var request = try #require(ConsoleRequest(parsing: head.utf8))
            request.body = Array(body.utf8)
            let answer = Self.responder.answer(request, Self.checked, now: 0)
            return (Int(answer.status.rawValue), String(decoding: answer.body, as: UTF8.self))
        }
        #expect(try post(#"{"domain":"https://a.example/x"}"#) == (200, "https://a.example/x\n"))
        #expect(try post(#"{"domain":"busy"}"#).0 == 503)
        #expect(try post(#"{"domain":7}"#).0 == 400)
        #expect(try post("{}").1.contains("'domain' is missing"))
    }

    @Test("the playground opens the files of a check, the assetlinks.json where it is the only one")
    func live() throws {
        func start(_ host: String) throws -> [String: String] {
            let (status, page) = try Self.view("console/playground?live=\(host)", Self.checked)
            #expect(status == .ok)
            return try #require(page.tags.first { $0.attributes["id"] == "playground" }).attributes
        }
        let both = try start("a.example%3A8443")
        #expect(both["data-base64"] == Data("{}".utf8).base64EncodedString())
        #expect(both["data-assetlinks"] == Data("[]".utf8).base64EncodedString())
        let links = try start("links.example")
        #expect(links["data-base64"] == Data("[1]".utf8).base64EncodedString())
        #expect(links["data-name"] == "assetlinks.json" && links["data-assetlinks"] == nil)
        for host in ["none.example", "b.example", "%3Cb%3E"] {
            let (status, page) = try Self.view("console/playground?live=\(host)", Self.checked)
            #expect(status == .notFound && page.text.contains("are not kept here"))
        }
        // A server shows its own files.
        #expect(try !Self.view("console/playground?live=a.example").page.text.contains("are not kept here"))
    }

    // MARK: the fleet

    @Test("nodes have their state, their lag and the words of the command; problems are those of health")
    func nodes() throws {
        let (_, page) = try Self.view("console/fleet")
        let rows = page.tags.filter { $0.attributes["data-node"] != nil }
        #expect(rows.map { $0.attributes["data-state"] } == ["current", "behind", "silent"])
        for words in [
            "3 nodes, generation 812", "800, 12 behind",
            "not listening, 2 stale, 1 refused", "node 'edge-3' does not report itself",
            "3 of 4 expected nodes follow the store", "aasa store nodes --forget edge-3",
        ] {
            #expect(page.text.contains(words), "\(words)")
        }
        #expect(page.tags.contains { $0.attributes["href"] == "fleet" && $0.attributes["aria-current"] == "page" })
    }

    @Test("changes are listed, the newest first, 50 on a page")
    func changes() throws {
        func generations(_ query: String) throws -> (numbers: [String], older: String?) {
            let (_, page) = try Self.view("console/fleet\(query)")
            return (
                page.tags.compactMap { $0.attributes["data-generation"] },
                page.tags.first { $0.attributes["rel"] == "next" }?.attributes["href"]
            )
        }
        let first = try generations("")
        #expect(first.numbers.first == "812" && first.numbers.count == 50 && first.older == "fleet?before=763")
        let second = try generations("?before=763")
        #expect(second.numbers.first == "762" && second.numbers.count == 50)
        let last = try generations("?before=10")
        #expect(last.numbers.last == "0" && last.numbers.count == 10 && last.older == nil)
        #expect(try generations("?before=0").numbers.isEmpty)
        #expect(try generations("?before=x").numbers == first.numbers)
        let text = try Self.view("console/fleet").page.text
        #expect(text.contains("1,200 files") && text.contains("1 certificate"))
    }

    @Test("a change shows what it does to links; a store that does not answer is no error")
    func change() throws {
        let (_, page) = try Self.view("console/fleet/812")
        #expect(page.tags.compactMap { $0.attributes["data-kind"] } == ["opens", "no longer opens"])
        #expect(page.text.contains("old: no rule of version 6 matches") && page.text.contains("version 1, new"))
        #expect(page.tags.contains { $0.attributes["href"] == "../fleet" })
        #expect(try Self.view("console/fleet/900").status == .notFound)
        for target in ["console/fleet/3", "console/fleet?before=3"] {
            let (status, page) = try Self.view(target)
            #expect(status == .ok && page.text.contains("The store does not answer."), "\(target)")
        }
        // The nodes are known all the same.
        #expect(try Self.view("console/fleet?before=3").page.tags.contains { $0.attributes["data-node"] == "edge-1" })
    }

    @Test("without a store there is no fleet")
    func none() throws {
        let content = ConsoleContent.server(SampleServer(sites: 100))
        #expect(try Self.view("console/fleet", content).status == .notFound)
        #expect(try Self.view("console/fleet/1", content).status == .notFound)
        #expect(try !Self.view("console/", content).page.tags.contains { $0.attributes["href"] == "fleet" })
    }
}

/// `aasa console` without files, with what two checks have got.
private struct CheckedFiles: ConsoleFiles {
    var domain: String? { nil }
    var paths: [String] { [] }

    func content(at index: Int) -> Result<[UInt8], SystemError> { .success([]) }
    func report(_ bytes: [UInt8], path: String) -> FileReport { FileReport(SourceText(bytes, path: path), []) }

    func doctor(_ target: String) -> DoctorAnswer { target == "busy" ? .busy(retryAfter: 5) : .report(target) }

    func live(_ authority: String) -> LiveFiles? {
        switch authority {
        case "a.example:8443": LiveFiles(host: "a.example", Array("{}".utf8), Array("[]".utf8))
        case "links.example": LiveFiles(host: "links.example", nil, Array("[1]".utf8))
        case "none.example": LiveFiles(host: "none.example", nil, nil)
        default: nil
        }
    }
}
