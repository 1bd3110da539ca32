import Foundation
import PushSamples
import SystemSupport
import TestSupport
import Testing

@Suite("Availability of a stub authority", .waiting)
struct StubAuthorityAvailabilityTests {
    @Test("a client that trusts its file finds the directory")
    func trust() async throws {
        let (authority, other) = (try StubAuthority(), try StubAuthority())
        let answer = try await TrustingClient(caFile: authority.caFile).get(authority.directory)
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"newOrder\":\"https://localhost:\(authority.port)/new-order\""))
        await #expect(throws: (any Error).self) {
            try await TrustingClient(caFile: authority.caFile).get(other.directory)
        }
        #expect(try String(contentsOfFile: authority.caFile, encoding: .utf8) == authority.caPEM)
        #expect(other.requests.isEmpty)
    }

    @Test("it goes down and up again at the same port")
    func outage() throws {
        let authority = try StubAuthority()
        let client = try AuthorityClient(authority)
        try client.register()
        for round in 1...3 {
            try authority.goDown()
            #expect(throws: TestFailure.self) { try RawSocket(port: authority.port) }
            #expect(throws: TestFailure.self) { try client.newOrder("a.com") }
            try authority.goUp()
            let again = try AuthorityClient(authority)
            again.account = client.account
            #expect(try again.newOrder("a.com").status == 201)
            #expect(authority.handshakes == round + 1)
        }
        // It tried in vain whether the port is closed, too.
        #expect(authority.connections >= 4)
        #expect(authority.violations == [])
    }

    @Test("it forgets what it knew")
    func amnesia() throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.validator = { _ in nil } })
        let client = try AuthorityClient(authority)
        try client.register()
        let order = try client.order("a.com")
        authority.forgetOrders()
        #expect(try client.post(order).status == 404)
        authority.forget()
        try client.send(client.account ?? "")
        #expect(try client.receive().problem == "accountDoesNotExist")
        let before = client.account
        try client.register()
        #expect(client.account != before)
        try client.issue("a.com")
        #expect(authority.violations == [])
    }

    @Test("it ends when nobody needs it any more")
    func end() throws {
        var authority: StubAuthority? = try StubAuthority()
        let port = try #require(authority?.port)
        let client = try AuthorityClient(try #require(authority))
        authority = nil
        #expect(throws: TestFailure.self) { try client.register() }
        #expect(Waiting.until { (try? RawSocket(port: port)) == nil })
    }

    @Test("it serves fifty clients at a time, each on one connection")
    func concurrency() throws {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                $0.rejectedNonces = 20
            })
        let failures = Locked<[String]>([])
        let finished = Locked(0)
        for number in 0..<50 {
            let thread = Thread {
                do {
                    let client = try AuthorityClient(authority, key: .p256(1_000 + number))
                    try client.register()
                    // All of them are there before the first one goes on.
                    guard Waiting.until({ authority.openConnections == 50 }) else {
                        throw TestFailure("not all have come")
                    }
                    let order = try client.order("\(number).example.com")
                    guard Waiting.until({ authority.newOrders.count == 50 }) else {
                        throw TestFailure("not all have ordered")
                    }
                    try client.validate(try client.challenge("http-01", of: order), of: order)
                    _ = try client.certificate(of: order, "\(number).example.com")
                    // None leaves before the others have come.
                    finished.withLock { $0 += 1 }
                    _ = Waiting.until { finished.withLock { $0 } == 50 }
                } catch {
                    failures.withLock { $0.append("\(number): \(error)") }
                    finished.withLock { $0 += 1 }
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        #expect(Waiting.until { finished.withLock { $0 } == 50 })
        #expect(failures.withLock { $0 } == [])
        #expect(authority.violations == [])
        #expect((authority.certificates.count, authority.connections, authority.handshakes) == (50, 50, 50))
        #expect(authority.maximumOrdersInProgress == 50)
        #expect(authority.ordersInProgress == [])
    }
}
