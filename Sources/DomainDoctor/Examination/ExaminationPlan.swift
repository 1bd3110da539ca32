package import DomainNames
package import HTTPClient
internal import OpenSSL

/// The plan for one domain: given what has happened, it says what is to be done next. It does nothing itself, and
/// knows no time.
package struct ExaminationPlan {
    package enum Action {
        case lookUp(AddressFamily)
        /// A handshake that shows what an address presents.
        case startHandshake(ChainProbe)
        /// One that shows whether a version is accepted; the probe offers that one only.
        case tryVersion(ChainProbe)
        case request(Part, Request)
        case ask(Service, RequestURL)
    }

    package enum Event {
        case lookedUp(AddressFamily, Result<[IPAddress], ResolutionFailure>)
        case handshakeEnded(IPAddress, Result<Observation.Judged, Failure>)
        case triedVersion(TLSVersion, Failure?)
        case answered(Part, Observation.Exchange)
        case asked(Service, Result<Response, Observation.CopyFailure>)
        /// Nothing that happens later counts.
        case timeIsOver
    }

    /// The purpose of a request to the host.
    package enum Part: Equatable {
        case wellKnown, root, device, browser, assetLinks
        /// The association file, from another address.
        case other(IPAddress)

        var step: Step.ID {
            switch self {
            case .wellKnown, .root: .http
            case .device, .browser: .agents
            case .assetLinks: .assetlinks
            case .other: .addresses
            }
        }

        var path: String {
            switch self {
            case .wellKnown, .device, .browser, .other: DomainDiagnoser.wellKnownPath
            case .root: DomainDiagnoser.rootPath
            case .assetLinks: DomainDiagnoser.assetLinksPath
            }
        }

        /// Whom the request claims to be from.
        var agent: Agent {
            switch self {
            case .wellKnown, .root, .other: .appleBot
            case .device: .device
            case .browser, .assetLinks: .browser
            }
        }
    }

    /// The services that have copies of what the host serves.
    package enum Service {
        case apple, google

        var step: Step.ID { self == .apple ? .cdn : .google }
    }

    /// The address that requests go to.
    private enum Choice: Equatable {
        case open
        /// There is none that is usable.
        case none
        case address(IPAddress)
    }

    /// All that has been seen so far.
    package private(set) var observation: Observation
    private let settings: ExaminationSettings
    private let target: Target
    /// The number of exchanges that have begun and have not ended, by the step that they are for.
    private var pending: [Step.ID: Int] = [:]
    private var found: [AddressFamily: Result<[IPAddress], ResolutionFailure>] = [:]
    private var handshakes: [IPAddress: Result<Observation.Judged, Failure>] = [:]
    private var choice = Choice.open
    private var isOver = false
    /// The requests that were begun again, each once, because the connection failed before they were sent.
    private var repeated: [Part] = []
    /// The handshakes that were begun again, each once, because the peer cut them off; with how.
    private var cutOff: [IPAddress: Failure] = [:]
    private var cutOffVersions: [TLSVersion: Failure] = [:]

    package init(_ target: Target, _ settings: ExaminationSettings, checkedAt: Int64) {
        (self.target, self.settings) = (target, settings)
        observation = Observation(target, checkedAt: checkedAt, timeLimit: settings.domainLimit)
    }

    /// Whether nothing is left to be done.
    package var isFinished: Bool { isOver || pending.isEmpty }

    package mutating func begin() -> [Action] {
        var actions: [Action] = []
        if let url = settings.appleCopyURL(of: target) {
            observation.appleCopyURL = url.description
            actions.append(begin(.cdn, .ask(.apple, url)))
        }
        if settings.isAndroidAskedFor { actions += askGoogle() }
        if let address = IPAddress(target.host) { return actions + contact([address]) }
        if let addresses = settings.overrides.addresses(of: target.host, port: target.port) {
            observation.names = Observation.Names(
                a: .success(addresses.filter { !$0.isIPv6 }), aaaa: .success(addresses.filter(\.isIPv6)))
            return actions + contact(addresses)
        }
        return actions + AddressFamily.allCases.map { begin(.dns, .lookUp($0)) }
    }

    package mutating func take(_ event: Event) -> [Action] {
        switch event {
        case .lookedUp(let family, let result):
            end(.dns)
            found[family] = result
            guard let a = found[.ipv4], let aaaa = found[.ipv6] else { return [] }
            observation.names = Observation.Names(a: a, aaaa: aaaa)
            return contact(a.addresses + aaaa.addresses)
        case .handshakeEnded(let address, let result):
            end(.tls)
            return take(result, of: address)
        case .triedVersion(let version, let failure):
            end(.tls)
            if let failure, failure.isCutOff, version >= .tls12, cutOffVersions[version] == nil {
                cutOffVersions[version] = failure
                return [tryVersion(version, failure.address)]
            }
            if failure == nil, let lost = cutOffVersions[version] { observation.failedConnections.append(lost) }
            take(version, failure)
            return []
        case .answered(let part, let exchange):
            end(part.step)
            if case .failure(let failure) = exchange, failure.isBeforeRequest, !repeated.contains(part) {
                repeated.append(part)
                observation.failedConnections.append(failure)
                return [request(part, failure.address)].compactMap { $0 }
            }
            return take(exchange, of: part)
        case .asked(let service, let result):
            end(service.step)
            switch service {
            case .apple: observation.appleCopy = result
            case .google: observation.googleView = result
            }
            return []
        case .timeIsOver:
            isOver = true
            observation.unfinished = Step.ID.allCases.filter(unfinished.contains)
            return []
        }
    }

    private mutating func askGoogle() -> [Action] {
        guard let url = settings.googleViewURL(of: target) else { return [] }
        observation.googleURL = url.description
        return [begin(.google, .ask(.google, url))]
    }

    /// The steps that wait for something, or for what decides whether they wait for something.
    private var unfinished: Set<Step.ID> {
        var steps = Set(pending.keys)
        if steps.contains(.dns) { steps.formUnion([.tls, .addresses]) }
        if steps.contains(.tls), choice == .open {
            steps.formUnion([.http, .agents])
            if !settings.leavesOutAndroid { steps.insert(.assetlinks) }
        }
        let count = observation.addresses.count
        if count > 1, handshakes.count < count { steps.insert(.addresses) }
        if steps.contains(.http), observation.wellKnown == nil { steps.insert(.file) }
        if steps.contains(.assetlinks), settings.googleViews != nil, observation.googleView == nil {
            steps.insert(.google)
        }
        return steps
    }

    private mutating func begin(_ step: Step.ID, _ action: Action) -> Action {
        pending[step, default: 0] += 1
        return action
    }

    private mutating func end(_ step: Step.ID) {
        let count = pending[step, default: 1] - 1
        pending[step] = count > 0 ? count : nil
    }
}

// The handshakes.
extension ExaminationPlan {
    /// - Parameter found: whatever the source; from here on there is no other way to an address of the host.
    private mutating func contact(_ found: [IPAddress]) -> [Action] {
        let addresses = ClassifiedAddresses(found, allowsPrivate: settings.allowsPrivateAddresses)
        (observation.addresses, observation.refused) = (addresses.permitted, addresses.refused)
        if addresses.permitted.isEmpty { choice = .none }
        return addresses.permitted.map { begin(.tls, .startHandshake(probe($0, .tls12 ... .tls13))) }
    }

    private func probe(_ address: IPAddress, _ versions: ClosedRange<TLSVersion>) -> ChainProbe {
        ChainProbe(
            host: target.host, port: target.port, address: address, versions: versions, timeLimit: settings.timeLimit)
    }

    private mutating func take(
        _ result: Result<Observation.Judged, Failure>, of address: IPAddress
    ) -> [Action] {
        if case .failure(let failure) = result, failure.isCutOff, cutOff[address] == nil {
            cutOff[address] = failure
            return [begin(.tls, .startHandshake(probe(address, .tls12 ... .tls13)))]
        }
        if case .success = result, let lost = cutOff[address] { observation.failedConnections.append(lost) }
        handshakes[address] = result
        observation.handshakes = observation.addresses.compactMap { address in
            handshakes[address].map { Observation.Handshake(address, $0) }
        }
        if case .address = choice {
            return isUsable(address) ? [request(.other(address), address)].compactMap { $0 } : []
        }
        for address in observation.addresses {
            // One before it may still turn out to be usable.
            if handshakes[address] == nil { return [] }
            if isUsable(address) { return choose(address) }
        }
        choice = .none
        return tryVersionsWithoutUsableAddress()
    }

    /// Whether requests may be sent to it: its certificate is accepted.
    private func isUsable(_ address: IPAddress) -> Bool {
        if case .success(let chain) = handshakes[address] { chain.verdict == .good } else { false }
    }

    private mutating func tryVersion(_ version: TLSVersion, _ address: IPAddress) -> Action {
        begin(.tls, .tryVersion(probe(address, version...version)))
    }

    private mutating func tryVersionsWithoutUsableAddress() -> [Action] {
        for handshake in observation.handshakes {
            if case .success = handshake.result {
                return [tryVersion(.tls12, handshake.address), tryVersion(.tls13, handshake.address)]
            }
        }
        for handshake in observation.handshakes {
            if case .failure(let failure) = handshake.result, failure.isRefusedVersion {
                return [tryVersion(.tls11, handshake.address), tryVersion(.tls10, handshake.address)]
            }
        }
        return []
    }

    private mutating func take(_ version: TLSVersion, _ failure: Failure?) {
        switch version {
        case .tls10, .tls11:
            if failure == nil { observation.versions.older = max(observation.versions.older ?? version, version) }
        // A question without an answer leaves its result unknown.
        case .tls12: observation.versions.tls12 = failure.map { $0.isRefusedVersion ? false : nil } ?? true
        case .tls13: observation.versions.tls13 = failure.map { $0.isRefusedVersion ? false : nil } ?? true
        }
    }
}

extension Failure {
    /// Whether the peer ended the connection in the handshake without saying why, as one with too many connections does.
    fileprivate var isCutOff: Bool { reason == .tls(.reset) || reason == .tls(.closed) || reason == .reset }

    /// Whether a handshake has failed as it does where the server does not speak the versions that were offered.
    fileprivate var isRefusedVersion: Bool {
        switch reason {
        case .tls(.notTLS), .tls(.unsupportedHere): false
        case .tls: true
        default: false
        }
    }
}

// The requests.
extension ExaminationPlan {
    /// The largest answers in bytes: one more than the largest association file, so that a larger one is recognized.
    static let limits = Request.Limits(body: 131_073, otherBody: 4_096)

    /// Has everything asked of the chosen address, and the association file of every other one, at the same time.
    private mutating func choose(_ address: IPAddress) -> [Action] {
        choice = .address(address)
        let parts: [Part] = [.wellKnown, .root, .device, .browser] + (settings.leavesOutAndroid ? [] : [.assetLinks])
        var actions = parts.compactMap { request($0, address) }
        actions += [tryVersion(.tls12, address), tryVersion(.tls13, address)]
        for other in observation.addresses where other != address && isUsable(other) {
            if let action = request(.other(other), other) { actions.append(action) }
        }
        return actions
    }

    /// Nil for a host that no URL can have, of which there is none among targets.
    private mutating func request(_ part: Part, _ address: IPAddress) -> Action? {
        guard let url = try? RequestURL(host: target.host, port: target.port, target: part.path) else { return nil }
        let request = Request(
            url, route: .direct(address),
            fields: Request.plainFields(userAgent: part.agent.userAgent) + [settings.mark],
            limits: Self.limits, timeLimit: settings.timeLimit)
        return begin(part.step, .request(part, request))
    }

    private mutating func take(_ exchange: Observation.Exchange, of part: Part) -> [Action] {
        switch part {
        case .wellKnown: observation.wellKnown = exchange
        case .root: observation.root = exchange
        case .device: observation.device = exchange
        case .browser: observation.browser = exchange
        case .other(let address):
            let order = observation.addresses
            observation.others.append((address, exchange))
            observation.others.sort { order.firstIndex(of: $0.address) ?? 0 < order.firstIndex(of: $1.address) ?? 0 }
        case .assetLinks:
            observation.assetLinks = exchange
            if !settings.isAndroidAskedFor, exchange.hasContent { return askGoogle() }
        }
        return []
    }
}

extension Observation.Exchange {
    /// Whether there is a file, and not the page that a host shows for whatever it does not have.
    fileprivate var hasContent: Bool {
        guard case .success(let response) = self, response.status == 200 else { return false }
        let start = response.body.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        return start.first != UInt8(ascii: "<")
    }
}
