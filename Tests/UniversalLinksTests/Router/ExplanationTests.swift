import AppSiteAssociation
import Diagnostics
import Testing
import UniversalLinks

@Suite("Decisions and why")
struct ExplanationTests {
    private static let text = ##"""
        {"applinks": {"details": [
          {"appIDs": ["A"], "components": [
            {"/": "/buy/*", "exclude": true},
            {"/": "/help/*", "?": {"id": "????", "x": "*"}, "comment": "articles"},
            {"/": "/help/*", "?": "a=1*"},
            {"/": "/help/*", "#": "t?p"}
          ]},
          {"appIDs": ["B"], "paths": ["NOT /help/z", "/help/*"]}
        ]}}
        """##

    private static func router() throws -> UniversalLinkRouter {
        try UniversalLinkRouter(AssociationDocument(text), domain: "example.com")
    }

    @Test("a decision names its rule, with pointer, line and comment")
    func rule() throws {
        let rule = try #require(try Self.router().decide("https://example.com/help/a?id=1234").rule)
        #expect(rule.pointer == "/applinks/details/0/components/1")
        #expect(rule.position.line == 4 && rule.position.column == 5)
        #expect(rule.comment == "articles")
        #expect(rule.detail == 0 && rule.component == 1)
    }

    @Test(
        "a trace has every rule that was tried, and the first part that failed",
        arguments: [
            ("/buy/1", ["ok", "path /help/z /buy/1", "path /help/* /buy/1"]),
            ("/help/a?id=1234", ["path /buy/* /help/a", "ok", "path /help/z /help/a", "ok"]),
            (
                "/help/a?x=1&id=12",
                [
                    "path /buy/* /help/a", "query id=???? id=12", "query a=1* x=1&id=12", "fragment t?p ",
                    "path /help/z /help/a", "ok",
                ]
            ),
            ("/help/z", ["path /buy/* /help/z", "query id=???? ", "query a=1* ", "fragment t?p ", "ok"]),
            (
                "/help/a?id#tip",
                ["path /buy/* /help/a", "query id=???? id=", "query a=1* id", "ok", "path /help/z /help/a", "ok"]
            ),
            (
                "",
                [
                    "path /buy/* /", "path /help/* /", "path /help/* /", "path /help/* /", "path /help/z /",
                    "path /help/* /",
                ]
            ),
        ] as [(String, [String])])
    func trace(rest: String, expected: [String]) throws {
        let explanation = try Self.router().explain("https://example.com\(rest)")
        let trace = explanation.trace.map { trial in
            trial.failure.map { "\($0.part.rawValue) \($0.pattern) \($0.value)" } ?? "ok"
        }
        #expect(trace == expected)
    }

    @Test(
        "the decision of an explanation is that of the router",
        arguments: ["/buy", "/help", "/help/z", "/x", "/help/a?a=1"])
    func decision(rest: String) throws {
        let router = try Self.router()
        let url = "https://example.com\(rest)"
        let explanation = RoutingExplainer(router).explain(url)
        #expect(Agreement.text(explanation.decision) == Agreement.text(router.decide(url)))
        let decided = explanation.trace.first { $0.failure == nil }
        if explanation.decision.outcome != .open {
            #expect(decided?.rule.pointer == explanation.decision.rule?.pointer)
        }
    }

    @Test("patterns and values are shown as they are written")
    func written() throws {
        let document = SampleDocument(
            #"{"/": "/Caf\u00e9/$(digit)", "caseSensitive": false, "percentEncoded": false}, {"?": {"A": "B"}, "caseSensitive": false}"#
        )
        let router = try UniversalLinkRouter(AssociationDocument(document.json), domain: "example.com")
        let trace = router.explain("https://example.com/CAF%C3%89/x?a=C").trace
        #expect(trace[0].failure?.pattern == "/Café/$(digit)")
        #expect(trace[0].failure?.value == "/CAF%C3%89/x")
        #expect(trace[1].failure?.pattern == "A=B")
        #expect(trace[1].failure?.part == .query)
    }

    @Test(
        "where no document is asked there is no trace",
        arguments: ["https://example.org/buy", "no URL", "ftp://example.com/buy"])
    func noTrace(url: String) throws {
        let explanation = try Self.router().explain(url)
        #expect(explanation.trace.isEmpty)
        #expect(explanation.decision.outcome == .noMatch && explanation.decision.rule == nil)
    }

    @Test("an explainer of several domains asks the right document")
    func domains() throws {
        var builder = UniversalLinkRouterBuilder()
        try builder.add(AssociationDocument(Self.text), domain: "example.com")
        try builder.add(AssociationDocument(SampleDocument(#"{"/": "/only"}"#).json), domain: "*.example.com")
        let explainer = RoutingExplainer(builder.build())
        #expect(explainer.explain("https://a.example.com/only").trace.map(\.rule.path) == ["/only"])
        #expect(explainer.explain("https://example.com:1/only").trace.count == 6)
    }
}
