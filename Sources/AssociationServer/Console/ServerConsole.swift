internal import AssociationConsole
internal import Diagnostics
internal import HTTP1
internal import SystemSupport

/// A server as its console shows it, at one moment.
struct ServerConsole: ConsoleSource {
    private let source: any AdminSource
    private let features: ConsoleFeatures
    /// By domain.
    private let reports: [SiteReport]
    /// `nil` if a loop does not answer.
    private let loops: LoopReport?
    private let doctorInUse: ExclusiveUse
    /// Seconds since 1970.
    private let now: Int64

    init(
        _ source: any AdminSource, loops: LoopReport?, doctorInUse: ExclusiveUse, now: Int64
    ) {
        self.source = source
        self.loops = loops
        self.doctorInUse = doctorInUse
        self.now = now
        features = source.consoleFeatures
        reports = source.siteReports
    }

    var sites: [ConsoleSite] { reports.map(site) }

    private func site(_ report: SiteReport) -> ConsoleSite {
        let state: ConsoleSite.State =
            switch report.state {
            case .published: .published
            case .stale: .stale
            case .refused: .refused
            case .noCertificate: .noCertificate
            }
        return ConsoleSite(
            domain: report.domain, state: state, errors: report.errors, warnings: report.findings - report.errors,
            generation: report.storeVersion, loadedAt: report.loadedAt,
            certificateNotAfter: report.certificate?.notAfter,
            lastFetch: loops?.fetches(site: report.number).last.map { fetch in
                ConsoleFetch(at: fetch.at, userAgent: fetch.userAgent, status: Int(fetch.status.rawValue))
            })
    }

    private func report(of domain: String) -> SiteReport? {
        var low = 0
        var high = reports.count
        while low < high {
            let middle = (low + high) / 2
            if reports[middle].domain < domain { low = middle + 1 } else { high = middle }
        }
        return low < reports.count && reports[low].domain == domain ? reports[low] : nil
    }

    func members(of site: ConsoleSite) -> [String: JSONOutput] {
        guard let report = report(of: site.domain) else { return [:] }
        return SitesDocument(
            sites: [], pairs: [], directory: source.issuanceReport?.directory ?? "", loops: loops, problem: nil,
            store: nil, now: now
        ).members(of: report)
    }

    func detail(of domain: String) -> ConsoleSiteDetail? {
        guard let report = report(of: domain), let documents = source.siteDocuments(of: domain) else { return nil }
        let site = site(report)
        return ConsoleSiteDetail(
            site: site, served: documents.served, rejected: documents.rejected, assetLinks: documents.assetLinks,
            files: report.files,
            certificate: report.certificate.flatMap { wanted in certificates.first { $0.folder == wanted.folder } },
            fetches: [site.lastFetch].compactMap { $0 }, versions: features.versions?(domain) ?? .none)
    }

    var certificates: [ConsoleCertificate] {
        var sites: [String: [String]] = [:]
        for report in reports {
            if let folder = report.certificate?.folder { sites[folder, default: []].append(report.domain) }
        }
        var order: [String] = []
        var parts: [String: [CertificateReport]] = [:]
        for report in source.certificateReports {
            if parts[report.folder] == nil { order.append(report.folder) }
            parts[report.folder, default: []].append(report)
        }
        return order.compactMap { folder in
            guard let reports = parts[folder], let first = reports.first else { return nil }
            return ConsoleCertificate(
                names: reports.map(\.name), keyType: first.keyType, notBefore: first.notBefore,
                notAfter: first.notAfter, folder: folder, sites: sites[folder] ?? [])
        }
    }

    var metricsHistory: MetricsHistory {
        let last = now / 60
        let counts = (0..<MetricsHistory.minutes).map { offset in
            loops?.minutes[last - Int64(MetricsHistory.minutes - 1 - offset)] ?? MinuteCounts()
        }
        func series(_ part: KeyPath<MinuteCounts, UInt64> & Sendable) -> [Int] {
            counts.map { Int(clamping: $0[keyPath: part]) }
        }
        return MetricsHistory(
            end: (last + 1) * 60, requests: series(\.requests), appleFetches: series(\.appleFetches),
            handshakes: series(\.handshakes), handshakeFailures: series(\.handshakeFailures))
    }

    func status(certificateDays: Int?) -> String {
        let status = ServerStatus(
            source.servingState, reports, loops: loops, certificateDays: certificateDays, now: now)
        return JSONOutput.object(status.members).text
    }

    func doctor(_ domain: String) -> DoctorAnswer {
        guard let doctor = features.doctor else { return .unavailable }
        guard doctorInUse.begin() else { return .busy(retryAfter: Self.secondsBetweenTries) }
        defer { doctorInUse.end() }
        return .report(doctor(domain, source.configuration))
    }

    private static let secondsBetweenTries = 5
}
