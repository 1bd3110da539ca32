import ACME
import AssociationServer
import AutomaticCertificates
import EventLoops
import Foundation
import HTTPClient
import Logging
import OpenSSL
import SystemSupport
import TestSupport
import Testing

/// A server with its sites, a CA, and what gets certificates from one for the other: all of it in this process.
final class DriverWorld {
    static let site = "shop.example.com"

    let folder: TemporaryFolder
    let authority: StubAuthority
    let clock = DriverClock()
    let log = DriverLog()
    let server: LinkServer
    let ports: (tls: Int, http: Int)
    /// The value of `acme` in server.json, from the next reload on.
    var acme: [String: Any]
    var proxies = ProxyEnvironment([:])
    /// In place of one over the network.
    var transport: (any HTTPTransport)?
    /// The time that a request to the CA may take; as in the program if nil.
    var requestLimit: Duration?
    private(set) var driver: IssuanceDriver?
    private let configurationPath: String

    /// - Parameters:
    ///   - sites: the names of their folders.
    ///   - other: whose folder and CA it has, too.
    ///   - acme: is added to what all tests need.
    init(
        _ sites: [String] = [site], sharing other: DriverWorld? = nil, acme: [String: Any] = [:],
        settings: StubAuthority.Settings = StubAuthority.Settings()
    ) throws {
        folder = try other?.folder ?? TemporaryFolder()
        let address = try #require(SocketAddress("127.0.0.1:0"))
        let listeners = [
            ServingListener(try Listener(address), .https(proxyProtocol: false)),
            ServingListener(try Listener(address), .plain(proxyProtocol: false, health: false)),
        ]
        let numbers = try listeners.map { Int(try #require($0.listener.address.port)) }
        let ports = (tls: numbers[0], http: numbers[1])
        self.ports = ports
        var settings = settings
        (settings.tlsPort, settings.httpPort) = ports
        // One question less.
        settings.processesOrders = false
        authority = try other?.authority ?? StubAuthority(settings)
        let common: [String: Any] = [
            "agreeToTerms": true, "contact": ["ops@example.com"], "directory": authority.directory,
            "caFile": authority.caFile, "preflight": false,
            "challengePorts": ["tls-alpn-01": ports.tls, "http-01": ports.http],
        ]
        self.acme = common.merging(acme) { $1 }
        configurationPath = "\(folder.path)/server-\(ports.tls).json"
        for site in sites {
            try folder.write(RunningServer.document, to: "sites/\(site)/apple-app-site-association")
        }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/certs", withIntermediateDirectories: true)
        try Self.write(self.acme, folder, configurationPath)
        var timing = ReloadTiming()
        timing.watches = false
        server = try LinkServer(
            ServerConfiguration.load(path: configurationPath),
            logger: Logger(label: "server") { _ in SwiftLogNoOpLogHandler() }, timing: timing)
        _ = try server.start(listeners)
    }

    /// Runs a test in a world of its own; what the CA has to complain about is a failure, whatever the test looks at.
    static func run(
        _ sites: [String] = [site], acme: [String: Any] = [:],
        settings: StubAuthority.Settings = StubAuthority.Settings(),
        sourceLocation: SourceLocation = #_sourceLocation, test: (DriverWorld) throws -> Void
    ) throws {
        let world = try DriverWorld(sites, acme: acme, settings: settings)
        defer { world.end() }
        try test(world)
        #expect(world.authority.violations.isEmpty, sourceLocation: sourceLocation)
    }

    private static func write(_ acme: [String: Any], _ folder: TemporaryFolder, _ path: String) throws {
        let object: [String: Any] = [
            "sites": "sites", "certs": "certs", "listen": ["127.0.0.1:0", "http://127.0.0.1:0"], "threads": 1,
            "log": ["access": "none"], "acme": acme,
        ]
        try JSONSerialization.data(withJSONObject: object).write(to: URL(fileURLWithPath: path))
    }

    // MARK: Its course

    func start() {
        var environment = IssuanceEnvironment(
            wallSeconds: { [clock] in clock.wall }, uptime: { [clock] in clock.uptime },
            makeTransport: { [transport] trust in
                try transport
                    ?? CurlTransport(connections: 16, connectionsPerHost: 4) { trust.install(inTLSContext: $0) }
            }, resolver: WorldResolver(), proxies: proxies, userAgent: "aasa/test")
        environment.lockPause = .milliseconds(20)
        if let requestLimit { environment.requestLimit = requestLimit }
        let driver = IssuanceDriver(server, logger: log.logger, environment: environment)
        self.driver = driver
        driver.start(isNeeded: true)
    }

    /// Ends the driver; the server goes on.
    func stopDriver() {
        driver?.stop()
        driver?.waitUntilStopped()
        driver = nil
        // What it has shown is not what the next one shows.
        server.show { IssuanceReport(ownsLock: false) }
    }

    func restart() {
        stopDriver()
        start()
    }

    func end() {
        stopDriver()
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    /// Has the driver look at what there is, and returns when it has.
    func look() {
        server.reloadAndWait()
        driver?.waitUntilStopped()
    }

    /// Reads server.json again, after its `acme` was changed.
    func reload(_ change: [String: Any?] = [:]) throws {
        for (name, value) in change { acme[name] = value }
        try Self.write(acme, folder, configurationPath)
        server.reloadAndWait { [configurationPath] () throws(ServerError) in
            try ServerConfiguration.load(path: configurationPath)
        }
        driver?.waitUntilStopped()
    }

    /// Sets the clock on the wall, and has the driver notice it.
    func move(by seconds: Int64) {
        clock.move(by: seconds)
        look()
    }

    /// Asks for a renewal, as `aasa certificates --renew`; not before an earlier request has ended.
    func requestRenewal(of site: String = site) throws {
        let domain = IssuanceSamples.domain(site)
        try wait(for: "the end of the request") { !issuanceFolder.isRenewalRequested(of: domain) }
        try issuanceFolder.requestRenewal(of: domain)
        look()
    }
}

extension DomainStatus {
    /// The seconds from the last error to the next attempt, however long nobody has looked.
    func pause() throws -> Int64 { try #require(nextAttempt) - #require(lastError).at }
}
