import ACME
import DomainNames
import FuzzingSupport
import OpenSSL
import PushSamples
import TestSupport

/// A coordinator, and the test in place of the driver, the CA and the clock.
struct CoordinatorRun {
    typealias Event = IssuanceCoordinator.Event
    typealias Action = IssuanceCoordinator.Action

    static let authority = AuthorityID(directory: Samples.directoryURL, folder: "/certs")
    static let site = Samples.domain

    var coordinator: IssuanceCoordinator
    var now = Moment(wall: Samples.now, uptime: .seconds(1_000))
    var sites: [Domain]
    var settings: IssuanceSettings?
    var certificates: [InstalledCertificate] = []
    var requests: Set<Domain> = []
    /// The state that is stored for the CA, and with it what trying to lock the folder gives.
    var stored = StoredState.read(IssuanceState(), keys: [])
    var lock: IssuanceCoordinator.LockAttempt?
    /// The actions after the last event.
    var last: [Action] = []
    private(set) var overview: IssuanceCoordinator.Overview?
    /// The texts of all log lines.
    private(set) var log: [String] = []
    private var isKnown = false

    init(_ names: [String] = ["shop.example.com"], authority: AuthorityID = authority) {
        coordinator = IssuanceCoordinator(lockPause: .seconds(10), random: SplitMix64(seed: 11))
        sites = names.map(Samples.domain)
        settings = Samples.settings(authority, contact: ["ops@example.com"])
        lock = .taken(stored)
    }

    // MARK: Events

    @discardableResult
    mutating func handle(_ event: Event) -> [String] {
        last = coordinator.handle(event, at: now)
        for case .show(let overview) in last { self.overview = overview }
        for case .log(let line) in last { log.append(line.text) }
        return names
    }

    func input(hasNewSettings: Bool = false, stored: StoredState? = nil) -> IssuanceCoordinator.Input {
        IssuanceCoordinator.Input(
            settings, hasNewSettings: hasNewSettings, stored: stored, sites: sites,
            certificates: CertificateIndex(certificates))
    }

    /// The server has read its files; the first time the settings are new.
    @discardableResult
    mutating func change(_ settings: IssuanceSettings?? = nil, stored: StoredState? = nil) -> [String] {
        if let settings { self.settings = settings }
        defer { isKnown = true }
        return handle(
            .inputChanged(
                input(hasNewSettings: settings != nil || !isKnown, stored: isKnown ? stored : self.stored)))
    }

    /// Lets the time come at which something is due.
    @discardableResult
    mutating func waitForDeadline() throws -> [String] {
        guard let deadline = coordinator.deadline else { throw TestFailure("nothing is due") }
        if deadline > now.uptime {
            now.wall += (deadline - now.uptime).components.seconds
            now.uptime = deadline
        }
        return handle(.timerFired)
    }

    /// Answers an ``IssuanceCoordinator/Action/observe(_:takesLock:)`` of the last event.
    @discardableResult
    mutating func observe() throws -> [String] {
        for case .observe(_, let takesLock) in last {
            return handle(.observed(lock: takesLock ? lock : nil, requests: requests))
        }
        throw TestFailure("not \(names)")
    }

    /// Lets the coordinator reconcile, saving what it wants to be saved before.
    @discardableResult
    mutating func reconcile() throws -> [String] {
        for _ in 0..<10 {
            try waitForDeadline()
            let actions = last
            for case .save(let id, _, let number) in actions { handle(.saved(id, number: number, problem: nil)) }
            if actions.contains(where: { if case .observe = $0 { true } else { false } }) {
                last = actions
                return try observe()
            }
        }
        throw TestFailure("it does not reconcile")
    }

    /// Saves what waits for it.
    @discardableResult
    mutating func save(problem: String? = nil) throws -> [String] {
        for _ in 0..<10 {
            let actions = last
            if names.contains(where: { $0.hasSuffix("observe") }) { try observe() }
            for case .save(let id, _, let number) in actions {
                return handle(.saved(id, number: number, problem: problem))
            }
            try waitForDeadline()
            // It was saved with something else.
            if names.contains(where: { $0.hasPrefix("send ") }) { return names }
        }
        throw TestFailure("nothing is saved")
    }

    /// The text of the next state that is to be saved.
    mutating func savedState() throws -> String {
        for _ in 0..<10 {
            for case .save(_, let bytes, _) in last { return String(decoding: bytes, as: UTF8.self) }
            try waitForDeadline()
        }
        throw TestFailure("nothing is saved")
    }

    /// The order that began last.
    func order(_ number: Int = 1, of name: String = "shop.example.com") -> OrderID {
        OrderID(Samples.domain(name), number)
    }

    @discardableResult
    mutating func answer(_ response: ACMEResponse) throws -> [String] {
        for case .send(let request, let requester, _) in last {
            return handle(.answered(.success(response), to: request.id, requester))
        }
        throw TestFailure("nothing was sent, but \(names)")
    }

    @discardableResult
    mutating func answer(_ status: Int = 200, _ body: String, _ fields: [String: String] = [:]) throws -> [String] {
        try answer(.json(status, body, fields))
    }

    // MARK: What came of it

    var names: [String] { last.compactMap(\.name) }

    func status(_ name: String = "shop.example.com") throws -> DomainStatus {
        guard let status = overview?.statuses[Samples.domain(name)] else { throw TestFailure("no status of \(name)") }
        return status
    }
}

extension IssuanceCoordinator.Action {
    /// Nil for what is shown: that has tests of its own.
    fileprivate var name: String? {
        switch self {
        case .observe(_, let takesLock): takesLock ? "lock and observe" : "observe"
        case .save(_, _, let number): "save \(number)"
        case .removeOrderKey(_, let domain): "removeOrderKey \(domain)"
        case .removeRenewalRequest(_, let domain): "removeRenewalRequest \(domain)"
        case .openAccount(_, let key, let readsAccount):
            "openAccount\(key == nil ? "" : " with key")\(readsAccount ? "" : " anew")"
        case .storeAccount: "storeAccount"
        case .send(let request, _, _): "send \(request.url.description.dropFirst(Samples.base.utf8.count))"
        case .preflight(_, _, let type): "preflight \(type.rawValue)"
        case .prepareKey(let id, _, _): "prepareKey \(id.domain)"
        case .publish(_, let answer): "publish \(answer.type.rawValue)"
        case .withdraw: "withdraw"
        case .install(let id, _, _): "install \(id.domain)"
        case .activate(let activations): "activate \(activations.map(\.folder).sorted().joined(separator: " "))"
        case .close(let id): "close \(id.domain) \(id.number)"
        case .release(let id): "release \(id.folder)"
        case .show, .log: nil
        }
    }
}

/// The states of one order and of the session before it, in the order in which they come.
enum CoordinatorStage: Int, CaseIterable {
    case idle, observing, openingAccount, fetchingDirectory, fetchingNonce, registering, ready, preflight
    case preparingKey, savingOrder, ordering, savingURL, authorizing, publishing, answering, validating
    case savingIssuance, finalizing, downloading, installing, waitingToBeActivated, activating, activated, valid
}

extension CoordinatorRun {
    /// Leads one order up to a stage, with the answers that are expected.
    mutating func advance(to stage: CoordinatorStage) throws {
        for stage in CoordinatorStage.allCases.dropFirst().prefix(stage.rawValue) { try take(stage) }
    }

    mutating func take(_ stage: CoordinatorStage) throws {
        switch stage {
        case .idle: return
        case .observing:
            change()
            try waitForDeadline()
        case .openingAccount: try observe()
        case .fetchingDirectory: handle(.accountOpened(Self.authority, try Samples.accountKey(), nil))
        case .fetchingNonce: try answer(.json(200, Samples.directoryText(), nonce: nil))
        case .registering: try answer(200, "")
        case .ready: try answer(201, #"{"status":"valid"}"#, ["Location": Samples.base + "/account/7"])
        case .preflight: try reconcile()
        case .preparingKey: handle(.preflightPassed(order(), remark: nil))
        case .savingOrder: handle(.keyPrepared(order(), try Samples.orderKey.privateKey()))
        case .ordering: try save()
        case .savingURL: try answer(201, Samples.order("pending"), ["Location": Samples.base + "/order/1"])
        case .authorizing: try save()
        case .publishing: try answer(200, Samples.authorization("pending"))
        case .answering: handle(.challengePublished(order()))
        case .validating:
            try answer(200, #"{"status":"processing"}"#)
            while !names.contains("send /authorization/1") { try waitForDeadline() }
        case .savingIssuance: try answer(200, Samples.authorization("valid"))
        case .finalizing: try save()
        case .downloading: try answer(200, Samples.order("valid", certificate: "/certificate/1"))
        case .installing: try answer(200, try Samples.chain())
        case .waitingToBeActivated: handle(.installed(order(), folder: "shop.example.com"))
        case .activating: while !names.contains("activate shop.example.com") { try waitForDeadline() }
        case .activated:
            install()
            handle(.activated([order()], input()))
        case .valid: try reconcile()
        }
    }

    /// The certificate of the order, as the server has read it.
    mutating func install() {
        for case .activate(let activations) in last {
            guard let leaf = activations.first?.certificate else { continue }
            certificates.append(
                InstalledCertificate(
                    source: .acme(Self.site, directory: Samples.directoryURL.description),
                    fingerprint: InstalledCertificate.fingerprint(leaf.der), names: [Self.site.identifier],
                    notBefore: leaf.notBefore, notAfter: leaf.notAfter, certificateID: CertificateID(leaf)))
        }
    }
}
