internal import AssociationConsole
internal import Diagnostics
internal import HTTP1
internal import ServiceHealth
internal import SystemSupport

/// A server as its console shows it, at one moment.
///
/// Each thing is asked for when it is first needed, and once: most requests need nothing of the server.
final class ServerConsole: ConsoleSource {
    private struct Kept {
        var reports: [SiteReport]?
        /// The outer one is `nil` before the loops were asked, the inner one if one of them did not answer.
        var loops: LoopReport??
    }

    private let source: any AdminSource
    private let ask: @Sendable () -> LoopReport?
    private let doctorInUse: ExclusiveUse
    /// Seconds since 1970.
    private let now: Int64
    private let kept = Locked(Kept())

    /// - Parameters:
    ///   - ask: asks the loops what they have counted; `nil` if one of them does not answer.
    ///   - now: seconds since 1970.
    init(
        _ source: any AdminSource, doctorInUse: ExclusiveUse, now: Int64, ask: @escaping @Sendable () -> LoopReport?
    ) {
        self.source = source
        self.ask = ask
        self.doctorInUse = doctorInUse
        self.now = now
    }

    /// By domain.
    private var reports: [SiteReport] {
        kept.withLock { kept in
            let reports = kept.reports ?? source.siteReports
            kept.reports = reports
            return reports
        }
    }

    private var loops: LoopReport? {
        kept.withLock { kept in
            let loops = kept.loops ?? ask()
            kept.loops = .some(loops)
            return loops
        }
    }

    var sites: [ConsoleSite] {
        let loops = loops
        return reports.map { Self.site($0, loops) }
    }

    private static func site(_ report: SiteReport, _ loops: LoopReport?) -> ConsoleSite {
        ConsoleSite(
            domain: report.domain, state: report.state, errors: report.errors,
            warnings: report.findings - report.errors,
            generation: report.storeVersion, loadedAt: report.loadedAt,
            certificateNotAfter: report.certificate?.notAfter, urgency: urgency(report.judgement.severity),
            lastFetch: loops?.fetches(site: report.number).last.map { fetch in
                ConsoleFetch(at: fetch.at, userAgent: fetch.userAgent, status: Int(fetch.status.rawValue))
            })
    }

    private static func urgency(_ severity: CertificateSeverity) -> CertificateUrgency {
        switch severity {
        case .ok: .none
        case .warning: .soon
        case .critical: .now
        }
    }

    private func report(of domain: String) -> SiteReport? {
        let reports = reports
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
        let site = Self.site(report, loops)
        return ConsoleSiteDetail(
            site: site, served: documents.served, rejected: documents.rejected, assetLinks: documents.assetLinks,
            files: report.files,
            certificate: report.certificate.flatMap { wanted in certificates.first { $0.folder == wanted.folder } },
            fetches: [site.lastFetch].compactMap { $0 }, versions: source.consoleFeatures.versions?(domain) ?? .none)
    }

    var certificates: [ConsoleCertificate] {
        let sites = Dictionary(grouping: reports.filter { $0.certificate != nil }) { $0.certificate?.folder ?? "" }
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
                notAfter: first.notAfter, folder: folder, sites: (sites[folder] ?? []).map(\.domain),
                urgency: Self.urgency(sites[folder]?.map(\.judgement.severity).max() ?? .ok))
        }
    }

    var metricsHistory: MetricsHistory {
        let (last, minutes) = (now / 60, loops?.minutes ?? [:])
        let counts = (0..<MetricsHistory.minutes).map { offset in
            minutes[last - Int64(MetricsHistory.minutes - 1 - offset)] ?? MinuteCounts()
        }
        func series(_ part: (MinuteCounts) -> UInt64) -> [Int] {
            counts.map { Int(clamping: part($0)) }
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
        guard let doctor = source.consoleFeatures.doctor else { return .unavailable }
        guard doctorInUse.begin() else { return .busy(retryAfter: Self.secondsBetweenTries) }
        defer { doctorInUse.end() }
        return .report(doctor(domain, source.configuration.doctor))
    }

    private static let secondsBetweenTries = 5
}
