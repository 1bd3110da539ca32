import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import EventLoops
import HTTPClient
import Logging
import OpenSSL
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// The world of a pre-flight in tests: with a resolver that says what a test wants.
struct PreflightWorld {
    static let domain = "shop.example.com"

    let host: any IssuanceHost
    var resolver: FakeResolver
    var transport: any HTTPTransport
    var answer: Duration = .seconds(Patience.seconds)

    init(_ host: any IssuanceHost = FakeHost(), _ addresses: String...) throws {
        self.host = host
        resolver = FakeResolver(addresses.isEmpty ? ["127.0.0.1"] : addresses)
        let trust = try SampleSite.trust()
        transport = try CurlTransport { trust.install(inTLSContext: $0) }
    }

    func preflight() throws -> Preflight {
        Preflight(
            host: host, context: try LibraryContext(), transport: transport, resolver: resolver,
            limits: Preflight.Limits(answer: answer), now: { SampleSite.now })
    }

    func start(
        _ type: ChallengeType, port: Int, isForPublicNamesOnly: Bool = false,
        completion: @escaping @Sendable (Preflight.Outcome) -> Void
    ) throws -> Cancellation {
        try preflight().start(
            try #require(Domain(Self.domain)), by: type, port: port, isForPublicNamesOnly: isForPublicNamesOnly,
            completion: completion)
    }

    func outcome(
        _ type: ChallengeType, port: Int, isForPublicNamesOnly: Bool = false
    ) async throws -> Preflight.Outcome {
        let preflight = try preflight()
        let domain = try #require(Domain(Self.domain))
        return await withCheckedContinuation { continuation in
            _ = preflight.start(domain, by: type, port: port, isForPublicNamesOnly: isForPublicNamesOnly) {
                continuation.resume(returning: $0)
            }
        }
    }
}

extension Preflight.Outcome {
    /// The text of a failure for the reason that somebody else has answered.
    var mistake: String? { failure(.preflight) }

    func failure(_ type: IssuanceErrorType) -> String? {
        guard case .failed(let error) = self, error.type == type, error.scope == .domain else { return nil }
        return error.message
    }

    /// The remark on a pre-flight that was passed.
    var remark: String? {
        if case .passed(let remark) = self { remark } else { nil }
    }
}

/// A host that keeps a record of its challenges, and leaves them to a server if there is one.
final class FakeHost: IssuanceHost {
    struct Record {
        var published: [PendingChallenge] = []
        var withdrawn: [PendingChallenge] = []
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Locked(Record())
    private let isConfirming: Bool
    private let server: LinkServer?

    /// - Parameter isConfirming: whether it says at once that the challenges are answered.
    init(isConfirming: Bool = true) { (self.isConfirming, server) = (isConfirming, nil) }

    init(_ server: LinkServer) { (isConfirming, self.server) = (false, server) }

    var record: Record { state.withLock { $0 } }

    /// Whether there was a challenge, and is none any more.
    var isTidy: Bool { record.published.count == 1 && record.published == record.withdrawn }

    func publish(_ challenges: [PendingChallenge], whenServed: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.published += challenges
            if !isConfirming, server == nil { state.waiting.append(whenServed) }
        }
        server?.publish(challenges, whenServed: whenServed)
        if isConfirming { whenServed() }
    }

    func withdraw(_ challenges: [PendingChallenge]) {
        state.withLock { state in
            state.withdrawn += challenges.filter { !state.withdrawn.contains($0) }
        }
        server?.withdraw(challenges)
    }

    func confirm() { for whenServed in record.waiting { whenServed() } }

    var issuanceInput: IssuanceInput { preconditionFailure("a pre-flight does not ask for it") }
    func whenIssuanceInputChanges(_ handler: (@Sendable () -> Void)?) {}
    func certificatesChanged(in folders: Set<String>, whenPresented: @escaping @Sendable () -> Void) {
        whenPresented()
    }
    func show(_ report: @escaping @Sendable () -> IssuanceReport) {}
}

/// A resolver that says at once what a test says, or never.
final class FakeResolver: NameResolver {
    /// Nil for what is never answered.
    private let results: [AddressFamily: Result<[IPAddress], ResolutionFailure>]
    let cancelled = Locked(0)

    init(_ results: [AddressFamily: Result<[IPAddress], ResolutionFailure>]) { self.results = results }

    convenience init(_ addresses: [String]) {
        let addresses = addresses.compactMap { IPAddress($0) }
        func result(_ isIPv6: Bool) -> Result<[IPAddress], ResolutionFailure> {
            let found = addresses.filter { $0.isIPv6 == isIPv6 }
            return found.isEmpty ? .failure(.noAddress) : .success(found)
        }
        self.init([.ipv4: result(false), .ipv6: result(true)])
    }

    func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation {
        guard let result = results[family] else {
            return Cancellation { [self] in
                cancelled.withLock { $0 += 1 }
                completion(.failure(.cancelled))
            }
        }
        completion(result)
        return Cancellation {}
    }
}

/// A transport whose connections are all refused, and that keeps a record of them.
final class RefusingTransport: HTTPTransport {
    private let addresses = Locked<[IPAddress]>([])

    var contacted: [String] { addresses.withLock { $0.map(\.description) } }

    func start(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> Cancellation
    {
        guard case .direct(let address) = request.route else { return Cancellation {} }
        return refuse(address, completion)
    }

    func start(_ probe: ChainProbe, completion: @escaping @Sendable (Result<Chain, Failure>) -> Void) -> Cancellation {
        refuse(probe.address, completion)
    }

    private func refuse<Value>(
        _ address: IPAddress, _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Cancellation {
        addresses.withLock { $0.append(address) }
        completion(.failure(Failure(.notConnected(.refused), phase: .connecting, address: address)))
        return Cancellation {}
    }
}

/// The server itself, with a listener of each kind and no certificate for the domain.
final class AnsweringServer {
    let server: LinkServer
    let ports: [ChallengeType: Int]
    private let folder: TemporaryFolder

    init() throws {
        folder = try RunningServer.layOut()
        try folder.write(
            RunningServer.document, to: "sites/\(PreflightWorld.domain)/apple-app-site-association")
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.threads = 2
        configuration.log.access = .none
        let address = try #require(SocketAddress("127.0.0.1:0"))
        let listeners = [
            ServingListener(try Listener(address), .https(proxyProtocol: false)),
            ServingListener(try Listener(address), .plain(proxyProtocol: false, health: false)),
        ]
        let numbers = try listeners.map { Int(try #require($0.listener.address.port)) }
        ports = [.tlsALPN01: numbers[0], .http01: numbers[1]]
        server = try LinkServer(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = try server.start(listeners)
    }

    deinit {
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }
}
