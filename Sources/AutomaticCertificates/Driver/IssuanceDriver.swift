internal import ACME
package import AssociationServer
internal import Dispatch
internal import DomainNames
internal import HTTPClient
package import Logging
internal import OpenSSL
internal import SystemSupport

/// The driver that gets and renews the certificates of a server by ACME, for as long as it runs (acme.md).
///
/// It decides nothing: events go to an ``IssuanceCoordinator``, whose actions it carries out. All of it happens on one
/// queue of its own, which never waits for the loops of the server, and they never for it.
package final class IssuanceDriver: @unchecked Sendable {
    private typealias Event = IssuanceCoordinator.Event
    private typealias Action = IssuanceCoordinator.Action

    /// The resources of one order.
    private struct OrderResources {
        /// The client of the time at which the order began, also if the settings change.
        var client: AuthorityClient?
        var request: Cancellation?
        var challenge: PublishedChallenge?
    }

    /// A challenge that is answered.
    private enum PublishedChallenge {
        /// By this server alone.
        case own(PendingChallenge)
        /// By all nodes.
        case shared(SharedChallenge)
    }

    private let queue = DispatchQueue(label: "aasa.certificates", qos: .utility)
    private let host: any IssuanceHost
    private let logger: Logger
    private let environment: IssuanceEnvironment
    private var coordinator: IssuanceCoordinator

    /// The last input of the server, and what was made of it.
    private var input: IssuanceInput?
    private var sites: [Domain] = []
    private var inventory = CertificateInventory()
    private var certificates: [InstalledCertificate] = []
    private var index = CertificateIndex([])

    private var authorities: [AuthorityID: AuthorityResources] = [:]
    private var orders: [OrderID: OrderResources] = [:]
    private var questions: [Domain: Cancellation] = [:]
    private var timer: (any DispatchSourceTimer)?
    /// The time that the timer is set to.
    private var deadline: Duration?

    package init(_ host: any IssuanceHost, logger: Logger, environment: IssuanceEnvironment) {
        (self.host, self.logger, self.environment) = (host, logger, environment)
        coordinator = IssuanceCoordinator(lockPause: environment.lockPause)
    }

    deinit { timer?.cancel() }

    /// Begins, and from now on reconciles after each reload. Without `acme` in the configuration nothing happens until
    /// a reload brings it.
    ///
    /// - Parameter isNeeded: whether the configuration has it now.
    package func start(isNeeded: Bool) {
        host.whenIssuanceInputChanges { [self] in queue.async { [self] in inputChanged() } }
        environment.cluster?.whenRightMayHaveChanged { [self] in post(.rightMayHaveChanged) }
        if isNeeded { queue.async { [self] in inputChanged() } }
    }

    /// Ends it soon: what is under way is given up, and goes on after the next start. What is known is stored.
    package func stop() {
        host.whenIssuanceInputChanges(nil)
        environment.cluster?.whenRightMayHaveChanged(nil)
        queue.async { [self] in
            timer?.cancel()
            handle(.stopped)
            for question in questions.values { question.cancel() }
            questions = [:]
        }
    }

    /// Returns when nothing is written any more, after ``stop()``.
    package func waitUntilStopped() { queue.sync {} }

    private func inputChanged() { handle(.inputChanged(readInput()), .timerFired) }

    // MARK: Events

    /// Hands events to the coordinator, and carries out what it wants; the results are further events.
    private func handle(_ events: Event...) {
        let now = environment.now
        var events = events[...]
        while let event = events.popFirst() {
            for action in coordinator.handle(event, at: now) {
                if let result = perform(action, now) { events.append(result) }
            }
        }
        setTimer()
    }

    private func setTimer() {
        let next = coordinator.deadline
        guard next != deadline else { return }
        deadline = next
        let pause = next.map { max($0 - environment.uptime(), .zero) }
        if pause == .zero { return queue.async { [self] in timerFired() } }
        if timer == nil {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.timerFired() }
            timer.activate()
            self.timer = timer
        }
        timer?.schedule(deadline: pause.map { .now() + $0.timeInterval } ?? .distantFuture)
    }

    private func timerFired() {
        deadline = nil
        handle(.timerFired)
    }

    /// Has an event handled on the queue, from any thread.
    private func post(_ event: Event) { queue.async { [self] in handle(event) } }

    // MARK: Actions

    /// - Returns: the result, if it is known at once.
    private func perform(_ action: Action, _ now: Moment) -> Event? {
        switch action {
        case .observe(let id, let takesLock):
            let found = id.flatMap { authorities[$0]?.storage.observe(takesLock: takesLock) }
            return .observed(lock: found?.lock, requests: found?.requests ?? [])
        case .save(let id, let bytes, let number):
            return .saved(id, number: number, problem: authorities[id]?.save(bytes))
        case .removeOrderKey(let id, let domain): authorities[id]?.storage.removeOrderKey(of: domain)
        case .removeRenewalRequest(let id, let domain):
            let isGone = authorities[id]?.storage.endRenewalRequest(of: domain) ?? true
            if !isGone { return .renewalRequestKept(id, domain) }
        case .openAccount(let id, let key, let readsAccount): return openAccount(id, key, readsAccount: readsAccount)
        case .storeAccount(let id, let account):
            // Without the file the key finds the account again.
            if let problem = authorities[id]?.store(account) { logger.error("acme: storage: \(problem)") }
        case .send(let request, let requester, let id): return send(request, requester, id)
        case .preflight(let id, let authority, let type): return startPreflight(id, authority, type)
        case .prepareKey(let id, let authority, let task): return authorities[authority]?.prepareKey(id, task)
        case .publish(let id, let answer): return publish(answer, id, now)
        case .withdraw(let id):
            guard let challenge = orders[id]?.challenge else { return nil }
            orders[id]?.challenge = nil
            withdraw(challenge)
        case .install(let id, let authority, let certificate):
            return authorities[authority]?.install(id, certificate, now: now.wall)
        case .activate(let activations): activate(activations)
        case .close(let id): orders.removeValue(forKey: id)?.request?.cancel()
        case .release(let id):
            authorities[id] = nil
            if authorities.isEmpty { environment.cluster?.resign() }
        case .show(let overview): host.show { IssuanceReport(overview) }
        case .log(let line): logger.log(level: Logger.Level(rawValue: line.level.rawValue) ?? .info, "\(line.text)")
        }
        return nil
    }

    private func openAccount(_ id: AuthorityID, _ key: AccountKey?, readsAccount: Bool) -> Event? {
        guard let authority = authorities[id] else { return nil }
        do throws(IssuanceError) {
            let (key, account) = try authority.openAccount(key, readsAccount: readsAccount)
            _ = try authority.client(environment)
            return .accountOpened(id, key, account)
        } catch {
            return .accountNotOpened(id, error)
        }
    }

    private func send(
        _ request: ACMERequest, _ requester: IssuanceCoordinator.Requester, _ id: AuthorityID
    ) -> Event? {
        guard let authority = authorities[id] else { return nil }
        do throws(IssuanceError) {
            var client = try authority.client(environment)
            if case .order(let order) = requester {
                client = orders[order]?.client ?? client
                orders[order, default: OrderResources()].client = client
            }
            let cancellation = client.send(request) { [self] answer in
                post(.answered(answer, to: request.id, requester))
            }
            switch requester {
            case .account: break
            case .order(let order): orders[order]?.request = cancellation
            case .renewalInfo(let domain): questions[domain] = cancellation
            }
            return nil
        } catch {
            return .answered(.failure(.unreachable(error.message)), to: request.id, requester)
        }
    }

    private func startPreflight(_ id: OrderID, _ authority: AuthorityID, _ type: ChallengeType) -> Event? {
        guard let authority = authorities[authority], let transport = authority.transport,
            case .success(let context) = AuthorityResources.context
        else { return .preflightPassed(id, remark: nil) }
        let ports = authority.configuration.challengePorts
        let preflight = Preflight(
            host: host, cluster: environment.cluster, context: context, transport: transport,
            resolver: environment.resolver)
        orders[id, default: OrderResources()].request = preflight.start(
            id.domain, by: type, port: type == .tlsALPN01 ? ports.tlsALPN01 : ports.http01,
            isForPublicNamesOnly: authority.configuration.directory.isPublic
        ) { [self] outcome in
            switch outcome {
            case .passed(let remark): post(.preflightPassed(id, remark: remark))
            case .failed(let error): post(.preflightFailed(id, error))
            }
        }
        return nil
    }

    private func publish(_ answer: ChallengeAnswer, _ id: OrderID, _ now: Moment) -> Event? {
        guard let challenge = PendingChallenge(answer, now: now.wall) else {
            return .challengeNotPublished(id, answer.type)
        }
        if let cluster = environment.cluster {
            let shared = SharedChallenge(answer)
            orders[id, default: OrderResources()].challenge = .shared(shared)
            cluster.publish(shared) { [self] in post(.challengePublished(id)) }
        } else {
            orders[id, default: OrderResources()].challenge = .own(challenge)
            host.publish([challenge]) { [self] in post(.challengePublished(id)) }
        }
        return nil
    }

    private func withdraw(_ challenge: PublishedChallenge) {
        switch challenge {
        case .own(let challenge): host.withdraw([challenge])
        case .shared(let challenge): environment.cluster?.withdraw(challenge)
        }
    }

    private func activate(_ activations: [IssuanceCoordinator.Activation]) {
        let whenPresented: @Sendable () -> Void = { [self] in
            queue.async { [self] in
                for activation in activations { inventory.expect(activation.certificate) }
                handle(.activated(activations.map(\.order), readInput()), .timerFired)
            }
        }
        if let cluster = environment.cluster {
            cluster.whenInstalledCertificatesArePresented(whenPresented)
        } else {
            host.certificatesChanged(in: Set(activations.map(\.folder)), whenPresented: whenPresented)
        }
    }

    // MARK: The input

    /// Reads what there is; what has not changed is not made again.
    private func readInput() -> IssuanceCoordinator.Input {
        let new = host.issuanceInput
        let old = input
        input = new
        if old?.domains != new.domains { sites = new.domains.compactMap { Domain($0) } }
        let isChanged = old?.configuration != new.configuration || old?.folder != new.folder
        let settings = IssuanceSettings(new)
        var stored: StoredState?
        if let id = settings?.authority {
            let known = authorities[id]
            let authority = known ?? AuthorityResources(id, new.configuration, makeStorage(id))
            if isChanged { authority.use(new.configuration) }
            if known == nil { stored = authority.storage.readState() }
            authorities[id] = authority
            let certificates = inventory.certificates(new)
            if certificates != self.certificates {
                self.certificates = certificates
                index = CertificateIndex(certificates)
            }
        }
        return IssuanceCoordinator.Input(
            settings, hasNewSettings: isChanged, stored: stored, sites: sites, certificates: index)
    }

    private func makeStorage(_ id: AuthorityID) -> any IssuanceStorage {
        if let cluster = environment.cluster { return cluster.storage(id) }
        let sameFolder = authorities.values.first { $0.id.folder == id.folder }
        return FolderStorage(id, lock: (sameFolder?.storage as? FolderStorage)?.lock)
    }
}

extension IssuanceSettings {
    /// The settings of a server; nil while nothing is ordered, or if the CA's directory is not a usable URL.
    package init?(_ input: IssuanceInput) {
        guard input.configuration.isOn else { return nil }
        self.init(input.configuration, folder: input.folder, answerable: input.answerable)
    }
}

extension IssuanceReport {
    fileprivate init(_ overview: IssuanceCoordinator.Overview) {
        self.init(directory: overview.directory.description, overview.statuses, ownsLock: overview.ownsLock)
        orders = overview.counts
        for (type, count) in overview.errors { errors[type.rawValue] = count }
    }
}

extension PendingChallenge {
    /// Nil if this server cannot answer it.
    ///
    /// - Parameter now: seconds since 1970.
    fileprivate init?(_ answer: ChallengeAnswer, now: Int64) {
        let (name, keyAuthorization) = (answer.domain.identifier, answer.keyAuthorization.description)
        switch answer.type {
        case .http01: self.init(name: name, .http01(token: answer.token, keyAuthorization: keyAuthorization))
        case .tlsALPN01:
            guard case .success(let context) = AuthorityResources.context,
                let certificate = try? ChallengeCertificate.make(
                    name: name, keyAuthorization: keyAuthorization, at: now, in: context)
            else { return nil }
            self.init(name: name, .tlsALPN01(certificate))
        case .dnsPersist01: return nil
        }
    }
}

extension SharedChallenge {
    fileprivate init(_ answer: ChallengeAnswer) {
        self.init(
            name: answer.domain.identifier, type: answer.type, token: answer.token,
            keyAuthorization: answer.keyAuthorization.description)
    }
}

extension Duration {
    /// Seconds, as Dispatch waits for them.
    fileprivate var timeInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
