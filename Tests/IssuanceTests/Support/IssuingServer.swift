import Foundation
import OpenSSL
import TLSSamples
import TestSupport

/// A running `aasa serve` that gets certificates, and what is seen of it from outside.
final class IssuingServer {
    let process: RunningServer
    private let address: String
    private let port: Int
    /// The path of the socket.
    private let admin: String

    init(_ process: RunningServer, address: String, port: Int, admin: String) {
        (self.process, self.address, self.port, self.admin) = (process, address, port, admin)
    }

    var log: String { process.logText }

    // MARK: Waiting

    /// Waits until a domain has got so many certificates.
    func hasIssued(_ name: String, count: Int = 1) -> Bool {
        process.waitForLogs("acme: \(name): issued by '", count: count)
    }

    /// Waits until a domain is in a state.
    func reaches(_ state: String, _ name: String) -> Bool {
        (try? Waiting.until { try status(name)["state"] as? String == state }) ?? false
    }

    /// Ends it at once.
    func kill() {
        process.signal(SIGKILL)
        _ = process.exitStatus()
    }

    // MARK: The admin listener

    /// The body of an answer.
    func ask(_ path: String) throws -> String {
        let socket = try RawSocket(path: admin)
        socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
        guard answer.hasPrefix("HTTP/1.1 200 "), let end = answer.range(of: "\r\n\r\n") else {
            throw TestFailure("\(path): \(answer)")
        }
        return String(answer[end.upperBound...])
    }

    /// The entry of a site in `/sites`.
    func site(_ name: String) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(ask("/sites").utf8)) as? [String: Any]
        let sites = document?["sites"] as? [[String: Any]] ?? []
        return sites.first { $0["domain"] as? String == name } ?? [:]
    }

    /// Its member `acme`.
    func status(_ name: String) throws -> [String: Any] { try site(name)["acme"] as? [String: Any] ?? [:] }

    /// The type of the last error of a domain.
    func errorType(_ name: String) throws -> String? {
        (try status(name)["lastError"] as? [String: Any])?["type"] as? String
    }

    /// The value of a metric with its labels, as it is written.
    func metric(_ name: String) throws -> String? {
        try ask("/metrics").split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Waits until a metric has a value.
    func metric(_ name: String, becomes value: String) -> Bool {
        (try? Waiting.until { try metric(name) == value }) ?? false
    }

    // MARK: Handshakes

    /// Shakes hands under a name.
    func connect(_ name: String, protocols: [String] = []) throws -> HTTPSClient {
        let offer = SampleOffer { ($0.serverName, $0.protocols) = (name, protocols) }
        let client = try HTTPSClient(RawSocket(port: port, host: address), offer)
        try client.handshake()
        return client
    }

    /// The certificate that is presented for a name.
    func presented(_ name: String) throws -> X509Certificate {
        try X509Certificate(der: connect(name).presented[...], in: LibraryContext())
    }
}
