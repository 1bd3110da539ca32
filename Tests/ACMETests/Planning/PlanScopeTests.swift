import ACME
import Testing

@Suite("The plan: which domains")
struct PlanScopeTests {
    private static let day = PlanWorld.day

    @Test("a site without a certificate is ordered at once")
    func new() throws {
        let world = PlanWorld(["shop.example.com", "_wildcard.example.com"])
        #expect(world.ordered == ["*.example.com", "shop.example.com"])
        #expect(try world.state() == .ordering)
        #expect(world.plan.orders[0].challenges == [.dnsPersist01])
        #expect(world.plan.orders[1].challenges == [.tlsALPN01, .http01])
    }

    @Test("an excluded site is not")
    func excluded() throws {
        var world = PlanWorld(["shop.example.com", "_wildcard.example.com"])
        world.settings.excluded = [Samples.domain("_wildcard.example.com")]
        world.look()
        #expect(try world.state("*.example.com") == .excluded && world.ordered == ["shop.example.com"])
    }

    @Test(
        "a certificate of another source covers the names it has",
        arguments: [
            (["shop.example.com"], "shop.example.com", true), (["*.example.com"], "shop.example.com", true),
            (["*.example.com"], "a.shop.example.com", false), (["*.example.com"], "example.com", false),
            (["*.example.com"], "*.example.com", true), (["shop.example.com"], "*.example.com", false),
        ] as [([String], String, Bool)])
    func covered(names: [String], site: String, isCovered: Bool) throws {
        var world = PlanWorld([site])
        world.put(names)
        world.look()
        #expect(try world.state(site) == (isCovered ? .covered : .ordering))
    }

    @Test("it covers until a day before its end, or a tenth of its lifetime, and not before its beginning")
    func coverage() throws {
        var world = PlanWorld()
        world.put(["shop.example.com"], from: -89, to: 1)
        world.look()
        #expect(try world.state() == .renewing)
        world.situation.certificates = []
        world.put(["shop.example.com"], from: -8, to: 2)
        world.look()
        #expect(try world.state() == .covered && world.plan.nextChange == world.now + Self.day)
        world.now += Self.day
        world.look()
        #expect(try world.state() == .renewing)
        world.situation.certificates = []
        world.put(["shop.example.com"], from: 1, to: 30)
        world.look()
        #expect(try world.state() == .ordering && world.plan.nextChange == world.now + Self.day)
        world.situation.certificates = []
        world.situation.certificates.append(
            InstalledCertificate(
                source: .folder, fingerprint: "short", names: ["shop.example.com"], notBefore: world.now - 80,
                notAfter: world.now + 20, certificateID: nil))
        world.look()
        #expect(try world.state() == .covered && world.plan.nextChange == world.now + 10)
    }

    @Test("a certificate of ACME covers no other name, and one with other names is not used")
    func otherNames() throws {
        var world = PlanWorld(["shop.example.com", "www.example.com"])
        world.install("shop.example.com")
        world.look()
        #expect(try world.state("www.example.com") == .ordering && world.state() == .valid)
    }

    @Test(
        "a public CA is not asked for a local name, and a private one is",
        arguments: ["localhost", "a.test", "shop.example"])
    func publicNames(name: String) throws {
        var world = PlanWorld([name])
        #expect(try world.state(name) == .ordering)
        world.settings.configuration.directory = .letsEncrypt
        world.look()
        let status = try world.status(name)
        #expect(status.state == .blocked && status.lastError?.type == .acmeName && world.ordered.isEmpty)
        // When it was found out stays.
        world.now += 100
        world.look()
        #expect(try world.status(name).lastError?.at == world.now - 100)
        world.settings.configuration.directory = .other(Samples.directoryURL.description)
        world.look()
        #expect(try world.status(name).lastError == nil && world.state(name) == .ordering)
    }

    @Test("without a listener for any challenge nothing is ordered")
    func noListener() throws {
        var world = PlanWorld()
        world.settings.answerable = []
        world.look()
        #expect(try world.status().lastError?.type == .acmeChallenges && world.state() == .blocked)
        world.settings.configuration.challenges = [.tlsALPN01, .dnsPersist01]
        world.look()
        #expect(world.plan.orders.first?.challenges == [.dnsPersist01])
    }

    @Test("after a challenge that has failed comes the next, in turn")
    func challenges() throws {
        var world = PlanWorld()
        for expected in [[ChallengeType.http01, .tlsALPN01], [.tlsALPN01, .http01]] {
            world.fail(challenge: expected.last)
            world.now += Self.day
            world.look()
            #expect(world.plan.orders.first?.challenges == expected)
        }
        world.state.orderSucceeded(Samples.domain)
        world.look()
        #expect(world.plan.orders.first?.challenges == [.tlsALPN01, .http01])
    }
}
