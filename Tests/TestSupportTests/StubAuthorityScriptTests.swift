import SystemSupport
import TestSupport
import Testing

@Suite("Scripts of a stub authority", .waiting)
struct StubAuthorityScriptTests {
    private func registered(_ change: (inout StubAuthority.Settings) -> Void = { _ in }) throws
        -> (authority: StubAuthority, client: AuthorityClient)
    {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                change(&$0)
            })
        let client = try AuthorityClient(authority)
        try client.register()
        return (authority, client)
    }

    @Test("the next requests are answered as it is told, then as ever")
    func queue() throws {
        let (authority, client) = try registered()
        authority.script(
            .newOrder, .problem("rateLimited", "too many\u{1B}[31m\u{0}", ["Retry-After: 17"]),
            .status(503, ["Retry-After: \(StubAuthority.httpDate(1_795_000_000))"], "down", type: "text/plain"),
            .redirect(to: "https://other.example.net/"), .adding("Retry-After: 3"))
        let limited = try client.newOrder("a.com")
        #expect((limited.status, limited.problem, limited["Retry-After"]) == (429, "rateLimited", "17"))
        #expect(limited[member: "detail"] == "too many\u{1B}[31m\u{0}")
        #expect(limited["Replay-Nonce"] != nil)
        let down = try client.newOrder("a.com")
        #expect((down.status, down["Retry-After"], down.text) == (503, "Wed, 18 Nov 2026 11:06:40 GMT", "down"))
        let moved = try client.newOrder("a.com")
        #expect((moved.status, moved["Location"]) == (302, "https://other.example.net/"))
        #expect(authority.newOrders == [:])
        let slow = try client.newOrder("a.com")
        #expect((slow.status, slow["Retry-After"]) == (201, "3"))
        #expect(try client.newOrder("a.com")["Retry-After"] == nil)
        #expect(authority.newOrders == ["a.com": 2])
        #expect(authority.requests(.newOrder).map(\.status) == [429, 503, 302, 201, 201])
        #expect(authority.violations == [])
    }

    @Test("rules decide by what is asked for, the latest first")
    func rules() throws {
        let (authority, client) = try registered()
        authority.scriptAll(.newOrder, .problem("serverInternal"))
        authority.script { request in
            request.domain == "a.com" && request.resource == .challenge ? .problem("malformed") : nil
        }
        authority.script { $0.resource == .newOrder && $0.domain == "a.com" ? .normal : nil }
        #expect(try client.newOrder("b.com").problem == "serverInternal")
        let order = try client.order("a.com")
        let challenge = try client.challenge("http-01", of: order)
        #expect(try client.post(challenge.url, "{}").problem == "malformed")
        authority.removeScript()
        #expect(try client.newOrder("b.com").status == 201)
    }

    @Test("answers are changed after the work is done")
    func changes() throws {
        let (authority, client) = try registered()
        authority.script(.order, .changed { $0.changeObject { $0["finalize"] = nil } })
        let order = try client.order("a.com")
        #expect(try client.post(order)[member: "finalize"] == nil)
        #expect(try client.post(order)[member: "finalize"] != nil)
    }

    @Test("answers may be large, or deep")
    func size() throws {
        let (authority, client) = try registered()
        authority.script(.directory, .large(), .nested())
        #expect(try client.get(authority.directory).body.count > 20_000_000)
        #expect(try client.get(authority.directory).body.count > 60_000)
    }

    @Test("a connection may end instead of an answer")
    func noAnswer() throws {
        for (reply, isDone) in [(StubAuthority.Reply.close, false), (.reset, false), (.lost, true)] {
            let (authority, client) = try registered()
            authority.script(.newOrder, reply)
            #expect(throws: TestFailure.self) { try client.newOrder("a.com") }
            #expect(authority.ordersInProgress.isEmpty == !isDone)
            // Whoever sends the same once more has not broken a rule.
            let again = try AuthorityClient(authority)
            (again.account, again.nonce) = (client.account, client.nonce)
            try again.send(again.directory["newOrder"] ?? "", "{}")
            #expect(try again.receive().problem == "badNonce")
            #expect(authority.violations == [])
        }
    }

    @Test("an answer may never come")
    func hang() throws {
        let (authority, client) = try registered()
        authority.script(.newOrder, .hang)
        try client.send(client.directory["newOrder"] ?? "", #"{"identifiers":[{"type":"dns","value":"a.com"}]}"#)
        #expect(authority.waitForRequests(.newOrder))
        #expect(authority.openConnections == 1)
        #expect(authority.requests(.newOrder).map(\.status) == [nil])
        authority.stop()
        #expect(throws: TestFailure.self) { try client.receive() }
        #expect(Waiting.until { authority.openConnections == 0 })
    }

    @Test("an answer may come late")
    func delay() throws {
        let (authority, client) = try registered()
        authority.script(.newOrder, .normal.after(seconds: 0.3))
        #expect(try Waiting.measure { _ = try client.newOrder("a.com") } >= 0.3)
    }

    @Test(
        "it rejects as many nonces as it should",
        arguments: [(0, 0), (25, 5), (50, 10), (100, 20)])
    func nonces(_ share: Int, _ count: Int) throws {
        let (authority, client) = try registered()
        authority.configure { $0.rejectedNonces = share }
        var rejected = 0
        for _ in 1...20 {
            try client.send(client.account ?? "")
            if try client.receive().problem == "badNonce" { rejected += 1 }
        }
        #expect(rejected == count)
        #expect(authority.violations == [])
    }

    @Test("an order is processed as long as it should be")
    func processing() throws {
        let (authority, client) = try registered { $0.issuanceDelay = 0.3 }
        let order = try client.order("a.com")
        try client.validate(try client.challenge("http-01", of: order), of: order)
        let seconds = try Waiting.measure { _ = try client.certificate(of: order, "a.com") }
        #expect(seconds >= 0.3)
        authority.configure {
            $0.issuanceDelay = 0
            $0.processesOrders = false
        }
        let next = try client.order("b.com")
        try client.validate(try client.challenge("http-01", of: next), of: next)
        let answer = try client.finalize(
            next, CertificationRequestSample.request(for: "b.com", key: client.key))
        #expect(answer[member: "status"] == "valid")
    }

    @Test("the directory says what it has")
    func directory() throws {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.profiles = ["classic": "as ever", "shortlived": "six days"]
                $0.hasRenewalInfo = false
                $0.termsOfService = nil
                $0.dateOffset = 3_600
                $0.clock = { 1_795_000_000 }
            })
        let client = try AuthorityClient(authority)
        let answer = try client.get(authority.directory)
        let meta = try #require(answer.members["meta"] as? [String: Any])
        #expect((meta["profiles"] as? [String: String])?.keys.sorted() == ["classic", "shortlived"])
        #expect((meta["caaIdentities"] as? [String]) == ["ca.example.net"])
        #expect(meta["termsOfService"] == nil)
        #expect(answer.members["renewalInfo"] == nil)
        #expect(answer["Date"] == "Wed, 18 Nov 2026 12:06:40 GMT")
        try client.register("{}")
        let order = try client.newOrder("a.com", more: #","profile":"shortlived""#)
        #expect(order[member: "profile"] == "shortlived")
        #expect(authority.requests(.newOrder).map(\.profile) == ["shortlived"])
    }
}
