import AssociationConsole
import AssociationLint
import ConsoleSamples
import Foundation
import Testing

/// The page of the last hour in numbers.
@Suite("The page of metrics")
struct MetricsPageTests {
    private func page() throws -> String {
        let responder = ConsoleResponder(
            rules: RuleRegistry.catalogue, version: "0.0.0", unwrap: { _ in nil }, refusal: { _, _, _ in nil })
        let head = "GET /console/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let request = try #require(ConsoleRequest(parsing: head.utf8))
        let answer = responder.answer(request, .server(SampleServer()), now: SampleServer.now)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test("each chart has axes up to a round number and of times, a tip for each minute, and one for the last five")
    func charts() throws {
        let charts = try page().components(separatedBy: "<figure tabindex=\"0\">").dropFirst()
        #expect(charts.count == 4)
        for chart in charts {
            #expect(chart.matches(of: #/<g><title>\d\d:\d\d: \d+<\/title>/#).count == 60)
            #expect(chart.matches(of: #/<li>\d\d:\d\d<\/li>/#).count == 5)
            #expect(chart.contains("The last five minutes: "))
        }
        let requests = try #require(charts.first)
        // The peak of the sample.
        #expect(requests.contains("<li>1,000</li><li>0</li>") && requests.contains("<title>13:54: 948</title>"))
        #expect(requests.contains(", at most 948 in a minute (13:54)"))
        // The bars end where the numbers do.
        let ends = requests.matches(of: #/y="(\d+)" height="(\d+)"/#).map { (Int($0.1) ?? 0) + (Int($0.2) ?? 0) }
        #expect(ends.count == 60 && ends.allSatisfy { $0 == 72 })
    }

    @Test("the page is loaded again by its own link, and says who has older numbers")
    func refresh() throws {
        let page = try page()
        #expect(page.contains("<a href=\"metrics\">Refresh</a>"))
        #expect(page.contains("let Prometheus ask <code>/metrics</code>"))
    }
}
