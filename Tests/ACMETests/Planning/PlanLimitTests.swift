import ACME
import DomainNames
import FuzzingSupport
import Testing

@Suite("The plan: limits")
struct PlanLimitTests {
    private static let day = PlanWorld.day

    @Test("of many candidates those begin that would if all of them were sorted")
    func selection() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            let count = random.number(1...30)
            var world = PlanWorld((0..<count).map { "s\($0).example.com" })
            world.settings.configuration.limits.parallelOrders = random.number(1...8)
            world.settings.configuration.limits.ordersPer3Hours = random.number(1...8)
            world.situation.offersRenewalInfo = true
            var due: [(end: Int64, name: String, counts: Bool)] = []
            for number in 0..<count {
                let name = "s\(number).example.com"
                let end = Int64(random.number(1...2))
                switch random.number(0...2) {
                case 0:
                    world.install(name, from: -89, to: end, fingerprint: name)
                    due.append((world.now + end * Self.day, name, false))
                case 1:
                    world.state.orderStored(Samples.domain(name), at: Samples.url("/order/1"))
                    due.append((.min, name, false))
                default: due.append((.min, name, true))
                }
            }
            world.look()
            var (parallel, rest) = (
                world.settings.configuration.limits.parallelOrders, world.settings.configuration.limits.ordersPer3Hours
            )
            var expected: [String] = []
            for (_, name, counts) in due.sorted(by: { ($0.end, $0.name) < ($1.end, $1.name) }) where parallel > 0 {
                if counts, rest == 0 { continue }
                if counts { rest -= 1 }
                parallel -= 1
                expected.append(name)
            }
            #expect(world.ordered == expected)
            var indexed = world
            indexed.situation.index = CertificateIndex(world.situation.certificates)
            indexed.look()
            world.look()
            #expect(indexed.plan.orders == world.plan.orders && indexed.plan.statuses == world.plan.statuses)
        }
    }

    @Test("domains without a certificate come first, then those that expire first")
    func priority() throws {
        var world = PlanWorld(["a.example.com", "b.example.com", "c.example.com", "d.example.com"])
        world.install("a.example.com", from: -88, to: 2, fingerprint: "a")
        world.install("b.example.com", from: -89, to: 1, fingerprint: "b")
        world.settings.configuration.limits.parallelOrders = 3
        world.look()
        #expect(world.ordered == ["c.example.com", "d.example.com", "b.example.com"])
        #expect(try world.state("a.example.com") == .waiting)
        world.situation.ongoing = [Samples.domain("c.example.com"), Samples.domain("d.example.com")]
        world.look()
        #expect(world.ordered == ["b.example.com"] && world.plan.statuses.count == 4)
        #expect(try world.state("c.example.com") == .ordering)
        // One that is installed is no order of the CA's any more, and is not ordered again.
        world.situation.finished = 1
        world.look()
        #expect(world.ordered == ["b.example.com", "a.example.com"])
        #expect(try world.state("c.example.com") == .ordering)
    }

    @Test("no more orders are made in three hours than are allowed, but renewals that replace are")
    func ordersPer3Hours() throws {
        var world = PlanWorld(["a.example.com", "b.example.com", "c.example.com"])
        world.install("c.example.com", from: -89, to: 1, fingerprint: "c")
        world.settings.configuration.limits.ordersPer3Hours = 2
        world.situation.offersRenewalInfo = true
        world.state.orderRecorded(now: world.now - 3_000)
        world.look()
        #expect(world.ordered == ["a.example.com", "c.example.com"])
        #expect(try world.state("b.example.com") == .waiting)
        #expect(world.plan.nextChange == world.now + 10_800 - 3_000)
        world.situation.unrecordedOrders = 1
        world.look()
        #expect(world.ordered == ["c.example.com"])
        world.situation.unrecordedOrders = 0
        world.now += 10_800 - 3_000
        world.look()
        #expect(world.ordered.count == 3)
    }

    @Test("an order of an earlier run is continued, and does not count again")
    func resume() throws {
        var world = PlanWorld()
        world.settings.configuration.limits.ordersPer3Hours = 1
        world.state.orderRecorded(now: world.now)
        world.state.orderStored(Samples.domain, at: Samples.url("/order/1"))
        world.look()
        #expect(world.plan.orders.first?.resumes == Samples.url("/order/1"))
        world.fail("shop.example.com", .timeout, keepsOrder: true)
        world.now += 3_600
        world.look()
        #expect(world.plan.orders.first?.resumes == Samples.url("/order/1"))
        world.state.orderForgotten(Samples.domain)
        world.look()
        #expect(world.ordered.isEmpty && world.plan.nextChange == world.now + 10_800 - 3_600)
        world.state.orderStored(Samples.domain, at: Samples.url("/order/2"))
        world.install()
        world.look()
        #expect(world.state.domains[Samples.domain]?.order == nil)
    }

    @Test("another process orders")
    func notHolder() throws {
        var world = PlanWorld()
        world.situation.ownsLock = false
        world.situation.offersRenewalInfo = true
        world.look()
        #expect(try world.state() == .waiting && world.ordered.isEmpty)
    }

    @Test("what is kept back is remembered without its site, and the rest is not")
    func prune() {
        var world = PlanWorld(["a.example.com", "b.example.com"])
        world.fail("a.example.com")
        world.state.prune(keeping: [], now: world.now)
        #expect(world.state.domains.keys.map(\.identifier) == ["a.example.com"])
        world.state.prune(keeping: [], now: world.now + Self.day)
        #expect(world.state.domains.isEmpty)
    }
}
