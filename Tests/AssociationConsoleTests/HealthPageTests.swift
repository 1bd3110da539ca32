import AssociationConsole
import ConsoleSamples
import Diagnostics
import Foundation
import FuzzingSupport
import HTTP1
import ServiceHealth
import Testing

/// The pages that show health (console.md, section 3).
struct HealthPageTests {
    private func view(_ target: String, _ facts: HealthFacts) throws -> Markup {
        let answer = try ConsolePagesTests.answer(target, .server(FactsServer(facts: facts)))
        return try Markup(String(decoding: answer.body, as: UTF8.self))
    }

    /// The text of a page with single spaces.
    private static func words(_ page: Markup) -> String {
        page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let now = SampleServer.now

    /// Sites without a problem but for some: refused, stale, without a certificate, and near the end of theirs.
    private static func sites(_ count: Int, wrong: Int) -> HealthFacts {
        let sites = (0..<count).map { number in
            let domain = "site-\(100_000 + number).customers.example"
            let states: [SiteState.State] = [.refused, .stale, .noCertificate, .published]
            let state = number < wrong ? states[number % 4] : .published
            let end = now + (number < wrong ? 5 : 80) * 86_400
            let certificate = CertificateFacts(
                name: domain, keyType: "ECDSA",
                validity: CertificateValidity(notBefore: end - 90 * 86_400, notAfter: end),
                folder: "/etc/aasa/certs/\(domain)")
            let path = "/srv/sites/\(domain)/apple-app-site-association"
            let findings: [LocatedDiagnostic] =
                state == .refused || state == .stale ? [.error(path, "trailing comma")] : []
            return SampleServer.site(
                domain, state, loadedAt: now - 86_400, findings: findings, state == .noCertificate ? nil : certificate)
        }
        return HealthFacts(sites: sites)
    }

    @Test("problems are those of 'aasa status', in its order and its words")
    func order() throws {
        var facts = Self.sites(40, wrong: 20)
        facts.isStuck = true
        facts.refusedConfiguration = TimedFinding(.error("server.json", "unknown key 'lisen'"), since: Self.now - 3_700)
        facts.program = .init(version: "1.2.3", startedAt: Self.now - 90_000, reloadedAt: Self.now - 120)
        let health = SiteHealth(facts, now: Self.now)
        let page = try view("console/", facts)
        let items = page.tags.filter {
            $0.name == "li" && $0.attributes["data-severity"] != nil && $0.attributes["data-kind"] != nil
        }
        .drop { $0.attributes["data-kind"] != "loop-stuck" }
        #expect(items.map { $0.attributes["data-kind"] } == health.problems.map(\.kind.rawValue))
        #expect(items.map { $0.attributes["data-domain"] } == health.problems.map(\.domain))
        #expect(items.map { $0.attributes["data-severity"] } == health.problems.map(\.severity.word))
        // What the text has, in this order; marks, arrows and brackets are the terminal's.
        let text = HealthText(health, now: Self.now).lines()
        let lines = text.dropLast(2).map { line in
            line.split(whereSeparator: { " [](){}".contains($0) }).filter { !["x", "!", "-->"].contains($0) }
        }
        var rest = Self.words(page)[...]
        for line in lines {
            for word in line {
                let found = try #require(rest.range(of: word), "\(word) of \(line)")
                rest = rest[found.upperBound...]
            }
        }
        #expect(Self.words(page).contains(HealthText(health, now: Self.now).summary))
        #expect(!page.text.contains("All is well") && Self.words(page).contains("last reload 2 minutes ago"))
        let severity = page.tags.first { $0.attributes["id"] == "health" }?.attributes["data-severity"]
        #expect(severity == "critical")
    }

    @Test("all is well only if it is")
    func well() throws {
        var facts = Self.sites(3, wrong: 0)
        let page = try view("console/", facts)
        #expect(Self.words(page).contains("ok All is well. 3 sites: 3 fine"))
        #expect(!page.tags.contains { $0.attributes["class"] == "problems" })
        facts.serving = .draining
        #expect(try !Self.words(view("console/", facts)).contains("All is well"))
        facts.serving = .ready
        facts.sites += Self.sites(1, wrong: 1).sites
        #expect(try !Self.words(view("console/", facts)).contains("All is well"))
        #expect(try !Self.words(view("console/", HealthFacts(serving: .nothingPublished))).contains("All is well"))
    }

    @Test("the first page of 10,000 sites with 200 problems stays small, and counts what it does not list")
    func size() throws {
        let facts = Self.sites(10_000, wrong: 199)
        let health = SiteHealth(facts, now: Self.now)
        #expect(health.problems.count > 200)
        let answer = try ConsolePagesTests.answer("console/", .server(FactsServer(facts: facts)))
        #expect(answer.body.count <= 60_000)
        let page = try view("console/", facts)
        let listed =
            page.tags.count { $0.attributes["data-kind"] != nil && $0.attributes["data-severity"] != nil }
            - page.tags.count {
                $0.name == "li" && $0.attributes["data-kind"] != nil && $0.attributes["data-domain"] == nil
            }
        #expect(listed >= 60 && listed <= 100)
        let more = page.tags.filter { $0.attributes["class"] == "more" }.compactMap {
            $0.attributes["data-count"].flatMap { Int($0) }
        }
        // However many are critical, a warning of the whole server can be read.
        #expect(page.tags.contains { $0.attributes["data-kind"] == "stale-until-restart" })
        let general = health.problems.count { $0.domain == nil }
        #expect(more.reduce(listed, +) + general == health.problems.count)
        let links = Set(page.tags.compactMap { $0.attributes["href"] })
        for kind in ["refused", "no-certificate", "stale", "certificate-expires"] {
            #expect(links.contains("sites?problem=\(kind)"))
        }
    }

    @Test("whatever a problem says, the first page stays small")
    func long() throws {
        var facts = Self.sites(50, wrong: 50)
        let error = LocatedDiagnostic.error(String(repeating: "p", count: 1_000), String(repeating: "m", count: 2_000))
        facts.findings = Array(repeating: error, count: 200)
        let answer = try ConsolePagesTests.answer("console/", .server(FactsServer(facts: facts)))
        #expect(answer.body.count <= 60_000)
    }

    @Test("sites are found by each kind of problem that they have, as the filter counts them, and by no other")
    func kinds() throws {
        var facts = Self.sites(300, wrong: 60)
        let folder = try #require(facts.sites.last?.certificate?.folder)
        facts.pairs = [
            PairFacts(folder: folder, state: .refused, finding: .error("\(folder)/fullchain.pem", "is empty"))
        ]
        let page = try view("console/sites", facts)
        let options = page.tags.filter { $0.name == "option" }.compactMap { $0.attributes["value"] }
        let health = SiteHealth(facts, now: Self.now)
        var expected = health.problems.reduce(into: [:] as [String: Set<String>]) { kinds, problem in
            if let domain = problem.domain { kinds[problem.kind.rawValue, default: []].insert(domain) }
        }
        expected["certificate-refused"] = [try #require(facts.sites.last?.domain)]
        #expect(expected.count == 5 && Set(expected.keys).isSubset(of: options))
        for (kind, domains) in expected {
            #expect(Self.words(page).contains("\(kind) (\(domains.count))"), "\(kind)")
            let found = try view("console/sites?problem=\(kind)", facts)
            #expect(
                found.tags.filter { $0.name == "tr" }.compactMap { $0.attributes["data-domain"] } == domains.sorted())
        }
        #expect(try view("console/sites?problem=loop-stuck", facts).text.contains("None of 300 sites matches."))
        let answer = try ConsolePagesTests.answer(
            "api/v1/sites?problem=stale&limit=1", .server(FactsServer(facts: facts)))
        #expect(
            String(decoding: answer.body, as: UTF8.self).contains(#""matching":\#(expected["stale"]?.count ?? 0),"#))
        for query in ["problem=nothing", "problem=", "problem=Stale"] {
            let answer = try ConsolePagesTests.answer("api/v1/sites?\(query)", .server(FactsServer(facts: facts)))
            #expect(answer.status == .badRequest, "\(query)")
        }
    }

    @Test(
        "pages are numbered: the first, the present one with two on either side, the last",
        arguments: [
            (0, "1 2 3 … 11 Next"), (50, "Previous 1 2 3 4 … 11 Next"),
            (250, "Previous 1 … 4 5 6 7 8 … 11 Next"), (500, "Previous 1 … 9 10 11"), (9_000, "Previous 1 … 11"),
        ])
    func pages(offset: Int, expected: String) throws {
        let page = try view("console/sites?offset=\(offset)", Self.sites(501, wrong: 0))
        let text = Self.words(page).split(separator: "Loaded").last ?? ""
        let numbers = page.tags.compactMap { tag in
            tag.attributes["rel"].flatMap { ["prev": "Previous", "next": "Next"][$0] }
                ?? tag.attributes["aria-label"].flatMap {
                    $0.hasPrefix("Page ") ? String($0.dropFirst(5)) : nil
                }
        }
        #expect(numbers == expected.split(separator: " ").filter { $0 != "…" }.map(String.init), "\(text.suffix(80))")
        #expect(page.text.contains("…") == expected.contains("…"))
        let current = page.tags.filter { $0.attributes["aria-current"] == "page" }.compactMap {
            $0.attributes["aria-label"]
        }
        #expect(current == (offset > 500 ? [] : ["Page \(offset / 50 + 1)"]))
    }
}

/// A server of which only the facts are known.
private struct FactsServer: ConsoleSource {
    let facts: HealthFacts
    var certificates: [CertificateFacts] { facts.sites.compactMap(\.certificate) }
    var metricsHistory: MetricsHistory {
        MetricsHistory(end: 0, requests: [], appleFetches: [], handshakes: [], handshakeFailures: [])
    }

    func siteDocuments(of domain: String) -> SiteDocuments? { nil }
    func versions(of domain: String) -> ConsoleVersions { .none }
    func doctor(_ domain: String) -> DoctorAnswer { .unavailable }
}
