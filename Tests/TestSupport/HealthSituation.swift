internal import ACME
internal import Diagnostics
package import ServiceHealth
internal import SiteStore

/// The situations of a server and its sites, for the table in the docs and for tests over all of them.
package struct HealthSituation: Sendable {
    /// As the table names it.
    package let name: String
    package let facts: HealthFacts

    package static let now = CertificateSituation.now
    package static let domain = "shop.example.com"
    private static let hour: Int64 = 3_600
    private static let links = "assetlinks.json"

    private init(_ name: String, _ facts: HealthFacts) { (self.name, self.facts) = (name, facts) }

    private init(_ name: String, _ sites: [SiteFacts], _ change: (inout HealthFacts) -> Void = { _ in }) {
        var facts = HealthFacts(sites: sites)
        facts.remembersFiles = true
        facts.program = HealthFacts.Program(
            version: "1.2.3", startedAt: Self.now - 50 * Self.hour, reloadedAt: Self.now - Self.hour)
        change(&facts)
        self.init(name, facts)
    }

    package static let all = files + certificates + server

    // MARK: Files

    private static func error(_ name: String = SiteState.File.association) -> LocatedDiagnostic {
        .error("sites/\(domain)/\(name)", "unexpected ','", help: "remove it")
    }

    private static func warning(_ name: String = SiteState.File.association) -> LocatedDiagnostic {
        .warning("sites/\(domain)/\(name)", "this rule matches nothing")
    }

    /// The site with its association file in a state, and perhaps an `assetlinks.json`.
    private static func site(
        _ state: SiteState.State = .published, _ other: SiteState.State? = nil, findings: [LocatedDiagnostic]? = nil,
        otherFindings: [LocatedDiagnostic]? = nil
    ) -> SiteFacts {
        let others = other.map { other in
            SiteState.File.sample(
                links, other, since: now - hour, findings: otherFindings ?? (other == .published ? [] : [error(links)]))
        }
        return .sample(
            domain, state, since: now - 2 * hour, findings: findings ?? (state == .published ? [] : [error()]),
            others: [others].compactMap { $0 })
    }

    private static func onlyLinks(
        _ state: SiteState.State, _ findings: [LocatedDiagnostic]? = nil
    ) -> SiteFacts {
        let file = SiteState.File.sample(
            links, state, since: now - hour, findings: findings ?? (state == .published ? [] : [error(links)]))
        return SiteFacts(SiteState(domain, files: [file]))
    }

    private static let files = [
        HealthSituation("good", [site()]),
        HealthSituation("warnings of the validator", [site(findings: [warning(), warning()])]),
        HealthSituation("refused", [site(.refused)]),
        HealthSituation("stale", [site(.stale)]),
        HealthSituation("stale, and no disk remembers the last good file", [site(.stale)]) {
            $0.remembersFiles = false
        },
        HealthSituation("stale in two sites, and no disk remembers", [site(.stale), .sample("b.example", .stale)]) {
            $0.remembersFiles = false
        },
        HealthSituation("`assetlinks.json` alone, good", [onlyLinks(.published)]),
        HealthSituation("`assetlinks.json` alone, warnings", [onlyLinks(.published, [warning(links)])]),
        HealthSituation("`assetlinks.json` alone, refused", [onlyLinks(.refused)]),
        HealthSituation("`assetlinks.json` alone, stale", [onlyLinks(.stale)]),
        HealthSituation("both good", [site(.published, .published)]),
        HealthSituation("good, `assetlinks.json` refused", [site(.published, .refused)]),
        HealthSituation("good, `assetlinks.json` stale", [site(.published, .stale)]),
        HealthSituation(
            "good, `assetlinks.json` with warnings", [site(.published, .published, otherFindings: [warning(links)])]),
        HealthSituation("refused, `assetlinks.json` good", [site(.refused, .published)]),
        HealthSituation("stale, `assetlinks.json` refused", [site(.stale, .refused)]),
        HealthSituation("one site good, another refused", [.sample("a.example"), site(.refused)]),
        HealthSituation("a folder that can be no site", [site()]) {
            $0.findings = [.error("sites/No Host", "the folder's name is not a host name")]
        },
        HealthSituation("Apple's last fetch got 404", [fetched(404, daysAgo: 1)]),
        HealthSituation("Apple has not fetched for 20 days", [fetched(200, daysAgo: 20)]),
        HealthSituation("Apple fetched a day ago", [fetched(304, daysAgo: 1)]),
    ]

    private static func fetched(_ status: Int, daysAgo: Int64) -> SiteFacts {
        var site = site()
        site.lastFetch = AppleFetch(at: now - daysAgo * 24 * hour, userAgent: "AASA-Bot/1.0.0", status: status)
        return site
    }

    // MARK: Certificates

    private static func own(_ stage: CertificateSituation.Stage, days: Int64 = 90) -> SiteFacts {
        site().with(CertificateSituation(renewer: .somebodyElse, days: days, stage: stage))
    }

    private static func ordered(_ stage: CertificateSituation.Stage) -> SiteFacts {
        site().with(CertificateSituation(renewer: .server, days: 90, stage: stage))
    }

    private static func without(_ state: DomainState?, _ type: IssuanceErrorType? = nil) -> SiteFacts {
        var status = state.map { DomainStatus($0) }
        status?.lastError = type.map(CertificateSituation.error)
        return site().withoutCertificate(status)
    }

    private static let refusedPair = PairFacts(
        folder: "certs/\(domain)", state: .refused,
        finding: .error("certs/\(domain)/fullchain.pem", "there is no certificate in it; the earlier pair stays in use")
    )

    private static let certificates = [
        HealthSituation("no certificate, and none will come", [without(nil)]),
        HealthSituation("no certificate yet, being ordered", [without(.ordering)]),
        HealthSituation("no certificate, the order failed", [without(.backoff, .unauthorized)]),
        HealthSituation("no certificate, the order is blocked", [without(.blocked, .acmeName)]),
        HealthSituation("your certificate, fresh", [own(.fresh)]),
        HealthSituation("yours, a third left", [own(.overdue)]),
        HealthSituation("yours, a day left", [own(.dayLeft)]),
        HealthSituation("yours, expired", [own(.expired)]),
        HealthSituation("yours, not valid yet", [own(.notYetValid)]),
        HealthSituation("yours, its new files cannot be used", [own(.fresh)]) { $0.pairs = [refusedPair] },
        HealthSituation("yours, its key is still awaited", [own(.fresh)]) {
            $0.pairs = [
                PairFacts(
                    folder: "certs/a", state: .waiting, finding: .error("certs/a/privkey.pem", "the keys differ"),
                    retriedUntil: now + 30)
            ]
        },
        HealthSituation("yours, its key can be read by every user", [own(.fresh)]) {
            $0.certificateFindings = [.warning("certs/a/privkey.pem", "every user can read the private key")]
        },
        HealthSituation("the server's certificate, fresh", [ordered(.fresh)]),
        HealthSituation("the server's, due", [ordered(.due)]),
        HealthSituation("the server's, overdue", [ordered(.overdue)]),
        HealthSituation("the server's, the renewal fails", [ordered(.backoff)]),
        HealthSituation("the server's, the renewal fails, a day left", [ordered(.dayLeftFailing)]),
        HealthSituation("the server's, the renewal is blocked", [ordered(.blocked)]),
        HealthSituation("the server's, expired", [ordered(.expired)]),
        HealthSituation(
            "warnings in a file, and the certificate expired",
            [
                site(findings: [warning()]).with(CertificateSituation(renewer: .server, days: 90, stage: .expired))
            ]),
    ]

    // MARK: The server

    private static func store(_ rule: RuleDescription, _ message: String) -> HealthSituation {
        HealthSituation("store: `\(rule.code.rawValue)`", [site()]) {
            $0.store = [TimedFinding(LocatedDiagnostic(rule, "postgresql://db/links", message), since: now - 60)]
        }
    }

    private static func nodes(_ name: String, _ states: [StoredNode.State], expected: Int? = nil) -> HealthSituation {
        HealthSituation(name, [site()]) { facts in
            facts.nodes = states.enumerated().map { index, state in
                StoredNode(
                    name: "node-\(index)", generation: 7, state: state, seenAt: (now - 90) * 1_000_000)
            }
            facts.expectedNodes = expected
        }
    }

    private static let server = [
        HealthSituation("starting", [site()]) { $0.serving = .starting },
        HealthSituation("no site has a valid file", [site(.refused)]) { $0.serving = .nothingPublished },
        HealthSituation("draining", [site()]) { $0.serving = .draining },
        HealthSituation("an event loop does not answer", [site()]) { $0.isStuck = true },
        HealthSituation("a reload was not taken up", [site()]) {
            $0.refusedConfiguration = TimedFinding(
                .error("server.json", "unknown key 'lisen'", help: "write 'listen'"), since: now - 60)
        },
        store(.sampleStore("store-unreachable", .error), "connection refused"),
        store(.sampleStore("store-emptied", .error), "the store has no files any more"),
        store(.sampleStore("store-listen-broken", .warning), "notifications do not arrive"),
        nodes("all nodes are current", [.current, .current], expected: 2),
        nodes("a node is silent", [.current, .silent]),
        nodes("a node is behind", [.current, .behind]),
        nodes("fewer nodes than expected", [.current], expected: 3),
    ]
}

extension RuleDescription {
    /// A rule like one about a store.
    fileprivate static func sampleStore(_ code: String, _ severity: Severity) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .store, summary: code, reason: code, basis: [.lint], bad: code, good: code,
            advice: code)
    }
}
