import ACME
import AssociationServer
import AutomaticCertificates
import Foundation
import SystemSupport
import TestSupport
import Testing

/// Restarts: what a process leaves, and what the next one makes of it (acme.md, section 3).
@Suite("What is left of orders", .waiting)
struct DriverRestartTests {
    private static let site = DriverWorld.site

    /// Ends the driver between `finalize` and the download.
    private func stopBeforeDownload(_ world: DriverWorld) throws {
        world.authority.script(.certificate, .hang)
        world.start()
        try world.wait(for: "the download") { world.authority.requests(.certificate).count == 1 }
        world.stopDriver()
        #expect(FileManager.default.fileExists(atPath: world.orderKey))
    }

    @Test("an order that is finalized is continued, with its key")
    func download() throws {
        try DriverWorld.run { world in
            try stopBeforeDownload(world)
            #expect(try world.presented() == nil && world.record()["order"] is String)
            world.start()
            try world.wait(for: .valid)
            #expect(world.authority.newOrders == [Self.site: 1] && world.authority.certificates.count == 1)
            #expect(world.authority.requests(.finalize).count == 1)
            #expect(try world.presented() == world.authority.certificates[0].der)
        }
    }

    @Test("an order that the CA has forgotten, or whose key is lost or damaged, is made again", arguments: 0...2)
    func lostOrder(what: Int) throws {
        try DriverWorld.run { world in
            try stopBeforeDownload(world)
            switch what {
            case 0: world.authority.forgetOrders()
            case 1: try FileManager.default.removeItem(atPath: world.orderKey)
            default: try Data("no key".utf8).write(to: URL(fileURLWithPath: world.orderKey))
            }
            world.start()
            let status = try world.wait(for: .valid)
            #expect(status.failures == 0 && world.authority.newOrders == [Self.site: 2])
            #expect(try world.presented() == world.authority.certificates.last?.der)
        }
    }

    @Test("an account's key that is damaged is not replaced, and nothing is ordered")
    func damagedKey() throws {
        try DriverWorld.run { world in
            try FileManager.default.createDirectory(
                atPath: world.accountFolder, withIntermediateDirectories: true)
            let path = "\(world.accountFolder)/account.key"
            let text = "-----BEGIN PRIVATE KEY-----\nbm8=\n-----END PRIVATE KEY-----\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            world.start()
            let status = try world.wait { $0.lastError?.type.rawValue == "acme-account" }
            #expect(status.failures == 0 && status.lastError?.message.contains("account.key") == true)
            world.move(by: 61)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            #expect(world.authority.requests.isEmpty)
            try FileManager.default.removeItem(atPath: path)
            world.move(by: 61)
            try world.wait(for: .valid)
        }
    }

    @Test("a state that cannot be read is set aside, and orders go on")
    func damagedState() throws {
        try DriverWorld.run { world in
            try FileManager.default.createDirectory(
                atPath: world.accountFolder, withIntermediateDirectories: true)
            try Data("{\"version\":".utf8).write(to: URL(fileURLWithPath: "\(world.accountFolder)/state.json"))
            world.start()
            try world.wait(for: .valid)
            #expect(world.log.lines(with: "it is set aside").count == 1, "\(world.log.lines)")
            let aside = try String(contentsOfFile: "\(world.accountFolder)/state.json.damaged", encoding: .utf8)
            #expect(aside == "{\"version\":")
        }
    }

    @Test("a CA that has lost its database gets the same account again, and one that has closed it is not asked")
    func lostAccount() throws {
        try DriverWorld.run { world in
            world.start()
            try world.wait(for: .valid)
            let key = try Data(contentsOf: URL(fileURLWithPath: "\(world.accountFolder)/account.key"))
            world.authority.forget()
            try world.requestRenewal()
            try world.wait(forCertificates: 2)
            #expect(world.authority.accounts.count == 1 && world.authority.requests(.newAccount).count == 2)
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(world.accountFolder)/account.key")) == key)
            world.authority.deactivateAccounts()
            try world.requestRenewal()
            let status = try world.wait { _ in world.report.errors["acme-account"] != nil }
            #expect(status.hasCertificate && status.failures == 0)
            #expect(world.log.lines(with: "acme-account: the CA does not accept the account: unauthorized").count == 1)
        }
    }

    @Test("of two processes one orders, and the other one does when that has ended")
    func twoDrivers() throws {
        try DriverWorld.run { first in
            let second = try DriverWorld(sharing: first)
            defer { second.end() }
            first.start()
            try first.wait(for: .valid)
            second.start()
            try second.wait(for: "its look") { second.status() != nil }
            #expect(first.report.ownsLock && !second.report.ownsLock)
            #expect(second.log.lines(with: "another process orders").count == 1)
            // The first one's certificate is seen by the second one.
            second.look()
            #expect(try second.presented() == first.presented())
            for world in [first, second] {
                try world.folder.write(RunningServer.document, to: "sites/b.example.com/apple-app-site-association")
                world.look()
            }
            try first.wait("b.example.com", for: .valid)
            second.look()
            #expect(second.status("b.example.com")?.hasCertificate == true)
            first.stopDriver()
            try second.wait(for: "the lock") { second.report.ownsLock }
            #expect(second.log.lines(with: "this process orders").count == 1)
            try second.requestRenewal()
            second.authority.configure { ($0.tlsPort, $0.httpPort) = second.ports }
            try second.wait(forCertificates: 1)
            #expect(second.report.orders.renewed == 1 && first.authority.requests(.newAccount).count == 1)
            #expect(first.authority.newOrders == [Self.site: 2, "b.example.com": 1])
        }
    }

    @Test("a site that is removed while it is ordered is forgotten, with its challenge")
    func removedSite() throws {
        let gate = Gate()
        let settings = StubAuthority.Settings {
            $0.validator = { attempt in
                if attempt.domain == Self.site { gate.wait() }
                return nil
            }
        }
        try DriverWorld.run(
            [Self.site, "a.example.com"], acme: ["challenges": ["http-01"]], settings: settings
        ) { world in
            defer { gate.open() }
            world.start()
            try world.wait("a.example.com", for: .valid)
            try world.wait(for: "a validation") { world.authority.attempts.count == 2 }
            let attempt = try #require(world.authority.attempts.first { $0.domain == Self.site })
            #expect(try world.tokenStatus(attempt) == 200)
            try FileManager.default.removeItem(atPath: "\(world.folder.path)/sites/\(Self.site)")
            world.look()
            try world.wait(for: "the end of the challenge") { try world.tokenStatus(attempt) == 404 }
            #expect(world.status() == nil)
            // When it returns, the order goes on.
            gate.open()
            try world.folder.write(RunningServer.document, to: "sites/\(Self.site)/apple-app-site-association")
            world.look()
            try world.wait(for: .valid)
            #expect(world.authority.newOrders == [Self.site: 1, "a.example.com": 1])
        }
    }

    @Test("the end does not wait for a CA, and what was begun goes on after it", arguments: ["tls-alpn-01", "http-01"])
    func promptEnd(challenge: String) throws {
        let gate = Gate()
        let settings = StubAuthority.Settings {
            $0.validator = { _ in
                gate.wait()
                return nil
            }
        }
        try DriverWorld.run(acme: ["challenges": [challenge]], settings: settings) { world in
            defer { gate.open() }
            world.start()
            try world.wait(for: "a validation") { world.authority.attempts.count == 1 }
            // The CA waits until the gate is open, or for as long.
            #expect(Waiting.measure(world.stopDriver) < Double(Patience.seconds))
            gate.open()
            world.start()
            try world.wait(for: .valid)
            #expect(world.authority.newOrders == [Self.site: 1] && world.authority.attempts.count == 1)
        }
    }

    @Test("what is left of an order whose certificate was installed before that was stored goes at the next start")
    func finished() throws {
        try DriverWorld.run { world in
            try stopBeforeDownload(world)
            // As it is until the certificate is installed, and a moment longer.
            let state = "\(world.accountFolder)/state.json"
            let files = try [state, world.orderKey].map { ($0, try Data(contentsOf: URL(fileURLWithPath: $0))) }
            world.start()
            try world.wait(for: .valid)
            world.stopDriver()
            #expect(!FileManager.default.fileExists(atPath: world.orderKey))
            let asked = world.authority.requests.count { $0.method == "POST" }
            for (path, data) in files { try data.write(to: URL(fileURLWithPath: path)) }
            #expect(try world.record()["order"] is String)
            world.start()
            try world.wait(for: .valid)
            try world.wait(for: "the end of the key") { !FileManager.default.fileExists(atPath: world.orderKey) }
            world.stopDriver()
            #expect(try !(world.record()["order"] is String))
            #expect(world.authority.requests.count { $0.method == "POST" } == asked)
        }
    }
}
