package import AssociationConsole
import AssociationLint
package import Diagnostics
package import ServiceHealth
package import SiteStore

/// A server that is not there, as the console sees it: many sites, and among them such as somebody has written to break a
/// page.
package struct SampleServer: ConsoleSource {
    /// In seconds since 1970.
    package static let now: Int64 = 1_790_000_000

    package let facts: HealthFacts
    private let texts: HostileTexts
    /// The domain whose store does not answer.
    private static let withoutStore = "site-00003.example"

    /// - Parameters:
    ///   - count: The number of sites.
    ///   - texts: what stands in comments, names and headers.
    ///   - hasStore: Whether they come from a store, with nodes of which some are behind.
    package init(sites count: Int = 10_000, texts: HostileTexts = HostileTexts(), hasStore: Bool = false) {
        (self.texts, self.hasStore) = (texts, hasStore)
        var sites = (0..<count).map { Self.site($0, texts) }
        let wildcard = "*.wild.example"
        sites.append(
            Self.site(
                wildcard, .stale, loadedAt: Self.now - 90_000, findings: Self.findings(errors: 1, warnings: 2),
                Self.certificate(wildcard, notAfter: Self.now + 86_400 * 2)))
        var facts = HealthFacts(sites: sites.sorted { $0.domain < $1.domain })
        if hasStore { (facts.nodes, facts.expectedNodes) = (Self.nodes(count, texts), 4) }
        self.facts = facts
    }

    private static func nodes(_ count: Int, _ texts: HostileTexts) -> [StoredNode] {
        [
            StoredNode(
                name: "edge-1", generation: 812, state: .current, seenAt: (Self.now - 3) * 1_000_000,
                programVersion: "1.2.3", sites: count),
            StoredNode(
                name: "edge-2", generation: 800, state: .behind, seenAt: (Self.now - 5) * 1_000_000,
                programVersion: texts.publisher, isListening: false, sites: count, stale: 2, refused: 1),
            StoredNode(
                name: "edge-3", generation: 790, state: .silent, seenAt: (Self.now - 86_400) * 1_000_000, sites: count),
        ]
    }

    private static func site(_ number: Int, _ texts: HostileTexts) -> SiteFacts {
        let digits = String(number)
        let domain = "site-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".example"
        let state: SiteState.State =
            number % 97 == 0 ? .refused : number % 61 == 0 ? .stale : number % 131 == 0 ? .noCertificate : .published
        let findings = findings(errors: state == .stale ? 1 : 0, warnings: number % 7 == 0 ? number % 3 : 0)
        let notAfter = now + Int64(number % 90) * 86_400 + 3_600
        let folder = number == 2 ? texts.folder : nil
        var facts = site(
            domain, state, loadedAt: now - Int64(number) * 61, findings: findings,
            state == .noCertificate ? nil : certificate(domain, notAfter: notAfter, folder: folder))
        if !number.isMultiple(of: 5) {
            facts.lastFetch = AppleFetch(
                at: now - Int64(number % 4_000) * 37, userAgent: texts.userAgent, status: number % 50 == 0 ? 404 : 200)
        }
        return facts
    }

    private static func findings(errors: Int, warnings: Int) -> [LocatedDiagnostic] {
        Array(repeating: .error("file", "an error"), count: errors)
            + Array(repeating: .warning("file", "a warning"), count: warnings)
    }

    private static func certificate(_ domain: String, notAfter: Int64, folder: String? = nil) -> CertificateFacts {
        CertificateFacts(
            name: domain, keyType: "ECDSA",
            validity: CertificateValidity(notBefore: notAfter - 100 * 86_400, notAfter: notAfter),
            folder: folder ?? "/etc/aasa/certs/\(domain)")
    }

    /// A site that has an association file.
    package static func site(
        _ domain: String, _ state: SiteState.State, loadedAt: Int64, findings: [LocatedDiagnostic] = [],
        _ certificate: CertificateFacts? = nil
    ) -> SiteFacts {
        let served = SiteState.File.Version(sha256: String(repeating: "5a", count: 32), bytes: 2, since: loadedAt)
        let delivery: SiteState.File.Delivery =
            switch state {
            case .published, .noCertificate: .served(served)
            case .stale: .stale(served, refusedSince: now)
            case .refused: .refused(since: now)
            }
        let files = [
            SiteState.File(SiteState.File.association, delivery, findings: findings),
            SiteState.File("assetlinks.json", .served(served)),
        ]
        let without =
            state == .noCertificate
            ? CertificateJudgement(withoutCertificateFor: domain, nil) : CertificateJudgement.notNeeded
        return SiteFacts(
            SiteState(domain, files: files, isWithoutCertificate: state == .noCertificate), certificate: certificate,
            judgement: certificate.map { CertificateJudgement(byTime: $0.validity, now: now) } ?? without)
    }

    package var certificates: [CertificateFacts] { facts.sites.prefix(120).compactMap(\.certificate) }

    package var metricsHistory: MetricsHistory {
        MetricsHistory(
            end: Self.now, requests: (0..<60).map { 40 + $0 * 7 % 31 + ($0 == 41 ? 900 : 0) },
            appleFetches: (0..<60).map { $0 * 13 % 5 }, handshakes: (0..<60).map { 20 + $0 * 11 % 17 },
            handshakeFailures: (0..<60).map { $0 > 50 ? $0 % 3 : 0 })
    }

    package func siteDocuments(of domain: String) -> SiteDocuments? {
        guard let site = facts.sites.first(where: { $0.domain == domain })?.site else { return nil }
        return SiteDocuments([
            SiteFileDocuments(
                SiteState.File.association, served: site.state == .refused ? nil : Self.document(Self.file),
                rejected: site.state == .published ? nil : Self.document(texts.file)),
            SiteFileDocuments("assetlinks.json", served: Self.document(Self.assetLinks, as: .assetLinks)),
        ])
    }

    package func versions(of domain: String) -> ConsoleVersions {
        if domain == Self.withoutStore { return .unavailable }
        return .list([
            ConsoleVersion(
                number: 7, publishedAt: Self.now - 90_000, publishedBy: texts.publisher,
                message: texts.comment, errors: 0, warnings: 2),
            ConsoleVersion(
                number: 6, publishedAt: Self.now - 900_000, publishedBy: "ci@build-4", message: nil,
                errors: nil, warnings: nil),
        ])
    }

    package let hasStore: Bool
    /// The generation of the newest change.
    private static let newest: Int64 = 812
    /// The change for which the store does not answer.
    private static let lost: Int64 = 3

    package func changes(before generation: Int64?, limit: Int) -> [StoredChange]? {
        let start = min(generation ?? .max, Self.newest + 1)
        guard start != Self.lost else { return nil }
        return (max(0, start - Int64(limit))..<max(0, start)).reversed().map { number in
            let at = (Self.now - (Self.newest - number) * 4_000) * 1_000_000
            switch number % 5 {
            case 0:
                return StoredChange(
                    generation: number, at: at, by: texts.publisher, action: "publish", count: 1_200)
            case 1:
                return StoredChange(generation: number, at: at, by: "edge-1", action: "certificate", count: 1)
            default:
                return StoredChange(
                    generation: number, at: at, by: "ci@build-4", action: "publish",
                    domain: "site-0000\(number % 5).example", name: "apple-app-site-association",
                    message: texts.publisher)
            }
        }
    }

    package func change(_ generation: Int64) -> ConsoleChange {
        guard generation != Self.lost else { return .unavailable }
        guard generation <= Self.newest, let change = changes(before: generation + 1, limit: 1)?.first else {
            return .unknown
        }
        guard change.action == "publish" else { return .change(change, []) }
        let differences = [
            ConsoleChange.Difference(
                kind: "opens", subject: "https://site-00002.example/buy/1",
                details: ["old: no rule of version 6 matches", "new: version 7:8:11: \(texts.comment)"]),
            ConsoleChange.Difference(
                kind: "no longer opens", subject: "https://site-00002.example/\(texts.fileName)",
                details: ["old: version 6:9:11: /old/*", "new: no rule of version 7 matches"]),
        ]
        return .change(
            change,
            [
                ConsoleChange.File(
                    name: "site-00002.example/apple-app-site-association", summary: "version 7: \(texts.publisher)",
                    differences, notes: []),
                ConsoleChange.File(
                    name: "site-00002.example/assetlinks.json", summary: "version 1, new", nil,
                    notes: ["new: \(String(repeating: "5a", count: 32)), 812 bytes"]),
            ])
    }

    private static func document(_ text: String, as kind: FileKind = .association) -> ConsoleDocument {
        let bytes = Array(text.utf8)
        let result = Linter().check(bytes, path: "file", as: kind)
        return ConsoleDocument(
            bytes: bytes, sha256: String(repeating: "5a", count: 32),
            report: FileReport(result.source, result.diagnostics))
    }

    package func doctor(_ domain: String) -> DoctorAnswer {
        .report(
            JSONOutput.object([
                "version": .number(1), "tool": .string("aasa doctor"), "status": .string("warning"),
                "diagnostics": .array([]), "remark": .null,
                "domains": .array([
                    .object([
                        "domain": .string(domain), "unicode": .null, "port": .number(443), "status": .string("warning"),
                        "files": .array([.string("apple-app-site-association")]),
                        "steps": .array([
                            Self.step("dns", "DNS", "ok", ["192.0.2.10, 2001:db8::10"]),
                            Self.step("tls", "TLS", "error", ["1.2 and 1.3, complete chain, expired on 2026-11-01"]),
                            Self.step("http", "HTTP", "warning", ["200 after 84 ms, \(texts.userAgent)"]),
                            Self.step("file", "File", "ok", ["2 apps, 14 rules, services applinks and webcredentials"]),
                            Self.step("cdn", "Apple CDN", "skipped", [texts.publisher]),
                            Self.step("link", "Link", "skipped", []),
                        ]), "links": .array([]),
                        "diagnostics": .array([
                            .object([
                                "code": .string("http-content-type"), "severity": .string("warning"),
                                "subject": .string("https://\(domain)/"), "message": .string(texts.userAgent),
                                "notes": .array([.string(texts.publisher)]), "help": .string("send application/json"),
                                "evidence": .array([.string("content-type: \(texts.userAgent)")]),
                                "excerpt": .array([]), "range": .null,
                            ])
                        ]),
                    ])
                ]),
                "summary": .object([
                    "domains": .number(1), "errors": .number(0), "warnings": .number(1), "notes": .number(0),
                    "ignored": .number(0),
                ]),
            ]).text)
    }

    private static func step(_ id: String, _ title: String, _ status: String, _ lines: [String]) -> JSONOutput {
        .object([
            "id": .string(id), "title": .string(title), "status": .string(status),
            "lines": .array(lines.map(JSONOutput.string)), "reason": .null, "evidence": .object([:]),
        ])
    }

    /// A file with something to say about it.
    package static let file = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                "components": [
                  { "/": "/help/*", "exclude": true, "comment": "help stays on the web" },
                  { "/": "/buy/*" },
                  { "/": "/buy/gift-cards", "exclude": true }
                ]
              }
            ]
          }
        }

        """

    private static let assetLinks = """
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
        "package_name": "com.shop.app", "sha256_cert_fingerprints":
        ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]}}]
        """
}

/// Texts that come from outside and are shown: here all of them try to be something else.
package struct HostileTexts: Sendable {
    package var userAgent = #"<img src=x onerror="pwned()"> AASA-Bot"#
    package var publisher = "'\"><script>pwned()</script>\u{202E}moc"
    package var folder = "/etc/<b>certs</b>/{{7*7}}${7*7}"
    package var fileName = "javascript:pwned()//.json"
    package var comment = "</textarea></code><svg onload=pwned()>\u{202E}\u{0}\u{7}"

    package init() {}

    /// All of them the same.
    package init(all text: String) {
        (userAgent, publisher, folder, fileName, comment) = (text, text, text, text, text)
    }

    /// An association file that has the comment in all places where text can be, and errors in them.
    package var file: String {
        let text = JSONOutput.string(comment).text
        return """
            {"applinks": {"details": [{"appIDs": [\(text), "7K3QWZ9PLM.com.shop.app"], \(text): 1,
            "components": [{"/": \(text), "comment": \(text)}, {"/": "/a/*", "?": {\(text): \(text)}}, {"#": \(text)}]}]}}
            """
    }
}
