internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import HTTP1
internal import ServiceHealth
internal import SystemSupport
internal import URLPatterns

/// The part of the API that is about a server (docs/spec/console.md, section 4).
struct ServerAPI {
    private static let maxDays = 10_000

    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    func sites(_ query: String?) throws(APIError) -> ConsoleAnswer {
        let parameters = try Parameters(query, known: SiteTableQuery.names)
        let query = try SiteTableQuery(parameters, limit: 50)
        let facts = source.facts
        let table = SiteTable(facts, query, query.problem.map { _ in SiteProblems(facts, now: now) })
        return .json(
            JSONOutput.object([
                "version": .number(1), "total": .number(table.total), "matching": .number(table.matching),
                "offset": .number(query.offset), "sites": .array(table.rows.map { json($0, facts.directory) }),
            ]).text)
    }

    private func json(_ site: SiteFacts, _ directory: String) -> JSONOutput {
        var members = site.members(directory: directory, now: now)
        (members["errors"], members["warnings"]) = (.number(site.errors), .number(site.warnings))
        members["generation"] = site.generation.map { .number(Int($0)) } ?? .null
        return .object(members)
    }

    func site(_ name: String) throws(APIError) -> ConsoleAnswer {
        guard let domain = SiteName.domain(name), let detail = source.detail(of: domain) else {
            throw .notFound("no site \(quoted(name)); api/v1/sites lists all")
        }
        let documents = detail.documents
        var object: [String: JSONOutput] = [
            "version": .number(1), "site": json(detail.facts, source.facts.directory),
            "diagnostics": documents.association?.served.map(Self.diagnostics) ?? .array([]),
            "rejected": documents.association?.rejected.map(Self.rejected) ?? .null,
            "assetlinks": documents.assetLinks?.served.map { .string(String(unbounded: $0.bytes)) } ?? .null,
        ]
        object.merge(documents.association?.served.map { Self.content($0.bytes) } ?? ["text": .null]) { $1 }
        switch detail.versions {
        case .none: object["versions"] = .null
        case .unavailable:
            object["versions"] = .null
            object["storeError"] = .string("the store does not answer")
        case .list(let versions): object["versions"] = .array(versions.map(Self.json))
        }
        return .json(JSONOutput.object(object).text)
    }

    private static func content(_ bytes: [UInt8]) -> [String: JSONOutput] {
        String(validUnbounded: bytes).map { ["text": .string($0)] }
            ?? ["base64": .string(Base64.standard.text(bytes))]
    }

    private static func diagnostics(_ document: ConsoleDocument) -> JSONOutput {
        .array(document.report.diagnostics.map { .object($0.members(in: document.report.source)) })
    }

    private static func rejected(_ document: ConsoleDocument) -> JSONOutput {
        .object(
            ["sha256": .optional(document.sha256), "diagnostics": diagnostics(document)]
                .merging(content(document.bytes)) { $1 })
    }

    private static func json(_ version: ConsoleVersion) -> JSONOutput {
        .object([
            "number": .number(Int(version.number)), "publishedAt": .string(InternetDate.string(version.publishedAt)),
            "publishedBy": .string(version.publishedBy), "message": .optional(version.message),
            "errors": version.errors.map(JSONOutput.number) ?? .null,
            "warnings": version.warnings.map(JSONOutput.number) ?? .null,
        ])
    }

    func certificates(_ query: String?) throws(APIError) -> ConsoleAnswer {
        let parameters = try Parameters(query, known: ["offset", "limit"])
        let (offset, limit) = (try parameters.offset(), try parameters.limit(50))
        let all = source.presentedCertificates
        return .json(
            JSONOutput.object([
                "version": .number(1), "total": .number(all.count),
                "certificates": .array(all.dropFirst(offset).prefix(limit).map(json)),
            ]).text)
    }

    private func json(_ certificate: ConsoleCertificate) -> JSONOutput {
        .object([
            "names": .array(certificate.names.map(JSONOutput.string)), "keyType": .string(certificate.facts.keyType),
            "notBefore": .string(InternetDate.string(certificate.facts.validity.notBefore)),
            "notAfter": .string(InternetDate.string(certificate.facts.notAfter)),
            "daysLeft": .number(certificate.facts.validity.daysLeft(at: now)),
            "folder": .string(certificate.facts.folder),
            "sites": .array(certificate.sites.map(JSONOutput.string)),
        ])
    }

    func metricsHistory(_ query: String?) throws(APIError) -> ConsoleAnswer {
        _ = try Parameters(query, known: [])
        let history = source.metricsHistory
        func series(_ numbers: [Int]) -> JSONOutput { .array(numbers.map(JSONOutput.number)) }
        return .json(
            JSONOutput.object([
                "version": .number(1), "stepSeconds": .number(60), "end": .string(InternetDate.string(history.end)),
                "series": .object([
                    "requests": series(history.requests), "appleFetches": series(history.appleFetches),
                    "handshakes": series(history.handshakes), "handshakeFailures": series(history.handshakeFailures),
                ]),
            ]).text)
    }

    func status(_ query: String?) throws(APIError) -> ConsoleAnswer {
        let parameters = try Parameters(query, known: ["certificateDays", "domain", "strict"])
        let options = SiteHealth.Options(
            certificateDays: try parameters.number("certificateDays", in: 0...Self.maxDays),
            isStrict: try parameters.number("strict", in: 0...1) == 1)
        var facts = source.facts
        if let name = parameters["domain"] {
            let domain = SiteName.domain(name)
            facts.sites.removeAll { $0.domain != domain }
            guard !facts.sites.isEmpty else { throw .notFound("no site \(quoted(name)); api/v1/sites lists all") }
        }
        return .json(JSONOutput.object(SiteHealth(facts, options, now: now).members).text)
    }

    func doctor(_ name: String) throws(APIError) -> DoctorAnswer {
        guard let domain = SiteName.host(name), SiteName.isServed(domain, source.facts.sites) else {
            throw .notFound("this server has no site for \(quoted(name))")
        }
        return source.doctor(domain)
    }
}

/// The part of the API that checks a domain.
enum DoctorAPI {
    /// - Parameter check: Checks what is named, if that is one of those that may be checked.
    static func answer(
        _ body: [UInt8], _ check: (String) throws(APIError) -> DoctorAnswer
    ) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: ["domain"])
        guard let name = try request.string("domain") else { throw request.missing("domain") }
        switch try check(name) {
        case .report(let text): return .json(text)
        case .busy(let seconds):
            return .busy("another domain is being checked; only one is checked at a time", retryAfter: seconds)
        case .unavailable: throw .notFound("this program cannot check domains; use 'aasa doctor'")
        }
    }
}

/// The names of sites in paths and requests.
enum SiteName {
    /// The domain of a site: in any case, in Unicode or Punycode, a wildcard as `*.example.com` or
    /// `_wildcard.example.com`; nil if it is not a name.
    static func domain(_ text: String) -> String? { (try? Domain(text: text))?.identifier }

    /// The host in any case, in Unicode or Punycode; nil if it is not a name.
    static func host(_ text: String) -> String? { HostName(text)?.ascii }

    /// Whether a host is a site, or one label below a wildcard that is one.
    static func isServed(_ host: String, _ sites: [SiteFacts]) -> Bool {
        let parent = host.firstIndex(of: ".").map { "*\(host[$0...])" }
        return sites.contains { $0.domain == host || $0.domain == parent }
    }

    /// A site's name as a segment of a path.
    static func segment(_ domain: String) -> String {
        PercentEncoding.encoded(Domain(domain)?.folderName ?? domain)
    }
}
