import ACME
import Diagnostics
import ServiceHealth
import SiteStore
import TestSupport
import Testing

/// The one health (server.md, section 9).
@Suite("The health of a server")
struct SiteHealthTests {
    /// 2026-01-01T00:00:00Z.
    private static let now: Int64 = 1_767_225_600
    private static let day: Int64 = 86_400

    /// A site with a certificate of 90 days.
    private static func site(
        _ domain: String, _ state: SiteState.State = .published, findings: [LocatedDiagnostic] = [],
        daysLeft: Int64 = 60, source: CertificateSource = .folder, _ status: DomainStatus? = nil
    ) -> SiteFacts {
        let validity = CertificateValidity(notBefore: now + (daysLeft - 90) * day, notAfter: now + daysLeft * day)
        return .sample(
            domain, state, since: now, findings: findings,
            certificate: CertificateFacts(
                name: domain, keyType: "ECDSA", validity: validity, folder: "certs/a", source: source),
            judgement: CertificateJudgement(validity, source, of: domain, status, now: now), issuance: status)
    }

    private static func health(
        _ sites: [SiteFacts], _ options: SiteHealth.Options = .init(), _ change: (inout HealthFacts) -> Void = { _ in }
    ) -> SiteHealth {
        var facts = HealthFacts(sites: sites)
        facts.remembersFiles = true
        change(&facts)
        return SiteHealth(facts, options, now: now)
    }

    /// The problems as `kind severity: message`.
    private static func lines(_ health: SiteHealth) -> [String] {
        health.problems.map { "\($0.kind.rawValue) \($0.severity.word): \($0.message)" }
    }

    @Test("a server with which all is well has no problems")
    func fine() {
        let health = Self.health([Self.site("a.example"), Self.site("b.example")])
        #expect(health.severity == .ok && health.problems.isEmpty && health.remarks.isEmpty && health.more == 0)
        #expect(health.sites.total == 2 && health.sites.published == 2 && health.sites.fine == 2)
        #expect(health.nextExpiry?.domain == "a.example" && health.nextExpiry?.daysLeft == 60)
    }

    @Test("the server itself: a loop that hangs, and each state but ready")
    func general() {
        #expect(
            Self.lines(Self.health([]) { $0.isStuck = true }) == [
                "loop-stuck critical: an event loop has not answered within a second"
            ])
        let states: [(ServingState, String)] = [
            (.starting, "critical: the server is starting"), (.nothingPublished, "critical: no site has a valid file"),
            (.draining, "warning: the server is stopping"),
        ]
        for (state, line) in states {
            let health = Self.health([]) { $0.serving = state }
            #expect(Self.lines(health) == ["not-ready \(line)"] && health.serving == state.rawValue)
        }
    }

    private static let errors = [
        LocatedDiagnostic.warning("a", "odd"), .error("sites/a", "no value", help: "write one"), .error("sites/a", "x"),
    ]

    @Test("files: which one is refused, and which one is served in an older version")
    func files() {
        let health = Self.health([
            Self.site("a.example", .refused, findings: Self.errors),
            Self.site("b.example", .stale, findings: Self.errors),
        ])
        #expect(
            Self.lines(health) == [
                "refused critical: answers 503: no value, and 1 more error",
                "stale warning: an older file is served: no value, and 1 more error",
            ])
        #expect(health.problems[0].since == Self.now && health.problems[0].location == "sites/a")
        #expect(health.problems[0].help == "write one")
        #expect(health.sites.refused == 1 && health.sites.stale == 1)
        #expect(health.sites.broken == 1 && health.sites.attention == 1)
        var site = Self.site("c.example")
        let association = site.site.files.prefix(1)
        for (state, line) in [
            (SiteState.State.refused, "file-refused critical: assetlinks.json answers 503: no value"),
            (.stale, "stale warning: an older assetlinks.json is served: no value"),
        ] {
            let other = SiteState.File.sample("assetlinks.json", state, findings: [Self.errors[1]])
            site.site = SiteState("c.example", files: association + [other])
            #expect(Self.lines(Self.health([site])) == [line])
            // A site may have nothing but other files.
            site.site = SiteState("c.example", files: [other])
            #expect(Self.lines(Self.health([site])) == [line])
            #expect(Self.health([site]).sites.published == 0)
        }
        site.site = SiteState("c.example", files: [.sample("assetlinks.json")])
        #expect(Self.health([site]).severity == .ok)
    }

    @Test("warnings of files that are served are counted, and change a severity only where that is asked for")
    func warnings() {
        let site = Self.site("a.example", findings: [Self.errors[0], Self.errors[0]])
        let health = Self.health([site])
        #expect(health.severity == .ok && health.problems.isEmpty && health.fileWarnings == 2)
        #expect(health.remarks.map(\.message) == ["apple-app-site-association: odd, and 1 more warning"])
        #expect(health.sites.fine == 1)
        let strict = Self.health([site], .init(isStrict: true))
        #expect(strict.severity == .warning && strict.sites.attention == 1 && strict.remarks.isEmpty)
        #expect(strict.problems.map(\.kind) == [.fileWarnings])
    }

    @Test("a stale file that no disk remembers is one warning for the server")
    func staleUntilRestart() {
        let sites = ["a.example", "b.example"].map { Self.site($0, .stale, findings: Self.errors) }
        let problems = Self.health(sites) { $0.remembersFiles = false }.problems
        #expect(problems.map(\.kind) == [.staleUntilRestart, .stale, .stale])
        #expect(problems[0].message.hasPrefix("the last good file of a.example and of 1 other site is in memory only"))
        #expect(Self.health(sites).problems.count == 2)
    }

    @Test("a configuration, a pair and other things that are refused are problems of the server")
    func refusals() {
        let health = Self.health([Self.site("a.example")]) {
            $0.refusedConfiguration = TimedFinding(.error("server.json", "unknown key 'x'"), since: 7)
            $0.pairs = [
                PairFacts(folder: "certs/a", state: .loaded),
                PairFacts(folder: "certs/b", state: .waiting, finding: .error("certs/b/privkey.pem", "differs")),
                PairFacts(folder: "certs/c", state: .refused, finding: .error("certs/c/fullchain.pem", "no PEM")),
            ]
            $0.certificateFindings = [.warning("certs/a/privkey.pem", "readable")]
            $0.findings = [.error("sites/No Host", "no host")]
        }
        #expect(
            Self.lines(health) == [
                "certificate-refused critical: the certificate in 'certs/c' cannot be used: no PEM",
                "finding critical: no host",
                "configuration-refused warning: the last reload was not taken up: unknown key 'x'",
                "certificate-finding warning: readable",
            ])
        #expect(health.problems[2].since == 7 && health.sites.fine == 1)
        #expect(health.ofCertificates.problems.map(\.kind) == [.certificateRefused, .certificateFinding])
    }

    @Test("the store, and the nodes that follow it")
    func store() {
        let nodes = [StoredNode.State.current, .behind, .silent].map {
            StoredNode(name: "n-\($0.rawValue)", generation: 5, state: $0, seenAt: 9_000_000)
        }
        let health = Self.health([]) {
            ($0.nodes, $0.expectedNodes) = (nodes, 4)
            $0.store = [TimedFinding(.error("store", "gone"), since: 3)]
        }
        #expect(
            Self.lines(health) == [
                "finding critical: gone", "node-silent warning: node 'n-silent' does not report itself",
                "node-behind warning: node 'n-behind' is behind, at generation 5",
                "node-missing warning: 3 of 4 expected nodes follow the store",
            ])
        #expect(health.problems[0].since == 3 && health.problems[1].since == 9)
    }

    @Test("a certificate that the server does not renew: by the judgement of all commands, or by the days asked for")
    func ownCertificates() {
        func lines(_ daysLeft: Int64, days: Int? = nil) -> [String] {
            Self.lines(Self.health([Self.site("a.example", daysLeft: daysLeft)], .init(certificateDays: days)))
        }
        #expect(lines(23).isEmpty)
        #expect(lines(20) == ["certificate-expires warning: certificate expires in 20 days (2026-01-21)"])
        #expect(lines(20, days: 14).isEmpty)
        #expect(lines(50, days: 60) == ["certificate-expires warning: certificate expires in 50 days (2026-02-20)"])
        #expect(lines(2, days: 0) == ["certificate-expires critical: certificate expires in 2 days (2026-01-03)"])
        for days in [nil, 0, 100] {
            #expect(lines(-1, days: days) == ["certificate-expired critical: certificate expired on 2025-12-31"])
        }
    }

    @Test("a certificate that the server renews is a problem when its renewal is")
    func renewedCertificates() {
        func lines(_ daysLeft: Int64, _ status: DomainStatus, days: Int? = nil) -> [String] {
            let site = Self.site("a.example", daysLeft: daysLeft, source: .acme, status)
            return Self.lines(Self.health([site], .init(certificateDays: days)))
        }
        var status = DomainStatus(.valid)
        status.nextRenewal = Self.now + Self.day
        #expect(lines(9, status, days: 60).isEmpty)
        status = DomainStatus(.backoff)
        status.lastError = RecordedError(at: Self.now, type: .dns, message: "no address")
        #expect(lines(20, status) == ["certificate-expires warning: certificate was not renewed: dns"])
        status.state = .blocked
        #expect(lines(20, status) == ["certificate-expires critical: certificate cannot be renewed: dns"])
        let awaited = SiteFacts.sample("b.example").withoutCertificate(DomainStatus(.waiting))
        let health = Self.health([awaited])
        #expect(Self.lines(health) == ["no-certificate warning: no certificate yet: the server gets one"])
        #expect(health.sites.withoutCertificate == 1)
    }

    @Test(
        "Apple's last fetch: an error, and none for two weeks",
        arguments: [
            (200, 13 as Int64, nil), (304, 0, nil),
            (200, 14, "apple-silent warning: Apple's last fetch was 14 days ago"),
            (404, 1, "apple-error warning: Apple's last fetch got 404 (2025-12-31T00:00:00Z)"),
            (503, 30, "apple-error warning: Apple's last fetch got 503 (2025-12-02T00:00:00Z)"),
        ])
    func apple(status: Int, days: Int64, expected: String?) {
        var site = Self.site("a.example")
        site.lastFetch = AppleFetch(at: Self.now - days * Self.day, userAgent: "AASA-Bot", status: status)
        #expect(Self.lines(Self.health([site])) == [expected].compactMap { $0 })
        // The answers of a site that has no file are reported as that.
        site.site = SiteFacts.sample("a.example", .refused).site
        #expect(Self.health([site]).problems.map(\.kind) == [.refused])
    }

    @Test("problems are sorted: critical ones first, then by domain; JSON lists a thousand and counts the rest")
    func order() throws {
        let sites = (0..<1_500).map { number in
            Self.site("s\(String(10_000 + number).dropFirst()).example", daysLeft: number % 2 == 0 ? 20 : -1)
        }
        let health = Self.health(sites.reversed()) { $0.isStuck = true }
        #expect(health.problems.first?.kind == .loopStuck && health.problems.count == 1_501)
        #expect(health.problems[1].domain == "s0001.example" && health.problems[751].domain == "s0000.example")
        #expect(health.sites.broken == 750 && health.sites.attention == 750)
        let text = JSONOutput.object(health.members).text
        let read = try #require(SiteHealth(Array(text.utf8)))
        #expect(read.problems == Array(health.problems.prefix(SiteHealth.maxListed)) && read.more == 501)
        #expect(read.severity == health.severity && read.sites == health.sites && read.nextExpiry == health.nextExpiry)
        #expect(SiteHealth(Array(text.dropLast().utf8)) == nil)
    }

    @Test(
        "what is not a status is not taken for one",
        arguments: [
            "", "{}", "ok\n",
            #"{"version":1,"status":"fine","serving":"ready","sites":{},"problems":[],"more":0}"#,
        ])
    func others(text: String) { #expect(SiteHealth(Array(text.utf8)) == nil) }

    @Test("the answer of a server of version 0.12 can be read")
    func earlierVersion() {
        let text = """
            {"more":0,"problems":[{"domain":"a.example","kind":"stale","message":"m","severity":"warning"}],\
            "serving":"ready","sites":{"attention":1,"broken":0,"published":0,"refused":0,"stale":1,"total":1,\
            "withoutCertificate":0},"status":"warning","version":1}
            """
        let health = SiteHealth(Array(text.utf8))
        #expect(health?.problems.first == HealthProblem("a.example", .stale, .warning, "m"))
        #expect(health?.severity == .warning && health?.program == nil)
    }

    @Test("text: the worst first, each with where it is and what to do, then what it comes to")
    func text() throws {
        let expired = Self.site("b.example", daysLeft: -1)
        let health = Self.health([
            Self.site("a.example", .stale, findings: Self.errors), expired,
            Self.site("c.example", findings: [Self.errors[0]]),
        ]) {
            $0.program = HealthFacts.Program(
                version: "1.2.3", startedAt: Self.now - 3 * Self.day, reloadedAt: Self.now - 120)
        }
        let later = Self.now + 600
        let lines = HealthText(health, now: later).lines()
        #expect(
            lines == [
                "x b.example: certificate expired on 2025-12-31 [certificate-expired] since 2025-12-31 00:00 UTC (1 day)",
                "    --> certs/a", "    help: \(CertificateJudgement.renewNow)",
                "! a.example: an older file is served: no value, and 1 more error [stale] since 2026-01-01 00:00 UTC "
                    + "(10 minutes)",
                "    --> sites/a", "    help: write one",
                "3 sites: 1 broken, 1 needs attention, 1 fine; 1 warning in files that are served",
                "aasa 1.2.3, up 3 days, last reload 12 minutes ago; next certificate to expire: b.example, expired on "
                    + "2025-12-31",
            ], "\(lines)")
        #expect(HealthText(health, now: later).lines(hasRemarks: true).contains { $0.hasPrefix("- c.example: ") })
        for line in HealthText(health, width: 60, now: later).lines() { #expect(TerminalWidth.columns(line) <= 60) }
    }

    @Test("a plugin has one line with performance data, then problems")
    func plugin() {
        let health = Self.health([Self.site("a|b.example", daysLeft: 20)])
        let lines = HealthText(health, now: Self.now).nagios()
        #expect(
            lines == [
                "AASA WARNING - 1 site: 1 needs attention | sites=1;;;0 broken=0;;0;0 attention=1;0;;0 stale=0;0;;0 "
                    + "refused=0;;0;0 without_certificate=0;;0;0 file_warnings=0;;;0 days=20;22:;7:",
                "WARNING: a/b.example: certificate expires in 20 days (2026-01-21) [certificate-expires]",
            ], "\(lines)")
        #expect(HealthText(health, now: Self.now).nagios(isStrict: true)[0].hasPrefix("AASA CRITICAL"))
    }
}
