internal import DomainNames
internal import HTTPClient
internal import SystemSupport

/// Asks the services that have copies of what hosts serve: Apple's CDN, and Google's lists of statements.
struct CopyServices: Sendable {
    /// The largest answers in bytes.
    private static let limits = Request.Limits(body: 1 << 20, otherBody: 4_096)

    private let settings: ExaminationSettings
    private let transport: any HTTPTransport
    private let resolver: any NameResolver
    /// The look-ups by host, shared by all domains.
    private let lookups: [String: SharedLookup]

    init(_ settings: ExaminationSettings, transport: any HTTPTransport, resolver: any NameResolver) {
        (self.settings, self.transport, self.resolver) = (settings, transport, resolver)
        let hosts = [settings.appleCopies, settings.googleViews].compactMap { $0?.host }
        lookups = Dictionary(
            hosts.map { ($0, SharedLookup($0, resolver, timeLimit: settings.timeLimit)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Asks each address in turn until one is connected.
    func response(to url: RequestURL) async -> Result<Response, Observation.CopyFailure> {
        let addresses: ClassifiedAddresses
        switch await found(url) {
        case .success(let found): addresses = ClassifiedAddresses(found, allowsPrivate: settings.allowsPrivateAddresses)
        case .failure(let failure): return .failure(.notResolved(url.host, failure))
        }
        var failure: Failure?
        for address in addresses.permitted {
            do throws(Failure) {
                return .success(try await transport.response(to: request(url, address)))
            } catch {
                guard case .notConnected(let problem) = error.reason else { return .failure(.request(error)) }
                // That this machine has no IPv6 says less than what the addresses before have said.
                if failure == nil || !problem.isLackOfRoute { failure = error }
            }
        }
        return .failure(failure.map { .request($0) } ?? .notPublic(addresses.refused))
    }

    private func request(_ url: RequestURL, _ address: IPAddress) -> Request {
        Request(
            url, route: .direct(address), fields: Request.plainFields(userAgent: settings.serviceUserAgent),
            limits: Self.limits, timeLimit: settings.timeLimit)
    }

    private func found(_ url: RequestURL) async -> Result<[IPAddress], ResolutionFailure> {
        if let address = url.address { return .success([address]) }
        if let addresses = settings.overrides.addresses(of: url.host, port: url.port) { return .success(addresses) }
        let lookup = lookups[url.host] ?? SharedLookup(url.host, resolver, timeLimit: settings.timeLimit)
        return await lookup.addresses()
    }
}

/// The addresses of one name, for many callers: looked up at the first request, and again only after a failure.
final class SharedLookup: Sendable {
    typealias Found = Result<[IPAddress], ResolutionFailure>

    private struct State {
        var known: [IPAddress]?
        var waiting: [Int: @Sendable (Found) -> Void] = [:]
        var lastNumber = 0
        /// The number of the lookup that is under way; its answers carry it.
        var round = 0
        var answers: [AddressFamily: Found] = [:]
        var cancellations: [Cancellation] = []
    }

    private let name: String
    private let resolver: any NameResolver
    private let timeLimit: Duration
    private let state = Locked(State())

    init(_ name: String, _ resolver: any NameResolver, timeLimit: Duration) {
        (self.name, self.resolver, self.timeLimit) = (name, resolver, timeLimit)
    }

    /// The addresses of both families, IPv4 first.
    func addresses() async -> Found { await Cancellation.result(of: start) }

    private func start(_ completion: @escaping @Sendable (Found) -> Void) -> Cancellation {
        let (known, number, round) = state.withLock { state -> ([IPAddress]?, Int, Int?) in
            if let known = state.known { return (known, 0, nil) }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = completion
            guard state.waiting.count == 1 else { return (nil, state.lastNumber, nil) }
            state.round += 1
            state.answers = [:]
            return (nil, state.lastNumber, state.round)
        }
        if let known {
            completion(.success(known))
            return Cancellation {}
        }
        if let round { begin(round) }
        return Cancellation { [weak self] in self?.cancel(number) }
    }

    private func begin(_ round: Int) {
        let cancellations = AddressFamily.allCases.map { family in
            resolver.start(name, family, timeLimit: timeLimit) { [weak self] in self?.take($0, family, round) }
        }
        let isOver = state.withLock { state in
            guard state.round == round, !state.waiting.isEmpty else { return true }
            state.cancellations = cancellations
            return false
        }
        if isOver { for cancellation in cancellations { cancellation.cancel() } }
    }

    private func take(_ answer: Found, _ family: AddressFamily, _ round: Int) {
        let (result, completions) = state.withLock { state -> (Found, [@Sendable (Found) -> Void]) in
            guard state.round == round else { return (answer, []) }
            state.answers[family] = answer
            guard let a = state.answers[.ipv4], let aaaa = state.answers[.ipv6] else { return (answer, []) }
            let result = Self.combined(a, aaaa)
            if case .success(let addresses) = result { state.known = addresses }
            defer { (state.waiting, state.cancellations) = ([:], []) }
            return (result, Array(state.waiting.values))
        }
        for completion in completions { completion(result) }
    }

    private static func combined(_ a: Found, _ aaaa: Found) -> Found {
        let addresses = [a, aaaa].flatMap { (try? $0.get()) ?? [] }
        guard addresses.isEmpty else { return .success(addresses) }
        let failures = [a, aaaa].compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
        // That nothing is known counts more than that one family has none.
        let unanswered = failures.first { $0 != .noSuchName && $0 != .noAddress }
        return .failure(unanswered ?? failures.first ?? .noAddress)
    }

    /// The lookup ends with the last one who waits for it.
    private func cancel(_ number: Int) {
        let (completion, cancellations) = state.withLock { state in
            let completion = state.waiting.removeValue(forKey: number)
            guard completion != nil, state.waiting.isEmpty else { return (completion, [Cancellation]()) }
            state.round += 1
            defer { state.cancellations = [] }
            return (completion, state.cancellations)
        }
        for cancellation in cancellations { cancellation.cancel() }
        completion?(.failure(.cancelled))
    }
}
