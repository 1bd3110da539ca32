import DomainNames
import Foundation
import HTTPClient
import OpenSSL
import TestSupport

/// An HTTPS client that trusts the certificates in one file only.
struct TrustingClient {
    private let transport: CurlTransport

    init(caFile: String) throws {
        let text = Array(try Data(contentsOf: URL(fileURLWithPath: caFile)))
        let trust = try TrustStore(includesSystem: false, additional: text)
        transport = try CurlTransport(
            CurlTransport.Configuration(connections: 4, connectionsPerHost: 2) { trust.install(inTLSContext: $0) })
    }

    func get(_ url: String) async throws -> (status: Int, text: String) {
        let response = try await transport.response(
            to: Request(
                RequestURL(url), method: .get, route: .direct(IPAddress(ipv4: 0x7F00_0001)),
                fields: Request.plainFields(userAgent: "aasa/1.0.0 test"),
                limits: Request.Limits(body: 131_072, otherBody: 4_096), timeLimit: .seconds(Patience.seconds)))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }
}
