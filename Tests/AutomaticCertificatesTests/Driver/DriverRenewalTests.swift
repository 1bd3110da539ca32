import ACME
import AssociationServer
import Foundation
import SystemSupport
import TestSupport
import Testing

/// When certificates are renewed, and how (acme.md, section 7).
@Suite("Renewals by a CA", .waiting)
struct DriverRenewalTests {
    private static let site = DriverWorld.site
    private static let day: Int64 = 86_400

    /// A CA that wants the first certificate to be renewed at once, and those that follow it in a month.
    private static func impatient() -> StubAuthority.Settings {
        let first = Locked<String?>(nil)
        return StubAuthority.Settings {
            // One percent of three days is less than an hour, so that a window in the past is an instruction.
            ($0.lifetime, $0.notBeforeOffset) = (3 * Self.day, -3_600)
            $0.renewalWindow = { certificate in
                let isFirst = first.withLock { first in
                    first = first ?? certificate.identifier
                    return first == certificate.identifier
                }
                let start = certificate.notBefore + (isFirst ? 3_000 : 2 * Self.day)
                return (start, start + 300)
            }
        }
    }

    @Test("the CA is asked after issuance and at a start, and its window decides")
    func questions() throws {
        // Earlier than without it.
        let early = StubAuthority.Settings {
            $0.renewalWindow = { ($0.notBefore + 20 * Self.day, $0.notBefore + 21 * Self.day) }
        }
        try DriverWorld.run(settings: early) { world in
            world.start()
            func isInWindow(_ status: DomainStatus, from first: Int64) -> Bool {
                guard let time = status.nextRenewal, let certificate = world.authority.certificates.first else {
                    return false
                }
                return (certificate.notBefore + first * Self.day...certificate.notBefore + (first + 1) * Self.day)
                    .contains(time)
            }
            let before = try world.wait { $0.state == .valid && isInWindow($0, from: 20) }
            world.restart()
            try world.wait(for: "a question") { world.authority.requests(.renewalInfo).count == 2 }
            // The same window is the same time.
            #expect(try world.wait(for: .valid).nextRenewal == before.nextRenewal)
            #expect(world.log.lines(with: "another time").isEmpty)

            world.authority.configure {
                $0.renewalWindow = { ($0.notBefore + 40 * Self.day, $0.notBefore + 41 * Self.day) }
                $0.explanationURL = "https://ca.example.net/why?\u{1B}[2J"
            }
            // The last answer may not have been read yet; then the next question comes later.
            try world.wait(for: "the new window") {
                world.move(by: 6 * 3_600 + 1)
                return world.status().map { isInWindow($0, from: 40) } ?? false
            }
            #expect(
                world.log.lines(with: "another time").map { $0.hasSuffix(#"https://ca.example.net/why?\x1B[2J"#) }
                    == [true], "\(world.log.lines)")
            #expect(world.authority.newOrders == [Self.site: 1])
        }
    }

    @Test("a renewal names its predecessor, counts for no limit, and disturbs no connection")
    func replaces() throws {
        try DriverWorld.run(acme: ["limits": ["ordersPer3Hours": 1]], settings: Self.impatient()) { world in
            // The CA does not say so before the test has seen the first certificate.
            world.authority.script(.renewalInfo, .status(500))
            world.start()
            try world.wait(for: .valid)
            let first = try #require(world.authority.certificates.first)
            let client = try HTTPSClient(port: world.ports.tls, DriverWorld.offer())
            try client.handshake()
            #expect(client.presented == first.der)
            #expect(try client.get(host: Self.site).status == 200)

            // The pause begins with the answer.
            try world.wait { _ in world.report.errors["protocol"] == 1 }
            world.move(by: 6 * 3_600 + 1)
            try world.wait(forCertificates: 2)
            let status = try world.wait { $0.state == .valid && ($0.nextRenewal ?? 0) > world.clock.wall }
            let second = try #require(world.authority.certificates.last)
            #expect(second.replaces == first.identifier && second.der != first.der)
            #expect(world.authority.requests(.newOrder).map(\.replaces) == [nil, first.identifier])
            #expect(try world.presented() == second.der)
            #expect(try client.get(host: Self.site).status == 200)
            #expect(world.report.orders.renewed == 1 && world.report.orders.issued == 1 && status.failures == 0)
            world.stopDriver()
            // The first one was more than three hours ago.
            #expect(try (world.storedState()["orders"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("windows that began before their certificates cause no orders, and one warning for each certificate")
    func prematureWindow() throws {
        let settings = StubAuthority.Settings { $0.renewalWindow = { ($0.notBefore - Self.day, $0.notAfter) } }
        try DriverWorld.run(settings: settings) { world in
            world.start()
            let lines = { world.log.lines(with: "acme-renewal-window") }
            try world.wait(for: "the warning") { lines().count == 1 }
            world.restart()
            try world.wait(for: "a question") { world.authority.requests(.renewalInfo).count == 2 }
            try world.wait(for: .valid)
            world.stopDriver()
            #expect(lines().count == 1 && world.authority.newOrders == [Self.site: 1])
        }
    }

    @Test("a CA that wants each certificate to be renewed at once gets two orders in 24 hours, over restarts, too")
    func dailyLimit() throws {
        let settings = StubAuthority.Settings {
            ($0.lifetime, $0.notBeforeOffset) = (3 * Self.day, -3_600)
            $0.renewalWindow = { ($0.notBefore + 3_000, $0.notBefore + 3_300) }
        }
        try DriverWorld.run(settings: settings) { world in
            world.start()
            try world.wait(forCertificates: 2)
            let limit = try #require(try world.wait { $0.state == .valid && $0.limitedUntil != nil }.nextRenewal)
            #expect(world.authority.newOrders == [Self.site: 2])
            #expect(world.log.lines(with: "acme-renewal-limit").count == 1)
            world.restart()
            #expect(try world.wait { $0.state == .valid && $0.limitedUntil != nil }.nextRenewal == limit)
            #expect(world.authority.newOrders == [Self.site: 2])
            world.move(by: limit - world.clock.wall)
            try world.wait(for: "the third order") { world.authority.newOrders == [Self.site: 3] }
        }
    }

    @Test("a renewal that fails leaves the certificate as it is")
    func failure() throws {
        try DriverWorld.run(settings: Self.impatient()) { world in
            world.authority.script(.newOrder, .normal, .problem("rateLimited", "too many", ["Retry-After: 7200"]))
            world.start()
            let failure = try world.wait(forFailure: "rateLimited")
            #expect(failure.status.state == .backoff && failure.status.hasCertificate)
            #expect(try world.presented() == world.authority.certificates.first?.der)
            #expect(
                world.log.lines(with: "certificate valid until").contains { $0.contains("not renewed: rateLimited") })
            world.move(by: 7_201)
            try world.wait(forCertificates: 2)
        }
    }

    @Test("another directory is ordered from at once, and the certificate of the old one is served until then")
    func otherDirectory() throws {
        try DriverWorld.run { world in
            world.start()
            try world.wait(for: .valid)
            let first = world.authority.certificates[0].der
            let gate = Gate()
            let production = try StubAuthority(
                StubAuthority.Settings {
                    $0.validator = { _ in
                        gate.wait()
                        return nil
                    }
                })
            let roots = try world.folder.write(production.caPEM, to: "production.pem")
            try world.reload(["directory": production.directory, "caFile": roots])
            try world.wait { $0.state == .renewing && world.report.directory == production.directory }
            #expect(try world.presented() == first)
            gate.open()
            try world.wait { $0.state == .valid && production.certificates.count == 1 }
            try world.wait(for: "the certificate") { try world.presented() == production.certificates[0].der }
            #expect(production.violations.isEmpty && production.requests(.newOrder).map(\.replaces) == [nil])
            #expect(world.authority.newOrders == [Self.site: 1] && production.newOrders == [Self.site: 1])
            // Back again: the newer one is not of that directory.
            try world.reload(["directory": world.authority.directory, "caFile": world.authority.caFile])
            try world.wait(for: "another order") { world.authority.newOrders == [Self.site: 2] }
            try world.wait { $0.state == .valid && world.report.directory == world.authority.directory }
            #expect(world.authority.requests(.newAccount).count == 1)
        }
    }
}
