internal import ACME
package import Diagnostics
internal import EventLoops
internal import HTTP1
internal import OpenSSL
internal import ServiceHealth
internal import SystemSupport

// What the admin listener shows.
extension LinkServer: AdminSource {
    package var servingState: ServingState {
        let (isStarted, isDraining, snapshot) = state.withLock { ($0.isStarted, $0.isDraining, $0.snapshot) }
        if isDraining { return .draining }
        if !isStarted { return .starting }
        return snapshot.isPublished ? .ready : .nothingPublished
    }

    package var siteReports: [SiteReport] {
        let snapshot = snapshot
        let issuance = issuanceReport
        let judged = snapshot.judged(issuance, now: Clock.wallSeconds())
        return snapshot.loadedSites.map { site in
            report(site, snapshot, judged.sites[site.domain], issuance?.domains[site.domain])
        }.sorted { $0.domain < $1.domain }
    }

    private func report(
        _ site: LoadedSite, _ snapshot: ServerSnapshot, _ judged: JudgedCertificates.Site?, _ issuance: DomainStatus?
    ) -> SiteReport {
        // A client may get either of two: the worse one is the one to act on.
        let pair = judged?.certificate.map { snapshot.allPairs[$0] }
        let state = site.siteState(isWithoutCertificate: snapshot.isWithoutCertificate(site.domain))
        let served = state.association?.served
        return SiteReport(
            domain: site.domain, number: site.number, state: state.state, sha256: served?.sha256,
            bytes: served?.bytes, loadedAt: served?.since, lastError: state.lastError,
            certificate: pair.map { Self.report($0, name: Self.name(for: site.domain, in: $0)) },
            files: site.otherFiles.filter { $0.file != nil }.map(\.name).sorted(), findings: state.findings.count,
            errors: state.findings.count(where: \.isError), storeVersion: state.association?.storeVersion,
            judgement: judged?.judgement ?? .notNeeded, issuance: issuance)
    }

    /// The name of a certificate that covers a domain.
    private static func name(for domain: String, in pair: CertificatePair) -> String {
        if pair.certificate.names.contains(domain) { return domain }
        let parent = domain.firstIndex(of: ".").map { "*\(domain[$0...])" }
        return parent ?? domain
    }

    private static func report(_ pair: CertificatePair, name: String) -> CertificateReport {
        CertificateReport(
            name: name, keyType: pair.certificate.keyType.rawValue, notBefore: pair.certificate.notBefore,
            notAfter: pair.certificate.notAfter, folder: pair.path, source: pair.source)
    }

    package var pairReports: [PairReport] {
        let snapshot = snapshot
        let waiting = Dictionary(snapshot.pendingPairs.map { ($0.folder, $0) }) { first, _ in first }
        let good = snapshot.allPairs.filter { !$0.isKept }.map { PairReport(folder: $0.path, state: .loaded) }
        let bad = snapshot.pairProblems.map { problem in
            let waiting = waiting[problem.folder]
            return PairReport(
                folder: problem.folder, state: waiting == nil ? .refused : .waiting, path: problem.path,
                message: problem.message, retriedUntil: waiting?.until)
        }
        return (good + bad).sorted { $0.folder < $1.folder }
    }

    package var certificateReports: [CertificateReport] {
        let snapshot = snapshot
        let reports = snapshot.identities.servedPairs.flatMap { index in
            let pair = snapshot.allPairs[index]
            return Set(pair.certificate.names)
                .filter { snapshot.identities.pairs(for: $0).contains(index) }
                .map { Self.report(pair, name: $0) }
        }
        return reports.sorted { ($0.name, $0.keyType) < ($1.name, $1.keyType) }
    }

    package var droppedLogLines: UInt64 {
        let (log, before) = state.withLock { ($0.log, $0.droppedLogLines) }
        return before &+ (log?.droppedLines ?? 0)
    }

    /// The number of times that memory of connections was given back to the system.
    package var memoryReturns: Int { shared.memoryReturns.count }

    package func ask(milliseconds: Int) -> [LoopReport]? {
        while true {
            let retired = shared.retired.report
            guard let reports = LoopQuery.ask(state.withLock { $0.workers }, milliseconds: milliseconds) else {
                return nil
            }
            // A loop that has ended meanwhile may be missing, or counted twice.
            if shared.retired.report == retired { return reports + [retired] }
        }
    }

    package func siteDocuments(of domain: String) -> SiteDocuments? {
        let features = consoleFeatures
        return snapshot.documents(of: domain) { features.storedFile?(domain, $0) }
    }

    package var configuration: ServerConfiguration { snapshot.configuration }
    package var rules: RuleCatalogue { snapshot.rules }

    package func servedSite(forHost host: String) -> ServedSite? {
        // As the field Host is read.
        let name = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        guard let site = snapshot.site(forHost: name) else { return nil }
        let file = site.file.map { ServedSite.File(sha256: $0.digest, bytes: Array($0.found.body)) }
        return ServedSite(domain: site.domain, file: file)
    }
}

extension LinkServer {
    package var consoleFeatures: ConsoleFeatures { state.withLock { $0.console } }

    /// Takes over what the console shows besides what the server itself knows.
    package func useConsoleFeatures(_ features: ConsoleFeatures) { state.withLock { $0.console = features } }
}
