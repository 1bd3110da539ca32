import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import HTTPClient
import SystemSupport
import TestSupport
import Testing

/// Names, addresses and the course of pre-flights (acme.md, section 4).
@Suite("Pre-flights", .waitingApart)
struct PreflightTests {
    private static let name = "'\(PreflightWorld.domain)'"

    /// A world with a transport whose connections are all refused.
    private func world(_ transport: RefusingTransport, _ resolver: FakeResolver) throws -> PreflightWorld {
        var world = try PreflightWorld()
        (world.transport, world.resolver) = (transport, resolver)
        return world
    }

    private func outcome(
        _ resolver: FakeResolver, _ transport: RefusingTransport = RefusingTransport(),
        isForPublicNamesOnly: Bool = false
    ) async throws -> Preflight.Outcome {
        try await world(transport, resolver).outcome(
            .tlsALPN01, port: 443, isForPublicNamesOnly: isForPublicNamesOnly)
    }

    @Test("a name that does not exist, or has no address, is an error")
    func noAddress() async throws {
        let advice = "; add an A or AAAA record that points to this server"
        #expect(
            try await outcome(FakeResolver([.ipv4: .failure(.noSuchName), .ipv6: .failure(.noSuchName)])).failure(.dns)
                == "\(Self.name) does not exist in the DNS\(advice)")
        #expect(
            try await outcome(FakeResolver([.ipv4: .failure(.noAddress), .ipv6: .failure(.noAddress)])).failure(.dns)
                == "\(Self.name) has neither an IPv4 nor an IPv6 address\(advice)")
    }

    @Test("a resolver that fails proves nothing, and one family is enough")
    func resolverFails() async throws {
        let failed = Result<[IPAddress], ResolutionFailure>.failure(.failed("temporary failure in name resolution"))
        #expect(
            try await outcome(FakeResolver([.ipv4: failed, .ipv6: .failure(.timedOut)]))
                == .passed(
                    remark: "the pre-flight could not look up \(Self.name) (temporary failure in name resolution)"))
        #expect(
            try await outcome(FakeResolver([.ipv4: .failure(.noSuchName), .ipv6: .failure(.timedOut)]))
                == .passed(
                    remark: "the pre-flight could not look up the IPv6 addresses of \(Self.name) "
                        + "(the name service did not answer in time)"))
        let transport = RefusingTransport()
        let address = try #require(IPAddress("198.105.1.1"))
        #expect(
            try await outcome(FakeResolver([.ipv4: .success([address]), .ipv6: failed]), transport)
                == .passed(
                    remark: "the pre-flight could not look up the IPv6 addresses of \(Self.name) "
                        + "(temporary failure in name resolution); the pre-flight got no answer from "
                        + "198.105.1.1:443 (connection refused)"))
        #expect(transport.contacted == ["198.105.1.1"])
    }

    @Test("a public CA reaches public addresses only, and only those are asked")
    func privateAddresses() async throws {
        let transport = RefusingTransport()
        let local = FakeResolver(["10.0.0.1", "100.64.0.9", "169.254.1.1", "fd00::1"])
        #expect(
            try await outcome(local, transport, isForPublicNamesOnly: true).failure(.dns)
                == "\(Self.name) has no address that the CA can reach, but 10.0.0.1 (a private network), "
                + "100.64.0.9 (a carrier's address translation), 169.254.1.1 (link-local) and fd00::1 "
                + "(a private network); point its DNS to a public address")
        let hosts = FakeResolver(["127.0.1.1"])
        #expect(
            try await outcome(hosts, transport, isForPublicNamesOnly: true).failure(.dns)
                == "\(Self.name) has no address that the CA can reach, but 127.0.1.1 (loopback); point its DNS to a "
                + "public address, and check /etc/hosts on this machine")
        #expect(transport.contacted.isEmpty)
        let both = FakeResolver(["10.0.0.1", "198.105.1.1", "2600::1"])
        #expect(
            try await outcome(both, transport, isForPublicNamesOnly: true)
                == .passed(
                    remark:
                        "skipped by the pre-flight, because not public: 10.0.0.1 (a private network); the pre-flight "
                        + "got no answer from 198.105.1.1:443 (connection refused) and [2600::1]:443 "
                        + "(connection refused)"))
        #expect(transport.contacted == ["198.105.1.1", "2600::1"])
        let other = RefusingTransport()
        _ = try await outcome(both, other)
        #expect(other.contacted == ["10.0.0.1", "198.105.1.1", "2600::1"])
    }

    @Test("of each family four addresses are asked")
    func manyAddresses() async throws {
        let transport = RefusingTransport()
        let addresses = (1...9).flatMap { ["198.105.1.\($0)", "2600::\($0)"] }
        _ = try await outcome(FakeResolver(addresses), transport, isForPublicNamesOnly: true)
        #expect(
            transport.contacted == (1...4).map { "198.105.1.\($0)" } + (1...4).map { "2600::\($0)" })
    }

    @Test("nothing is asked before the host says that the challenge is answered")
    func order() async throws {
        let host = FakeHost(isConfirming: false)
        let transport = RefusingTransport()
        var world = try PreflightWorld(host)
        world.transport = transport
        let outcomes = Locked<[Preflight.Outcome]>([])
        let cancellation = try world.start(.http01, port: 80) { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(host.record.published.count == 1 && host.record.withdrawn.isEmpty && transport.contacted.isEmpty)
        host.confirm()
        #expect(transport.contacted == ["127.0.0.1"] && host.isTidy)
        cancellation.cancel()
        #expect(
            outcomes.withLock { $0 }
                == [.passed(remark: "the pre-flight got no answer from 127.0.0.1:80 (connection refused)")])
    }

    @Test("one that is cancelled during its lookup publishes nothing")
    func cancelledLookup() throws {
        let host = FakeHost()
        let count = Locked(0)
        var world = try PreflightWorld(host)
        world.resolver = FakeResolver([:])
        let cancellation = try world.start(.tlsALPN01, port: 443) { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 0)
        cancellation.cancel()
        cancellation.cancel()
        #expect(count.withLock { $0 } == 1 && world.resolver.cancelled.withLock { $0 } == 2)
        #expect(host.record.published.isEmpty)
    }

    @Test("one that is cancelled before its challenge is answered asks nobody")
    func cancelledPublication() throws {
        let host = FakeHost(isConfirming: false)
        let transport = RefusingTransport()
        let count = Locked(0)
        var world = try PreflightWorld(host)
        world.transport = transport
        let cancellation = try world.start(.tlsALPN01, port: 443) { _ in count.withLock { $0 += 1 } }
        #expect(host.record.published.count == 1)
        cancellation.cancel()
        #expect(host.isTidy && count.withLock { $0 } == 1)
        host.confirm()
        #expect(transport.contacted.isEmpty && count.withLock { $0 } == 1)
    }

    @Test("one that is cancelled while it waits for an answer withdraws its challenge, and ends its connections")
    func cancelledQuestion() throws {
        let host = FakeHost()
        let hasEnded = Locked(false)
        let origin = try StubOrigin { connection in
            while connection.receiveRaw() != nil {}
            hasEnded.withLock { $0 = true }
        }
        let count = Locked(0)
        let cancellation = try PreflightWorld(host).start(.tlsALPN01, port: origin.port) { _ in
            count.withLock { $0 += 1 }
        }
        #expect(Waiting.until { origin.connections == 1 })
        #expect(host.record.withdrawn.isEmpty && count.withLock { $0 } == 0)
        cancellation.cancel()
        #expect(host.isTidy && count.withLock { $0 } == 1)
        #expect(Waiting.until { hasEnded.withLock { $0 } })
    }

    @Test("each has a token of its own")
    func tokens() async throws {
        let host = FakeHost()
        var world = try PreflightWorld(host)
        world.transport = RefusingTransport()
        for _ in 0..<8 { _ = try await world.outcome(.http01, port: 80) }
        let tokens = host.record.published.map { challenge -> String in
            if case .http01(let token, _) = challenge.answer { token } else { "" }
        }
        #expect(Set(tokens).count == 8 && !tokens.contains(""))
        #expect(host.record.withdrawn == host.record.published)
    }
}
