internal import DomainNames
internal import HTTPClient
internal import SystemSupport

/// Asks services other than the host itself: those that have copies of what it serves, Apple's CDN and Google's lists of
/// statements, and those that have short links.
final class CopyServices: Sendable {
    /// The largest answers in bytes.
    private let limits: Request.Limits
    private let settings: ExaminationSettings
    private let transport: any HTTPTransport
    private let resolver: any NameResolver
    /// The addresses by host that were found, for all domains: a name is looked up again only after a failure.
    private let known = Locked<[String: [IPAddress]]>([:])

    init(
        _ settings: ExaminationSettings, transport: any HTTPTransport, resolver: any NameResolver,
        limits: Request.Limits = Request.Limits(body: 1 << 20, otherBody: 4_096)
    ) {
        (self.settings, self.transport, self.resolver, self.limits) = (settings, transport, resolver, limits)
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
            let result = await transport.response(to: request(url, address))
            guard case .failure(let error) = result else { return result.mapError { .request($0) } }
            guard case .notConnected(let problem) = error.reason else { return .failure(.request(error)) }
            // That this machine has no IPv6 says less than what the addresses before have said.
            if failure == nil || !problem.isLackOfRoute { failure = error }
        }
        return .failure(failure.map { .request($0) } ?? .notPublic(addresses.refused))
    }

    private func request(_ url: RequestURL, _ address: IPAddress) -> Request {
        Request(
            url, route: .direct(address), fields: Request.plainFields(userAgent: settings.serviceUserAgent),
            limits: limits, timeLimit: settings.timeLimit)
    }

    private func found(_ url: RequestURL) async -> Result<[IPAddress], ResolutionFailure> {
        if let address = url.address { return .success([address]) }
        if let addresses = settings.overrides.addresses(of: url.host, port: url.port) { return .success(addresses) }
        if let addresses = known.withLock({ $0[url.host] }) { return .success(addresses) }
        async let a = resolver.addresses(of: url.host, .ipv4, timeLimit: settings.timeLimit)
        async let aaaa = resolver.addresses(of: url.host, .ipv6, timeLimit: settings.timeLimit)
        let answers = await [a, aaaa]
        let addresses = answers.flatMap(\.addresses)
        guard addresses.isEmpty else {
            known.withLock { $0[url.host] = addresses }
            return .success(addresses)
        }
        let failures = answers.compactMap(\.failure)
        // That nothing is known counts more than that one family has none.
        let unanswered = failures.first { $0 != .noSuchName && $0 != .noAddress }
        return .failure(unanswered ?? failures.first ?? .noAddress)
    }
}
