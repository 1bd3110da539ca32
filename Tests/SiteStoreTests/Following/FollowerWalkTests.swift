import Diagnostics
import FuzzingSupport
import SiteStore
import Testing

/// A store, and a driver of the state machine, in which anything can fail at any time.
private struct World {
    var random: SplitMix64
    var now: Int64 = 0
    var state: FollowerState
    var store = SampleStore.position(1)
    /// The tokens of the generations of the store.
    var tokens: [Int64: String] = [1: "token-1"]
    /// The position that the server has.
    var served: StorePosition?
    var read: FollowerRead?
    var isConnected = false
    var hasListened = false
    var isNotified = false
    var isCalm = false
    var readies = 0
    var reported: Set<String> = []
    var actionsSinceWait = 0

    init(seed: UInt64, hasCache: Bool) {
        random = SplitMix64(seed: seed)
        // A history that was rewritten to no higher generation is noticed at a poll: one is always within 20 seconds.
        let settings = FollowerSettings(address: "store", poll: 15_000, sharesTicketKeys: random.chance(50))
        state = FollowerState(settings, cached: hasCache ? SampleStore.position(1) : nil, now: 0)
    }

    /// Publishes, or restores a backup.
    mutating func change() {
        if random.chance(4) {
            let generation = Int64(random.number(1...6))
            tokens = tokens.filter { $0.key < generation }
            store = SampleStore.position(generation, store: random.chance(50) ? SampleStore.storeID : "other")
        } else {
            store = StorePosition(
                storeID: store.storeID, generation: store.generation + 1, token: "token-\(random.next() % 1_000)")
        }
        tokens[store.generation] = store.token
        isNotified = true
    }

    var currentRead: FollowerRead {
        let held = state.held
        let token = held.flatMap { $0.storeID == store.storeID ? tokens[$0.generation] : nil }
        return FollowerRead(position: store, tokenAtHeld: token, files: 3, rows: 3)
    }

    mutating func failure() -> StoreError {
        let kinds: [StoreError.Kind] = [
            .unreachable, .other, .permissionDenied, .schemaNewer, .notInitialised, .readOnly,
        ]
        return StoreError(random.pick(kinds), "failed", isConnectionLost: random.chance(60))
    }

    /// Carries an action out, and says what comes next.
    mutating func advance(_ action: FollowerAction) throws -> FollowerStep {
        let event = try execute(action)
        return state.handle(event, now: now, random: &random)
    }

    /// Carries an action out; what is not allowed is a violation.
    mutating func execute(_ action: FollowerAction) throws -> FollowerEvent {
        if !isCalm, random.chance(10) { change() }
        now += Int64(random.number(0...40))
        let fails = !isCalm && random.chance(20)
        if case .wait = action { actionsSinceWait = 0 } else { actionsSinceWait += 1 }
        try #require(actionsSinceWait < 40, "a busy loop")
        switch action {
        case .applyCache:
            served = SampleStore.position(1)
            return .applied(files: 3, withoutGoodVersion: 0)
        case .connect:
            try #require(!isConnected, "two connections")
            if fails { return .failed(StoreError(.unreachable, "refused")) }
            (isConnected, hasListened) = (true, false)
            return .connected
        case .close:
            try #require(isConnected)
            isConnected = false
            return .closed
        case .apply, .readOlderVersions:
            let read = try #require(read)
            if case .readOlderVersions = action {
                try #require(isConnected)
                if fails { return lost(failure()) }
            }
            served = read.position
            return .applied(files: 3, withoutGoodVersion: random.chance(20) ? 1 : 0)
        case .writeCache:
            return fails ? .cacheFailed(LocatedDiagnostic(.storeCacheUnwritable, "/cache", "disk full")) : .cacheWritten
        case .wait(let until): return try wait(until)
        case .stop: return .stopRequested
        case .listen:
            try #require(isConnected && !hasListened)
            if fails { return lost(failure()) }
            hasListened = true
            return .listening
        case .readPosition, .readChanges, .readEverything, .testListening, .heartbeat, .renewTicketKeys:
            try #require(isConnected, "no connection for \(action)")
        }
        if fails { return lost(failure()) }
        switch action {
        case .readPosition(let held), .readChanges(let held):
            try #require(held == state.held && held == served)
            try #require(hasListened || isListenRefused, "a read before LISTEN")
            guard case .readChanges = action else { return .positionRead(currentRead) }
            read = currentRead
            return .changesRead(currentRead)
        case .readEverything:
            try #require(hasListened || isListenRefused, "a read before LISTEN")
            read = currentRead
            return .everythingRead(currentRead)
        case .testListening: return .selfTestEnded(hasArrived: isCalm || random.chance(70), isNotified: false)
        case .heartbeat: return .heartbeatDone(isNameShared: false)
        default: return .ticketKeysRead(isFresh: true)
        }
    }

    /// Whether this connection was told that it cannot listen.
    var isListenRefused = false

    private mutating func lost(_ failure: StoreError) -> FollowerEvent {
        if !hasListened { isListenRefused = !failure.isConnectionLost }
        return .failed(failure)
    }

    private mutating func wait(_ until: Int64) throws -> FollowerEvent {
        try #require(until > now - 41, "a wait that is over")
        if !isConnected { try #require(until - now <= 15_000, "a long wait without a connection") }
        try #require(until - now <= 60_000)
        if isConnected, isNotified, hasListened {
            isNotified = false
            now += Int64(random.number(0...100))
            return .notified(generation: random.chance(5) ? nil : store.generation)
        }
        if !isCalm, random.chance(5) { return .fullReadRequested }
        if !isCalm, isConnected, random.chance(5) {
            return .failed(StoreError(.unreachable, "lost", isConnectionLost: true))
        }
        now = max(now, until)
        return .timeOut
    }

    mutating func check(_ notices: [FollowerNotice]) throws {
        for notice in notices {
            switch notice {
            case .report(let finding):
                let code = finding.diagnostic.code.rawValue
                try #require(reported.insert(code).inserted, "\(code) is reported twice")
            case .withdraw(let rule):
                try #require(reported.remove(rule.code.rawValue) != nil, "\(rule.code) was not reported")
            case .ready:
                readies += 1
                try #require(served != nil)
            case .log, .useOwnTicketKeys: break
            }
        }
        try #require(readies <= 1)
    }
}

@Suite("A node in a world where anything fails")
struct FollowerWalkTests {
    @Test(
        "no order of events breaks the rules, and in the end every node has what the store has",
        arguments: TestSeeds.of(1...200))
    func walk(seed: UInt64) throws {
        var world = World(seed: seed, hasCache: seed % 4 != 0)
        var step = world.state.start(now: 0)
        func advance() throws {
            try world.check(step.notices)
            if case .connect = step.action { world.isListenRefused = false }
            step = try world.advance(step.action)
        }
        for _ in 0..<600 {
            if case .stop(let end) = step.action {
                // Without a cache a store that fails ends the node; with one nothing does.
                try #require(seed % 4 == 0 && world.state.held == nil && end != .requested)
                return
            }
            try advance()
        }
        // From now on everything works, and nothing is published any more.
        world.isCalm = true
        let start = world.now
        while world.now < start + 20_000 { try advance() }
        #expect(world.state.held == world.store && world.served == world.store)
        #expect(world.state.isUp && world.readies == 1)
        // Heartbeats that were refused, and polls where LISTEN was, come later.
        while world.now < start + 200_000 { try advance() }
        #expect(world.state.held == world.store && world.state.isUp)
        #expect(world.reported.subtracting(["store-history-rewritten", "store-listen-broken"]).isEmpty)
    }
}
