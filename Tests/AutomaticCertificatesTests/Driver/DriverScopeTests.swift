import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import Foundation
import SystemSupport
import TestSupport
import Testing

/// Which domains are ordered, and on whose wish (acme.md, sections 2 and 9).
@Suite("Which domains are ordered", .waiting)
struct DriverScopeTests {
    private static let site = DriverWorld.site

    @Test("a certificate of another source covers a domain until it is about to expire")
    func covered() throws {
        try DriverWorld.run([Self.site, "a.example.com"]) { world in
            try world.writeOwn(["*.example.com"], notAfter: 20)
            world.look()
            let own = try #require(try world.presented())
            world.start()
            try world.wait(for: .covered)
            try world.wait("a.example.com", for: .covered)
            #expect(world.authority.requests.isEmpty)
            // Samples count from the first of them, which may be minutes ago.
            world.move(by: 19 * 86_400 - 3_600)
            #expect(world.status()?.state == .covered && world.authority.requests.isEmpty)
            world.move(by: 3_600)
            let status = try world.wait(for: .valid)
            #expect(status.hasCertificate)
            try world.wait("a.example.com", for: .valid)
            // It is still the one that is presented.
            #expect(try world.presented() == own)
        }
    }

    @Test("a wildcard is proved by a record, which is shown before it is needed")
    func wildcard() throws {
        let folder = "_wildcard.example.com"
        let settings = StubAuthority.Settings { $0.challenges = ["http-01", "tls-alpn-01", "dns-persist-01"] }
        try DriverWorld.run([folder], settings: settings) { world in
            world.start()
            let failure = try world.wait("*.example.com", forFailure: "dns")
            #expect(failure.status.state == .backoff && failure.message.contains("_validation-persist.example.com"))
            let account = try #require(world.authority.accounts.keys.first)
            let value = "ca.example.net; accounturi=\(account); policy=wildcard"
            let line = "_validation-persist.example.com. 3600 IN TXT \"\(value)\""
            #expect(world.log.lines(with: line).count == 1, "\(world.log.lines)")
            // The CA has not said yet that it offers the challenge.
            #expect(world.log.lines(with: "if the CA offers dns-persist-01, it looks for this DNS record").count == 1)
            let place = try #require(world.log.lines.firstIndex { $0.contains(line) })
            let failed = try #require(world.log.lines.firstIndex { $0.contains("no certificate: dns: ") })
            #expect(place < failed)
            world.authority.setRecord("_validation-persist.example.com", [value])
            world.move(by: 73)
            let status = try world.wait("*.example.com", for: .valid)
            #expect(status.failures == 0)
            #expect(try world.presented("any.example.com") == world.authority.certificates.last?.der)
            #expect(FileManager.default.fileExists(atPath: "\(world.certs)/\(folder)/acme.json"))
            world.stopDriver()
            #expect(try world.record(folder)["txtRecord"] as? String == value)
        }
    }

    @Test("names that are not public are never sent to a public CA")
    func privateNames() throws {
        try DriverWorld.run(["shop.internal"]) { world in
            let transport = RefusingTransport()
            world.transport = transport
            try world.reload(["directory": "letsencrypt"])
            world.start()
            let status = try world.wait("shop.internal", for: .blocked)
            #expect(status.lastError?.type.rawValue == "acme-name" && status.nextAttempt == nil)
            try world.issuanceFolder.requestRenewal(of: IssuanceSamples.domain("shop.internal"))
            world.look()
            #expect(transport.contacted.isEmpty && world.issuanceFolder.renewalRequests().isEmpty)
        }
    }

    @Test("a wish for what cannot be renewed ends at once, and one for what is no site does nothing")
    func pointlessRequests() throws {
        try DriverWorld.run([Self.site, "a.example.net"], acme: ["exclude": ["a.example.net"]]) { world in
            try world.writeOwn()
            world.look()
            world.start()
            try world.wait(for: .covered)
            for name in [Self.site, "a.example.net", "other.example.com"] { try world.requestRenewal(of: name) }
            #expect(world.issuanceFolder.renewalRequests().map(\.identifier) == ["other.example.com"])
            #expect(world.authority.requests.isEmpty)
        }
    }

    @Test("a wish that comes while the CA is down ends with its error")
    func requestWithoutAuthority() throws {
        try DriverWorld.run { world in
            world.start()
            try world.wait(for: .valid)
            world.stopDriver()
            try world.authority.goDown()
            world.clock.stop()
            world.clock.hurry(by: .seconds(10))
            try world.issuanceFolder.requestRenewal(of: IssuanceSamples.domain(Self.site))
            world.start()
            let status = try world.wait { _ in world.report.errors["unavailable"] == 1 }
            #expect(status.failures == 0 && status.hasCertificate)
            try world.wait(for: "the end of the request") { world.issuanceFolder.renewalRequests().isEmpty }
        }
    }
}
