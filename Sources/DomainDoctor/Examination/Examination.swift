package import HTTPClient
package import OpenSSL
package import SystemSupport

/// Examines domains: sends what is to be sent, and keeps what comes, without a judgement.
///
/// No connection is made but to addresses that were classified before, and no request is sent over a connection whose
/// certificate is not accepted.
package struct Examination: Sendable {
    private let settings: ExaminationSettings
    private let transport: any HTTPTransport
    private let resolver: any NameResolver
    private let trust: TrustStore
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Int64
    private let services: CopyServices

    /// - Parameters:
    ///   - transport: has at most six connections to one host at a time.
    ///   - trust: judges the chains that are presented; the transport trusts the same.
    ///   - clock: measures the time for a domain.
    ///   - now: seconds since 1970.
    package init(
        _ settings: ExaminationSettings, transport: any HTTPTransport, resolver: any NameResolver, trust: TrustStore,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Int64
    ) {
        (self.settings, self.transport, self.resolver) = (settings, transport, resolver)
        (self.trust, self.clock, self.now) = (trust, clock, now)
        services = CopyServices(settings, transport: transport, resolver: resolver)
    }

    /// One over libcurl and the system's resolver.
    ///
    /// - Throws: `MissingLibrary` if libcurl is missing or cannot be used.
    package init(
        _ settings: ExaminationSettings, trust: TrustStore, now: @escaping @Sendable () -> Int64
    ) throws(MissingLibrary) {
        let transport = try CurlTransport { trust.install(inTLSContext: $0) }
        self.init(settings, transport: transport, resolver: SystemResolver(), trust: trust, now: now)
    }

    /// Sees what there is of a domain, within the time that it is given; nothing is under way when it returns.
    package func observe(_ target: Target) async -> Observation {
        let checkedAt = now()
        var plan = ExaminationPlan(target, settings, checkedAt: checkedAt)
        var actions = plan.begin()
        guard !plan.isFinished else { return plan.observation }
        await withTaskGroup(of: ExaminationPlan.Event.self) { [settings, clock] group in
            group.addTask {
                // It is over, too, if all of this is cancelled.
                try? await clock.sleep(for: settings.domainLimit)
                return .timeIsOver
            }
            while !plan.isFinished {
                for action in actions { group.addTask { await perform(action, target, at: checkedAt) } }
                let event = await group.next()
                actions = plan.take(Task.isCancelled ? .timeIsOver : event ?? .timeIsOver)
            }
            group.cancelAll()
        }
        return plan.observation
    }

    private func perform(
        _ action: ExaminationPlan.Action, _ target: Target, at time: Int64
    ) async -> ExaminationPlan.Event {
        switch action {
        case .lookUp(let family):
            return .lookedUp(family, await resolver.addresses(of: target.host, family, timeLimit: settings.timeLimit))
        case .startHandshake(let probe):
            let result = await transport.chain(for: probe)
            return .handshakeEnded(probe.address, result.flatMap { judge($0, target, at: time) })
        case .tryVersion(let probe):
            let version = probe.versions.upperBound
            if case .failure(let failure) = await transport.chain(for: probe) { return .triedVersion(version, failure) }
            return .triedVersion(version, nil)
        case .request(let part, let request):
            return .answered(part, await transport.response(to: request))
        case .ask(let service, let url):
            return .asked(service, await services.response(to: url))
        }
    }

    private func judge(
        _ chain: Chain, _ target: Target, at time: Int64
    ) -> Result<Observation.Judged, Failure> {
        do throws(OpenSSLError) {
            let presented = try PresentedChain(pem: chain.certificates)
            let verdict = try presented.verdict(for: target.host, at: time, trust: trust)
            return .success(Observation.Judged(verdict, presented.leaf))
        } catch {
            return .failure(Failure(.tls(.other(error.description)), phase: .handshaking, address: chain.address))
        }
    }
}
