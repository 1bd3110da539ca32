import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport

/// A transport and a resolver that answer at once what a test says, or never, and keep a record.
final class FakeWorld: HTTPTransport, NameResolver {
    struct Record {
        var requests: [Request] = []
        var probes: [ChainProbe] = []
        var lookups: [String] = []
        /// The number of requests that are neither answered nor cancelled.
        var hanging = 0

        /// Every address that was contacted.
        var contacted: Set<IPAddress> {
            Set(probes.map(\.address) + requests.map(\.address))
        }
    }

    /// Nil for what is never answered.
    let answer: @Sendable (Request) -> Result<Response, Failure>?
    let present: @Sendable (ChainProbe) -> Result<Chain, Failure>?
    let resolve: @Sendable (String, AddressFamily) -> Result<[IPAddress], ResolutionFailure>?
    private let state = Locked(Record())

    init(
        addresses: [String] = ["198.105.1.1"],
        answer: @escaping @Sendable (Request) -> Result<Response, Failure>? = { FakeWorld.good($0) },
        present: @escaping @Sendable (ChainProbe) -> Result<Chain, Failure>? = { FakeWorld.good($0) },
        resolve: (@Sendable (String, AddressFamily) -> Result<[IPAddress], ResolutionFailure>?)? = nil
    ) {
        (self.answer, self.present) = (answer, present)
        self.resolve =
            resolve ?? { _, family in
                .success(addresses.compactMap { IPAddress($0) }.filter { $0.isIPv6 == (family == .ipv6) })
            }
    }

    var record: Record { state.withLock { $0 } }

    func start(
        _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
    ) -> Cancellation {
        state.withLock { $0.requests.append(request) }
        let cancelled = Failure(.cancelled, phase: .waiting, address: request.address)
        return finish(answer(request), or: .failure(cancelled), completion)
    }

    func start(_ probe: ChainProbe, completion: @escaping @Sendable (Result<Chain, Failure>) -> Void) -> Cancellation {
        state.withLock { $0.probes.append(probe) }
        let cancelled = Failure(.cancelled, phase: .connecting, address: probe.address)
        return finish(present(probe), or: .failure(cancelled), completion)
    }

    func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation {
        state.withLock { $0.lookups.append("\(name) \(family)") }
        return finish(resolve(name, family), or: .failure(.cancelled), completion)
    }

    private func finish<Value: Sendable>(
        _ value: Value?, or cancelled: Value, _ completion: @escaping @Sendable (Value) -> Void
    ) -> Cancellation {
        if let value {
            completion(value)
            return Cancellation {}
        }
        state.withLock { $0.hanging += 1 }
        let isOver = Once()
        return Cancellation { [self] in
            guard isOver.claim() else { return }
            state.withLock { $0.hanging -= 1 }
            completion(cancelled)
        }
    }

    private final class Once: Sendable {
        private let isClaimed = Locked(false)

        func claim() -> Bool {
            isClaimed.withLock { isClaimed in
                defer { isClaimed = true }
                return !isClaimed
            }
        }
    }
}

extension FakeWorld {
    /// For any host below `example.com`.
    private static let chain = Result {
        Array(
            (try SampleSite.leaf(["*.example.com", "example.com"]).pem() + SampleSite.intermediate.certificate.pem())
                .utf8)
    }

    static func good(_ probe: ChainProbe) -> Result<Chain, Failure> {
        do {
            return .success(Chain(certificates: try chain.get(), address: probe.address))
        } catch {
            return failed(probe, .other(0))
        }
    }

    static func failed(_ probe: ChainProbe, _ reason: Failure.Reason) -> Result<Chain, Failure> {
        .failure(Failure(reason, phase: .handshaking, address: probe.address))
    }

    static func good(_ request: Request) -> Result<Response, Failure> { answered(request, 200, "{}") }

    static func answered(_ request: Request, _ status: Int, _ body: String) -> Result<Response, Failure> {
        .success(
            Response(
                head: ResponseHead(status: status, statusLine: Array("HTTP/1.1 \(status)".utf8), fields: []),
                body: Array(body.utf8), address: request.address))
    }

    func examination(
        clock: any Clock<Duration> = ContinuousClock(), _ change: (inout ExaminationSettings) throws -> Void = { _ in }
    ) throws -> Examination {
        var settings = ExaminationSettings(version: "1.2.3")
        try change(&settings)
        return Examination(
            settings, transport: self, resolver: self, trust: try SampleSite.trust(), clock: clock,
            now: { SampleSite.now })
    }
}

extension Request {
    var address: IPAddress {
        switch route {
        case .direct(let address): address
        case .proxy(let proxy): proxy.address
        }
    }

    var userAgent: String {
        fields.first { $0.isNamed("User-Agent") }.map { String(decoding: $0.value, as: UTF8.self) } ?? ""
    }
}

extension Target {
    /// One that is right.
    static func of(_ text: String) throws -> Target { try Target(text, allowsAddresses: true) }
}

extension Result {
    var value: Success? { try? get() }

    var problem: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
