import ACME
import AssociationServer
import Foundation
import SystemSupport
import TestSupport
import Testing

/// Certificates from the first order to what is presented (acme.md, sections 4 and 5).
@Suite("Issuance by a CA", .waiting)
struct DriverIssuanceTests {
    private static let site = DriverWorld.site

    @Test("a name is proved by each challenge", arguments: ["tls-alpn-01", "http-01"])
    func issuance(challenge: String) throws {
        try DriverWorld.run(acme: ["challenges": [challenge]]) { world in
            #expect(try world.presented() == nil)
            world.start()
            let status = try world.wait(for: .valid)
            let certificate = try #require(world.authority.certificates.first)
            #expect(try world.presented() == certificate.der)
            #expect(world.authority.attempts.map(\.type) == [challenge] && world.authority.newOrders == [Self.site: 1])
            #expect(status.hasCertificate && status.failures == 0 && status.lastError == nil)
            #expect(
                status.lastAttempt != nil && status.nextAttempt == nil
                    && world.report.directory == world.authority.directory)
            #expect(world.report.ownsLock && world.report.orders.issued == 1 && world.report.orders.renewed == 0)
            try world.wait(for: "the line") { world.log.lines(with: "issued by 'Stub Intermediate'").count == 1 }
            #expect(world.log.lines(with: "ordering from 'localhost:\(world.authority.port)'").count == 1)
            let day = InternetDate.day(certificate.notAfter)
            #expect(
                world.log.lines(
                    with: "info acme: \(Self.site): issued by 'Stub Intermediate', valid until \(day), next"
                )
                .count == 1)
            // Nobody answers the challenge any more.
            #expect(try world.tokenStatus(world.authority.attempts[0]) == 404)
            #expect(try world.presented(protocols: ["acme-tls/1"]) == nil)
            let files = ["fullchain.pem", "privkey.pem", "acme.json"].map { "\(world.certs)/\(Self.site)/\($0)" }
            #expect(files.allSatisfy(FileManager.default.fileExists))
            #expect(!FileManager.default.fileExists(atPath: world.orderKey))
        }
    }

    @Test("after a start with all that is needed nothing is ordered, and the account is used again")
    func restart() throws {
        try DriverWorld.run { world in
            world.start()
            try world.wait(for: .valid)
            world.restart()
            try world.wait(for: .valid)
            try world.wait(for: "a question") { world.authority.requests(.renewalInfo).count == 2 }
            world.look()
            #expect(world.authority.requests(.newAccount).count == 1)
            #expect(world.authority.newOrders == [Self.site: 1])
            #expect(world.authority.accounts.values.map { $0 } == [["mailto:ops@example.com"]])
        }
    }

    @Test("the key is of the type that is wanted", arguments: [("p384", 384), ("rsa2048", 2_048)])
    func keyType(name: String, bits: Int) throws {
        try DriverWorld.run(acme: ["keyType": name]) { world in
            world.start()
            try world.wait(for: .valid)
            #expect(world.server.issuanceInput.certificates.map(\.keyBits) == [bits])
        }
    }

    @Test("a challenge that has failed gives way to the next one, in turn")
    func fallback() throws {
        try DriverWorld.run(
            settings: StubAuthority.Settings { $0.validator = { _ in StubAuthority.Problem("unauthorized", "no") } }
        ) { world in
            world.start()
            for count in 1...3 {
                let failure = try world.wait(forFailure: "unauthorized", count: count)
                #expect(failure.status.state == .backoff && failure.message.contains("no"))
                // The factors of the back-off are from 0.8 to 1.2.
                let pause = Double(try failure.status.pause())
                let expected = Double(60 << (count - 1))
                #expect((expected * 0.8 - 3...expected * 1.2 + 3).contains(pause), "\(pause)")
                if count == 3 { world.authority.configure { $0.validator = nil } }
                world.move(by: Int64(pause) + 1)
            }
            let status = try world.wait(for: .valid)
            #expect(status.failures == 0 && status.lastError == nil)
            #expect(
                world.authority.attempts.map(\.type) == ["tls-alpn-01", "http-01", "tls-alpn-01", "http-01"])
            #expect(world.report.orders.failed == 3 && world.report.errors["unauthorized"] == 3)
            #expect(world.log.lines(with: "warning acme: \(Self.site): no certificate: unauthorized: ").count == 3)
        }
    }

    @Test("an external account is bound to ours, if the CA wants that")
    func externalAccount() throws {
        let secret = Array("0123456789abcdef0123456789abcdef".utf8)
        try DriverWorld.run(settings: StubAuthority.Settings { $0.externalAccounts = ["customer": secret] }) { world in
            world.start()
            let status = try world.wait { $0.lastError?.type.rawValue == "acme-account" }
            #expect(status.lastError?.message.contains("acme.eab") == true && status.failures == 0)
            #expect(world.authority.requests(.newAccount).isEmpty)
            try world.folder.write("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n", to: "hmac")
            try world.reload(["eab": ["kid": "other", "hmacKeyFile": "\(world.folder.path)/hmac"]])
            try world.wait { $0.lastError?.message.contains("the external account is not known") == true }
            try world.reload(["eab": ["kid": "customer", "hmacKeyFile": "\(world.folder.path)/hmac"]])
            try world.wait(for: .valid)
            #expect(world.authority.requests(.newAccount).count == 2)
        }
    }
}
