import AppSiteAssociation
import SystemSupport
import Testing
import URLPatterns
import UniversalLinks

@Suite("The cases of the specification")
struct MatchingCaseTests {
    private static let matchers = Matchers()

    @Test("no name is given twice for one URL")
    func names() {
        let names = MatchingCase.all.map(\.testDescription)
        #expect(Set(names).count == names.count)
    }

    @Test("the reference matcher decides them", arguments: MatchingCase.all)
    func reference(_ sample: MatchingCase) throws {
        let answer = try Answer(byReference: Self.matchers.document(sample.document.json), sample.url)
        #expect(answer.expectation == sample.expected)
        if let decider = sample.decider { #expect(answer.decider == decider) }
    }

    @Test("the router decides them by the same rules", arguments: MatchingCase.all)
    func router(_ sample: MatchingCase) throws {
        let document = try Self.matchers.document(sample.document.json)
        let answer = try Answer(byRouter: Self.matchers.router(sample.document.json), sample.url)
        #expect(answer.expectation == sample.expected)
        #expect(answer.decider == Answer(byReference: document, sample.url).decider)
    }

    @Test("the router decides them among many rules of the same apps", arguments: MatchingCase.all)
    func amongManyRules(_ sample: MatchingCase) throws {
        let document = try Self.matchers.document(sample.document.json)
        guard document.appLinks?.hasDetailsAsDictionary != true else { return }
        let apps = document.appLinks?.details.first?.appIDs.map(\.value) ?? []
        let filler = Filler(apps: apps, like: document)
        guard let surrounded = sample.document.surrounded(by: filler.entry(rules: 33), and: filler.entry(rules: 33))
        else { return }
        let answer = try Answer(byRouter: Self.matchers.router(surrounded.json), sample.url)
        #expect(answer.expectation == sample.expected)
        #expect(answer.decider.map { [$0[0] - 1, $0[1]] } == Answer(byReference: document, sample.url).decider)
    }

    @Test("the router decides them behind the rules of another app", arguments: MatchingCase.all)
    func behindAnotherApp(_ sample: MatchingCase) throws {
        let document = try Self.matchers.document(sample.document.json)
        // More than fit into the tables of a small index.
        let filler = Filler(apps: ["another.app"], like: document)
        guard let surrounded = sample.document.surrounded(by: filler.entry(rules: 70), and: nil) else { return }
        let answer = try Answer(byRouter: Self.matchers.router(surrounded.json), sample.url)
        #expect(answer.expectation == sample.expected)
        #expect(answer.decider.map { [$0[0] - 1, $0[1]] } == Answer(byReference: document, sample.url).decider)
    }
}

/// A decision in a form that both matchers have.
private struct Answer {
    let expectation: MatchingCase.Expectation
    /// The places of the entry of the rule that decided and of the rule in it.
    let decider: [Int]?

    init(byReference document: AssociationDocument, _ url: String) {
        guard let url = WebURL(url.utf8), url.isHost(MatchingCase.domain) else {
            expectation = .noMatch
            decider = nil
            return
        }
        let decision = ReferenceMatcher(document).decide(url)
        expectation = MatchingCase.Expectation(outcome: decision.outcome, apps: decision.appIDs)
        decider = decision.rule.map { [$0.detail, $0.component] }
    }

    init(byRouter router: UniversalLinkRouter, _ url: String) {
        let decision = router.decide(url)
        expectation = MatchingCase.Expectation(outcome: decision.outcome, apps: decision.appIDs)
        decider = decision.rule.map { [$0.detail, $0.component] }
    }
}

/// Documents and their routers, each made once: many cases are about the same document.
private final class Matchers: Sendable {
    private let documents = Locked<[String: AssociationDocument]>([:])
    private let routers = Locked<[String: UniversalLinkRouter]>([:])

    func document(_ json: String) throws -> AssociationDocument {
        if let document = documents.withLock({ $0[json] }) { return document }
        let document = try AssociationDocument(json)
        documents.withLock { $0[json] = document }
        return document
    }

    func router(_ json: String) throws -> UniversalLinkRouter {
        if let router = routers.withLock({ $0[json] }) { return router }
        let router = try UniversalLinkRouter(document(json), domain: MatchingCase.domain)
        routers.withLock { $0[json] = router }
        return router
    }
}

/// Entries with rules that match no URL of any case, so that others are found among many.
private struct Filler {
    let apps: [String]
    /// The flags of the rules: those that the other rules have, so that these are in the same index.
    private let flags: Set<[Bool]>

    init(apps: [String], like document: AssociationDocument) {
        self.apps = apps
        let rules = document.appLinks?.details.flatMap(\.rules) ?? []
        flags = Set(rules.map { [$0.caseSensitive, $0.percentEncoded] })
    }

    func entry(rules count: Int) -> String {
        let apps = apps.map { #""\#($0)""# }.joined(separator: ", ")
        let components = flags.flatMap { flags in
            (0..<count).map { number in
                #"{"/": "\#(Self.pattern(number))", "caseSensitive": \#(flags[0]), "percentEncoded": \#(flags[1])}"#
            }
        }
        return #"{"appIDs": [\#(apps)], "components": [\#(components.joined(separator: ", "))]}"#
    }

    /// Patterns of all the kinds that an index tells apart.
    private static func pattern(_ number: Int) -> String {
        switch number % 8 {
        case 0: "/~\(number)"
        case 1: "/~\(number)/*"
        case 2: "*~\(number).z"
        case 3: "*/~\(number)/*"
        case 4: "/~?\(number)/*/z"
        case 5: number < 20 ? "/$(digit)~\(number)$(alpha)" : "/~~/\(number)/*"
        case 6: "*~\(number)*~*"
        default: "/x~\(number)*"
        }
    }
}
