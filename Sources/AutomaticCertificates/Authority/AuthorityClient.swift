internal import ACME
internal import BoundedText
internal import DomainNames
internal import HTTPClient
internal import SystemSupport

/// Carries the requests of a CA's clients out: looks the host up, takes the proxy that there is, and turns what has
/// happened into what the machines understand.
final class AuthorityClient: Sendable {
    private static let connectLimit: Duration = .seconds(10)
    private static let lookupLimit: Duration = .seconds(10)
    /// Seconds for which the addresses of a host are remembered.
    private static let memory: Int64 = 60
    /// Addresses that are tried, one after the other.
    private static let attempts = 4

    private struct Known {
        var addresses: [IPAddress]
        let end: Int64
    }

    private let transport: any HTTPTransport
    private let resolver: any NameResolver
    private let proxies: ProxyEnvironment
    private let userAgent: String
    private let timeLimit: Duration
    private let uptime: @Sendable () -> Duration
    private let known = Locked<[String: Known]>([:])

    init(
        transport: any HTTPTransport, resolver: any NameResolver, proxies: ProxyEnvironment, userAgent: String,
        timeLimit: Duration, uptime: @escaping @Sendable () -> Duration
    ) {
        (self.transport, self.resolver, self.proxies) = (transport, resolver, proxies)
        (self.userAgent, self.timeLimit, self.uptime) = (userAgent, timeLimit, uptime)
    }

    typealias Answer = Result<ACMEResponse, ACME.TransportFailure>

    /// - Parameter completion: is called once, on any thread.
    func send(_ request: ACMERequest, completion: @escaping @Sendable (Answer) -> Void) -> Cancellation {
        var fields = [
            HeaderField("User-Agent", userAgent), HeaderField("Accept-Encoding", "identity"),
            HeaderField("Accept", request.accept),
        ]
        let method: Request.Method
        switch request.method {
        case .get: method = .get
        case .head: method = .head
        case .post(let body):
            method = .post(body)
            fields.append(HeaderField("Content-Type", ACMERequest.contentType))
        }
        let (url, limit) = (request.url, request.limit)
        let attempt = Attempt(completion)
        let target: RequestURL
        let proxy: ProxyEnvironment.Proxy?
        do {
            target = try RequestURL(url.description)
            proxy = try proxies.proxy(for: target.host)
        } catch let problem as ProxyEnvironment.Problem {
            attempt.finish(.failure(.unreachable(problem.reason)))
            return attempt.cancellation
        } catch {
            attempt.finish(.failure(.unreachable("'\(url)' cannot be requested: \(error)")))
            return attempt.cancellation
        }
        let host = proxy?.host ?? target.host
        lookUp(host, attempt) { [self, fields] addresses in
            let requests = addresses.prefix(Self.attempts).map { address in
                Request(
                    target, method: method,
                    route: proxy.map {
                        .proxy(Request.Proxy(address: address, port: $0.port, credentials: $0.credentials))
                    } ?? .direct(address), fields: fields,
                    limits: Request.Limits(body: limit, otherBody: min(limit, ACMEResponse.jsonLimit)),
                    timeLimit: timeLimit, connectLimit: Self.connectLimit, keepsConnection: true)
            }
            start(requests[...], host, Way(target: target.authority, proxy: proxy), limit, attempt)
        }
        return attempt.cancellation
    }

    /// The target and the proxy, which a failure names.
    private struct Way {
        let target: String
        let proxy: ProxyEnvironment.Proxy?

        func unreachable(_ reason: String) -> ACME.TransportFailure {
            let via = proxy.map { " through the proxy '\($0.description)'" } ?? ""
            return .unreachable("'\(target)' cannot be reached\(via): \(reason)")
        }

        /// A certificate that is not accepted is not a CA that cannot be reached, and has another remedy.
        func failure(_ failure: Failure) -> ACME.TransportFailure {
            switch failure.reason {
            case .certificateRefused(Self.notYetValid):
                .unreachable("the certificate of '\(target)' is not valid yet; check the clock of this machine")
            case .certificateRefused(Self.expired):
                .unreachable("the certificate of '\(target)' has expired; if it has not, correct this machine's clock")
            case .certificateRefused:
                .unreachable("the certificate of '\(target)' is not trusted; name its root with 'acme.caFile'")
            case .nameMismatch: .unreachable("the certificate of '\(target)' is for other names")
            default: unreachable("\(failure)")
            }
        }

        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
        private static let notYetValid = 9
        private static let expired = 10
    }

    private func start(
        _ requests: ArraySlice<Request>, _ host: String, _ way: Way, _ limit: Int, _ attempt: Attempt
    ) {
        guard let request = requests.first else {
            return attempt.finish(.failure(way.unreachable("there is no address")))
        }
        attempt.run {
            transport.start(request) { [self] (result: Result<Response, Failure>) in
                switch result {
                case .success(let response) where response.isTruncated:
                    attempt.finish(.failure(.tooLarge(limit: limit)))
                case .success(let response):
                    prefer(response.address, of: host)
                    attempt.finish(.success(ACMEResponse(response)))
                case .failure(let failure):
                    if failure.isAboutAddress, requests.count > 1 {
                        start(requests.dropFirst(), host, way, limit, attempt)
                    } else {
                        forget(host)
                        attempt.finish(.failure(way.failure(failure)))
                    }
                }
            }
        }
    }

    // MARK: Addresses

    private func lookUp(_ host: String, _ attempt: Attempt, then body: @escaping @Sendable ([IPAddress]) -> Void) {
        if let address = IPAddress(host) { return body([address]) }
        let now = uptime().components.seconds
        if let known = known.withLock({ $0[host] }), known.end > now { return body(known.addresses) }
        let families = AddressFamily.allCases
        let lookup = Gathering<Result<[IPAddress], ResolutionFailure>>(families.count) { [self] results in
            let addresses = results.flatMap { (try? $0.get()) ?? [] }
            guard addresses.isEmpty else {
                known.withLock { $0[host] = Known(addresses: addresses, end: now + Self.memory) }
                return body(addresses)
            }
            let reasons = results.compactMap { result -> ResolutionFailure? in
                if case .failure(let failure) = result, failure != .noAddress { failure } else { nil }
            }
            let reason = reasons.first.map { "\($0)" } ?? "the name has no address"
            attempt.finish(.failure(.unreachable("'\(host)' cannot be resolved: \(reason)")))
        }
        for (index, family) in families.enumerated() {
            attempt.run {
                resolver.start(host, family, timeLimit: Self.lookupLimit) { lookup.put($0, at: index) }
            }
        }
    }

    /// The address that has answered is the first one from now on, so that its connection is used again.
    private func prefer(_ address: IPAddress, of host: String) {
        known.withLock { known in
            guard let addresses = known[host]?.addresses, addresses.first != address,
                let index = addresses.firstIndex(of: address)
            else { return }
            known[host]?.addresses.swapAt(0, index)
        }
    }

    private func forget(_ host: String) { known.withLock { $0[host] = nil } }
}

/// One request on its way, whose steps can be cancelled, and which ends once.
private final class Attempt: Sendable {
    private struct State {
        var completion: (@Sendable (AuthorityClient.Answer) -> Void)?
        var steps: [Cancellation] = []
        var isCancelled = false
    }

    private let state: Locked<State>

    init(_ completion: @escaping @Sendable (AuthorityClient.Answer) -> Void) {
        state = Locked(State(completion: completion))
    }

    var cancellation: Cancellation { Cancellation { [self] in cancel() } }

    /// Begins a step, unless all is over.
    func run(_ start: () -> Cancellation) {
        guard state.withLock({ $0.completion != nil && !$0.isCancelled }) else { return }
        let step = start()
        let isOver = state.withLock { state in
            if state.completion != nil, !state.isCancelled { state.steps.append(step) }
            return state.isCancelled
        }
        if isOver { step.cancel() }
    }

    func finish(_ answer: AuthorityClient.Answer) {
        let completion = state.withLock { state in
            defer { (state.completion, state.steps) = (nil, []) }
            return state.completion
        }
        completion?(answer)
    }

    private func cancel() {
        let steps = state.withLock { state in
            state.isCancelled = true
            defer { state.steps = [] }
            return state.steps
        }
        for step in steps { step.cancel() }
        finish(.failure(.unreachable("cancelled")))
    }
}

extension ACMEResponse {
    init(_ response: Response) {
        self.init(
            status: response.status,
            fields: response.head.fields.map {
                (String(text: $0.name), String(text: $0.value))
            }, body: response.body)
    }
}

extension Failure {
    /// Whether another address may do better: nothing was sent.
    fileprivate var isAboutAddress: Bool {
        switch (reason, phase) {
        case (.notConnected, _), (_, .connecting): true
        default: false
        }
    }
}
