import Foundation
import Glibc
import SystemSupport
import TestSupport

/// The setup with which a server gets its certificates in a test: a folder, an address of its own that the names of its
/// sites lead to, an authority, and `server.json`.
final class IssuanceSetup {
    private static let count = Locked(0)

    let authority: TestAuthority
    let folder: TemporaryFolder
    /// The address of the first server.
    let address: String
    /// Below it are the names of this test, and of no other.
    let domain: String
    /// The members of `acme`, beside those that all tests have.
    var acme: [String: Any] = [:]
    /// Whether `server.json` has `acme`.
    var isOn = true

    /// - Parameter gate: what the server takes for the authority.
    init(gate: AuthorityGate? = nil) throws {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        authority = try .shared
        folder = try TemporaryFolder()
        address = "127.77.\(number).1"
        domain = "t\(number).example.com"
        acme = [
            "agreeToTerms": true, "directory": gate?.directory ?? authority.pebble.directory,
            "caFile": authority.pebble.caFile, "preflight": false,
            "challengePorts": ["tls-alpn-01": authority.httpsPort, "http-01": authority.httpPort],
        ]
        try FileManager.default.createDirectory(atPath: path("certs"), withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Adds a site.
    ///
    /// - Parameters:
    ///   - label: of its name, below the domain of this test.
    ///   - address: where the authority finds it, if not at the address of this test.
    @discardableResult
    func addSite(_ label: String, at address: String? = nil) throws -> String {
        let name = "\(label).\(domain)"
        try authority.pebble.point(name, to: address ?? self.address)
        try write(site: name)
        return name
    }

    /// Makes the folder of a site.
    func write(site name: String) throws {
        try folder.write(RunningServer.document, to: "sites/\(name)/apple-app-site-association")
    }

    /// Makes a certificate of another source.
    func makeCertificate(_ name: String, in place: String, days: Int = 90) throws {
        try TestCertificate.make(["DNS:\(name)"], in: folder.url.appendingPathComponent("certs/\(place)"), days: days)
    }

    func removeSite(_ name: String) throws { try FileManager.default.removeItem(atPath: path("sites/\(name)")) }

    /// The text of `server.json`.
    var configuration: String {
        get throws {
            var members: [String: Any] = [:]
            if isOn { members["acme"] = acme }
            return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        }
    }

    enum Listeners {
        case https, http, both
    }

    /// Starts the server; several can run at once at different addresses.
    func start(
        at address: String? = nil, _ listeners: Listeners = .both, launcher: [String] = []
    ) throws -> IssuingServer {
        let address = address ?? self.address
        let https = "\(address):\(authority.httpsPort)"
        let http = "http://\(address):\(authority.httpPort)"
        let listen = listeners == .http ? http : https
        let admin = path("admin-\(address).sock")
        let arguments = (listeners == .both ? ["--listen", http] : []) + ["--admin", "unix:\(admin)"]
        let process = try RunningServer(
            folder, configuration: configuration, arguments: arguments, threads: 1, listen: listen,
            launcher: launcher)
        return IssuingServer(process, address: address, port: authority.httpsPort, admin: admin)
    }

    /// Has a server read `server.json` as it is meant to be now.
    func reload(_ server: IssuingServer) throws {
        try folder.write(configuration, to: "server.json")
        server.process.signal(SIGHUP)
    }

    func isRenewalRequested(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path("certs/acme-account/renew/\(name)"))
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    func permissions(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int ?? -1
    }
}
