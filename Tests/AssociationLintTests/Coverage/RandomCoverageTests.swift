import AppSiteAssociation
import AssociationLint
import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns

/// The comparison of routes with files against URLs that are tried out.
@Suite("Comparing random routes with random files")
struct RandomCoverageTests {
    /// A file and its routes as the plain matchers see them.
    private struct Sample {
        let matcher: ReferenceMatcher
        let routes: [RoutePattern]
        let app: String
        let words: Comment

        /// The route that gets a URL.
        func route(_ url: WebURL) -> Int? { routes.firstIndex { $0.captures(in: url) != nil } }

        /// Whether the app opens a URL or is kept from it, nil if the file says nothing; and the rule that decides for it.
        func decision(_ url: WebURL) -> (opens: Bool?, rule: Rule?) {
            let decision = matcher.decide(url)
            // A rule behind one that excludes it for one app may have been tried for another one.
            let rule = decision.trace.first { $0.failure == nil && details.contains($0.rule.detail) }?.rule
            return (decision.appIDs.contains(app) ? true : rule == nil ? nil : false, rule)
        }

        let details: Set<Int>
    }

    @Test("every witness proves what it is for, and no URL shows what was not said", arguments: TestSeeds.of(1...1))
    func agreement(seed: UInt64) throws {
        var counts: [String: Int] = [:]
        for index in 0..<60 as Range<UInt64> {
            let fileSeed = seed &* 1_000_003 &+ index
            var files = RandomFiles(seed: fileSeed)
            var random = RandomRoutes(seed: fileSeed)
            let json = files.pair().old
            let document = try AssociationDocument(json)
            let texts = random.routes()
            let routes = try texts.map { try RoutePattern($0) }
            let details = document.appLinks?.details ?? []
            guard let app = details.flatMap(\.appIDs).first?.value else { continue }
            let sample = Sample(
                matcher: ReferenceMatcher(document), routes: routes, app: app,
                words: Comment(rawValue: "file \(index)\n\(json)\n\(texts.joined(separator: "\n"))"),
                details: Set(details.filter { $0.appIDs.contains { $0.value == app } }.map(\.index)))
            let coverage = try RouteCoverage(of: document, routes: routes, appID: app, host: "example.com")
            for links in coverage.unhandled { try check(links, sample) }
            #expect(Set(coverage.unhandled.map(\.rule.pointer)).count == coverage.unhandled.count, sample.words)
            for (index, reach) in coverage.routes.enumerated() {
                try check(reach.state, index, sample)
                counts[
                    RouteCoverageTests.text(reach.state).split(separator: " ").first.map(String.init) ?? "", default: 0] +=
                    1
            }
            counts["unhandled", default: 0] += coverage.unhandled.count
            guard coverage.isDecided else { continue }
            for number in 0..<150 {
                let text = number % 2 == 0 ? files.url() : random.url()
                try compare(coverage, text, sample)
            }
        }
        // Each kind has been met.
        for kind in ["reached", "excluded", "never", "shadowed", "other", "unhandled"] {
            #expect(counts[kind, default: 0] > 0, "\(kind)")
        }
        #expect(counts["undecided"] == nil)
    }

    private func check(_ links: UnhandledLinks, _ sample: Sample) throws {
        let url = try #require(WebURL(links.witness.utf8))
        let (opens, rule) = sample.decision(url)
        #expect(opens == true && sample.route(url) == nil, sample.words)
        #expect(rule?.pointer == links.rule.pointer, sample.words)
    }

    private func check(_ state: RouteReach.State, _ index: Int, _ sample: Sample) throws {
        switch state {
        case .reached(let witness, let rule):
            let url = try #require(WebURL(witness.utf8))
            let decision = sample.decision(url)
            #expect(decision.opens == true && sample.route(url) == index, sample.words)
            #expect(decision.rule?.pointer == rule.pointer, sample.words)
        case .excluded(let witness, let rule):
            let url = try #require(WebURL(witness.utf8))
            let decision = sample.decision(url)
            #expect(decision.opens == false && sample.route(url) == index, sample.words)
            #expect(decision.rule?.pointer == rule.pointer, sample.words)
        case .neverSent(let witness):
            let url = try #require(WebURL(witness.utf8))
            #expect(sample.decision(url).opens == nil && sample.route(url) == index, sample.words)
        case .shadowed(let witness, let earlier):
            let url = try #require(WebURL(witness.utf8))
            #expect(sample.route(url) == earlier && earlier < index, sample.words)
            #expect(sample.routes[index].captures(in: url) != nil, sample.words)
        case .otherHost: #expect(sample.routes[index].host == "other.example", sample.words)
        case .matchesNothing, .undecided: break
        }
    }

    /// Nothing that a URL shows may be missing, and no witness may be longer than the URL, except one that has no empty
    /// segments where the URL has.
    private func compare(_ coverage: RouteCoverage, _ text: String, _ sample: Sample) throws {
        let url = try #require(WebURL(text.utf8))
        let words: Comment = "\(text) \(sample.words)"
        for (route, reach) in zip(sample.routes, coverage.routes) {
            if case .matchesNothing = reach.state, route.captures(in: url) != nil { Issue.record(words) }
        }
        let (opens, decider) = sample.decision(url)
        guard let index = sample.route(url) else {
            guard opens == true else { return }
            let rule = decider?.pointer
            let links = coverage.unhandled.first { $0.rule.pointer == rule }
            #expect(links != nil, words)
            #expect(isNoLonger(links?.witness ?? "", than: text), words)
            return
        }
        switch (coverage.routes[index].state, opens) {
        case (.reached(let witness, _), true), (.excluded(let witness, _), false), (.neverSent(let witness), nil):
            #expect(isNoLonger(witness, than: text), words)
        case (.reached, false), (.reached, nil), (.excluded, nil): break
        default: Issue.record(words)
        }
    }

    private func isNoLonger(_ witness: String, than text: String) -> Bool {
        func hasEmptySegment(_ url: String) -> Bool {
            url.dropFirst("https://".count).prefix { $0 != "?" && $0 != "#" }.contains("//")
        }
        if hasEmptySegment(text) { return true }
        return witness.utf8.count <= text.utf8.count && !hasEmptySegment(witness)
    }

    @Test("routes written as a file match the URLs that they match themselves", arguments: TestSeeds.of(1...1))
    func documents(seed: UInt64) throws {
        var matched = 0
        for index in 0..<150 as Range<UInt64> {
            var random = RandomRoutes(seed: seed &* 7_000 &+ index)
            let texts = random.routes()
            let routes = try texts.map { try RoutePattern($0) }.filter { $0.host != "other.example" }
            let matcher = ReferenceMatcher(AssociationDocument(routes: routes, app: "A.a"))
            for _ in 0..<60 {
                let text = random.url()
                let url = try #require(WebURL(text.utf8))
                let decision = matcher.decide(url)
                let route = routes.firstIndex { $0.captures(in: url) != nil }
                #expect(decision.rule?.component == route, "\(text) \(texts)")
                if route != nil { matched += 1 }
            }
        }
        #expect(matched > 1_000)
    }
}
