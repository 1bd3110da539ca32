import DomainNames
import Foundation
import HTTPClient
import SystemSupport
import TestSupport
import Testing

@Suite("Names", .waitingApart)
struct ResolverTests {
    private static let first = IPAddress(ipv4: 0x0102_0304)

    @Test("localhost has addresses of its families, and a name that nobody has does not exist")
    func system() async throws {
        let resolver = SystemResolver()
        let addresses = try await resolver.addresses(of: "localhost", .ipv4, timeLimit: .seconds(10)).get()
        #expect(addresses == [IPAddress(ipv4: 0x7F00_0001)])
        // Too long to be asked for.
        let label = String(repeating: "a", count: 64)
        await #expect(throws: ResolutionFailure.noSuchName) {
            try await resolver.addresses(of: "\(label).invalid", .ipv4, timeLimit: .seconds(10)).get()
        }
    }

    @Test("at most four addresses are given, each once, in the order of the resolver")
    func addresses() async throws {
        let list = [5, 1, 5, 2, 3, 4].map { IPAddress(ipv4: $0) }
        let resolver = SystemResolver { _, _ in .success(list) }
        let addresses = try await resolver.addresses(of: "a", .ipv4, timeLimit: .seconds(10)).get()
        #expect(addresses == [5, 1, 2, 3].map { IPAddress(ipv4: $0) })
    }

    @Test("errors come through as they are", arguments: [ResolutionFailure.noSuchName, .noAddress, .failed("x")])
    func errors(failure: ResolutionFailure) async {
        let resolver = SystemResolver { _, family in family == .ipv4 ? .failure(failure) : .success([]) }
        await #expect(throws: failure) { try await resolver.addresses(of: "a", .ipv4, timeLimit: .seconds(10)).get() }
    }

    @Test(
        "a lookup that hangs is abandoned at its time limit, or when its task is cancelled, and its thread ends later")
    func abandoned() async throws {
        let gate = Gate()
        let resolver = SystemResolver { name, _ in
            if name == "stuck" { gate.wait() }
            return .success([Self.first])
        }
        // The lookup hangs until the gate is opened, which is below.
        await #expect(throws: ResolutionFailure.timedOut) {
            try await resolver.addresses(of: "stuck", .ipv4, timeLimit: .milliseconds(100)).get()
        }
        let task = Aside.task { try await resolver.addresses(of: "stuck", .ipv4, timeLimit: .seconds(60)).get() }
        #expect(Waiting.until { gate.count == 2 })
        task.cancel()
        await #expect(throws: ResolutionFailure.cancelled) { try await task.value }
        // Others are not kept waiting.
        #expect(try await resolver.addresses(of: "a", .ipv4, timeLimit: .seconds(10)).get() == [Self.first])
        gate.open()
        #expect(Waiting.until { gate.count == 0 })
    }

    @Test("many names at a time are looked up, also when as many lookups as there are threads for hang")
    func many() async throws {
        let gate = Gate()
        defer { gate.open() }
        let resolver = SystemResolver { name, _ in
            if name == "stuck" { gate.wait() }
            return .success([Self.first])
        }
        let ends = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<120 {
                group.addTask {
                    let name = number % 3 == 0 ? "stuck" : "\(number)"
                    let limit = number % 3 == 0 ? Duration.milliseconds(200) : .seconds(Patience.seconds)
                    return await resolver.addresses(of: name, .ipv4, timeLimit: limit) == .success([Self.first])
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(ends == 80)
    }

    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let state = Locked((count: 0, isOpen: false))

        var count: Int { state.withLock { $0.count } }

        func wait() {
            condition.lock()
            state.withLock { $0.count += 1 }
            while !state.withLock({ $0.isOpen }) { condition.wait() }
            state.withLock { $0.count -= 1 }
            condition.unlock()
        }

        func open() {
            condition.lock()
            state.withLock { $0.isOpen = true }
            condition.broadcast()
            condition.unlock()
        }
    }
}

@Suite("Overrides of names")
struct ResolveOverridesTests {
    private func add(_ texts: String...) throws(ResolveOverrides.Problem) -> ResolveOverrides {
        var overrides = ResolveOverrides()
        for text in texts { try overrides.add(text) { $0.isEmpty ? nil : $0.lowercased() } }
        return overrides
    }

    @Test("addresses are for exactly one host and port; the last word counts")
    func lookup() throws {
        let overrides = try add(
            "Shop.example.com:443:192.0.2.1,[2001:db8::1],192.0.2.1", "a:8443:127.0.0.1", "a:8443:::1")
        #expect(
            overrides.addresses(of: "shop.example.com", port: 443)?.map(\.description) == ["192.0.2.1", "2001:db8::1"])
        #expect(overrides.addresses(of: "shop.example.com", port: 8443) == nil)
        #expect(overrides.addresses(of: "a", port: 8443)?.map(\.description) == ["::1"])
    }

    @Test(
        "a text that is not one is refused with its reason",
        arguments: [
            ("a", ResolveOverrides.Problem.form), ("a:443", .form), (":443:1.2.3.4", .host),
            ("a:0:1.2.3.4", .port("0")), ("a:65536:1.2.3.4", .port("65536")), ("a:x:1.2.3.4", .port("x")),
            ("a:+1:1.2.3.4", .port("+1")), ("a:443:", .address("")), ("a:443:b", .address("b")),
            ("a:443:1.2.3.4,", .address("")), ("a:443:127.1", .address("127.1")),
            ("a:443:[1.2.3.4]", .address("[1.2.3.4]")),
        ])
    func refusing(text: String, problem: ResolveOverrides.Problem) {
        #expect(throws: problem) { try add(text) }
    }
}
