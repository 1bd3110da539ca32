package import AssociationConsole
import AssociationLint
package import Diagnostics
package import ServiceHealth

/// A server that is not there, as the console sees it: many sites, and among them such as somebody has written to break a
/// page.
package struct SampleServer: ConsoleSource {
    /// In seconds since 1970.
    package static let now: Int64 = 1_790_000_000

    package let sites: [ConsoleSite]
    private let texts: HostileTexts
    /// The domain whose store does not answer.
    private static let withoutStore = "site-00003.example"

    /// - Parameters:
    ///   - count: The number of sites.
    ///   - texts: what stands in comments, names and headers.
    package init(sites count: Int = 10_000, texts: HostileTexts = HostileTexts()) {
        self.texts = texts
        var sites = (0..<count).map { Self.site($0, texts) }
        sites.append(
            ConsoleSite(
                domain: "*.wild.example", state: .stale, errors: 0, warnings: 2, generation: nil,
                loadedAt: Self.now - 90_000, certificateNotAfter: Self.now + 86_400 * 2, urgency: .critical,
                lastFetch: nil))
        self.sites = sites.sorted { $0.domain < $1.domain }
    }

    private static func site(_ number: Int, _ texts: HostileTexts) -> ConsoleSite {
        let digits = String(number)
        let state: SiteState.State =
            number % 97 == 0 ? .refused : number % 61 == 0 ? .stale : number % 131 == 0 ? .noCertificate : .published
        return ConsoleSite(
            domain: "site-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".example",
            state: state, errors: state == .stale ? 1 : 0, warnings: number % 7 == 0 ? number % 3 : 0,
            generation: nil, loadedAt: state == .refused ? nil : now - Int64(number) * 61,
            certificateNotAfter: state == .noCertificate ? nil : now + Int64(number % 90) * 86_400 + 3_600,
            urgency: number % 90 <= 2 ? .critical : number % 90 <= 14 ? .warning : .ok,
            lastFetch: number % 5 == 0
                ? nil
                : AppleFetch(
                    at: now - Int64(number % 4_000) * 37, userAgent: texts.userAgent,
                    status: number % 50 == 0 ? 404 : 200))
    }

    package var certificates: [ConsoleCertificate] {
        sites.prefix(120).enumerated().compactMap { index, site in
            site.certificateNotAfter.map { notAfter in
                ConsoleCertificate(
                    names: [site.domain], keyType: index.isMultiple(of: 2) ? "ECDSA" : "RSA", notBefore: nil,
                    notAfter: notAfter, folder: index == 3 ? texts.folder : "/etc/aasa/certs/\(site.domain)",
                    sites: [site.domain], urgency: site.urgency)
            }
        }
    }

    package var metricsHistory: MetricsHistory {
        MetricsHistory(
            end: Self.now, requests: (0..<60).map { 40 + $0 * 7 % 31 + ($0 == 41 ? 900 : 0) },
            appleFetches: (0..<60).map { $0 * 13 % 5 }, handshakes: (0..<60).map { 20 + $0 * 11 % 17 },
            handshakeFailures: (0..<60).map { $0 > 50 ? $0 % 3 : 0 })
    }

    package func members(of site: ConsoleSite) -> [String: JSONOutput] {
        ["domain": .string(site.domain), "state": .string(site.state.rawValue)]
    }

    package func detail(of domain: String) -> ConsoleSiteDetail? {
        guard let site = sites.first(where: { $0.domain == domain }) else { return nil }
        let served = site.state == .refused ? nil : Self.document(Self.file)
        let rejected = site.state == .published ? nil : Self.document(texts.file)
        return ConsoleSiteDetail(
            site: site, served: served, rejected: rejected, assetLinks: Array(Self.assetLinks.utf8),
            files: ["assetlinks.json", texts.fileName], certificate: certificates.first { $0.sites == [domain] },
            fetches: (0..<5).map {
                AppleFetch(
                    at: Self.now - Int64($0) * 3_600, userAgent: $0 == 1 ? texts.userAgent : "AASA-Bot/1.0.0",
                    status: 200)
            },
            versions: domain == Self.withoutStore
                ? .unavailable
                : .list([
                    ConsoleVersion(
                        number: 7, publishedAt: Self.now - 90_000, publishedBy: texts.publisher, errors: 0, warnings: 2),
                    ConsoleVersion(
                        number: 6, publishedAt: Self.now - 900_000, publishedBy: "ci@build-4", errors: nil,
                        warnings: nil),
                ]))
    }

    private static func document(_ text: String) -> ConsoleDocument {
        let bytes = Array(text.utf8)
        let result = Linter().check(bytes)
        return ConsoleDocument(
            bytes: bytes, sha256: String(repeating: "5a", count: 32),
            report: FileReport(result.source, result.diagnostics))
    }

    package var health: SiteHealth { SiteHealth(HealthFacts(), now: 0) }

    package func status(_ options: SiteHealth.Options, of domain: String?) -> [String: JSONOutput] { health.members }

    package func doctor(_ domain: String) -> DoctorAnswer {
        .report(
            JSONOutput.object([
                "version": .number(1), "tool": .string("aasa doctor"), "status": .string("warning"),
                "diagnostics": .array([]),
                "domains": .array([
                    .object([
                        "domain": .string(domain), "port": .number(443), "status": .string("warning"),
                        "steps": .array([
                            .object(["id": .string("dns"), "status": .string("ok"), "reason": .null]),
                            .object([
                                "id": .string("http"), "status": .string("warning"), "reason": .string(texts.userAgent),
                            ]),
                        ]), "links": .array([]),
                        "diagnostics": .array([
                            .object([
                                "code": .string("content-type"), "severity": .string("warning"),
                                "subject": .string("https://\(domain)/"), "message": .string(texts.userAgent),
                                "notes": .array([.string(texts.publisher)]), "fixIts": .array([]),
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
