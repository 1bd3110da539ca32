import AssociationServer
import Foundation
import TestSupport
import Testing

/// A reload with another configuration (server.md, section 6).
@Suite("Reloading the configuration", .waiting)
struct ConfigurationReloadTests {
    private let folder: TemporaryFolder
    private let log = RecordedLog()
    private let configuration: ServerConfiguration
    private let server: LinkServer

    init() throws {
        folder = try TemporaryFolder()
        let document =
            #"{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.example"],"components":[{"/":"/buy/*"}]}]}}"#
        for name in ["sites/a.example", "more/a.example", "more/b.example"] {
            try folder.write(document, to: "\(name)/apple-app-site-association")
        }
        try TestCertificate.make(
            ["DNS:a.example", "DNS:b.example"], in: folder.url.appendingPathComponent("certs/one"))
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 2
        self.configuration = configuration
        server = try LinkServer(configuration, logger: log.logger)
    }

    /// The lines of a reload with a changed configuration.
    private func reload(_ change: (inout ServerConfiguration) -> Void) -> [String] {
        var changed = configuration
        change(&changed)
        log.clear()
        server.reloadAndWait { [changed] () throws(ServerError) in changed }
        return log.lines
    }

    @Test("what can change while it runs does, and is named")
    func changes() {
        #expect(reload { _ in } == ["info reloaded: nothing has changed; now 1 site, 1 certificate"])
        let lines = reload {
            $0.sites = "\(folder.path)/more"
            $0.timeouts.idle = 3
            $0.minimumTLSVersion = .tls13
        }
        let settings = "3 settings changed (sites, timeouts.idle, tls.minimumVersion)"
        #expect(lines == ["info reloaded: \(settings), 1 site added (b.example); now 2 sites, 1 certificate"])
        // Without a new one the last one stays.
        log.clear()
        server.reloadAndWait()
        #expect(log.lines == ["info reloaded: nothing has changed; now 2 sites, 1 certificate"])
    }

    @Test("the sites with series of their own in /metrics can change while it runs")
    func metricSites() throws {
        func hasSeries() throws -> Bool {
            let bytes = MetricsDocument(server, LoopReport(), ProcessFacts(), now: 0).bytes
            return try PrometheusText(String(decoding: bytes, as: UTF8.self))
                .value("aasa_site_severity", ["site": "a.example"]) != nil
        }
        #expect(try hasSeries())
        let lines = reload { $0.metricSites = ServerConfiguration.MetricSites.none }
        #expect(lines == ["info reloaded: 1 setting changed (metrics.sites); now 1 site, 1 certificate"])
        #expect(try !hasSeries())
        _ = reload { $0.metricSites = .all }
        #expect(try hasSeries())
    }

    @Test("what needs a restart is named each time")
    func restart() {
        for _ in 0..<2 {
            let lines = reload {
                $0.listen = nil
                $0.admin = "127.0.0.1:1"
                $0.threads = 7
                $0.timeouts.proxyHeader = 7
            }
            let names = "'listen', 'admin', 'threads', 'timeouts.proxyHeader'"
            #expect(
                lines == [
                    "warning \(names) of the configuration changed, which takes effect after a restart",
                    "info reloaded: nothing has changed; now 1 site, 1 certificate",
                ])
        }
    }

    @Test("another access log is written to from then on, and one that cannot be opened changes nothing")
    func accessLog() throws {
        let (first, second) = ("\(folder.path)/first.log", "\(folder.path)/second.log")
        var settings = configuration
        settings.log.access = .file(first)
        let server = try LinkServer(settings, logger: log.logger)
        let port = try #require(try server.start().https.first?.split(separator: ":").last)
        func get() throws {
            let outcome = try Shell.run([
                "curl", "-sS", "--noproxy", "*", "--connect-to", "::127.0.0.1:\(port)", "--cacert",
                "\(folder.path)/certs/one/fullchain.pem", "https://a.example:\(port)/apple-app-site-association",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        func reload() {
            log.clear()
            server.reloadAndWait { [settings] () throws(ServerError) in settings }
        }
        try get()
        settings.log.access = .file(second)
        settings.log.format = .combined
        reload()
        let changed = "2 settings changed (log.access, log.format); now 1 site, 1 certificate"
        #expect(log.lines == ["info reloaded: \(changed)"])
        // All of the first one is written.
        #expect(try String(contentsOfFile: first, encoding: .utf8).hasPrefix("{"))
        try get()
        settings.log.access = .file("\(folder.path)/nowhere/x.log")
        reload()
        #expect(log.lines.last == "error not reloaded: the configuration cannot be used; nothing changes")
        try get()
        settings.log.access = .none
        reload()
        try get()
        let lines = try String(contentsOfFile: second, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("127.0.0.1 ") })
        server.stop()
        server.waitUntilStopped()
    }

    @Test("one that cannot be used changes nothing at all")
    func bad() throws {
        try folder.write("x", to: "sites/a.example/apple-app-site-association")
        log.clear()
        server.reloadAndWait { () throws(ServerError) in
            throw ServerError(.configuration, "this is wrong")
        }
        #expect(
            log.lines == [
                "error this is wrong",
                "error not reloaded: the configuration cannot be used; nothing changes",
            ])
        #expect(server.findings.isEmpty)
        #expect(server.reloadCounts[.configuration, .failed] == 1)
        #expect(server.reloadCounts[.sites, .failed] == 0)
        #expect(reload { _ in }.last?.contains("1 site kept at its last good version") == true)
    }
}
