import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

@Suite("An examination")
struct ExaminationTests {
    private func observe(
        _ world: FakeWorld, _ target: String = "shop.example.com",
        _ change: (inout ExaminationSettings) throws -> Void = { _ in }
    ) async throws -> Observation {
        try await world.examination(change).observe(Target.of(target))
    }

    @Test("a host gets exactly these requests, and each address a handshake before")
    func requests() async throws {
        let world = FakeWorld(addresses: ["198.105.1.1", "198.105.1.2", "2600::1"])
        let seen = try await observe(world, "shop.example.com:8443") { $0.timeLimit = .seconds(7) }
        let file = "https://shop.example.com:8443/.well-known/apple-app-site-association"
        let sent = world.record.requests.map { "\($0.url) \($0.address) \($0.userAgent)" }
        let expected = [
            "\(file) 198.105.1.1 AASA-Bot/1.0.0",
            "https://shop.example.com:8443/apple-app-site-association 198.105.1.1 AASA-Bot/1.0.0",
            "\(file) 198.105.1.1 \(Agent.device.userAgent)", "\(file) 198.105.1.1 \(Agent.browser.userAgent)",
            "https://shop.example.com:8443/.well-known/assetlinks.json 198.105.1.1 \(Agent.browser.userAgent)",
            "\(file) 198.105.1.2 AASA-Bot/1.0.0", "\(file) 2600::1 AASA-Bot/1.0.0",
        ]
        #expect(sent.sorted() == expected.sorted())
        for request in world.record.requests {
            #expect(request.method == .get && !request.keepsConnection && request.timeLimit == .seconds(7))
            let fields = request.fields.map { String(decoding: $0.name + Array(": ".utf8) + $0.value, as: UTF8.self) }
            #expect(
                fields == [
                    "User-Agent: \(request.userAgent)", "Accept: */*", "Accept-Encoding: identity",
                    "Aasa-Doctor: 1.2.3",
                ])
            #expect(request.limits == Request.Limits(body: 131_073, otherBody: 4_096, header: 32_768))
        }
        let probes = world.record.probes.map { "\($0.host):\($0.port) \($0.address) \($0.versions)" }
        #expect(
            probes.sorted() == [
                "shop.example.com:8443 198.105.1.1 tls12...tls12", "shop.example.com:8443 198.105.1.1 tls12...tls13",
                "shop.example.com:8443 198.105.1.1 tls13...tls13", "shop.example.com:8443 198.105.1.2 tls12...tls13",
                "shop.example.com:8443 2600::1 tls12...tls13",
            ])
        #expect(seen.handshakes.map(\.address.description) == ["198.105.1.1", "198.105.1.2", "2600::1"])
        #expect(seen.others.map(\.address.description) == ["198.105.1.2", "2600::1"])
        #expect(seen.versions.tls12 == true && seen.versions.tls13 == true && seen.versions.older == nil)
        #expect(seen.root != nil && seen.device != nil && seen.browser != nil && seen.assetLinks != nil)
        #expect(seen.unfinished.isEmpty && seen.checkedAt == SampleSite.now && seen.timeLimit == .seconds(35))
        #expect(seen.appleCopy == nil && seen.googleView == nil)
    }

    @Test("a request whose connection fails is sent once more, whatever it is for; a second failure counts")
    func repeatedRequests() async throws {
        let asked = Locked<Set<String>>([])
        let world = FakeWorld(answer: { request in
            let isFirst = asked.withLock { $0.insert("\(request.url) \(request.userAgent)").inserted }
            let isLost = isFirst || request.userAgent == Agent.device.userAgent
            let reset = Failure(.tls(.reset), phase: .handshaking, address: request.address)
            return isLost ? .failure(reset) : FakeWorld.good(request)
        })
        let seen = try await observe(world)
        #expect(world.record.requests.count == 10)
        #expect(seen.wellKnown?.value?.status == 200 && seen.root?.value?.status == 200)
        #expect(seen.browser?.value?.status == 200 && seen.assetLinks?.value?.status == 200)
        #expect(seen.device?.problem?.reason == .tls(.reset))
        #expect(seen.failedConnections.count == 5 && seen.failedConnections.allSatisfy { $0.reason == .tls(.reset) })
    }

    @Test(
        "a failure after the request was sent, or one of this machine, is not repeated",
        arguments: [
            (Failure.Reason.reset, Failure.Phase.waiting), (.timedOut, .header),
            (.incompleteBody(expected: 9, received: 1), .body),
            (.notConnected(.networkUnreachable), .connecting), (.outOfResources(24), .connecting),
        ])
    func notRepeated(reason: Failure.Reason, phase: Failure.Phase) async throws {
        let world = FakeWorld(answer: { .failure(Failure(reason, phase: phase, address: $0.address)) })
        let seen = try await observe(world)
        #expect(world.record.requests.count == 5 && seen.failedConnections.isEmpty)
        #expect(seen.wellKnown?.problem?.reason == reason)
    }

    @Test("a handshake that is cut off is tried once more")
    func repeatedHandshakes() async throws {
        let count = Locked(0)
        let world = FakeWorld(present: { probe in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The first handshake, and the first of those for one version.
            return [1, 3].contains(number) ? FakeWorld.failed(probe, .tls(.reset)) : FakeWorld.good(probe)
        })
        let seen = try await observe(world)
        #expect(world.record.probes.count == 5 && seen.failedConnections.count == 2)
        #expect(seen.versions.tls12 == true && seen.versions.tls13 == true && seen.wellKnown?.value?.status == 200)
        // One that is refused is not, and one that is cut off again counts.
        let refused = FakeWorld(present: { FakeWorld.failed($0, .notConnected(.refused)) })
        #expect(try await observe(refused).handshakes.count == 1 && refused.record.probes.count == 1)
        let cut = FakeWorld(present: { FakeWorld.failed($0, .tls(.reset)) })
        let lost = try await observe(cut)
        #expect(lost.handshakes.first?.result.problem?.reason == .tls(.reset) && lost.failedConnections.isEmpty)
        #expect(cut.record.probes.count == 4)
    }

    @Test(
        "the user agents are those of the specification",
        arguments: [
            (Agent.appleBot, ["AASA-Bot/1.0.0"]), (.device, ["swcd", "CFNetwork/", "Darwin/"]),
            (.browser, ["Mozilla/5.0", "Safari/"]),
        ])
    func agents(agent: Agent, parts: [String]) {
        for part in parts { #expect(agent.userAgent.contains(part)) }
    }

    @Test("Apple and Google are asked with the prefix, the name of this program and larger limits")
    func services() async throws {
        let world = FakeWorld()
        let seen = try await observe(world, "shop.example.com:8443") { settings in
            settings.appleCopies = try RequestURL("https://cdn.example.net/a/v1")
            settings.googleViews = try RequestURL("https://google.example.net:444/v1/")
            settings.isAndroidAskedFor = true
        }
        let relation = "delegate_permission%2Fcommon.handle_all_urls"
        let urls = [
            "https://cdn.example.net/a/v1/shop.example.com:8443",
            "https://google.example.net:444/v1/statements:list?source.web.site="
                + "https%3A%2F%2Fshop.example.com%3A8443&relation=\(relation)",
        ]
        let sent = world.record.requests.filter { $0.url.host.hasSuffix(".net") }
        #expect(sent.map(\.url.description).sorted() == urls)
        #expect([seen.appleCopyURL, seen.googleURL] == urls)
        for request in sent {
            #expect(request.userAgent == "aasa-doctor/1.2.3" && request.fields.count == 3)
            #expect(request.limits == Request.Limits(body: 1_048_576, otherBody: 4_096, header: 32_768))
        }
        #expect(seen.appleCopy?.value?.status == 200 && seen.googleView?.value?.status == 200)
    }

    @Test("the default prefixes can be asked")
    func defaultServices() throws {
        for text in [ExaminationSettings.appleCopiesURL, ExaminationSettings.googleViewsURL] {
            #expect(try RequestURL(text).description == text)
        }
    }

    @Test(
        "Google is asked if there is an assetlinks.json, or if Android is asked for",
        arguments: [
            (200, "[]", false, true), (200, "\u{FEFF}\n <!doctype html>", false, false), (404, "", false, false),
            (301, "", false, false), (404, "", true, true), (200, "[]", true, true),
        ])
    func google(status: Int, body: String, isAndroid: Bool, isAsked: Bool) async throws {
        let world = FakeWorld(answer: { request in
            request.url.target.hasSuffix("assetlinks.json")
                ? FakeWorld.answered(request, status, body) : FakeWorld.good(request)
        })
        let seen = try await observe(world) { settings in
            settings.googleViews = try RequestURL("https://google.example.net/v1/")
            settings.isAndroidAskedFor = isAndroid
        }
        #expect((seen.googleView != nil) == isAsked && (seen.googleURL != nil) == isAsked)
        #expect(world.record.requests.filter { $0.url.host == "google.example.net" }.count == (isAsked ? 1 : 0))
    }

    @Test("at most four addresses of a family are used, IPv4 first, each once")
    func limits() async throws {
        let four = (1...6).map { "198.105.1.\($0)" }
        let six = (1...6).map { "2600::\($0)" }
        let world = FakeWorld(resolve: { _, family in
            .success(((family == .ipv4 ? four : six) + ["198.105.1.1", "2600::1"]).compactMap { IPAddress($0) })
        })
        let seen = try await observe(world)
        #expect(seen.addresses.map(\.description) == Array(four[..<4] + six[..<4]))
        #expect(world.record.contacted.count == 8 && seen.others.count == 7)
    }

    @Test("requests go to the first address whose certificate is accepted, and to no other one without")
    func firstUsable() async throws {
        let world = FakeWorld(
            addresses: ["198.105.1.1", "198.105.1.2", "198.105.1.3", "2600::1"],
            present: { probe in
                switch probe.address.description {
                case "198.105.1.1": FakeWorld.failed(probe, .notConnected(.refused))
                // Of an authority that nobody trusts.
                case "198.105.1.2":
                    .success(
                        Chain(
                            certificates: Array(((try? SampleSite.otherRoot.certificate.pem()) ?? "").utf8),
                            address: probe.address))
                default: FakeWorld.good(probe)
                }
            })
        let seen = try await observe(world)
        #expect(seen.wellKnown?.value?.address.description == "198.105.1.3")
        #expect(Set(world.record.requests.map(\.address.description)) == ["198.105.1.3", "2600::1"])
        #expect(seen.handshakes.count == 4 && seen.others.count == 1)
        #expect(seen.handshakes[0].result.problem?.reason == .notConnected(.refused))
        #expect(seen.handshakes[1].result.value.map { $0.verdict != .good } == true)
        #expect(seen.versions.tls13 == true)
    }

    @Test("no request is sent where no certificate is accepted; its address is asked for versions all the same")
    func noneUsable() async throws {
        let world = FakeWorld()
        let seen = try await observe(world, "other.example.org")
        #expect(seen.handshakes[0].result.value?.verdict == .nameMismatch(["*.example.com", "example.com"]))
        #expect(world.record.requests.isEmpty && seen.wellKnown == nil && seen.unfinished.isEmpty)
        #expect(seen.versions.tls12 == true && seen.versions.tls13 == true)
    }

    @Test("a chain that cannot be read is a handshake that has failed")
    func damagedChain() async throws {
        let world = FakeWorld(present: { .success(Chain(certificates: Array("x".utf8), address: $0.address)) })
        let seen = try await observe(world)
        guard case .tls(.other) = seen.handshakes[0].result.problem?.reason else {
            Issue.record("\(seen.handshakes[0].result)")
            return
        }
        #expect(world.record.requests.isEmpty)
    }

    /// The result of a handshake with each version; nil for success.
    private static let versionCases: [(old: Failure.Reason?, new: Failure.Reason?, tls12: Bool?, tls13: Bool?)] = [
        (nil, nil, true, true), (.tls(.alert(70)), nil, false, true), (nil, .tls(.versionNotOffered), true, false),
        (.timedOut, nil, nil, true), (.notConnected(.refused), .reset, nil, nil), (nil, .tls(.closed), true, false),
        (.tls(.unsupportedHere), nil, nil, true),
    ]

    @Test("a version is missing only if the server has refused it", arguments: versionCases)
    func versions(old: Failure.Reason?, new: Failure.Reason?, tls12: Bool?, tls13: Bool?) async throws {
        let world = FakeWorld(present: { probe in
            if probe.versions.lowerBound < probe.versions.upperBound { return FakeWorld.good(probe) }
            let reason = probe.versions.lowerBound == .tls12 ? old : new
            return reason.map { FakeWorld.failed(probe, $0) } ?? FakeWorld.good(probe)
        })
        let seen = try await observe(world)
        #expect(seen.versions.tls12 == tls12 && seen.versions.tls13 == tls13)
    }

    @Test(
        "older versions are tried only where the newer ones were refused",
        arguments: [
            (Failure.Reason.tls(.alert(70)), true), (.tls(.closed), true), (.tls(.versionNotOffered), true),
            (.tls(.notTLS), false), (.timedOut, false), (.notConnected(.refused), false),
        ])
    func olderVersions(reason: Failure.Reason, isTried: Bool) async throws {
        let world = FakeWorld(present: { probe in
            probe.versions.upperBound <= .tls11 ? FakeWorld.good(probe) : FakeWorld.failed(probe, reason)
        })
        let seen = try await observe(world)
        #expect(seen.versions.older == (isTried ? .tls11 : nil))
        // One that is cut off is tried once more.
        #expect(world.record.probes.count == (isTried ? 3 : 1) + (reason == .tls(.closed) ? 1 : 0))
        #expect(world.record.requests.isEmpty)
    }

    @Test("what the resolver says is kept as it is, and overrides take its place")
    func names() async throws {
        let failing = FakeWorld(resolve: { _, family in .failure(family == .ipv4 ? .noSuchName : .timedOut) })
        let seen = try await observe(failing)
        #expect(seen.names?.a.problem == .noSuchName && seen.names?.aaaa.problem == .timedOut)
        #expect(seen.addresses.isEmpty && failing.record.contacted.isEmpty && seen.unfinished.isEmpty)
        let world = FakeWorld()
        let other = try await observe(world) { settings in
            try settings.overrides.add("shop.example.com:443:198.105.1.9,[2600::9]") { $0 }
        }
        #expect(other.addresses.map(\.description) == ["198.105.1.9", "2600::9"])
        #expect(other.names?.a.value?.count == 1 && other.names?.aaaa.value?.count == 1)
        #expect(world.record.lookups.isEmpty)
        let address = try await observe(world, "198.105.1.1")
        #expect(address.names == nil && address.addresses.map(\.description) == ["198.105.1.1"])
        #expect(world.record.lookups.isEmpty)
    }

    @Test("a service is asked at its next address if the first one cannot be connected")
    func serviceAddresses() async throws {
        let world = FakeWorld(
            addresses: ["198.105.1.1", "198.105.1.2", "2600::1"],
            answer: { request in
                guard request.url.host == "cdn.example.net" else { return FakeWorld.good(request) }
                let problem: Failure.ConnectError? =
                    switch request.address.description {
                    case "198.105.1.1": .refused
                    case "2600::1": .networkUnreachable
                    default: nil
                    }
                guard let problem else { return FakeWorld.answered(request, 404, "") }
                return .failure(Failure(.notConnected(problem), phase: .connecting, address: request.address))
            })
        let seen = try await observe(world) { $0.appleCopies = try RequestURL("https://cdn.example.net/") }
        #expect(seen.appleCopy?.value?.status == 404)
        #expect(seen.appleCopy?.value?.address.description == "198.105.1.2")
        let first = FakeWorld(addresses: ["198.105.1.1", "2600::1"], answer: world.answer)
        let failed = try await observe(first) { $0.appleCopies = try RequestURL("https://cdn.example.net/") }
        #expect(failed.appleCopy?.problem?.description == "connection refused")
    }

    @Test("the name of a service is looked up once for all domains, and again only if that failed")
    func sharedLookup() async throws {
        let failures = Locked(2)
        let world = FakeWorld(resolve: { name, family in
            guard name == "cdn.example.net" else { return .success([IPAddress(ipv4: 0xC669_0101)]) }
            let isFailing = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            return isFailing ? .failure(.timedOut) : .success(family == .ipv4 ? [IPAddress(ipv4: 0xC669_0102)] : [])
        })
        let examination = try world.examination { $0.appleCopies = try RequestURL("https://cdn.example.net/") }
        let first = try await examination.observe(.of("a.example.com"))
        #expect(first.appleCopy?.problem == .notResolved("cdn.example.net", .timedOut))
        for name in ["b", "c", "d"] {
            let seen = try await examination.observe(.of("\(name).example.com"))
            #expect(seen.appleCopy?.value?.address.description == "198.105.1.2")
        }
        #expect(world.record.lookups.filter { $0.hasPrefix("cdn.") }.count == 4)
    }

    @Test("when the time is over, all that is under way is cancelled, and nothing is left of it")
    func timeLimit() async throws {
        // Each hangs from the start, one after the other in the chain.
        let worlds = [
            FakeWorld(resolve: { _, _ in nil }), FakeWorld(present: { _ in nil }), FakeWorld(answer: { _ in nil }),
        ]
        // Lookups of the host and of the CDN; handshakes; requests, each beside the request to the CDN.
        for (world, hanging) in zip(worlds, [4, 1, 6]) {
            let clock = ManualClock()
            let examination = try world.examination(clock: clock) { settings in
                settings.timeLimit = .seconds(2)
                settings.appleCopies = try RequestURL("https://cdn.example.net/")
            }
            let task = Task { try await examination.observe(.of("shop.example.com")) }
            while world.record.hanging < hanging || clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: .seconds(9))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .seconds(1))
            let seen = try await task.value
            #expect(world.record.hanging == 0 && clock.sleeperCount == 0)
            #expect(seen.unfinished.contains(.file) && !seen.unfinished.contains(.app))
            #expect(seen.wellKnown == nil && seen.root == nil)
        }
    }

    @Test("an examination that is cancelled ends at once")
    func cancelling() async throws {
        let world = FakeWorld(answer: { _ in nil })
        let clock = ManualClock()
        let examination = try world.examination(clock: clock)
        let task = Task { try await examination.observe(.of("shop.example.com")) }
        while world.record.hanging < 5 { await Task.yield() }
        task.cancel()
        let seen = try await task.value
        #expect(world.record.hanging == 0 && clock.sleeperCount == 0 && seen.unfinished.contains(.http))
    }
}
