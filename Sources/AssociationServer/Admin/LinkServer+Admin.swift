internal import ACME
package import AssociationConsole
package import Diagnostics
internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import OpenSSL
package import ServiceHealth
internal import SiteStore
internal import SystemSupport

// What the admin listener shows.
extension LinkServer: AdminSource {
    package var servingState: ServingState {
        let (isStarted, isDraining, snapshot) = state.withLock { ($0.isStarted, $0.isDraining, $0.snapshot) }
        if isDraining { return .draining }
        if !isStarted { return .starting }
        return snapshot.isPublished ? .ready : .nothingPublished
    }

    package func facts(eachSite body: (SiteFacts) -> Void) -> HealthFacts {
        let issuance = issuanceReport
        var facts = facts(issuance, now: Clock.wallSeconds(), eachSite: body)
        facts.directory = issuance?.directory ?? ""
        facts.serving = servingState
        let (refused, reloadedAt, store) = state.withLock { ($0.refusedConfiguration, $0.reloadedAt, $0.store) }
        facts.refusedConfiguration = refused
        facts.store = store.findings
        facts.nodes = store.status?.nodes ?? []
        facts.program = HealthFacts.Program(
            version: programVersion, startedAt: ProcessFacts.start, reloadedAt: reloadedAt)
        return facts
    }

    /// The facts about the sites and certificates that were read last, whether they are served or not.
    ///
    /// - Parameters:
    ///   - issuance: the state of the certificates that a server gets by itself.
    ///   - now: seconds since 1970.
    ///   - body: is given each site, by domain; they are not among the facts.
    package func facts(
        _ issuance: IssuanceReport?, now: Int64, eachSite body: (SiteFacts) -> Void
    ) -> HealthFacts {
        let snapshot = snapshot
        let sites = snapshot.loadedSites
        var certificates = snapshot.certificateJudge(issuance, now: now)
        for (domain, index) in zip(sites.lazy.map(\.domain), sites.indices).sorted(by: { $0.0 < $1.0 }) {
            body(Self.facts(sites[index], snapshot, certificates.judge(domain), issuance?.domains[domain]))
        }
        var facts = HealthFacts(
            serving: snapshot.isPublished ? .ready : .nothingPublished, pairs: snapshot.certificates.facts,
            findings: snapshot.generalFindings)
        let ofCertificates = snapshot.certificates.findings + snapshot.choiceFindings
        facts.certificateFindings = snapshot.certificates.findingsBesidesPairs(ofCertificates)
        let others = Set(ofCertificates)
        facts.findings.removeAll(where: others.contains)
        // Where it cannot even be read, that was found when it was.
        if !ofCertificates.contains(where: { $0.diagnostic.is(.acmeFolder) }),
            let folder = IssuanceFindings.folder(snapshot.configuration)
        {
            facts.findings.append(folder)
        }
        facts.remembersFiles = snapshot.configuration.store.isOn || memory?.isKeeping == true
        facts.expectedNodes = snapshot.configuration.store.nodes
        return facts
    }

    private static func facts(
        _ site: LoadedSite, _ snapshot: ServerSnapshot, _ judged: JudgedCertificates.Site, _ issuance: DomainStatus?
    ) -> SiteFacts {
        // A client may get either of two: the worse one is the one to act on.
        let pair = judged.certificate.map { snapshot.allPairs[$0] }
        let judgement = judged.judgement
        let configuration = snapshot.configuration
        return SiteFacts(
            site.siteState(isWithoutCertificate: snapshot.isWithoutCertificate(site.domain)),
            certificate: pair.map { CertificateFacts($0, name: name(for: site.domain, in: $0)) },
            judgement: judgement, issuance: issuance,
            issuanceFindings: configuration.needsCertificates
                ? IssuanceFindings.site(site.domain, judgement, issuance, configuration) : [])
    }

    /// The name of a certificate that covers a domain.
    private static func name(for domain: String, in pair: CertificatePair) -> String {
        pair.certificate.names.contains(domain) ? domain : Domain(domain)?.wildcard?.identifier ?? domain
    }

    package var certificates: [CertificateFacts] {
        let snapshot = snapshot
        var facts = snapshot.identities.servedPairs.flatMap { index in
            let pair = snapshot.allPairs[index]
            return Set(pair.certificate.names)
                .filter { snapshot.identities.pairs(for: $0).contains(index) }
                .map { CertificateFacts(pair, name: $0) }
        }
        facts.sort { ($0.name, $0.keyType) < ($1.name, $1.keyType) }
        return facts
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
            guard let report = LoopQuery.ask(state.withLock { $0.workers }, milliseconds: milliseconds) else {
                return nil
            }
            // A loop that has ended meanwhile may be missing, or counted twice.
            if shared.retired.report == retired { return [report, retired] }
        }
    }

    package func siteDocuments(of domain: String) -> SiteDocuments? {
        let features = consoleFeatures
        return snapshot.documents(of: domain) { features.storedFile?(domain, $0, $1) }
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

extension LinkServer {
    /// Remembers whether the configuration could be used when it was read last.
    ///
    /// - Parameter error: nil if it could.
    func remember(refusal error: ServerError?) {
        let finding = error.map { error in
            error.findings.first(where: \.isError) ?? error.findings.first
                ?? .error("server.json", error.causes.first?.message ?? "it cannot be used")
        }
        let now = Clock.wallSeconds()
        state.withLock { state in
            state.refusedConfiguration = finding.map {
                TimedFinding($0, since: state.refusedConfiguration?.since ?? now)
            }
        }
    }

    /// Remembers that what was read is served from now on.
    func rememberReload() { state.withLock { $0.reloadedAt = Clock.wallSeconds() } }
}

extension CertificateFacts {
    fileprivate init(_ pair: CertificatePair, name: String) {
        self.init(
            name: name, keyType: pair.certificate.keyType.rawValue, validity: pair.validity, folder: pair.path,
            source: pair.source)
    }
}

extension LoadedCertificates {
    /// All pairs of a certificate and its key, by folder.
    var facts: [PairFacts] {
        let kept = Set(pairs.lazy.filter(\.isKept).map(\.path))
        let good = pairs.filter { !$0.isKept }.map { PairFacts(folder: $0.path, state: .loaded) }
        let bad = problems.map { problem in
            PairFacts(
                folder: problem.folder, state: problem.waitingSince == nil ? .refused : .waiting,
                finding: problem.finding(isKept: kept.contains(problem.folder), isGivenUp: false),
                retriedUntil: problem.waitingSince.map { $0 + PairRetries.seconds })
        }
        return (good + bad).sorted { $0.folder < $1.folder }
    }

    /// Those of some findings about certificates that are not about a pair which is refused.
    func findingsBesidesPairs(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        let refused = Set(problems.map(\.path))
        return findings.filter { !($0.isError && refused.contains($0.path)) }
    }
}
