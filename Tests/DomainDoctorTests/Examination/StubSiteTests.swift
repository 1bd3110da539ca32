import DomainDoctor
import DomainNames
import Foundation
import HTTPClient
import OpenSSL
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// Examinations of real servers, well behaved and not.
@Suite("Examinations of sites", .waitingApart)
struct StubSiteTests {
    private static let shop = "shop.example.com"

    @Test("a good site sees exactly these requests, and all of its answers arrive")
    func good() async throws {
        let network = try StubNetwork()
        let site = try network.site(Self.shop)
        site.answer(StubNetwork.assetLinks, with: .json(StubNetwork.goodStatements))
        network.appleHas(site.authority)
        network.googleHas(site.authority)
        let seen = try await network.observe(site, services: true)
        let sent = site.requests.map { request in
            ([request.method, request.target] + request.fields.map { "\($0.name): \($0.value)" }).joined(separator: "|")
        }
        func request(_ target: String, _ agent: Agent) -> String {
            "GET|\(target)|Host: \(site.authority)|User-Agent: \(agent.userAgent)|Accept: */*|Accept-Encoding: identity"
                + "|Aasa-Doctor: 1.2.3"
        }
        let expected = [
            request(StubNetwork.wellKnown, .appleBot), request(StubNetwork.wellKnown, .device),
            request(StubNetwork.wellKnown, .browser), request(StubNetwork.root, .appleBot),
            request(StubNetwork.assetLinks, .browser),
        ]
        #expect(sent.sorted() == expected.sorted())
        #expect(seen.unfinished.isEmpty && seen.handshakes[0].result.value?.verdict == .good)
        #expect(seen.versions.tls12 == true && seen.versions.tls13 == true)
        for exchange in [seen.wellKnown, seen.device, seen.browser] {
            #expect(exchange?.value?.body == Array(StubNetwork.goodFile.utf8))
        }
        #expect(seen.root?.value?.status == 404)
        #expect(seen.assetLinks?.value?.body == Array(StubNetwork.goodStatements.utf8))
        #expect(seen.appleCopy?.value?.body == Array(StubNetwork.goodFile.utf8))
        #expect(seen.appleCopy?.value?.head["Age"] == Array("3600".utf8))
        #expect(seen.googleView?.value?.body.isEmpty == false)
        #expect(network.apple.requests.map(\.target) == ["/a/v1/\(site.authority)"])
        #expect(network.apple.requests[0].userAgent == "aasa-doctor/1.2.3")
        #expect(
            network.google.requests.map(\.target) == [
                "/v1/statements:list?source.web.site=https%3A%2F%2Fshop.example.com%3A\(site.port)"
                    + "&relation=delegate_permission%2Fcommon.handle_all_urls"
            ])
        // The handshakes before: one, and one for each version.
        #expect(site.connections == 8)
    }

    @Test("each address and each agent is distinguished from the others")
    func addressesAndAgents() async throws {
        let network = try StubNetwork()
        let site = try network.site(
            Self.shop,
            fronts: [
                ("127.0.0.1", .refused), ("127.0.0.2", .tls(.good)), ("127.0.0.3", .tls(.expired)),
                ("127.0.0.4", .tls(.good)), ("::1", .tls(.good)),
            ])
        site.answer(StubNetwork.wellKnown, address: "127.0.0.4", with: .status(503))
        site.answer(StubNetwork.wellKnown, address: "::1", with: .json("{\"applinks\":{}}"))
        site.answer(StubNetwork.wellKnown, agent: "AASA-Bot", address: "127.0.0.2", with: .status(403))
        let seen = try await network.observe(site)
        #expect(seen.wellKnown?.value?.status == 403 && seen.browser?.value?.status == 200)
        #expect(seen.wellKnown?.value?.address.description == "127.0.0.2")
        #expect(seen.others.map(\.address.description) == ["127.0.0.4", "::1"])
        #expect(seen.others.map { $0.exchange.value?.status } == [503, 200])
        #expect(seen.handshakes.map { $0.result.value?.verdict == .good } == [false, true, false, true, true])
        #expect(!site.requests.contains { $0.address == "127.0.0.3" })
    }

    @Test("a name that resolves to this machine is not contacted without permission, nor is a service there")
    func loopback() async throws {
        let network = try StubNetwork()
        let site = try network.site("localhost")
        let examination = try network.examination { settings in
            settings.allowsPrivateAddresses = false
            settings.overrides = ResolveOverrides()
        }
        let seen = try await examination.observe(.of(site.authority))
        #expect(seen.refused.contains(IPAddress(ipv4: 0x7F00_0001)) && seen.addresses.isEmpty)
        #expect(site.connections == 0 && network.apple.connections == 0)
        #expect(seen.appleCopy?.problem == .notPublic([IPAddress(ipv4: 0x7F00_0001)]))
    }

    @Test("at most six connections to a host are open at a time")
    func sixConnections() async throws {
        let network = try StubNetwork()
        let site = try network.site(Self.shop, .good, addresses: (1...4).map { "127.0.0.\($0)" })
        let gate = Locked(false)
        site.answer(
            with: StubAnswer { connection in
                _ = Waiting.until { gate.withLock { $0 } }
                connection.answer("{}")
            })
        let task = Aside.task { try await network.observe(site) }
        // Each of them waits for an answer; the eight requests need more.
        #expect(Waiting.until { site.requests.count == 6 })
        Waiting.idle(milliseconds: 50)
        #expect(site.requests.count == 6)
        gate.withLock { $0 = true }
        let seen = try await task.value
        #expect(site.requests.count == 8 && seen.others.count == 3 && seen.unfinished.isEmpty)
    }

    @Test("a host that never answers costs no more than a few time limits, and others are not kept waiting")
    func timeLimit() async throws {
        let network = try StubNetwork()
        // Eight requests take two rounds at six connections.
        let site = try network.site(Self.shop, .good, addresses: (1...4).map { "127.0.0.\($0)" })
        site.answer(with: .silence)
        network.appleHas(site.authority)
        let clock = ContinuousClock()
        func isAsExpected(_ seen: (observation: Observation, limits: Double)) -> Bool {
            seen.limits < 8 && seen.observation.wellKnown?.problem?.reason == .timedOut
                && seen.observation.appleCopy?.value?.status == 200
        }
        let seen = try await Patience.withLimit { limit in
            let start = clock.now
            let observation = try await network.observe(site, seconds: limit, services: true)
            return (observation, limits: (clock.now - start) / .seconds(limit))
        } until: {
            isAsExpected($0)
        }
        #expect(isAsExpected(seen), "\(seen)")
    }

    @Test("200 domains at a time, half of them with faults, leave no descriptor and no thread behind")
    func many() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            func count(_ kind: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
            }
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
                    try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                }
            }
            let network = try StubNetwork()
            let good = try network.site("*.good.example.com")
            let bad = try network.site("*.bad.example.com")
            bad.answer(StubNetwork.wellKnown, with: .reset)
            bad.answer(StubNetwork.root, with: .garbage)
            let mute = try network.site("*.mute.example.com")
            mute.answer(StubNetwork.wellKnown, with: .stalledBody)
            /// The domains that are not seen as they are; on a busy machine good ones may not answer in time.
            func unexpected(_ count: Int, seconds: Double) async throws -> [String] {
                let sites = (0..<count).map { $0 % 20 == 9 ? mute : $0 % 2 == 0 ? good : bad }
                let hosts = sites.enumerated().map { "h\($0.offset)" + $0.element.host.dropFirst() }
                let examination = try network.examination(seconds: seconds) { settings in
                    for (site, host) in zip(sites, hosts) { try settings.overrides.add(site.override(host)) { $0 } }
                }
                let targets = try zip(sites, hosts).map { try Target.of($0.authority($1)) }
                let done = Locked<[String]>([])
                let unexpected = Locked<[String]>([])
                await ExaminationQueue(width: 32).run(targets) { target in
                    let seen = await examination.observe(target)
                    let isAsExpected =
                        switch target.host.split(separator: ".")[1] {
                        case "good": seen.wellKnown?.value?.status == 200 && seen.root?.value?.status == 404
                        case "bad": seen.wellKnown?.problem?.reason == .reset && seen.root?.problem?.reason == .notHTTP
                        default: seen.wellKnown?.problem?.reason == .timedOut && seen.root?.value?.status == 404
                        }
                    return (target, isAsExpected && seen.unfinished.isEmpty)
                } finished: { target, isAsExpected in
                    if !isAsExpected { unexpected.withLock { $0.append(target.host) } }
                    done.withLock { $0.append(target.host) }
                }
                #expect(done.withLock { $0 } == hosts)
                return unexpected.withLock { $0 }
            }
            // What the libraries open once in a process is there afterwards.
            _ = try await unexpected(2, seconds: 4)
            try #expect(Waiting.until { try !names().contains("http-transport\n") })
            let before = try count("fd")
            let strange = try await Patience.withLimit {
                try await unexpected(200, seconds: max(4, $0))
            } until: {
                $0.isEmpty
            }
            #expect(strange.isEmpty, "\(strange)")
            try #expect(Waiting.until { try !names().contains("http-transport\n") })
            try #expect(Waiting.until { try count("fd") <= before })
            try #expect(!names().contains("name-lookup\n"))
        }
    }
}
