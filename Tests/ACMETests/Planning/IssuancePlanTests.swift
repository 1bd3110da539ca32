import ACME
import Diagnostics
import FuzzingSupport
import TestSupport
import Testing

/// A plan and what it is made of, with the test in place of the CA and the clock.
private struct World {
    var settings = IssuancePlan.Settings(directory: Samples.directoryURL)
    var situation = IssuancePlan.Situation(now: 1_800_000_000)
    var state = IssuanceState()
    var random = SplitMix64(seed: 7)
    var plan: IssuancePlan

    static let day: Int64 = 86_400

    init(_ sites: [String] = ["shop.example.com"]) {
        settings.answerable = [.tlsALPN01, .http01]
        situation.sites = sites.map(Samples.domain)
        plan = IssuancePlan(settings, situation, state: &state, random: &random)
    }

    var now: Int64 {
        get { situation.now }
        set { situation.now = newValue }
    }

    mutating func look() { plan = IssuancePlan(settings, situation, state: &state, random: &random) }

    func status(_ name: String = "shop.example.com") throws -> DomainStatus {
        guard let status = plan.statuses[Samples.domain(name)] else { throw TestFailure("no status of \(name)") }
        return status
    }

    func state(_ name: String = "shop.example.com") throws -> DomainState { try status(name).state }

    var ordered: [String] { plan.orders.map(\.domain.identifier) }

    /// Days from now.
    mutating func install(
        _ name: String = "shop.example.com", from start: Int64 = -1, to end: Int64 = 89,
        directory: SecureURL = Samples.directoryURL, fingerprint: String = "f1"
    ) {
        situation.certificates.append(
            InstalledCertificate(
                source: .acme(Samples.domain(name), directory: directory.description), fingerprint: fingerprint,
                names: [name], notBefore: now + start * Self.day, notAfter: now + end * Self.day,
                certificateID: CertificateID(keyIdentifier: [1], serialNumber: Array(fingerprint.utf8))))
    }

    mutating func put(_ names: [String], from start: Int64 = -1, to end: Int64 = 89) {
        situation.certificates.append(
            InstalledCertificate(
                source: .folder, fingerprint: "own", names: names, notBefore: now + start * Self.day,
                notAfter: now + end * Self.day, certificateID: nil))
    }

    mutating func fail(
        _ name: String = "shop.example.com", _ type: IssuanceErrorType = .unauthorized,
        scope: IssuanceError.Scope = .domain, challenge: ChallengeType? = nil, keepsOrder: Bool = false,
        retryAfter: Int64? = nil
    ) {
        let error = IssuanceError(type, "no", scope: scope, retryAfter: retryAfter)
        state.orderFailed(
            Samples.domain(name), OrderFailure(error: error, keepsOrder: keepsOrder, challenge: challenge), now: now,
            random: &random)
    }

    mutating func answer(_ window: Range<Int64>?, pause: String = "3600") -> Bool {
        let text = window.map {
            #"{"suggestedWindow":{"start":"\#(time($0.lowerBound))","end":"\#(time($0.upperBound))"}}"#
        }
        return state.renewalAnswered(
            Samples.domain, fingerprint: "f1",
            RenewalAnswer(.json(200, text ?? "", ["Retry-After": pause]), now: now), now: now, random: &random)
    }

    private func time(_ seconds: Int64) -> String {
        let status = RecordedError(at: seconds, type: .other, message: "").json.text
        return String(status.split(separator: "\"")[3])
    }
}

@Suite("The plan")
struct IssuancePlanTests {
    private static let day = World.day

    // MARK: Which domains

    @Test("a site without a certificate is ordered at once")
    func new() throws {
        let world = World(["shop.example.com", "_wildcard.example.com"])
        #expect(world.ordered == ["*.example.com", "shop.example.com"])
        #expect(try world.state() == .ordering)
        #expect(world.plan.orders[0].challenges == [.dnsPersist01])
        #expect(world.plan.orders[1].challenges == [.tlsALPN01, .http01])
    }

    @Test("an excluded site is not")
    func excluded() throws {
        var world = World(["shop.example.com", "_wildcard.example.com"])
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
        var world = World([site])
        world.put(names)
        world.look()
        #expect(try world.state(site) == (isCovered ? .covered : .ordering))
    }

    @Test("it covers until a day before its end, or a tenth of its lifetime, and not before its beginning")
    func coverage() throws {
        var world = World()
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
        var world = World(["shop.example.com", "www.example.com"])
        world.install("shop.example.com")
        world.look()
        #expect(try world.state("www.example.com") == .ordering && world.state() == .valid)
    }

    @Test(
        "a public CA is not asked for a local name, and a private one is",
        arguments: ["localhost", "a.test", "shop.example"])
    func publicNames(name: String) throws {
        var world = World([name])
        #expect(try world.state(name) == .ordering)
        world.settings.isForPublicNamesOnly = true
        world.look()
        let status = try world.status(name)
        #expect(status.state == .blocked && status.lastError?.type == .acmeName && world.ordered.isEmpty)
        // When it was found out stays.
        world.now += 100
        world.look()
        #expect(try world.status(name).lastError?.at == world.now - 100)
        world.settings.isForPublicNamesOnly = false
        world.look()
        #expect(try world.status(name).lastError == nil && world.state(name) == .ordering)
    }

    @Test("without a listener for any challenge nothing is ordered")
    func noListener() throws {
        var world = World()
        world.settings.answerable = []
        world.look()
        #expect(try world.status().lastError?.type == .acmeChallenges && world.state() == .blocked)
        world.settings.challenges = [.tlsALPN01, .dnsPersist01]
        world.look()
        #expect(world.plan.orders.first?.challenges == [.dnsPersist01])
    }

    @Test("after a challenge that has failed comes the next, in turn")
    func challenges() throws {
        var world = World()
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

    // MARK: Renewal

    @Test(
        "without the CA's advice a certificate is renewed after two thirds of its life, a short one after half",
        arguments: [(-1, 89, 54.0, 60.03), (0, 6, 2.7, 3.0), (0, 10, 6.0, 6.67)] as [(Int64, Int64, Double, Double)])
    func lifetime(start: Int64, end: Int64, first: Double, last: Double) throws {
        var times: Set<Int64> = []
        for seed in 0..<40 as Range<UInt64> {
            var world = World()
            world.random = SplitMix64(seed: seed)
            world.install(from: start, to: end)
            world.look()
            let renewal = try #require(try world.status().nextRenewal)
            let days = Double(renewal - world.now) / Double(Self.day) - Double(start)
            #expect(days >= first - 0.01 && days <= last + 0.01)
            times.insert(renewal)
            // Once only.
            world.look()
            #expect(try world.status().nextRenewal == renewal && world.state() == .valid)
            #expect(world.plan.nextChange == renewal)
            world.now = renewal
            world.look()
            #expect(try world.state() == .renewing && world.ordered == ["shop.example.com"])
            #expect(world.plan.orders.first?.replaces == nil)
        }
        #expect(times.count > 20)
    }

    @Test("the CA is asked about a certificate, and its window decides")
    func advice() throws {
        var world = World()
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        #expect(world.plan.questions.map(\.fingerprint) == ["f1"])
        var asking = world
        asking.situation.asking = [Samples.domain]
        asking.look()
        #expect(asking.plan.questions.isEmpty)
        let window = world.now + 10 * Self.day..<world.now + 11 * Self.day
        let isNew = world.answer(window)
        #expect(isNew)
        world.look()
        let renewal = try #require(try world.status().nextRenewal)
        #expect(window.contains(renewal) && world.plan.questions.isEmpty)
        #expect(world.plan.nextChange == world.now + 3_600)
        // The same window, the same time.
        world.now += 3_600
        world.look()
        #expect(world.plan.questions.count == 1 && !world.answer(window))
        world.look()
        #expect(try world.status().nextRenewal == renewal)
        // Another window, another time; an answer that is none changes nothing.
        let earlier = world.now + Self.day..<world.now + 2 * Self.day
        #expect(world.answer(earlier) && !world.answer(nil))
        world.look()
        #expect(earlier.contains(try #require(try world.status().nextRenewal)))
        world.now += 2 * Self.day
        world.look()
        #expect(try world.state() == .renewing)
        #expect(world.plan.orders.first?.replaces == world.situation.certificates.first?.certificateID)
    }

    @Test("a window in the past is now, and one too late is cut")
    func windows() throws {
        var world = World()
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        var late = world
        let isLate = late.answer(late.now + 88 * Self.day..<late.now + 200 * Self.day)
        #expect(isLate)
        late.look()
        // A tenth of ninety days is more than two days.
        #expect(try late.status().nextRenewal == late.now + 87 * Self.day)
        let isPast = world.answer(world.now - 2 * Self.day..<world.now - Self.day)
        #expect(isPast)
        world.look()
        #expect(try world.state() == .renewing)
    }

    @Test("nothing is asked about certificates that have expired, are gone, or that others have issued")
    func noQuestions() throws {
        var world = World()
        world.situation.offersRenewalInfo = true
        world.install(from: -90, to: 0)
        world.look()
        #expect(world.plan.questions.isEmpty)
        #expect(try world.state() == .ordering && world.plan.orders.first?.replaces == nil)
        world.situation.certificates = []
        world.install(directory: Samples.url("/other"))
        world.look()
        #expect(world.plan.questions.isEmpty)
        world.situation.certificates = []
        world.put(["shop.example.com"])
        world.look()
        #expect(world.plan.questions.isEmpty && !world.answer(world.now..<world.now + 1))
    }

    @Test("many certificates are asked about within a minute after a start, few at once")
    func spread() {
        for count in [10, 40] {
            var world = World((0..<count).map { "s\($0).example.com" })
            world.situation.offersRenewalInfo = true
            for number in 0..<count { world.install("s\(number).example.com", fingerprint: "f\(number)") }
            world.look()
            for _ in 0..<2 {
                let first = world.plan.questions.count
                #expect(count == 10 ? first == 10 : first < 20)
                var later = world
                later.now += 60
                later.look()
                #expect(later.plan.questions.count == count)
                world.state.scheduleQuestions(now: world.now, random: &world.random)
                world.look()
            }
        }
    }

    @Test("a certificate of another directory is replaced at once, and one that is not valid yet is kept")
    func otherDirectory() throws {
        var world = World()
        world.situation.offersRenewalInfo = true
        world.install(directory: Samples.url("/staging"))
        world.look()
        #expect(try world.state() == .renewing && world.plan.orders.first?.replaces == nil)
        world.situation.certificates = []
        world.install(from: 1, to: 90)
        world.look()
        #expect(try world.state() == .valid && world.ordered.isEmpty)
    }

    @Test("a renewal that somebody asks for begins at once, also after failures")
    func requested() throws {
        var world = World()
        world.install()
        world.fail()
        world.fail("shop.example.com", .unavailable, scope: .authority)
        world.situation.requested = [Samples.domain]
        world.look()
        #expect(try world.state() == .renewing)
        world.situation.ongoing = [Samples.domain]
        world.look()
        #expect(try world.state() == .renewing && world.ordered.isEmpty)
        world.put(["shop.example.com"])
        world.look()
        #expect(try world.state() == .covered)
    }

    // MARK: Failures

    @Test("a domain waits after a failure, others go on, and success ends it")
    func failure() throws {
        var world = World(["shop.example.com", "www.example.com"])
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
        var world = World()
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
        var world = World()
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
        var world = World(["shop.example.com", "www.example.com", "ok.example.com"])
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

    @Test("a time that lies too far ahead was written by another clock")
    func clock() throws {
        var world = World()
        world.fail(retryAfter: 500)
        world.state.orderRecorded(now: world.now)
        world.now -= 100 * Self.day
        world.look()
        #expect(try world.status().nextAttempt == world.now + 500)
        #expect(world.state.orders == [world.now])
        world.now += 200 * Self.day
        world.look()
        #expect(try world.state() == .ordering && world.state.orders.isEmpty)
    }

    @Test("a clock that was wrong for a while changes no time that was drawn, and makes no pause longer")
    func clockBack() throws {
        var world = World(["shop.example.com", "www.example.com"])
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        _ = world.answer(world.now + 10 * Self.day..<world.now + 11 * Self.day)
        world.fail("www.example.com", retryAfter: 500)
        world.look()
        let renewal = try #require(try world.status().nextRenewal)
        let next = try #require(try world.status("www.example.com").nextAttempt)
        for days in [400, -400, 12, -12, -3_000, 3_000] as [Int64] {
            world.now += days * Self.day
            world.look()
            if days == 400 { #expect(try world.state() == .ordering) }
            if let next = try world.status("www.example.com").nextAttempt { #expect(next - world.now <= 500) }
            world.now -= days * Self.day
            world.look()
            #expect(try world.status().nextRenewal == renewal && world.state() == .valid)
            #expect(try world.status("www.example.com").nextAttempt ?? next <= next)
        }
    }

    @Test("a window that a wrong clock took for past is still the window", arguments: [1, 2, 3] as [UInt64])
    func windowByWrongClock(seed: UInt64) throws {
        var world = World()
        world.random = SplitMix64(seed: seed)
        world.situation.offersRenewalInfo = true
        world.install()
        world.look()
        let window = world.now + 10 * Self.day..<world.now + 11 * Self.day
        world.now += 30 * Self.day
        let isNew = world.answer(window)
        #expect(isNew)
        world.now -= 30 * Self.day
        world.look()
        #expect(window.contains(try #require(try world.status().nextRenewal)))
    }

    @Test("whatever the clock does, no time lies further ahead than it can")
    func randomClock() throws {
        var random = SplitMix64(seed: 11)
        var world = World((0..<6).map { "s\($0).example.com" })
        world.situation.offersRenewalInfo = true
        let start = world.now
        for number in 0..<3 { world.install("s\(number).example.com", fingerprint: "f\(number)") }
        for _ in 0..<2_000 {
            let name = "s\(random.number(0...5)).example.com"
            switch random.number(0...5) {
            case 0: world.now = start + Int64.random(in: -200 * Self.day...200 * Self.day, using: &random)
            case 1: world.now += Int64.random(in: 0...7_200, using: &random)
            case 2:
                world.fail(name, retryAfter: random.chance(20) ? Int64.random(in: 0...9_999_999, using: &random) : nil)
            case 3: world.fail(name, .unavailable, scope: .authority)
            case 4: world.state.orderRecorded(now: world.now)
            default: world.state.orderSucceeded(Samples.domain(name))
            }
            world.look()
            #expect(world.state.orders.allSatisfy { world.now - 10_800 < $0 && $0 <= world.now })
            if let next = world.plan.nextChange { #expect(next > world.now) }
            for status in world.plan.statuses.values {
                if let next = status.nextAttempt { #expect(next > world.now && next - world.now <= 7 * Self.day) }
                #expect((status.nextAttempt == nil) == ![.backoff, .blocked].contains(status.state))
            }
            for record in world.state.domains.values {
                if let renewal = record.renewal { #expect(renewal.nextQuestion - world.now <= Self.day) }
            }
            let text = world.state.json
            #expect(try IssuanceState(json: Array(text.utf8)) == world.state)
        }
    }

    @Test("a domain waits for the CA and for itself, and says what it has failed by")
    func bothPauses() throws {
        var world = World(["shop.example.com", "www.example.com"])
        world.fail()
        world.fail("www.example.com", .unavailable, scope: .authority, retryAfter: 7_200)
        world.look()
        let status = try world.status()
        #expect(status.nextAttempt == world.now + 7_200 && status.lastError?.type == .unauthorized)
        #expect(try world.status("www.example.com").nextAttempt == world.now + 7_200)
        // Until the CA has answered again, it has not.
        world.now += 7_200
        world.settings.parallelOrders = 1
        world.look()
        #expect(try world.state() == .ordering && world.state("www.example.com") == .waiting)
        #expect(try world.status("www.example.com").lastError?.type == .unavailable)
        world.state.authoritySucceeded()
        world.look()
        #expect(try world.status("www.example.com").lastError == nil)
    }

    @Test("an order that never ends is left after several hours, and one without a site after a month")
    func endlessOrder() throws {
        var world = World()
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

    // MARK: Limits

    @Test("of many candidates those begin that would if all of them were sorted")
    func selection() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            let count = random.number(1...30)
            var world = World((0..<count).map { "s\($0).example.com" })
            world.settings.parallelOrders = random.number(1...8)
            world.settings.ordersPer3Hours = random.number(1...8)
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
            var (parallel, rest) = (world.settings.parallelOrders, world.settings.ordersPer3Hours)
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
        var world = World(["a.example.com", "b.example.com", "c.example.com", "d.example.com"])
        world.install("a.example.com", from: -88, to: 2, fingerprint: "a")
        world.install("b.example.com", from: -89, to: 1, fingerprint: "b")
        world.settings.parallelOrders = 3
        world.look()
        #expect(world.ordered == ["c.example.com", "d.example.com", "b.example.com"])
        #expect(try world.state("a.example.com") == .waiting)
        world.situation.ongoing = [Samples.domain("c.example.com"), Samples.domain("d.example.com")]
        world.look()
        #expect(world.ordered == ["b.example.com"] && world.plan.statuses.count == 4)
        #expect(try world.state("c.example.com") == .ordering)
    }

    @Test("no more orders are made in three hours than are allowed, but renewals that replace are")
    func ordersPer3Hours() throws {
        var world = World(["a.example.com", "b.example.com", "c.example.com"])
        world.install("c.example.com", from: -89, to: 1, fingerprint: "c")
        world.settings.ordersPer3Hours = 2
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
        var world = World()
        world.settings.ordersPer3Hours = 1
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
        var world = World()
        world.situation.isHolder = false
        world.situation.offersRenewalInfo = true
        world.look()
        #expect(try world.state() == .waiting && world.ordered.isEmpty)
    }

    @Test("what is kept back is remembered without its site, and the rest is not")
    func prune() {
        var world = World(["a.example.com", "b.example.com"])
        world.fail("a.example.com")
        world.state.prune(keeping: [], now: world.now)
        #expect(world.state.domains.keys.map(\.identifier) == ["a.example.com"])
        world.state.prune(keeping: [], now: world.now + Self.day)
        #expect(world.state.domains.isEmpty)
    }

    // MARK: What is written

    @Test("state.json is what was written")
    func file() throws {
        var world = World(["shop.example.com", "_wildcard.example.com", "www.example.com"])
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
        var world = World((0..<20).map { "s\($0).example.com" } + ["_wildcard.example.com"])
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
        var world = World((0..<50).map { "s\($0).example.com" })
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
        var world = World((0..<10_000).map { "s\($0).example.com" })
        for number in 0..<10_000 { world.install("s\(number).example.com", fingerprint: "f\(number)") }
        let time = Waiting.measure {
            world.look()
            _ = try? IssuanceState(json: Array(world.state.json.utf8))
        }
        #expect(world.plan.statuses.count == 10_000 && time < 20 * Double(Patience.factor))
    }

    @Test("lines of the log have the domain, the cause and the next time")
    func lines() throws {
        let domain = Samples.domain
        let issued = StatusLine.issued(
            domain, issuer: "R11", notAfter: 1_800_489_600, nextRenewal: 1_797_811_200)
        #expect(
            issued.text
                == "acme: shop.example.com: issued by 'R11', valid until 2027-01-21, next renewal 2026-12-21")
        var world = World()
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
        let setback = try #require(world.state.authority)
        #expect(StatusLine.failed(setback, now: world.now).text == "acme: unavailable: no; next attempt in 5 s")
    }

    @Test("the status of a domain has the members of /sites")
    func members() throws {
        var world = World()
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
