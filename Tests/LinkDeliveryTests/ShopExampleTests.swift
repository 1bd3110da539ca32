import AppSiteAssociation
import AssociationLint
import Foundation
import LinkDelivery
import ShopExample
import TestSupport
import Testing

@Suite("the example of the documentation")
@MainActor
struct ShopExampleTests {
    @Test("a link that comes too early is shown after the login")
    func login() async throws {
        let links = AppLinks(openInBrowser: { _ in })
        let shop = try Shop(links.center)
        links.center.receive(UserActivity(browsing: try #require(URL(string: "https://shop.example/buy/7"))))
        #expect(links.center.closedGates() == ["interface ready", "logged in"])
        links.interface.isOpen = true
        links.login.isOpen = true
        await links.center.idle()
        #expect(shop.screen == "product 7")
    }

    @Test("each module gets its links, and the browser the rest")
    func modules() async throws {
        var opened: [String] = []
        let links = AppLinks(openInBrowser: { opened.append($0.webpageURL?.path() ?? "") })
        for gate in [links.interface, links.login] { gate.isOpen = true }
        links.center.receive(.link("/early"))
        let shop = try Shop(links.center)
        let account = try Account(links.center)
        let statistics = Statistics(links.center)
        for path in ["/search?q=red%20shoes", "/account/addresses", "/buy/seven", "/account/else"] {
            links.center.receive(.link(path))
            await links.center.idle()
        }
        #expect(shop.screen == "results for red shoes, page 1")
        #expect(account.section == .addresses)
        account.isOpen = false
        links.center.receive(.link("/account/orders"))
        await links.center.idle()
        #expect(account.section == .addresses)
        #expect(opened == ["/early", "/buy/seven", "/account/else", "/account/orders"])
        #expect(statistics.links.count == 6)
    }

    @Test("a link waits for ten minutes, and only the latest of them")
    func waiting() async throws {
        let clock = ManualClock()
        let links = AppLinks(clock: clock, openInBrowser: { _ in })
        let results = Recorder(links.center.results())
        let shop = try Shop(links.center)
        links.center.receive(.link("/buy/1"))
        links.center.receive(.link("/buy/2"))
        clock.advance(by: .seconds(600))
        await results.waitFor(["1 dropped", "2 expired"])
        for gate in [links.interface, links.login] { gate.isOpen = true }
        await links.center.idle()
        #expect(shop.screen == "start")
    }

    private let file = """
        {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "/buy/*"}]}]}}
        """

    @Test("the app handles what its site sends it, and nothing else")
    func coverage() throws {
        let shop = try RouteTable { Route("/buy/{product:*}") { .handled } }
        let coverage = try RouteCoverage(of: AssociationDocument(Array(file.utf8)), routes: shop.patterns)
        #expect(coverage.isComplete, "\(coverage)")
    }

    @Test("the documentation shows nothing else")
    func documentation() throws {
        let article = try Repository.text("Sources/LinkDelivery/LinkDelivery.docc/DeliveringActivities.md")
        let guide = try Repository.text("docs/in-app.md")
        let folder = Repository.url("Tests/ShopExample")
        var code = try [String(contentsOf: URL(filePath: #filePath), encoding: .utf8)]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            code.append(try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
        let sources = code.map(Self.trimmed).map { $0.joined(separator: "\n") }
        let blocks = (article + guide).components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 12)
        for block in blocks {
            let text = Self.trimmed(block).joined(separator: "\n")
            #expect(sources.contains { $0.contains(text) }, "not in the example:\n\(block)")
        }
    }

    /// The lines, without regard to how far they are indented.
    private static func trimmed(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
