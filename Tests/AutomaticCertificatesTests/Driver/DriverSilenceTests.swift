import ACME
import AssociationServer
import Foundation
import TestSupport
import Testing

/// A CA that takes requests and does not answer them (acme.md, sections 5 and 8).
@Suite("A CA that is silent", .waitingForSeconds)
struct DriverSilenceTests {
    private static let site = DriverWorld.site
    /// Long enough for any answer that is given, on a machine that has other things to do.
    private static let limit: Duration = .seconds(3 * Patience.slowness)

    @Test("what comes before the first order is asked for again, and the server serves meanwhile")
    func preparation() throws {
        try DriverWorld.run { world in
            try world.writeOwn(["own.example.com"])
            world.requestLimit = Self.limit
            world.clock.hurry(by: .milliseconds(900))
            let resources: [StubAuthority.Resource] = [.directory, .newNonce, .newAccount]
            for resource in resources { world.authority.script(resource, .hang) }
            world.start()
            #expect(world.authority.waitForRequests(.directory))
            world.look()
            #expect(try world.presented("own.example.com") != nil)
            try world.wait(for: .valid)
            for resource in resources { #expect(world.authority.requests(resource).count >= 2, "\(resource)") }
            #expect(world.authority.accounts.count == 1 && world.authority.newOrders == [Self.site: 1])
            #expect(world.report.errors.isEmpty && world.log.lines(with: "warning").isEmpty, "\(world.log.lines)")
        }
    }

    @Test("an order goes on after a request that was not answered, and so do others")
    func orders() throws {
        let sites = ["a", "b", "c", "d"].map { "\($0).example.com" }
        try DriverWorld.run(sites) { world in
            world.requestLimit = Self.limit
            world.clock.hurry(by: .milliseconds(900))
            let resources: [StubAuthority.Resource] = [.authorization, .challenge, .finalize, .certificate]
            for resource in resources { world.authority.script(resource, .hang) }
            world.start()
            for site in sites { try world.wait(site, for: .valid) }
            for resource in resources {
                #expect(world.authority.requests(resource).count > sites.count, "\(resource)")
            }
            #expect(world.authority.newOrders == Dictionary(uniqueKeysWithValues: sites.map { ($0, 1) }))
            #expect(world.report.orders.failed == 0 && world.report.errors.isEmpty)
        }
    }

    @Test("an order that is not answered is not made twice: its domain waits, and no other")
    func newOrder() throws {
        let other = "other.example.com"
        try DriverWorld.run([other, Self.site]) { world in
            world.requestLimit = Self.limit
            world.authority.script { $0.resource == .newOrder && $0.domain == Self.site ? .hang : nil }
            world.start()
            let failure = try world.wait(forFailure: "unavailable")
            let next = try failure.status.pause()
            #expect((40...72).contains(next) && failure.status.state == .backoff && failure.status.failures == 1)
            #expect(failure.message.contains("localhost:\(world.authority.port)"), "\(failure.message)")
            #expect(failure.message.contains("no answer in time"), "\(failure.message)")
            let orders = world.authority.requests(.newOrder).filter { $0.domain == Self.site }
            #expect(orders.count == 1)
            try world.wait(other, for: .valid)
            world.authority.removeScript()
            world.move(by: next + 1)
            let status = try world.wait(for: .valid)
            #expect(status.failures == 0 && world.authority.newOrders == [other: 1, Self.site: 1])
        }
    }
}
