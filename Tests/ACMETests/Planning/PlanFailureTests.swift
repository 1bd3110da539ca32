import ACME
import Testing

@Suite("The plan: failures")
struct PlanFailureTests {
    private static let day = PlanWorld.day

    @Test("a domain waits after a failure, others go on, and success ends it")
    func failure() throws {
        var world = PlanWorld(["shop.example.com", "www.example.com"])
        world.fail()
        world.look()
        let status = try world.status()
        #expect(status.state == .backoff && status.failures == 1 && status.lastError?.type == .unauthorized)
        let next = try #require(status.nextAttempt)
        #expect((48...72).contains(next - world.now) && world.plan.nextChange == next)
        #expect(world.ordered == ["www.example.com"])
        world.now = next
        world.look()
        #expect(try world.state() == .ordering)
        world.fail()
        #expect(world.state.domains[Samples.domain]?.failures == 2)
        world.state.orderSucceeded(Samples.domain)
        world.install()
        world.look()
        let valid = try world.status()
        #expect(valid.state == .valid && valid.failures == 0 && valid.lastError == nil && valid.nextAttempt == nil)
    }

    @Test("a certificate in use is kept while the renewal waits")
    func failedRenewal() throws {
        var world = PlanWorld()
        world.install(from: -80, to: 10)
        world.fail()
        world.look()
        #expect(try world.state() == .backoff && world.status().validUntil == world.now + 10 * Self.day)
    }

    @Test(
        "what the CA cannot do for a domain blocks it for about a day",
        arguments: [(.acmeWildcard, .blocked), (.acmeChallenges, .blocked), (.caa, .backoff)]
            as [(IssuanceErrorType, DomainState)])
    func blocking(type: IssuanceErrorType, state: DomainState) throws {
        var world = PlanWorld()
        world.fail("shop.example.com", type)
        world.look()
        #expect(try world.state() == state)
        let next = try #require(try world.status().nextAttempt) - world.now
        #expect((69_120...103_680).contains(next))
        world.state.clearBackoff()
        world.look()
        #expect(try world.state() == .ordering)
    }

    @Test("a failure of the CA is the error of all that wait, and is not counted for them")
    func authority() throws {
        var world = PlanWorld(["shop.example.com", "www.example.com", "ok.example.com"])
        world.install("ok.example.com")
        world.fail("shop.example.com", .unavailable, scope: .authority)
        world.look()
        for name in ["shop.example.com", "www.example.com"] {
            let status = try world.status(name)
            #expect(status.state == .backoff && status.nextAttempt == world.now + 5 && status.failures == 0)
            #expect(status.lastError?.type == .unavailable && status.concernsAuthority)
        }
        #expect(try world.state("ok.example.com") == .valid && world.status("ok.example.com").lastError == nil)
        // Those that fail together fail once.
        world.fail("www.example.com", .unavailable, scope: .authority)
        #expect(world.state.authority?.failures == 1)
        world.now += 5
        world.look()
        #expect(world.ordered.count == 2)
        world.fail("www.example.com", .unavailable, scope: .authority)
        #expect(world.state.authority?.failures == 2)
        world.state.authoritySucceeded()
        world.look()
        #expect(try world.status().lastError == nil && world.state() == .ordering)
    }

    @Test("a domain waits for the CA and for itself, and says what it has failed by")
    func bothPauses() throws {
        var world = PlanWorld(["shop.example.com", "www.example.com"])
        world.fail()
        world.fail("www.example.com", .unavailable, scope: .authority, retryAfter: 7_200)
        world.look()
        let status = try world.status()
        #expect(status.nextAttempt == world.now + 7_200 && status.lastError?.type == .unauthorized)
        #expect(try world.status("www.example.com").nextAttempt == world.now + 7_200)
        // Until the CA has answered again, it has not.
        world.now += 7_200
        world.settings.configuration.limits.parallelOrders = 1
        world.look()
        #expect(try world.state() == .ordering && world.state("www.example.com") == .waiting)
        #expect(try world.status("www.example.com").lastError?.type == .unavailable)
        world.state.authoritySucceeded()
        world.look()
        #expect(try world.status("www.example.com").lastError == nil)
    }

    @Test("an order that never ends is left after several hours, and one without a site after a month")
    func endlessOrder() throws {
        var world = PlanWorld()
        world.state.attemptStarted(Samples.domain, now: world.now)
        world.state.orderStored(Samples.domain, at: Samples.url("/order/1"))
        let start = world.now
        while world.state.domains[Samples.domain]?.order != nil {
            #expect(world.now - start < 10 * 3_600)
            world.fail("shop.example.com", .timeout, keepsOrder: true)
            world.look()
            world.now = try #require(try world.status().nextAttempt)
        }
        #expect(world.now - start > 2 * 3_600)
        world.state.clearBackoff()
        world.state.orderStored(Samples.domain, at: Samples.url("/order/2"))
        world.state.prune(keeping: [], now: start + 29 * Self.day)
        #expect(world.state.domains.count == 1)
        world.state.prune(keeping: [], now: start + 30 * Self.day)
        #expect(world.state.domains.isEmpty)
    }
}
