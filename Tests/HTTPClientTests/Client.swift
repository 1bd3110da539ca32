import DomainNames
import HTTPClient
import OpenSSL
import TLSSamples
import TestSupport

/// A client for the tests of the transport: it trusts the samples' root and asks with short limits.
struct Client {
    let transport: CurlTransport

    static let loopback = IPAddress(ipv4: 0x7F00_0001)

    init(trust: TrustStore? = nil, connections: Int = 256, perHost: Int = 6) throws {
        let trust = try trust ?? SampleSite.trust()
        transport = try CurlTransport(connections: connections, connectionsPerHost: perHost) {
            trust.install(inTLSContext: $0)
        }
    }

    /// - Parameter seconds: the time limit, for those that do not end.
    static func request(
        _ url: String, method: Request.Method = .get, to address: IPAddress = loopback, seconds: Double? = nil,
        _ change: (inout Request) -> Void = { _ in }
    ) throws -> Request {
        var request = Request(
            try RequestURL(url), method: method, route: .direct(address),
            fields: Request.plainFields(userAgent: "AASA-Bot/1.0.0"),
            limits: Request.Limits(body: 131_072, otherBody: 4_096),
            timeLimit: .seconds(seconds ?? Double(Patience.seconds)))
        change(&request)
        return request
    }

    func send(_ request: Request) async -> Result<Response, Failure> { await transport.response(to: request) }

    func send(
        _ url: String, method: Request.Method = .get, seconds: Double? = nil,
        _ change: (inout Request) -> Void = { _ in }
    ) async throws -> Result<Response, Failure> {
        await send(try Self.request(url, method: method, seconds: seconds, change))
    }
}

extension Result {
    var value: Success? { try? get() }

    var problem: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
