import Foundation
import OpenSSL
import TestSupport
import Testing

/// Changes while a server gets certificates: sites, settings, certificates of other sources (acme.md, sections 1
/// to 3 and 7).
@Suite("aasa serve with acme: changes", .waitingForSeconds, .needs(.pebble))
struct IssuanceChangesTests {
    @Test("a new site gets its certificate, one that was removed comes back with the one it had")
    func sites() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let first = try setup.addSite("first")
        let server = try setup.start()
        #expect(server.hasIssued(first), "\(server.log)")
        let second = try setup.addSite("second")
        #expect(server.hasIssued(second), "\(server.log)")
        let leaf = try server.presented(first).der
        try setup.removeSite(first)
        #expect(server.process.waitForLog("1 site removed (\(first))"), "\(server.log)")
        #expect(server.metric(#"aasa_acme_domains{state="valid"}"#, becomes: "1"))
        #expect(try server.ask("/readyz") == "ready\n")
        try setup.write(site: first)
        #expect(server.process.waitForLog("1 site added (\(first))"), "\(server.log)")
        #expect(server.reaches("valid", first))
        #expect(try server.presented(first).der == leaf)
        #expect(gate.orders == 2)
    }

    @Test("'acme' can be added to a running server, changed, and taken away")
    func settings() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let own = try setup.addSite("own")
        try setup.makeCertificate(own, in: "own")
        let name = try setup.addSite("www")
        setup.isOn = false
        let server = try setup.start(.https)
        let client = try server.connect(own)
        #expect(try client.get(host: own).status == 200)
        #expect(try server.site(name)["acme"] is NSNull)
        // Nothing can answer this challenge.
        setup.isOn = true
        setup.acme["challenges"] = ["http-01"]
        try setup.reload(server)
        #expect(server.reaches("blocked", name), "\(server.log)")
        #expect(try server.errorType(name) == "acme-challenges")
        setup.acme["challenges"] = ["tls-alpn-01"]
        try setup.reload(server)
        #expect(server.hasIssued(name), "\(server.log)")
        let leaf = try server.presented(name).der
        setup.isOn = false
        try setup.reload(server)
        #expect(Waiting.until { (try? server.site(name)["acme"] is NSNull) == true }, "\(server.log)")
        #expect(try server.presented(name).der == leaf)
        #expect(try client.get(host: own).status == 200)
        #expect(gate.orders <= 2)
    }

    @Test("'aasa certificates --renew' waits for the server, and says what has come of it")
    func renewCommand() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        let server = try setup.start()
        #expect(server.hasIssued(name), "\(server.log)")
        let command = [
            RunningServer.executable, "certificates", "--config", setup.path("server.json"), "--sites",
            setup.path("sites"), "--certs", setup.path("certs"), "--renew", name, "--wait", "20",
        ]
        let renewed = try Shell.run(command)
        #expect(renewed.status == 0 && renewed.text.hasPrefix("\(name): issued by '"), "\(renewed)")
        #expect(server.hasIssued(name, count: 2) && gate.orders == 2, "\(server.log)")
        gate.setBroken(true)
        let refused = try Shell.run(command)
        #expect(refused.status == 1 && refused.errors.hasPrefix("error: \(name): protocol: "), "\(refused.errors)")
        #expect(!setup.isRenewalRequested(name))
        gate.setBroken(false)
        server.kill()
        let abandoned = try Shell.run(command)
        #expect(abandoned.status == 69 && setup.isRenewalRequested(name), "\(abandoned.errors)")
    }
}
