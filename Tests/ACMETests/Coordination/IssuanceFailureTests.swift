import ACME
import FuzzingSupport
import PushSamples
import TestSupport
import Testing

/// Failures of orders, as the coordinator alone handles them: of the CA, of an order, of the disk (acme.md, section 10).
struct IssuanceFailureTests {
    private static let site = "shop.example.com"

    @Test("a CA that fails keeps all domains waiting, longer each time, until it answers")
    func authorityFails() throws {
        var run = CoordinatorRun(["a.example.com", Self.site])
        try run.advance(to: .fetchingDirectory)
        for pause in [5, 10, 20] {
            try run.answer(503, "", ["Retry-After": "1"])
            try run.reconcile()
            for name in ["a.example.com", Self.site] {
                let status = try run.status(name)
                #expect(status.state == .backoff && status.concernsAuthority && status.failures == 0)
                #expect(status.nextAttempt == run.now.wall + Int64(pause))
            }
            while !run.names.contains("openAccount with key") { try run.reconcile() }
            run.handle(.accountOpened(CoordinatorRun.authority, try Samples.accountKey(), nil))
            #expect(run.names == ["send /directory"])
        }
        #expect(run.overview?.errors == [.unavailable: 3] && run.overview?.counts.failed == 0)
    }

    @Test("a CA that answers the first request of each order, and fails at the next, is left alone longer each time")
    func failsInTheMiddle() throws {
        var run = CoordinatorRun()
        var failures: [Int64] = []
        run.change()
        var actions = run.last[...]
        for _ in 0..<500 where failures.count < 6 {
            guard let action = actions.popFirst() else {
                try run.waitForDeadline()
                actions = run.last[...]
                continue
            }
            switch action {
            case .observe(_, let takesLock): run.handle(.observed(lock: takesLock ? run.lock : nil, requests: []))
            case .save(let id, _, let number): run.handle(.saved(id, number: number, problem: nil))
            case .openAccount: run.handle(.accountOpened(CoordinatorRun.authority, try Samples.accountKey(), nil))
            case .preflight(let id, _, _): run.handle(.preflightPassed(id, remark: nil))
            case .prepareKey(let id, _, _): run.handle(.keyPrepared(id, try Samples.orderKey.privateKey()))
            case .send(let request, let requester, _):
                let path = request.url.description.dropFirst(Samples.base.utf8.count)
                if path.hasPrefix("/authorization") { failures.append(run.now.wall) }
                let response: ACMEResponse =
                    switch path {
                    case "/directory": .json(200, Samples.directoryText())
                    case "/order", "/order/1":
                        .json(
                            path == "/order" ? 201 : 200, Samples.order("pending"),
                            ["Location": Samples.base + "/order/1"])
                    case "/authorization/1": .json(500, "")
                    default: .json(201, #"{"status":"valid"}"#, ["Location": Samples.base + "/account/7"])
                    }
                run.handle(.answered(.success(response), to: request.id, requester))
            default: continue
            }
            actions += run.last
        }
        let pauses = zip(failures, failures.dropFirst()).map { $1 - $0 }
        #expect(pauses.count == 5 && zip(pauses, pauses.dropFirst()).allSatisfy { $1 >= 2 * $0 - 2 }, "\(pauses)")
    }

    @Test("each start says that it connects to the CA, also after an earlier run has failed; its retries do not")
    func connecting() throws {
        let beginning = "acme: connecting to 'ca.example.net' to order a certificate for \(Self.site)"
        for failures in [0, 2] {
            var run = CoordinatorRun()
            var (state, random) = (IssuanceState(), SplitMix64(seed: 3))
            for _ in 0..<failures {
                state.authorityFailed(
                    IssuanceError(.unavailable, "no route", scope: .authority), now: run.now.wall - 3_600,
                    random: &random)
            }
            run.stored = .read(state, keys: [])
            run.lock = .taken(run.stored)
            try run.advance(to: .fetchingDirectory)
            #expect(run.log.filter { $0.hasPrefix("acme: connecting") } == [beginning], "\(failures): \(run.log)")
            try run.answer(503, "", ["Retry-After": "1"])
            for _ in 0..<5 where !run.names.contains("openAccount with key") { try run.reconcile() }
            #expect(run.names.contains("openAccount with key"), "\(failures): \(run.names)")
            #expect(run.log.count { $0.hasPrefix("acme: connecting") } == 1, "\(failures): \(run.log)")
        }
    }

    @Test("an order that is refused keeps only its domain waiting")
    func orderFails() throws {
        var run = CoordinatorRun()
        try run.advance(to: .ordering)
        #expect(
            try run.answer(403, Samples.problem("rejectedIdentifier", "no")) == [
                "withdraw", "removeOrderKey shop.example.com", "close shop.example.com 1",
            ])
        try run.reconcile()
        let status = try run.status()
        #expect(status.state == .backoff && !status.concernsAuthority && status.failures == 1)
        #expect(run.overview?.counts.failed == 1 && run.overview?.errors == [.rejectedIdentifier: 1])
    }

    @Test("a domain without a site is forgotten, but not before its back-off is over")
    func removedSites() throws {
        var run = CoordinatorRun(["shop.example.com", "www.example.com"])
        try run.advance(to: .ordering)
        try run.answer(403, Samples.problem("rejectedIdentifier", "no"))
        run.sites = [Samples.domain("www.example.com")]
        run.change()
        try run.reconcile()
        #expect(try run.savedState().contains("shop.example.com"))
        run.now.wall += 60 * 86_400
        run.change()
        try run.reconcile()
        #expect(try !run.savedState().contains("shop.example.com"))
    }

    @Test("an order that could not be saved is not made; one that exists goes on")
    func savingFails() throws {
        var run = CoordinatorRun()
        try run.advance(to: .savingOrder)
        #expect(
            try run.save(problem: "the disk is full") == [
                "withdraw", "removeOrderKey shop.example.com", "close shop.example.com 1",
            ])
        #expect(run.log.last == "acme: storage: the disk is full")

        run = CoordinatorRun()
        try run.advance(to: .savingURL)
        #expect(try run.save(problem: "the disk is full") == ["send /authorization/1"])
        // The same problem is logged once, and what was not saved is saved again.
        #expect(try run.save(problem: "the disk is full").isEmpty)
        #expect(run.log.count { $0 == "acme: storage: the disk is full" } == 1)
    }

    @Test("a save that began before an order was recorded does not let it go on")
    func earlierSave() throws {
        var run = CoordinatorRun()
        try run.advance(to: .savingOrder)
        #expect(run.handle(.saved(CoordinatorRun.authority, number: 0, problem: nil)).isEmpty)
        #expect(try run.save() == ["send /order"])
    }

    @Test("a certificate that cannot be written is kept and written again, without another order")
    func installationFails() throws {
        var run = CoordinatorRun()
        try run.advance(to: .installing)
        for pause in [5, 10, 20] {
            let start = run.now.uptime
            #expect(run.handle(.notInstalled(run.order(), "read-only")).isEmpty)
            while !run.names.contains("install shop.example.com") {
                try run.waitForDeadline()
                if run.names.contains(where: { $0.hasSuffix("observe") }), run.names.count == 1 { try run.observe() }
            }
            #expect(run.now.uptime - start == .seconds(pause))
        }
        try run.reconcile()
        #expect(try run.status().state == .ordering && run.status().lastError?.message == "read-only")
        run.handle(.installed(run.order(), folder: Self.site))
        #expect(run.names == ["removeOrderKey shop.example.com"])
    }

    @Test("a certificate that the server cannot read counts as a failure of its domain")
    func unreadable() throws {
        var run = CoordinatorRun()
        try run.advance(to: .activating)
        run.handle(.activated([run.order()], run.input()))
        try run.reconcile()
        let status = try run.status()
        #expect(status.state == .backoff && status.lastError?.type == .badCertificate)
    }

    @Test("an order whose key is lost is forgotten, and the next one begins anew")
    func keyLost() throws {
        var run = CoordinatorRun()
        try run.advance(to: .preparingKey)
        #expect(
            run.handle(.keyLost(run.order(), isDamaged: true)) == [
                "removeOrderKey shop.example.com", "close shop.example.com 1",
            ])
        #expect(try run.reconcile() == ["preflight tls-alpn-01"])
    }

    @Test("a challenge that this server cannot answer gives way to the next one")
    func challengeNotPublished() throws {
        var run = CoordinatorRun()
        try run.advance(to: .publishing)
        run.handle(.challengeNotPublished(run.order(), .tlsALPN01))
        #expect(run.names == ["withdraw", "removeOrderKey shop.example.com", "close shop.example.com 1"])
        run.now.wall += 100
        #expect(try run.reconcile() == ["preflight http-01"])
    }
}
