import ACME
import Diagnostics
import DomainNames
import FuzzingSupport
import TestSupport
import Testing

@Suite("The plan: what is written")
struct IssuanceStateTests {
    @Test("state.json is what was written")
    func file() throws {
        var world = PlanWorld(["shop.example.com", "_wildcard.example.com", "www.example.com"])
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        _ = world.answer(world.now..<world.now + 1_000)
        world.fail("_wildcard.example.com", .acmeWildcard, challenge: .http01)
        world.fail("www.example.com", .unavailable, scope: .authority)
        world.state.orderRecorded(now: world.now)
        world.state.orderStored(Samples.domain("www.example.com"), at: Samples.url("/order/1"))
        world.state.attemptStarted(Samples.domain("www.example.com"), now: world.now)
        let record = PersistentRecord(domain: Samples.domain, issuer: "ca.example.net", account: Samples.url("/a"))
        world.state.recordNoted(Samples.domain, try #require(record))
        world.look()
        let text = world.state.json
        #expect(StrictJSON.accepts(Array(text.dropLast().utf8)))
        #expect(try IssuanceState(json: Array(text.utf8)) == world.state)
    }

    @Test("a state that is written again and again has the text that it would have if it were written once")
    func writer() throws {
        var random = SplitMix64(seed: 3)
        var world = PlanWorld((0..<20).map { "s\($0).example.com" } + ["_wildcard.example.com"])
        var writer = IssuanceStateWriter()
        for _ in 0..<500 {
            let name = random.pick(world.situation.sites).identifier
            switch random.number(0...8) {
            case 0: world.fail(name)
            case 1: world.fail(name, .unavailable, scope: .authority)
            case 2: world.state.orderSucceeded(Samples.domain(name))
            case 3: world.state.orderRecorded(now: world.now)
            case 4: world.now += Int64(random.number(0...5_000))
            case 5: world.install(name, fingerprint: "f\(random.number(0...99))")
            case 6:
                let sites = world.situation.sites.shuffled(using: &random).prefix(15)
                world.state.prune(keeping: Set(sites), now: world.now)
            case 7: world.state.orderStored(Samples.domain(name), at: Samples.url("/order/\(random.number(0...9))"))
            default: world.look()
            }
            let bytes = writer.bytes(world.state)
            #expect(String(decoding: bytes, as: UTF8.self) == world.state.json)
        }
        let bytes = writer.bytes(IssuanceState())
        #expect(String(decoding: bytes, as: UTF8.self) == IssuanceState().json)
    }

    @Test("a plan in which nothing has changed changes nothing")
    func unchanged() {
        var world = PlanWorld((0..<50).map { "s\($0).example.com" })
        for number in 0..<25 { world.install("s\(number).example.com", fingerprint: "f\(number)") }
        world.fail("s30.example.com")
        world.look()
        let (state, statuses) = (world.state, world.plan.statuses)
        world.look()
        #expect(world.state == state && world.plan.statuses == statuses)
    }

    @Test(
        "a state that cannot be read says why",
        arguments: [
            "", "[]", "{}", #"{"version":2}"#, #"{"version":1,"domains":{}}"#, #"{"version":1,"orders":["x"]}"#,
            #"{"version":1,"domains":[{"domain":"a.b","order":"http://a"}]}"#, #"{"version":1,"authority":{}}"#,
        ])
    func badFile(text: String) {
        let error = #expect(throws: IssuanceError.self) { try IssuanceState(json: Array(text.utf8)) }
        #expect(error?.type == .storage)
    }

    @Test("ten thousand domains are planned and written in little time")
    func many() throws {
        var world = PlanWorld((0..<10_000).map { "s\($0).example.com" })
        for number in 0..<10_000 { world.install("s\(number).example.com", fingerprint: "f\(number)") }
        let time = ThreadTime.measure {
            world.look()
            _ = try? IssuanceState(json: Array(world.state.json.utf8))
        }
        #expect(world.plan.statuses.count == 10_000 && time < .seconds(20 * Patience.slowness))
    }

    @Test("lines of the log have the domain, the cause and the next time")
    func lines() throws {
        let domain = Samples.domain
        let issued = StatusLine.issued(
            domain, issuer: "R11", notAfter: 1_800_489_600, nextRenewal: 1_797_811_200)
        #expect(
            issued.text
                == "acme: shop.example.com: issued by 'R11', valid until 2027-01-21, next renewal 2026-12-21")
        var world = PlanWorld()
        let before = try world.status()
        world.fail()
        world.look()
        var after = try world.status()
        after.nextAttempt = world.now + 120
        let line = StatusLine.changed(domain, from: before, to: after, now: world.now)
        #expect(line?.level == .warning)
        #expect(line?.text == "acme: shop.example.com: no certificate: unauthorized: no; next attempt in 2 min")
        #expect(StatusLine.changed(domain, from: after, to: after, now: world.now) == nil)
        after.concernsAuthority = true
        #expect(StatusLine.changed(domain, from: before, to: after, now: world.now) == nil)
        var blocked = before
        blocked.state = .blocked
        blocked.lastError = RecordedError(at: 0, type: .acmeName, message: "why")
        #expect(StatusLine.changed(domain, from: before, to: blocked, now: 0)?.level == .error)
        world.fail("shop.example.com", .unavailable, scope: .authority)
        let failure = try #require(world.state.authority)
        #expect(StatusLine.failed(failure, now: world.now).text == "acme: unavailable: no; next attempt in 5 s")
    }

    @Test("the status of a domain has the members of /sites")
    func members() throws {
        var world = PlanWorld()
        world.install()
        world.look()
        let members = try world.status().members
        #expect(
            members.keys.sorted() == [
                "failures", "lastAttempt", "lastError", "nextAttempt", "nextRenewal", "state",
            ])
        #expect(members["lastError"]?.text == "null" && members["state"]?.text == "\"valid\"")
    }
}
