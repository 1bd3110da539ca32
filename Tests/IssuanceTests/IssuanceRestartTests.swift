import Foundation
import Glibc
import OpenSSL
import TestSupport
import Testing

/// Ends and starts of servers that get certificates: nothing is lost, and nothing is ordered twice (acme.md, section 3).
@Suite("aasa serve with acme: restarts", .waitingForSeconds, .needs(.pebble))
struct IssuanceRestartTests {
    @Test("a restart orders nothing")
    func restart() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        let first = try setup.start()
        #expect(first.hasIssued(name), "\(first.log)")
        let leaf = try first.presented(name).der
        first.process.signal(SIGTERM)
        #expect(first.process.exitStatus() == 0)
        let asked = gate.answered.count { $0.hasPrefix("POST ") }
        let second = try setup.start()
        #expect(second.reaches("valid", name), "\(second.log)")
        #expect(try second.presented(name).der == leaf)
        #expect(gate.answered.count { $0.hasPrefix("POST ") } == asked)
    }

    @Test(
        "a server that is killed in the middle of an order goes on with it",
        arguments: [
            ("/authZ/", .answer), ("/chalZ/", .request), ("/finalize-order/", .request), ("/finalize-order/", .answer),
            ("/certZ/", .answer),
        ] as [(String, AuthorityGate.Stop)])
    func killed(path: String, stop: AuthorityGate.Stop) throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        gate.stop(path, at: stop)
        let first = try setup.start()
        #expect(gate.waitUntilStopped(), "\(first.log)")
        first.kill()
        let key = try setup.text("certs/acme-account/\(gate.folderName)/orders/\(name).key")
        gate.open()
        let second = try setup.start()
        #expect(second.hasIssued(name), "\(second.log)")
        #expect(try setup.text("certs/\(name)/privkey.pem") == key)
        #expect(gate.orders == 1)
        #expect(second.process.isRunning)
    }

    @Test("killed before it knows of its order, it makes one more, and no third")
    func killedTooEarly() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        gate.stop("/order-plz", at: .answer)
        let first = try setup.start()
        #expect(gate.waitUntilStopped(), "\(first.log)")
        first.kill()
        gate.open()
        let second = try setup.start()
        #expect(second.hasIssued(name), "\(second.log)")
        second.kill()
        let third = try setup.start()
        #expect(third.reaches("valid", name), "\(third.log)")
        #expect(gate.orders == 2)
    }

    @Test("SIGTERM in the middle of an order ends it promptly, and the order goes on after the next start")
    func terminated() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        gate.stop("/certZ/", at: .answer)
        let first = try setup.start()
        #expect(gate.waitUntilStopped(), "\(first.log)")
        let seconds = Waiting.measure {
            first.process.signal(SIGTERM)
            #expect(first.process.exitStatus() == 0, "\(first.log)")
        }
        // A request may take longer.
        #expect(seconds < 25)
        gate.open()
        let second = try setup.start()
        #expect(second.hasIssued(name), "\(second.log)")
        #expect(gate.orders == 1)
    }

    @Test("of two processes on one folder one orders, and the other takes over when it is killed")
    func twoProcesses() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        let first = try setup.start()
        #expect(first.metric("aasa_acme_holder", becomes: "1"), "\(first.log)")
        let second = try setup.start(at: setup.otherAddress)
        #expect(first.hasIssued(name), "\(first.log)")
        #expect(second.reaches("valid", name), "\(second.log)")
        #expect(try second.presented(name).der == first.presented(name).der)
        #expect(second.log.contains(" info: acme: another process orders the certificates in "))
        #expect(try second.metric("aasa_acme_holder") == "0")
        first.kill()
        #expect(second.metric("aasa_acme_holder", becomes: "1"), "\(second.log)")
        #expect(second.log.contains(" info: acme: this process orders certificates from now on"))
        let next = try setup.addSite("next", at: setup.otherAddress)
        #expect(second.hasIssued(next), "\(second.log)")
        #expect(gate.orders == 2)
    }
}
