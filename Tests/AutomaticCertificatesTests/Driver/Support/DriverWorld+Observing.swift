import ACME
import AssociationServer
import AutomaticCertificates
import Diagnostics
import Foundation
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

// The state that a test observes.
extension DriverWorld {
    var certs: String { "\(folder.path)/certs" }
    var issuanceFolder: IssuanceFolder { IssuanceFolder(certs) }
    var accountFolder: String { issuanceFolder.account(IssuanceSamples.url(authority.directory)).path }
    var orderKey: String { "\(accountFolder)/orders/\(Self.site).key" }

    var report: IssuanceReport { server.issuanceReport ?? IssuanceReport(ownsLock: false) }

    func status(_ domain: String = site) -> DomainStatus? { report.domains[domain] }

    /// Waits until the status of a domain is as it should be.
    @discardableResult
    func wait(
        _ domain: String = site, until isSo: (DomainStatus) -> Bool
    ) throws -> DomainStatus {
        guard Waiting.until({ status(domain).map(isSo) ?? false }), let status = status(domain) else {
            throw TestFailure("\(domain): \(status(domain).map { "\($0)" } ?? "nothing")\n\(history)")
        }
        return status
    }

    @discardableResult
    func wait(_ domain: String = site, for state: DomainState) throws -> DomainStatus {
        try wait(domain) { $0.state == state }
    }

    /// Waits until an attempt has failed.
    @discardableResult
    func wait(
        _ domain: String = site, forFailure type: String, count: Int = 1
    ) throws -> (status: DomainStatus, message: String) {
        let status = try wait(domain) {
            $0.lastError?.type.rawValue == type && $0.failures >= count && $0.state != .ordering
                && $0.state != .renewing
        }
        return (status, status.lastError?.message ?? "")
    }

    /// Waits until so many certificates were issued and are presented.
    func wait(forCertificates count: Int) throws {
        let isSo = Waiting.until {
            let orders = report.orders
            return orders.issued + orders.renewed >= count && report.domains.values.allSatisfy { $0.state != .ordering }
        }
        guard isSo else { throw TestFailure("\(report)\n\(history)") }
    }

    /// Waits for what is not in the report.
    func wait(for what: String, until isSo: () throws -> Bool) throws {
        guard try Waiting.until(isSo) else { throw TestFailure("\(what): never\n\(history)") }
    }

    private var history: String {
        let requests = authority.requests.map { "\($0.method) \($0.path) \($0.status.map(String.init) ?? "-")" }
        return (log.lines + requests.suffix(30)).joined(separator: "\n")
    }

    /// The leaf that is presented for a name, in DER; nil if there is none.
    func presented(_ name: String = site, protocols: [String] = []) throws -> [UInt8]? {
        let client = try HTTPSClient(port: ports.tls, Self.offer(name, protocols))
        do {
            try client.handshake()
        } catch {
            return nil
        }
        return client.presented
    }

    static func offer(_ name: String = site, _ protocols: [String] = []) -> SampleOffer {
        SampleOffer {
            $0.serverName = name
            $0.protocols = protocols
        }
    }

    /// The status that a request for the token of a challenge is answered with.
    func tokenStatus(_ attempt: StubAuthority.Attempt) throws -> Int? {
        let socket = try RawSocket(port: ports.http)
        socket.send(
            """
            GET /.well-known/acme-challenge/\(attempt.token) HTTP/1.1\r
            Host: \(attempt.domain)\r
            Connection: close\r
            \r

            """)
        return String(decoding: socket.receiveAll().bytes, as: UTF8.self).split(separator: " ").dropFirst().first
            .flatMap { Int($0) }
    }

    /// The content of `state.json`; it is complete once the driver has ended.
    func storedState() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(accountFolder)/state.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The record of a domain.
    func record(_ domain: String = site) throws -> [String: Any] {
        let domains = try #require(try storedState()["domains"] as? [[String: Any]])
        return try #require(domains.first { $0["domain"] as? String == domain })
    }

    /// A certificate of another source, in a folder of its own.
    ///
    /// - Parameters:
    ///   - notBefore: in days from now.
    ///   - notAfter: in days from now.
    func writeOwn(_ names: [String] = [site], notBefore: Int64 = -30, notAfter: Int64 = 60) throws {
        let key = SampleKey.p256(320)
        let leaf = SampleSite.leaf(names, notBefore: notBefore, notAfter: notAfter, key: key)
        let text = try leaf.pem()
        try folder.write(text + SampleSite.intermediate.certificate.pem(), to: "certs/own/fullchain.pem")
        let path = try folder.write(key.pem(), to: "certs/own/privkey.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
