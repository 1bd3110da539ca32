import ACME
import DomainNames
import FuzzingSupport
import PushSamples
import TestSupport
import Testing

/// The coordinator of orders alone: events in, actions out (acme.md, section 10).
struct IssuanceCoordinatorTests {
    private static let site = "shop.example.com"

    @Test("each event of an order leads to the next action")
    func course() throws {
        let course: [(CoordinatorStage, [String])] = [
            (.observing, ["lock and observe"]),
            (.openingAccount, ["openAccount"]),
            (.fetchingDirectory, ["send /directory"]),
            (.fetchingNonce, ["send /nonce"]),
            (.registering, ["send /account"]),
            (.ready, ["storeAccount"]),
            (.preflight, ["preflight tls-alpn-01"]),
            (.preparingKey, ["prepareKey shop.example.com"]),
            (.savingOrder, []),
            (.ordering, ["send /order"]),
            (.savingURL, []),
            (.authorizing, ["send /authorization/1"]),
            (.publishing, ["publish tls-alpn-01"]),
            (.answering, ["send /challenge/tls-alpn-01"]),
            (.validating, ["send /authorization/1"]),
            (.savingIssuance, ["withdraw"]),
            (.finalizing, ["send /finalize/1"]),
            (.downloading, ["send /certificate/1"]),
            (.installing, ["withdraw", "install shop.example.com"]),
            (.waitingToBeActivated, ["removeOrderKey shop.example.com"]),
            (.activating, ["activate shop.example.com", "observe"]),
            (.activated, []),
        ]
        var run = CoordinatorRun()
        for (stage, expected) in course {
            try run.take(stage)
            #expect(run.names == expected, "\(stage)")
        }
        try run.take(.valid)
        #expect(run.names.first == "close shop.example.com 1" && run.names.last?.hasPrefix("send /renewal/") == true)
        let status = try run.status()
        #expect(status.state == .valid && status.nextRenewal != nil && status.lastError == nil)
        #expect(run.overview?.counts.issued == 1 && run.overview?.errors.isEmpty == true)
        #expect(
            run.log.map { $0.prefix(40) } == [
                "acme: connecting to 'ca.example.net' to ", "acme: shop.example.com: waiting",
                "acme: shop.example.com: ordering from 'c", "acme: shop.example.com: ordering",
                "acme: shop.example.com: issued by 'Sampl", "acme: shop.example.com: valid",
            ], "\(run.log)")
    }

    @Test("what means nothing at the moment has no consequences", arguments: CoordinatorStage.allCases)
    func strayEvents(stage: CoordinatorStage) throws {
        var run = CoordinatorRun()
        try run.advance(to: stage)
        let other = OrderID(CoordinatorRun.site, 99)
        let events: [CoordinatorRun.Event] = [
            .saved(CoordinatorRun.authority, number: 0, problem: nil),
            .answered(.failure(.unreachable("late")), to: 1, .order(other)),
            .answered(.failure(.unreachable("late")), to: 0, .account(CoordinatorRun.authority, session: 99)),
            .answered(.failure(.unreachable("late")), to: 0, .renewalInfo(Samples.domain("other.example.com"))),
            .preflightPassed(other, remark: nil), .preflightFailed(other, IssuanceError(.preflight, "late")),
            .keyPrepared(other, try Samples.orderKey.privateKey()), .keyNotStored(other, "late"),
            .keyLost(other, isDamaged: false), .challengePublished(other), .challengeNotPublished(other, .http01),
            .installed(other, folder: "late"), .notInstalled(other, "late"),
        ]
        for event in events { #expect(run.handle(event).isEmpty, "\(event)") }
    }

    @Test(
        "a stop gives up what is under way, saves what is known, and lets the lock go",
        arguments: CoordinatorStage.allCases)
    func stop(stage: CoordinatorStage) throws {
        var run = CoordinatorRun()
        try run.advance(to: stage)
        let actions = run.handle(.stopped)
        let hasOrder = stage.rawValue >= CoordinatorStage.preflight.rawValue && stage != .valid
        #expect(actions.contains("close shop.example.com 1") == hasOrder, "\(actions)")
        #expect(actions.last == (stage == .idle ? nil : "release /certs"))
        // A challenge that the CA is about to look at is answered to the end.
        #expect(!actions.contains("withdraw"))
        #expect(run.coordinator.deadline == nil)
        #expect(run.handle(.timerFired).isEmpty && run.change().isEmpty)
    }

    @Test("other settings of the same CA end the session, and an order that has begun finishes")
    func reconfiguration() throws {
        let stages = CoordinatorStage.allCases
        for stage in stages.filter({ $0.rawValue >= CoordinatorStage.savingOrder.rawValue && $0 != .valid }) {
            var run = CoordinatorRun()
            try run.advance(to: stage)
            let before = run.last
            run.change(Samples.settings(contact: ["ops@example.com"]))
            run.last = before
            for next in stages.filter({ $0.rawValue > stage.rawValue }) { try run.take(next) }
            #expect(try run.status().state == .valid, "\(stage)")
            #expect(run.overview?.counts.issued == 1 && run.log.count { $0.contains("ordering from") } == 1)
            // The CA is asked when to renew, in a session with the new settings.
            #expect(run.names.contains("openAccount with key"), "\(stage): \(run.names)")
        }
    }

    @Test("an order that has not begun is dropped with the session, and planned again with the new settings")
    func reconfigurationBefore() throws {
        var run = CoordinatorRun()
        try run.advance(to: .preflight)
        run.change(Samples.settings(contact: ["ops@example.com"]))
        run.handle(.preflightPassed(run.order(), remark: nil))
        #expect(run.names == ["close shop.example.com 1"])
        #expect(try run.reconcile() == ["openAccount with key"])
    }

    @Test("without settings nothing begins, orders finish, and then their CA is released")
    func switchedOff() throws {
        var run = CoordinatorRun()
        try run.advance(to: .downloading)
        let request = run.last
        run.change(.some(nil))
        #expect(try run.reconcile().isEmpty)
        for case .send(let sent, let requester, _) in request {
            run.handle(.answered(.success(.json(200, try Samples.chain())), to: sent.id, requester))
        }
        #expect(run.names == ["withdraw", "install shop.example.com"])
        run.handle(.installed(run.order(), folder: "shop.example.com"))
        while !run.names.contains("activate shop.example.com") { try run.waitForDeadline() }
        run.install()
        run.handle(.activated([run.order()], run.input()))
        let actions = try run.reconcile()
        #expect(actions.first == "close shop.example.com 1" && actions.last == "release /certs", "\(actions)")
    }

    @Test("an order goes on with its CA when another one is configured, and the domain is not ordered twice")
    func otherAuthority() throws {
        var run = CoordinatorRun()
        try run.advance(to: .validating)
        let other = AuthorityID(directory: Samples.url("/other"), folder: "/certs")
        run.change(Samples.settings(other, contact: ["ops@example.com"]), stored: .read(IssuanceState(), keys: []))
        // The folder is the same, and so is the lock.
        try run.waitForDeadline()
        #expect(run.names == ["observe"])
        #expect(try run.observe().isEmpty)
        #expect(try run.status().state == .ordering)
    }

    // MARK: Before the order

    @Test("a name that leads elsewhere is not ordered, and waits")
    func preflightFails() throws {
        var run = CoordinatorRun()
        try run.advance(to: .preflight)
        #expect(
            run.handle(.preflightFailed(run.order(), IssuanceError(.preflight, "elsewhere"))) == [
                "withdraw", "removeOrderKey shop.example.com", "close shop.example.com 1",
            ])
        #expect(try run.reconcile().isEmpty)
        let status = try run.status()
        #expect(status.state == .backoff && status.lastError?.message == "elsewhere" && status.failures == 1)
        #expect(run.overview?.counts.failed == 0 && run.overview?.errors == [.preflight: 1])
    }

    @Test("what the pre-flight could not find out is mentioned if the order fails")
    func remark() throws {
        var run = CoordinatorRun()
        try run.advance(to: .preflight)
        run.handle(.preflightPassed(run.order(), remark: "no answer"))
        run.handle(.keyNotStored(run.order(), "the disk is full"))
        try run.reconcile()
        #expect(try run.status().lastError?.message == "the disk is full; no answer")
    }

    @Test("without an account nothing is ordered, and it is looked at again after a minute")
    func accountMissing() throws {
        var run = CoordinatorRun()
        try run.advance(to: .openingAccount)
        let error = IssuanceError(.acmeAccount, "the key is damaged", scope: .authority)
        run.handle(.accountNotOpened(CoordinatorRun.authority, error))
        #expect(try run.reconcile().isEmpty)
        #expect(try run.status().state == .backoff && run.overview?.errors == [.acmeAccount: 1])
        var pause = Duration.zero
        while !run.names.contains("openAccount") {
            let start = run.now.uptime
            try run.reconcile()
            pause += run.now.uptime - start
        }
        #expect((.seconds(59)...(.seconds(61))).contains(pause), "\(pause)")
        // It is logged once.
        run.handle(.accountNotOpened(CoordinatorRun.authority, error))
        #expect(run.log.count { $0.contains("the key is damaged") } == 1)
    }

    @Test("a CA that does not know the account has it made once more for all orders, which then go on")
    func accountLost() throws {
        var run = CoordinatorRun()
        try run.advance(to: .ordering)
        let names = try run.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(names == ["openAccount with key anew"])
        #expect(
            run.handle(.accountOpened(CoordinatorRun.authority, try Samples.accountKey(), nil)) == ["send /account"])
        let after = try run.answer(201, #"{"status":"valid"}"#, ["Location": Samples.base + "/account/8"])
        #expect(after == ["storeAccount"])
        #expect(try run.save() == ["send /order"])
    }

    // MARK: Several domains, renewals, sites that go

    @Test("two domains are ordered side by side, and read by the server together")
    func twoSites() throws {
        var run = CoordinatorRun(["a.example.com", Self.site])
        try run.advance(to: .preflight)
        #expect(run.names == ["preflight tls-alpn-01", "preflight tls-alpn-01"])
        let orders = [run.order(1, of: "a.example.com"), run.order(2)]
        for order in orders { run.handle(.preflightPassed(order, remark: nil)) }
        for order in orders { run.handle(.keyPrepared(order, try Samples.orderKey.privateKey())) }
        // One save for both; there is one nonce.
        #expect(try run.save().sorted() == ["send /order"])
        run.handle(.preflightFailed(orders[0], IssuanceError(.preflight, "too late")))
        #expect(run.names.isEmpty)
    }

    @Test("a certificate is renewed when it is due, and its order names it")
    func renewal() throws {
        var run = CoordinatorRun()
        try run.advance(to: .valid)
        try run.answer(200, "{}")
        let due = try #require(run.status().nextRenewal)
        run.now.wall = due
        run.change()
        try run.reconcile()
        // The directory is a day old.
        #expect(run.names.contains { $0.hasPrefix("openAccount") || $0.hasPrefix("preflight") }, "\(run.names)")
        #expect(try run.status().state == (run.names.contains { $0.hasPrefix("preflight") } ? .renewing : .waiting))
    }

    @Test("a request renews at once, and ends with the attempt")
    func request() throws {
        var run = CoordinatorRun()
        try run.advance(to: .valid)
        run.requests = [CoordinatorRun.site]
        run.change()
        let names = try run.reconcile()
        #expect(names.contains("preflight tls-alpn-01"), "\(names)")
        #expect(run.handle(.preflightPassed(run.order(2), remark: nil)) == ["prepareKey shop.example.com"])
        run.handle(.keyNotStored(run.order(2), "the disk is full"))
        let index = try #require(run.names.firstIndex { $0.hasPrefix("save") })
        #expect(run.names[index + 1] == "removeRenewalRequest shop.example.com")
    }

    @Test("a request that cannot be removed is followed once, until it was gone")
    func keptRequest() throws {
        var run = CoordinatorRun()
        try run.advance(to: .valid)
        run.requests = [CoordinatorRun.site]
        run.change()
        try run.reconcile()
        run.handle(.preflightPassed(run.order(2), remark: nil))
        run.handle(.keyNotStored(run.order(2), "the disk is full"))
        for _ in 0..<3 {
            run.handle(.renewalRequestKept(CoordinatorRun.authority, CoordinatorRun.site))
            run.change()
            let names = try run.reconcile()
            #expect(names.contains("removeRenewalRequest shop.example.com"), "\(names)")
            #expect(!names.contains("preflight tls-alpn-01"), "\(names)")
        }
        #expect(run.log.count { $0.contains("cannot be removed from '/certs'") } == 1)
        for requests in [[], [CoordinatorRun.site]] as [Set<Domain>] {
            run.requests = requests
            run.change()
            try run.reconcile()
        }
        #expect(run.names.contains("preflight tls-alpn-01"), "\(run.names)")
    }

    @Test("a certificate that is served is renewed whatever the pre-flight finds, which explains the failure")
    func renewalElsewhere() throws {
        var run = CoordinatorRun()
        try run.advance(to: .valid)
        run.requests = [CoordinatorRun.site]
        run.change()
        try run.reconcile()
        let names = run.handle(.preflightFailed(run.order(2), IssuanceError(.preflight, "a CDN answers")))
        #expect(names == ["prepareKey shop.example.com"])
        run.handle(.keyNotStored(run.order(2), "the CA was refused"))
        try run.reconcile()
        let status = try run.status()
        #expect(status.lastError?.message == "the CA was refused; a CDN answers")
        #expect(status.hasCertificate && run.overview?.errors == [.storage: 1])
    }

    @Test(
        "the order of a site that is gone is given up, unless its certificate was issued",
        arguments: CoordinatorStage.allCases)
    func siteGone(stage: CoordinatorStage) throws {
        guard stage.rawValue >= CoordinatorStage.preflight.rawValue, stage != .valid, stage != .activated else {
            return
        }
        var run = CoordinatorRun()
        try run.advance(to: stage)
        run.sites = []
        run.change()
        let names = try run.reconcile()
        let isGivenUp = stage.rawValue < CoordinatorStage.installing.rawValue
        #expect(names == (isGivenUp ? ["withdraw", "close shop.example.com 1"] : []), "\(names)")
    }

    // MARK: The lock

    @Test("while another process has the lock nothing is ordered, and it is tried again")
    func otherOwner() throws {
        var run = CoordinatorRun()
        run.lock = .ownedByOther()
        try run.advance(to: .openingAccount)
        #expect(run.names.isEmpty && run.overview?.ownsLock == false)
        #expect(try run.status().state == .waiting)
        let start = run.now.uptime
        run.lock = .taken(.read(IssuanceState(), keys: [CoordinatorRun.site]))
        try run.waitForDeadline()
        #expect(run.names == ["lock and observe"] && run.now.uptime - start == .seconds(10))
        // The key of an order that nobody knows of is of no use.
        #expect(try run.observe() == ["removeOrderKey shop.example.com", "openAccount"])
        #expect(run.overview?.ownsLock == true)
        #expect(run.log.contains("acme: another process orders the certificates in '/certs'"))
        #expect(run.log.contains("acme: this process orders certificates from now on"))
    }

    @Test("a folder that cannot be locked is logged once, and keeps everything waiting")
    func lockFails() throws {
        var run = CoordinatorRun()
        run.lock = .failed("'/certs' cannot be written: no space")
        try run.advance(to: .openingAccount)
        for _ in 0..<5 { try run.reconcile() }
        let status = try run.status()
        #expect(status.state == .backoff && status.lastError?.type == .storage)
        #expect(run.log.count { $0.contains("no certificate is ordered") } == 1)
    }

    @Test(
        "whoever loses the lock gives up what is under way, and goes on from what is stored when it is back",
        arguments: CoordinatorStage.allCases)
    func lostLock(stage: CoordinatorStage) throws {
        guard stage.rawValue >= CoordinatorStage.fetchingDirectory.rawValue else { return }
        var run = CoordinatorRun()
        try run.advance(to: stage)
        let names = run.handle(.observed(lock: .ownedByOther(name: "edge-2"), requests: []))
        let hasOrder = stage.rawValue >= CoordinatorStage.preflight.rawValue
        let isWritten = stage.rawValue >= CoordinatorStage.waitingToBeActivated.rawValue
        let isOver = stage.rawValue >= CoordinatorStage.activated.rawValue
        #expect(isOver || names.contains("close shop.example.com 1") == (hasOrder && !isWritten), "\(names)")
        #expect(run.overview?.ownsLock == false)
        #expect(run.log.contains("acme: node 'edge-2' orders the certificates in '/certs'"))
        #expect(run.log.contains("acme: this process has lost the right to order certificates"))
        run.handle(.rightMayHaveChanged)
        run.lock = .taken(.read(IssuanceState(), keys: []))
        try run.waitForDeadline()
        try run.observe()
        #expect(run.overview?.ownsLock == true && run.log.last != nil)
        #expect(run.log.contains("acme: this process orders certificates from now on"))
    }

    @Test("what another node remembers is shown, and nothing is ordered for it")
    func otherState() throws {
        var run = CoordinatorRun()
        var state = IssuanceState()
        var random = SplitMix64(seed: 5)
        state.attemptFailed(
            CoordinatorRun.site, IssuanceError(.dns, "no address"), now: run.now.wall, random: &random)
        run.lock = .ownedByOther(name: "edge-2", state: .read(state, keys: []))
        try run.advance(to: .openingAccount)
        #expect(try run.status().lastError?.type == .dns && run.names.isEmpty)
        #expect(run.overview?.ownsLock == false)
    }

    @Test("until it is known who orders nothing is said, and nothing is ordered")
    func undecided() throws {
        var run = CoordinatorRun()
        run.lock = .undecided
        try run.advance(to: .openingAccount)
        #expect(run.names.isEmpty && !run.log.contains { $0.contains("order") })
        run.lock = .taken(.read(IssuanceState(), keys: []))
        run.handle(.rightMayHaveChanged)
        try run.waitForDeadline()
        #expect(try run.observe() == ["openAccount"])
    }

    @Test("a damaged state is logged, and nothing else comes of it")
    func damagedState() throws {
        var run = CoordinatorRun()
        run.stored = .damaged("state.json is not a JSON object")
        run.lock = .taken(.read(IssuanceState(), keys: []))
        try run.advance(to: .openingAccount)
        #expect(run.names == ["openAccount"])
        #expect(run.log.first?.hasPrefix("acme: state.json is not a JSON object; it is set aside") == true)
    }
}
