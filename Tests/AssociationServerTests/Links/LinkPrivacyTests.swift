import AssociationServer
import DomainNames
import Foundation
import HTTP1
import TestSupport
import Testing

/// The things that are kept of visitors, and which types can be a redirect (docs/spec/server.md, section 2).
@Suite("Links and visitors", .waiting)
struct LinkPrivacyTests {
    @Test(
        "lines of links have a part of the address, and no query",
        arguments: [(.prefix, "127.0.0.0"), (.full, "127.0.0.1"), (.none, "-")]
            as [(ServerConfiguration.LinkAddresses, String)])
    func log(addresses: ServerConfiguration.LinkAddresses, shown: String) throws {
        // The lines of one loop are in the order of the requests.
        let linked = try LinkedServer { ($0.log.linkAddresses, $0.threads) = (addresses, 1) }
        for target in ["/summer?secret=1", "/go?secret", "/nothing?secret", "/_links/x?secret"] {
            _ = try linked.answer(target)
        }
        _ = try linked.answer("\(LinkedServer.association)?open")
        let lines = try linked.served.accessLog()
        #expect(
            lines.map { $0["target"] as? String } == [
                "/summer", "/go", "/nothing", "/_links/x", "\(LinkedServer.association)?open",
            ])
        #expect(lines.dropLast().allSatisfy { $0["address"] as? String == shown && $0["peer"] as? String == shown })
        #expect(lines.last?["address"] as? String == "127.0.0.1")
        #expect(lines.map { $0["status"] as? Int } == [200, 302, 404, 404, 200])
        #expect(lines.allSatisfy { $0["site"] as? String == "localhost" })
    }

    @Test(
        "the network of an address is its first 24 or 48 bits",
        arguments: [
            ("192.0.2.255", "192.0.2.0"), ("255.255.255.255", "255.255.255.0"), ("0.0.0.1", "0.0.0.0"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"), ("::1", "::"), ("fe80::ffff:1", "fe80::"),
        ])
    func network(address: String, network: String) throws {
        #expect(try #require(IPAddress(address)).network.description == network)
    }

    @Test("answers are counted by site and kind, with the names of the metric")
    func metrics() throws {
        let linked = try LinkedServer()
        for target in ["/summer", "/summer", "/go", "/stay", "/nothing", "/_links/x"] { _ = try linked.answer(target) }
        _ = try linked.answer("/go", fields: "Accept: application/json\r\n")
        let server = linked.served.server
        var report = LoopReport()
        for loop in try #require(server.ask(milliseconds: Patience.seconds * 1_000)) { report.add(loop) }
        #expect(report[.request(.ok)] == 3 && report[.request(.notFound)] == 2)
        let document = MetricsDocument(server, report, ProcessFacts(), now: 0)
        let metrics = try PrometheusText(String(decoding: document.bytes, as: UTF8.self))
        for (kind, count) in [("page", 2.0), ("redirect", 2), ("json", 1), ("not_found", 2)] {
            #expect(metrics.value("aasa_link_answers_total", ["site": "localhost", "kind": kind]) == count)
        }
        for code in ["302", "307"] {
            #expect(metrics.value("aasa_requests_total", ["code": code]) == 1)
            #expect(metrics.value("aasa_site_requests_total", ["site": "localhost", "code": code]) == 1)
        }
    }

    @Test(
        "only two types of answers have a redirect, and only other paths than those of association files lead to them")
    func types() throws {
        #expect(Status.allCases.map(\.rawValue).filter { (300..<400).contains($0) } == [304])
        // A status line is made of `Status` and of `LinkStatus` alone; that of 308 is one more, and the console has its own.
        func files(_ word: String) -> [String] {
            SourceText.swift(in: "Sources/").filter { $0.contains(word) }.map { String($0.path.dropFirst(8)) }.sorted()
        }
        #expect(
            files("HTTP/1.1 \\(") == ["AssociationConsole/Requests/ConsoleAnswer.swift", "HTTP1/PreparedMessage.swift"])
        #expect(files("308 Permanent Redirect") == ["AssociationServer/Connection/PlainPath.swift"])
        #expect(
            files("reasonPhrase, fields:") == [
                "AssociationServer/Links/LinkResponse.swift", "HTTP1/PreparedResponse.swift",
            ])
        // Both are made of an `OtherPath`, and nobody makes one but the classifier of paths.
        #expect(files("OtherPath(target") == ["AssociationServer/Connection/PlainPath.swift"])
        let table = SiteTable(SiteList([]))
        for target in ["/.well-known/", "/.well-known/x", "/apple-app-site-association", "/assetlinks.json.bak"] {
            for spelling in [target, target.replacingOccurrences(of: "a", with: "%61"), "\(target)?a=/b"] {
                let bytes = Array("GET \(spelling) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
                guard case .request(let head) = RequestParser.parse(bytes.span) else { throw TestFailure(spelling) }
                if case .other = PlainPath(head, in: bytes.span, table.view) { Issue.record("\(spelling)") }
            }
        }
    }
}
