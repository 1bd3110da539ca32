internal import ACME
package import Diagnostics
internal import HTTP1
internal import JSONSyntax
package import ServiceHealth
internal import SystemSupport

/// Whether a server is healthy, and what is wrong if it is not: the answer of `/api/v1/status`, which `aasa status` shows
/// (server.md, section 9).
package struct ServerStatus: Equatable, Sendable {
    /// The kind of a problem.
    package enum Kind: String, CaseIterable, Sendable {
        case loopStuck = "loop-stuck"
        case notReady = "not-ready"
        /// The site answers 503.
        case refused
        case noCertificate = "no-certificate"
        case certificateExpired = "certificate-expired"
        case certificateExpires = "certificate-expires"
        /// The newest file is faulty, and the last good one is served.
        case stale
        /// Apple's last fetch got something other than the file.
        case appleError = "apple-error"
        /// Apple has fetched the file since the start, but not lately.
        case appleSilent = "apple-silent"
    }

    package struct Problem: Equatable, Sendable {
        /// `nil` for a problem of the whole server.
        package let domain: String?
        package let kind: Kind
        package let severity: CertificateSeverity
        /// A clause, such as `certificate expires in 5 days (2026-11-28)`.
        package let message: String

        package init(_ domain: String?, _ kind: Kind, _ severity: CertificateSeverity, _ message: String) {
            (self.domain, self.kind, self.severity, self.message) = (domain, kind, severity, message)
        }
    }

    /// The number of sites in each state.
    package struct Sites: Equatable, Sendable {
        package var total = 0
        package var published = 0
        package var stale = 0
        package var refused = 0
        package var withoutCertificate = 0
        /// Those with a critical problem.
        package var broken = 0
        /// Those with warnings only.
        package var attention = 0

        package init() {}
    }

    /// The most problems that are listed.
    package static let mostProblems = 1_000
    /// The most days that can be asked for.
    package static let mostCertificateDays = 10_000
    /// The time without a fetch after which Apple is silent, in days.
    static let silentDays = 14

    /// As `/readyz` says it.
    package let serving: String
    package let severity: CertificateSeverity
    package let sites: Sites
    /// Critical ones first, then by domain; those of the whole server before those of sites.
    package let problems: [Problem]
    /// The number of problems that are not listed.
    package let more: Int

    /// Judges a server.
    ///
    /// - Parameters:
    ///   - loops: what the loops have counted; `nil` if one of them does not answer.
    ///   - certificateDays: warn of certificates that nobody renews automatically when so many days are left, instead of the
    ///     usual number; `nil` keeps the judgement that all commands share.
    ///   - now: seconds since 1970.
    package init(
        _ state: ServingState, _ reports: [SiteReport], loops: LoopReport?, certificateDays: Int? = nil, now: Int64
    ) {
        var all: [Problem] = []
        if loops == nil {
            all.append(Problem(nil, .loopStuck, .critical, "an event loop has not answered within a second"))
        }
        if let problem = Self.problem(state) { all.append(problem) }
        var sites = Sites()
        for report in reports {
            sites.count(report.state)
            let fetch = loops?.fetches(site: report.number).last
            let problems = Self.problems(report, fetch, certificateDays: certificateDays, now: now)
            switch problems.map(\.severity).max() {
            case .critical: sites.broken += 1
            case .warning: sites.attention += 1
            case .ok, nil: break
            }
            all += problems
        }
        all.sort { one, other in
            (-one.severity.rawValue, one.domain ?? "", one.kind.rank)
                < (-other.severity.rawValue, other.domain ?? "", other.kind.rank)
        }
        self.init(serving: state.rawValue, sites: sites, all)
    }

    private init(serving: String, sites: Sites, _ all: [Problem]) {
        self.serving = serving
        self.sites = sites
        severity = all.map(\.severity).max() ?? .ok
        problems = Array(all.prefix(Self.mostProblems))
        more = all.count - problems.count
    }

    private static func problem(_ state: ServingState) -> Problem? {
        switch state {
        case .ready: nil
        case .starting: Problem(nil, .notReady, .critical, "the server is starting")
        case .nothingPublished: Problem(nil, .notReady, .critical, "no site has a valid file")
        case .draining: Problem(nil, .notReady, .warning, "the server is stopping")
        }
    }

    private static func problems(
        _ site: SiteReport, _ fetch: AppleFetches.Fetch?, certificateDays: Int?, now: Int64
    ) -> [Problem] {
        var problems: [Problem] = []
        let reason = site.lastError.map { ": \($0.message)" } ?? ""
        // A site of a store may have other files only; one whose certificate is missing may have no good file, either.
        if site.sha256 == nil, site.state == .refused || site.lastError != nil {
            problems.append(Problem(site.domain, .refused, .critical, "answers 503\(reason)"))
        } else if site.lastError != nil {
            problems.append(Problem(site.domain, .stale, .warning, "an older file is served\(reason)"))
        }
        if let problem = certificate(site, certificateDays: certificateDays, now: now) { problems.append(problem) }
        if site.sha256 != nil, let fetch {
            let age = wholeDays(now - fetch.at)
            if fetch.status != .ok, fetch.status != .notModified {
                let status = fetch.status.rawValue
                problems.append(
                    Problem(
                        site.domain, .appleError, .warning,
                        "Apple's last fetch got \(status) (\(InternetDate.string(fetch.at)))"))
            } else if age >= silentDays {
                problems.append(
                    Problem(
                        site.domain, .appleSilent, .warning, "Apple's last fetch was \(counted(age, "day")) ago"))
            }
        }
        return problems
    }

    private static func certificate(_ site: SiteReport, certificateDays: Int?, now: Int64) -> Problem? {
        var judgement = site.judgement
        if let certificateDays, let certificate = site.certificate, certificate.source == .folder,
            judgement.state == .ok || judgement.state == .expires, site.issuance?.isRenewal != true
        {
            judgement = CertificateJudgement(
                byTime: CertificateValidity(notBefore: certificate.notBefore, notAfter: certificate.notAfter),
                warningSeconds: Int64(certificateDays) * CertificateValidity.day, now: now)
        }
        let kind: Kind? =
            switch judgement.state {
            case .ok, .notNeeded, .unused: nil
            case .expired, .notYetValid: .certificateExpired
            case .expires: .certificateExpires
            case .renewalOverdue, .renewalFailed, .blocked:
                judgement.isServed
                    ? .certificateExpires : site.certificate == nil ? .noCertificate : .certificateExpired
            case .awaited, .orderFailed, .missing, .partial: .noCertificate
            }
        guard let kind, judgement.severity > .ok else { return nil }
        return Problem(site.domain, kind, judgement.severity, judgement.clause)
    }
}

extension ServerStatus.Kind {
    /// The position in the table of the contract, which lists what has to be done first.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension DomainStatus {
    /// Whether the server orders a certificate that replaces the present one.
    fileprivate var isRenewal: Bool { state != .excluded && state != .covered }
}

extension ServerStatus.Sites {
    fileprivate mutating func count(_ state: SiteState.State) {
        total += 1
        switch state {
        case .published: published += 1
        case .stale: stale += 1
        case .refused: refused += 1
        case .noCertificate: withoutCertificate += 1
        }
    }
}

// MARK: JSON

extension ServerStatus {
    package var members: [String: JSONOutput] {
        [
            "version": .number(1), "status": .string(severity.word), "serving": .string(serving),
            "sites": .object([
                "total": .number(sites.total), "published": .number(sites.published), "stale": .number(sites.stale),
                "refused": .number(sites.refused), "withoutCertificate": .number(sites.withoutCertificate),
                "broken": .number(sites.broken), "attention": .number(sites.attention),
            ]),
            "problems": .array(
                problems.map { problem in
                    .object([
                        "domain": .optional(problem.domain), "kind": .string(problem.kind.rawValue),
                        "severity": .string(problem.severity.word), "message": .string(problem.message),
                    ])
                }), "more": .number(more),
        ]
    }

    /// Reads what `members` are written as.
    ///
    /// - Returns: `nil` for anything else.
    package init?(_ json: [UInt8]) {
        let document = JSONReader.read(json, path: "status", limits: .configuration)
        guard document.findings.isEmpty, let root = document.root?.object,
            let status = CertificateSeverity(word: root.text("status")), let serving = root.text("serving"),
            let counts = root.member("sites")?.value.object, let list = root.member("problems")?.value.array,
            let more = root.number("more")
        else { return nil }
        var sites = Sites()
        let numbers: [(WritableKeyPath<Sites, Int>, String)] = [
            (\.total, "total"), (\.published, "published"), (\.stale, "stale"), (\.refused, "refused"),
            (\.withoutCertificate, "withoutCertificate"), (\.broken, "broken"), (\.attention, "attention"),
        ]
        for (path, name) in numbers {
            guard let number = counts.number(name) else { return nil }
            sites[keyPath: path] = number
        }
        var problems: [Problem] = []
        for element in list {
            guard let object = element.object, let kind = object.text("kind").flatMap(Kind.init),
                let severity = CertificateSeverity(word: object.text("severity")), let message = object.text("message")
            else { return nil }
            problems.append(Problem(object.text("domain"), kind, severity, message))
        }
        (self.serving, severity, self.sites, self.problems, self.more) = (serving, status, sites, problems, more)
    }
}

extension CertificateSeverity {
    fileprivate init?(word: String?) {
        guard let severity = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = severity
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? { member(name)?.value.string?.text }

    fileprivate func number(_ name: String) -> Int? {
        guard case .number(let text)? = member(name)?.value.value else { return nil }
        return Int(text)
    }
}
