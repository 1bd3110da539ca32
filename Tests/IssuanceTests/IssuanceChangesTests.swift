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

    @Test("certificates of other sources are left as they are, byte for byte")
    func otherSources() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let covered = try setup.addSite("covered")
        let other = try setup.addSite("other")
        try setup.makeCertificate(covered, in: "certbot")
        // Somebody's folder that is called as ACME would call it, with a certificate that is of no use.
        try setup.makeCertificate(other, in: other, days: -1)
        try setup.folder.write("mine", to: "certs/\(other)/notes.txt")
        let before = try ["certbot", other].map { try setup.contents("certs/\($0)") }
        let expired = try TestPEM.leaf(setup.text("certs/\(other)/fullchain.pem"))
        gate.stop("/certZ/", at: .answer)
        let server = try setup.start()
        #expect(gate.waitUntilStopped(), "\(server.log)")
        // Expired, it is better than none.
        #expect(try server.presented(other).der == expired)
        gate.open()
        #expect(server.hasIssued(other), "\(server.log)")
        #expect(server.reaches("covered", covered) && server.reaches("valid", other), "\(server.log)")
        #expect(try (server.site(covered)["certificate"] as? [String: Any])?["source"] as? String == "folder")
        #expect(try server.presented(other).der == TestPEM.leaf(setup.text("certs/\(other)-acme/fullchain.pem")))
        #expect(try ["certbot", other].map { try setup.contents("certs/\($0)") } == before)
        #expect(gate.orders == 1)
        #expect(try server.ask("/readyz") == "ready\n")
    }

    @Test("where all is covered or excluded the authority is asked for nothing")
    func nothingToDo() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let covered = try setup.addSite("covered")
        let excluded = try setup.addSite("excluded")
        setup.acme["exclude"] = [excluded]
        try setup.makeCertificate("*.\(setup.domain)", in: "own")
        let server = try setup.start()
        #expect(server.reaches("covered", covered) && server.reaches("excluded", excluded), "\(server.log)")
        #expect(gate.answered.isEmpty)
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

    @Test("a renewal on request: connections stay, new ones get the new certificate")
    func renewal() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        let server = try setup.start()
        #expect(server.hasIssued(name), "\(server.log)")
        let client = try server.connect(name)
        #expect(try client.get(host: name).status == 200)
        let key = try setup.text("certs/\(name)/privkey.pem")
        try setup.requestRenewal(name)
        #expect(server.hasIssued(name, count: 2), "\(server.log)")
        #expect(Waiting.until { !setup.isRenewalRequested(name) })
        #expect(try client.get(host: name).text == RunningServer.document)
        let leaf = try server.presented(name).der
        #expect(leaf != client.presented)
        #expect(try leaf == TestPEM.leaf(setup.text("certs/\(name)/fullchain.pem")))
        #expect(try setup.text("certs/\(name)/privkey.pem") != key)
        #expect(try server.metric(#"aasa_acme_orders_total{result="renewed"}"#) == "1")
        #expect(server.reaches("valid", name), "\(server.log)")
        #expect(gate.orders == 2)
        // The generation before stays.
        let names = try FileManager.default.contentsOfDirectory(atPath: setup.path("certs/\(name)"))
        #expect(names.count { $0.hasPrefix("..2") } == 2, "\(names)")
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

    @Test("a renewal that fails keeps the certificate")
    func failedRenewal() throws {
        let setup = try IssuanceSetup()
        let name = try setup.addSite("www")
        let server = try setup.start()
        #expect(server.hasIssued(name), "\(server.log)")
        let leaf = try server.presented(name).der
        let files = try setup.contents("certs/\(name)")
        try setup.authority.pebble.point(name, to: "127.77.255.254")
        try setup.requestRenewal(name)
        #expect(server.process.waitForLog(", not renewed: unauthorized: "), "\(server.log)")
        let failed = #/acme: \S+: certificate valid until [-0-9]{10}, not renewed: unauthorized: .+/#
        #expect(server.log.contains(failed), "\(server.log)")
        #expect(Waiting.until { !setup.isRenewalRequested(name) })
        #expect(try server.presented(name).der == leaf)
        #expect(try setup.contents("certs/\(name)") == files)
        // It was not due, so that there is no next attempt before its time.
        #expect(try server.status(name)["state"] as? String == "valid")
        #expect(try server.status(name)["failures"] as? Int == 1 && server.errorType(name) == "unauthorized")
        #expect(try server.ask("/readyz") == "ready\n")
        // Asked for once more, it does not wait for its time.
        try setup.authority.pebble.point(name, to: setup.address)
        try setup.requestRenewal(name)
        #expect(server.hasIssued(name, count: 2), "\(server.log)")
        #expect(try server.status(name)["failures"] as? Int == 0)
    }
}
