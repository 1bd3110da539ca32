import Foundation
import Glibc
import OpenSSL
import TestSupport
import Testing

/// Failures around a server that gets certificates (acme.md, principles and sections 3, 5 and 8).
@Suite("aasa serve with acme: faults", .waitingForSeconds, .needs(.pebble))
struct IssuanceFaultTests {
    @Test("an authority that is down at the start: all else is served, and the certificate comes when it is up")
    func authorityDown() throws {
        let port = try FreePort.reserve()
        let setup = try IssuanceSetup()
        setup.acme["directory"] = "https://localhost:\(port)/dir"
        let name = try setup.addSite("www")
        let own = try setup.addSite("own")
        try setup.makeCertificate(own, in: "own")
        let server = try setup.start()
        #expect(server.reaches("waiting", name), "\(server.log)")
        #expect(try server.connect(own).get(host: own).text == RunningServer.document)
        let gate = try AuthorityGate(.shared, port: port)
        #expect(server.hasIssued(name), "\(server.log)")
        #expect(gate.orders == 1)
    }

    @Test("an authority that answers nonsense fails for all, in one line, and a change of the settings asks it again")
    func authorityBroken() throws {
        let gate = try AuthorityGate(.shared)
        gate.setBroken(true)
        let setup = try IssuanceSetup(gate: gate)
        let names = try ["a", "b"].map { try setup.addSite($0) }
        let server = try setup.start()
        #expect(server.process.waitForLog(" warning: acme: "), "\(server.log)")
        for name in names {
            #expect(server.reaches("backoff", name), "\(server.log)")
            #expect(try server.errorType(name) != nil && server.status(name)["failures"] as? Int == 0)
        }
        #expect(server.log.components(separatedBy: " warning: acme: ").count == 2, "\(server.log)")
        #expect(gate.answered.count == 1)
        gate.setBroken(false)
        setup.acme["contact"] = ["ops@example.com"]
        try setup.reload(server)
        for name in names { #expect(server.hasIssued(name), "\(server.log)") }
        #expect(try setup.text("certs/acme-account/\(gate.folderName)/account.json").contains(#"["ops@example.com"]"#))
    }

    @Test("an authority that has lost its database gets the same key again, and the next order works")
    func databaseLost() throws {
        let first = try TestAuthority.shared
        let gate = try AuthorityGate(first)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        let server = try setup.start()
        #expect(server.hasIssued(name), "\(server.log)")
        let account = "certs/acme-account/\(gate.folderName)"
        let (key, url) = (try setup.text("\(account)/account.key"), try setup.text("\(account)/account.json"))
        let next = try TestAuthority(like: first)
        try next.pebble.point(name, to: setup.address)
        gate.lead(to: next)
        try setup.requestRenewal(name)
        #expect(server.hasIssued(name, count: 2), "\(server.log)")
        #expect(next.pebble.logText.contains("There are now 1 accounts in memory"))
        #expect(try setup.text("\(account)/account.key") == key)
        #expect(try setup.text("\(account)/account.json") != url)
        #expect(server.log.components(separatedBy: "warning: acme").count == 1, "\(server.log)")
    }

    @Test("a damaged key of the account is not replaced; what there is stays in use")
    func damagedKey() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        try setup.makeCertificate(name, in: "old", days: -1)
        let key = "certs/acme-account/\(gate.folderName)/account.key"
        try setup.folder.write("damaged", to: key)
        let server = try setup.start()
        #expect(server.process.waitForLog("acme: acme-account: "), "\(server.log)")
        #expect(Waiting.until { (try? server.errorType(name)) == "acme-account" }, "\(server.log)")
        #expect(try setup.text(key) == "damaged")
        #expect(try server.presented(name).der == TestPEM.leaf(setup.text("certs/old/fullchain.pem")))
        #expect(try server.connect(name).get(host: name).status == 200)
        #expect(gate.answered.isEmpty)
    }

    @Test("without room to write no order is made", .enabled(if: Patience.allowsFileLimits))
    func fullDisk() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let first = try setup.addSite("first")
        let before = try setup.start()
        #expect(before.hasIssued(first), "\(before.log)")
        let leaf = try before.presented(first).der
        before.kill()
        let second = try setup.addSite("second")
        let server = try setup.start(launcher: ["sh", "-c", #"ulimit -f 0; exec "$@""#, "sh"])
        #expect(Waiting.until { (try? server.errorType(second)) == "storage" }, "\(server.log)")
        #expect(try server.presented(first).der == leaf)
        #expect(gate.orders == 1)
        #expect(server.process.isRunning)
    }

    @Test("a certificate that cannot be installed is written again later, without another order")
    func installation() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        for file in [name, "\(name)-acme"] { try setup.folder.write("in the way", to: "certs/\(file)") }
        let server = try setup.start()
        #expect(server.process.waitForLog("acme: \(name): storage: "), "\(server.log)")
        #expect(Waiting.until { (try? server.errorType(name)) == "storage" }, "\(server.log)")
        try FileManager.default.removeItem(atPath: setup.path("certs/\(name)"))
        #expect(server.hasIssued(name), "\(server.log)")
        #expect(gate.orders == 1)
    }
}
