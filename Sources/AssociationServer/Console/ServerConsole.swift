internal import AssociationConsole
internal import Dispatch
internal import ServiceHealth
internal import SiteStore
internal import SystemSupport

/// A server as its console shows it, at one moment.
///
/// Each thing is asked for when it is first needed, and once: most requests need nothing of the server.
final class ServerConsole: ConsoleSource {
    private struct Kept {
        var facts: HealthFacts?
        /// The outer one is `nil` before the loops were asked, the inner one if one of them did not answer.
        var loops: LoopReport??
    }

    private let source: any AdminSource
    private let ask: @Sendable () -> LoopReport?
    /// One domain is checked at a time.
    private let doctorTurn: DispatchSemaphore
    /// Seconds since 1970.
    private let now: Int64
    private let kept = Locked(Kept())

    /// - Parameters:
    ///   - ask: asks the loops what they have counted; `nil` if one of them does not answer.
    ///   - now: seconds since 1970.
    init(
        _ source: any AdminSource, doctor: DispatchSemaphore, now: Int64, ask: @escaping @Sendable () -> LoopReport?
    ) {
        self.source = source
        self.ask = ask
        doctorTurn = doctor
        self.now = now
    }

    var facts: HealthFacts {
        let loops = loops
        return kept.withLock { kept in
            let facts = kept.facts ?? source.facts.with(loops)
            kept.facts = facts
            return facts
        }
    }

    private var loops: LoopReport? {
        kept.withLock { kept in
            let loops = kept.loops ?? ask()
            kept.loops = .some(loops)
            return loops
        }
    }

    var certificates: [CertificateFacts] { source.certificates }

    func siteDocuments(of domain: String) -> SiteDocuments? { source.siteDocuments(of: domain) }

    func versions(of domain: String) -> ConsoleVersions { source.consoleFeatures.versions?(domain) ?? .none }

    var hasStore: Bool { source.consoleFeatures.changes != nil }

    func changes(before generation: Int64?, limit: Int) -> [StoredChange]? {
        source.consoleFeatures.changes?(generation, limit)
    }

    func change(_ generation: Int64) -> ConsoleChange { source.consoleFeatures.change?(generation) ?? .unavailable }

    func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest {
        source.consoleFeatures.manifest?(bytes, name) ?? .unavailable
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

    func doctor(_ domain: String) -> DoctorAnswer {
        guard let doctor = source.consoleFeatures.doctor else { return .unavailable }
        guard doctorTurn.wait(timeout: .now()) == .success else { return .busy(retryAfter: Self.secondsBetweenTries) }
        defer { doctorTurn.signal() }
        return .report(doctor(domain, source.configuration.doctor))
    }

    private static let secondsBetweenTries = 5
}
