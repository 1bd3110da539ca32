import AppSiteAssociation
import AssociationLint
import Diagnostics
import PatternAnalysis
import TestSupport
import Testing

@Suite("Whether routes handle the links of a file")
struct RouteCoverageTests {
    /// Components of a file's only entry, routes, and what comes of them.
    struct Case: Sendable, CustomTestStringConvertible {
        let components: String
        let routes: [String]
        /// The number of a rule and a shortest URL that no route handles.
        let unhandled: [String]
        /// The state of each route: a URL without its host, the number of the rule or of the earlier route.
        let states: [String]

        init(_ components: String, _ routes: [String], unhandled: [String] = [], _ states: String...) {
            self.components = components
            self.routes = routes
            self.unhandled = unhandled
            self.states = states
        }

        var testDescription: String { "\(components) \(routes)" }
    }

    static let app = "ABCDE12345.com.example.app"

    static func document(_ components: String) throws -> AssociationDocument {
        try AssociationDocument(#"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[\#(components)]}]}}"#)
    }

    static func text(_ state: RouteReach.State) -> String {
        func path(_ witness: String) -> Substring { witness.dropFirst("https://example.com".count) }
        return switch state {
        case .reached(let witness, let rule): "reached \(path(witness)) \(rule.component)"
        case .excluded(let witness, let rule): "excluded \(path(witness)) \(rule.component)"
        case .neverSent(let witness): "never sent \(path(witness))"
        case .shadowed(let witness, let earlier): "shadowed \(path(witness)) \(earlier)"
        case .matchesNothing: "matches nothing"
        case .otherHost: "other host"
        case .undecided: "undecided"
        }
    }

    @Test(
        "every kind of finding, with a shortest URL",
        arguments: [
            Case(#"{"/": "/buy/*"}"#, ["/buy/{path:*}"], "reached /buy 0"),
            Case(#"{"/": "/buy/?*"}"#, ["/buy/{product}"], unhandled: ["0 /buy/a/a"], "reached /buy/a 0"),
            Case(#"{"/": "/buy/*"}"#, ["/buy/{product}"], unhandled: ["0 /buy"], "reached /buy/a 0"),
            Case(
                #"{"/": "/buy/*"}"#, ["/buy", "/buy/{product}/{rest:*}"], unhandled: ["0 /buy//a"], "reached /buy 0",
                "reached /buy/a 0"),
            Case(
                #"{"/": "/buy/old/*", "exclude": true}, {"/": "/buy/*"}"#,
                ["/buy/old/{product}", "/buy/{rest:*}"], "excluded /buy/old/a 0", "reached /buy 1"),
            Case(#"{"/": "/a"}"#, ["/a", "/help/{topic}"], "reached /a 0", "never sent /help/a"),
            Case(#"{"/": "/a/*"}"#, ["/a/*", "/a/{x}"], "reached /a 0", "shadowed /a/a 0"),
            Case(#"{"/": "/a/*"}"#, ["/a", "/a/?*", "/a/*"], "reached /a 0", "reached /a/a 0", "shadowed /a 0"),
            Case(#"{"/": "/a"}, {"/": "/b"}"#, [], unhandled: ["0 /a", "1 /b"]),
            Case("", ["/a"], "never sent /a"),
            // Nobody thinks of `/a//b` first, whichever rule it is for.
            Case(#"{"/": "?//?*"}, {"/": "?/?*"}"#, ["/{x:?/?}b", "*"], "reached /a/ab 1", "reached /a/a 1"),
            // No item has an `&` within.
            Case(#"{"/": "/a"}"#, ["/a", "/a ?x={y:b&c}"], "reached /a 0", "matches nothing"),
            Case(#"{"/": "*"}"#, ["/{a}", "/{a}/{b}"], unhandled: ["0 /"], "reached /a 0", "reached /a/a 0"),
            Case(#"{"/": "/a", "exclude": true}, {"/": "/a"}"#, ["/a"], "excluded /a 0"),
            Case(#"{"/": "/a", "?": {"x": "?*"}}"#, ["/a ?x={x}"], "reached /a?x=a 0"),
            Case(#"{"/": "/a"}"#, ["/a ?x={x}"], unhandled: ["0 /a"], "reached /a?x=a 0"),
            Case(
                #"{"/": "/a", "?": {"x": "1"}}"#, ["/a ?x={x:$(alpha)}"], unhandled: ["0 /a?x=1"], "never sent /a?x=a"),
            Case(##"{"/": "/a", "#": "s*"}"##, ["/a  #{s}"], "reached /a#s 0"),
            Case(##"{"/": "/a", "#": "s"}"##, ["/a  #t{s}"], unhandled: ["0 /a#s"], "never sent /a#ta"),
            Case(
                #"{"/": "/A"}"#, ["/a caseSensitive:false"], "reached /A 0"),
            Case(#"{"/": "/%C3%A9"}"#, ["/é percentEncoded:false"], "reached /%C3%A9 0"),
            Case(#"{"/": "/a%2Fb"}"#, ["/{x}"], "reached /a%2Fb 0"),
            Case(#"{"/": "/a%2Fb"}"#, ["/{x} percentEncoded:false"], unhandled: ["0 /a%2Fb"], "never sent /a"),
            Case(
                #"{"/": "/$(digit)*"}"#, ["/{n:$(digit)}", "/{n}"], unhandled: ["0 /0/a"], "reached /0 0",
                "reached /0a 0"),
        ])
    func kinds(example: Case) throws {
        let routes = try example.routes.map { try RoutePattern($0) }
        let coverage = try RouteCoverage(of: Self.document(example.components), routes: routes)
        let unhandled = coverage.unhandled.map { links in
            "\(links.rule.component) \(links.witness.dropFirst("https://example.com".count))"
        }
        #expect(unhandled == example.unhandled)
        #expect(coverage.routes.map { Self.text($0.state) } == example.states)
        #expect(coverage.routes.map(\.route) == routes)
        #expect(coverage.isDecided && coverage.undecided.isEmpty)
        let isComplete = example.unhandled.isEmpty && example.states.allSatisfy { $0.hasPrefix("reached") }
        #expect(coverage.isComplete == isComplete)
    }

    @Test("thousands of routes take no longer than the limits allow")
    func manyRoutes() throws {
        let routes = try (0..<5_000).map { try RoutePattern("/s\($0)/{item}") }
        var limits = ComparisonLimits()
        limits.work = 1_000_000
        let coverage = try RouteCoverage(of: Self.document(#"{"/": "/s*"}"#), routes: routes, limits: limits)
        #expect(!coverage.isDecided && !coverage.isComplete)
    }

    @Test("a route of thousands of captures is compared in little time")
    func manyCaptures() throws {
        let route = try RoutePattern("/" + (0..<30_000).map { "a{x\($0)}" }.joined())
        let start = ThreadTime.now
        let coverage = try RouteCoverage(of: Self.document(#"{"/": "/b"}"#), routes: [route])
        #expect(ThreadTime.now - start < .seconds(30 * Patience.slowness))
        #expect(coverage.unhandled.map(\.witness) == ["https://example.com/b"])
    }

    @Test("paths with empty segments are said to be so, and are shown only where no others are left")
    func emptySegments() throws {
        let document = try Self.document(#"{"/": "/a/*"}"#)
        func notes(_ routes: String...) throws -> [String] {
            let coverage = try RouteCoverage(of: document, routes: routes.map { try RoutePattern($0) })
            return coverage.fileDiagnostics.flatMap { [String($0.message.prefix(30))] + $0.notes.dropFirst() }
        }
        #expect(try notes("/a", "/a/{x}") == ["'https://example.com/a/a/a' op"])
        #expect(
            try notes("/a", "/a/{x}", "/a/{x}/{y:*}") == [
                "'https://example.com/a//a' ope",
                "only paths with '//' are not handled; a route like '/x/{rest:*}' matches them",
            ])
        #expect(try notes("/a/{x:*}").isEmpty)
        let routes = try ["/a/{x}", "/a/{x}/{y:*}", "/{x:*}//b", "/a/*"].map { try RoutePattern($0) }
        let states = try RouteCoverage(of: document, routes: routes).routes.map { Self.text($0.state) }
        #expect(states == ["reached /a/a 0", "reached /a/a/a 0", "reached /a//b 0", "reached /a 0"])
    }

    @Test("the first of several rules with URLs of one length is the one that is shown")
    func firstRule() throws {
        let coverage = try RouteCoverage(
            of: Self.document(#"{"/": "/b"}, {"/": "/a"}, {"/": "/aa"}"#), routes: [RoutePattern("/{x}")])
        #expect(coverage.routes.map { Self.text($0.state) } == ["reached /b 0"])
    }

    @Test("routes for another host are left out, and take nothing away from others")
    func hosts() throws {
        let document = try Self.document(#"{"/": "/a"}"#)
        let routes = try ["https://other.example/*", "https://Shop.Example/a", "/a"].map { try RoutePattern($0) }
        let coverage = try RouteCoverage(of: document, routes: routes, host: "SHOP.example")
        #expect(coverage.host == "shop.example")
        guard case .otherHost = coverage.routes[0].state, case .reached(let witness, _) = coverage.routes[1].state,
            case .shadowed(_, by: 1) = coverage.routes[2].state
        else {
            Issue.record("\(coverage)")
            return
        }
        #expect(witness == "https://shop.example/a")
        #expect(!coverage.isComplete)
        #expect(try RouteCoverage(of: document, routes: Array(routes[0...1]), host: "shop.example").isComplete)
        #expect(try RouteCoverage(of: document, routes: [routes[1]]).host == "shop.example")
        #expect(try RouteCoverage(of: document, routes: [routes[2]]).host == "example.com")
        let unicode = try RouteCoverage(
            of: document, routes: [RoutePattern("https://BÜCHER.example/a")], host: "bücher.example")
        #expect(unicode.isComplete && unicode.host == "xn--bcher-kva.example")
    }

    @Test("a file with several apps is asked about one of them")
    func apps() throws {
        let document = try AssociationDocument(
            """
            {"applinks":{"details":[
              {"appIDs":["A.a","A.b"],"components":[{"/":"/x","exclude":true}]},
              {"appIDs":["A.b"],"components":[{"/":"/y"}]},
              {"appIDs":["A.a","A.b","A.c"],"components":[{"/":"/*"}]}
            ]}}
            """)
        let routes = try ["/x", "/y", "/*"].map { try RoutePattern($0) }
        func states(_ app: String) throws -> [String] {
            try RouteCoverage(of: document, routes: routes, appID: app).routes.map { Self.text($0.state) }
        }
        #expect(try states("A.a") == ["excluded /x 0", "reached /y 0", "reached / 0"])
        #expect(try states("A.b") == ["excluded /x 0", "reached /y 0", "reached / 0"])
        #expect(try states("A.c") == ["reached /x 0", "reached /y 0", "reached / 0"])
        let ofB = try RouteCoverage(of: document, routes: routes, appID: "A.b")
        guard case .reached(_, let rule) = ofB.routes[1].state else {
            Issue.record("\(ofB)")
            return
        }
        #expect(rule.pointer == "/applinks/details/1/components/0" && rule.position.line == 3)
    }

    @Test("an app need not be named if the file says the same about all")
    func sameApps() throws {
        let document = try AssociationDocument(
            """
            {"applinks":{"details":[
              {"appIDs":["A.a","A.b"],"components":[{"/":"/x"}]},{"appIDs":["A.b","A.c"]},
              {"appIDs":["A.b","A.a"],"components":[{"/":"/y"}]},{"appIDs":["A.c"],"components":[]}
            ]}}
            """)
        let routes = try ["/x", "/y"].map { try RoutePattern($0) }
        // A.c is named by entries that decide nothing.
        let error = #expect(throws: RouteCoverageError.self) { try RouteCoverage(of: document, routes: routes) }
        #expect(error?.code == .severalApps && error?.choices == ["A.a", "A.b", "A.c"])
        let same = try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["A.a","A.b"],"components":[{"/":"/x"},{"/":"/y"}]}]}}"#)
        #expect(try RouteCoverage(of: same, routes: routes).isComplete)
        #expect(try RouteCoverage(of: same, routes: routes).appID == "A.a")
        let none = try RouteCoverage(of: AssociationDocument("{}"), routes: routes)
        #expect(none.appID == nil && none.routes.map { Self.text($0.state) } == ["never sent /x", "never sent /y"])
        #expect(try RouteCoverage(of: AssociationDocument("{}"), routes: []).isComplete)
    }

    @Test("what is not clear is an error that says what to choose from")
    func errors() throws {
        let document = try AssociationDocument(
            #"{"applinks":{"details":[{"appIDs":["A.a"],"paths":["/x"]},{"appIDs":["A.b"],"paths":["*"]}]}}"#)
        func error(_ routes: String..., app: String? = nil, host: String? = nil) -> RouteCoverageError? {
            #expect(throws: RouteCoverageError.self) {
                try RouteCoverage(of: document, routes: routes.map { try RoutePattern($0) }, appID: app, host: host)
            }
        }
        let apps = error("/x")
        #expect(apps?.code == .severalApps && apps?.choices == ["A.a", "A.b"])
        #expect(
            apps?.description == """
                'apple-app-site-association' has several apps that open different links, 'A.a', 'A.b'; choose one
                """)
        let unknown = error("/x", app: "B.x.y")
        #expect(unknown?.code == .unknownApp)
        #expect(unknown?.message == "'apple-app-site-association' has no app 'B.x.y'; it has 'A.a', 'A.b'")
        #expect(error("/x", app: "a.a")?.message.hasSuffix("did you mean 'A.a'?") == true)
        let hosts = error("https://a.example/x", "https://b.example/x", "https://A.example/y", app: "A.a")
        #expect(hosts?.code == .severalHosts && hosts?.choices == ["a.example", "b.example"])
        for host in ["", "a b", "a/b", "https://x", "a:80", "u@a", "a?", "a#", "a\n"] {
            #expect(error("/x", app: "A.a", host: host)?.code == .invalidHost, "\(host)")
        }
    }

    @Test("its description says all that is wrong")
    func descriptions() throws {
        let document = try Self.document(
            #"{"/": "/buy/*"},\#n{"/": "/buy/a*"},\#n{"/": "/old/*", "exclude": true}, {"/": "/x"}"#)
        let routes = try ["/buy/{product}", "/old/{x}", "/help", "/buy/{id}"].map { try RoutePattern($0) }
        #expect(
            try RouteCoverage(of: document, routes: routes).description == """
                1 of 4 routes reached, 2 rules open links that no route handles
                apple-app-site-association:1: 'https://example.com/buy' opens the app, but no route handles it
                apple-app-site-association:3: 'https://example.com/x' opens the app, but no route handles it
                '/old/{x}': route is unreachable: the file excludes its URLs, e.g. 'https://example.com/old/a'
                    the rule at apple-app-site-association:3 excludes /old/*
                '/help': route is unreachable: the file opens none of its URLs, e.g. 'https://example.com/help'
                '/buy/{id}': route is unreachable: earlier routes match all of its URLs, e.g. 'https://example.com/buy/a'
                    'https://example.com/buy/a' is handled by '/buy/{product}'; put the more specific route first
                """)
        let sound = try RouteCoverage(of: Self.document(#"{"/": "/x"}"#), routes: [RoutePattern("/{x}")])
        #expect(sound.description == "1 of 1 route reached, every link is handled")
    }

    @Test("what is too large is not decided, and nothing is reported that is not proved")
    func limits() throws {
        let document = try Self.document(#"{"/": "/a/*"}, {"/": "/*b*c*d*"}, {"/": "/x", "exclude": true}"#)
        let routes = try ["/a/{x}", "/*c*b*{e}", "/x", "/none"].map { try RoutePattern($0) }
        var limits = ComparisonLimits()
        limits.work = 1_000
        let small = try RouteCoverage(of: document, routes: routes, limits: limits)
        #expect(!small.isDecided && !small.isComplete)
        for reach in small.routes {
            switch reach.state {
            case .reached, .undecided: break
            default: Issue.record("\(reach)")
            }
        }
        #expect(small.description.contains("not every link could be checked"))
        #expect(try RouteCoverage(of: document, routes: routes).isDecided)
    }

    @Test("the pieces of a route make no variable together")
    func pieces() throws {
        let document = try Self.document(#"{"/": "/$(digit)"}"#)
        let coverage = try RouteCoverage(of: document, routes: [RoutePattern("/${x:(digit)}")])
        #expect(coverage.unhandled.map(\.witness) == ["https://example.com/0"])
        #expect(coverage.routes.map { Self.text($0.state) } == ["never sent /$(digit)"])
    }
}
