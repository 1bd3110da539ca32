internal import EventLoops
internal import SiteStore
internal import SystemSupport

/// The thread of a `StoreOrderer`: carries out what `OrdererState` asks for, and the work of the orders while it has the
/// lock.
final class OrdererDriver {
    private let orderer: StoreOrderer
    private var state: OrdererState
    private var connection: StoreConnection?
    private var random = SystemRandomNumberGenerator()
    private var waits = NodeWaits<@Sendable () -> Void>()
    private var testChannel = ""

    /// Short, as others wait for what is done here, and the lock of a server that does not answer is worth nothing.
    private static let timeouts = StoreTimeouts(deadline: 6)
    private static let testMilliseconds: Int64 = 5_000
    /// The pause between two looks how far the nodes are.
    private static let nodePause: Int64 = 50

    init(_ orderer: StoreOrderer) {
        self.orderer = orderer
        state = OrdererState(now: Clock.monotonicMilliseconds())
    }

    private static var now: Int64 { Clock.monotonicMilliseconds() }

    /// Runs until it is stopped; the connection ends with it, and the lock with the connection.
    func run() {
        while true {
            carryOut(orderer.takeWork())
            takeWaits()
            // What was handed over before is done; nothing more comes.
            if orderer.isStopping {
                carryOut(orderer.takeWork())
                break
            }
            let event = perform(state.action(now: Self.now))
            state.handle(event, now: Self.now, random: &random)
            show()
        }
        connection = nil
        for whenServed in waits.takeAll() { whenServed() }
    }

    private func show() {
        if orderer.show(state.right) { orderer.whenChanged() }
    }

    private func perform(_ action: OrdererState.Action) -> OrdererState.Event {
        do throws(StoreError) {
            switch action {
            case .connect:
                connection = try StoreConnection(orderer.address, Self.timeouts)
                return .connected
            case .close:
                connection = nil
                return .closed
            case .test: return .tested(hasArrived: try test())
            case .tryLock:
                let (isTaken, owner) = try StoreOrders.tryLock(orderer.node, over: connection.required())
                return .lockTried(isTaken: isTaken, owner: owner)
            case .check:
                _ = try connection.required().query("SELECT 1")
                return .checked
            case .wait(let end): return try wait(until: end)
            }
        } catch {
            return .failed(error.message, isConnectionLost: error.isConnectionLost)
        }
    }

    private func test() throws(StoreError) -> Bool {
        let channel = "aasa_test_\(NodeDriver.randomHex(8))"
        let connection = try connection.required()
        try connection.run("LISTEN \(StoreOrders.channel); LISTEN \(channel)")
        return try connection.hearsOthers(on: channel, orderer.address, milliseconds: Self.testMilliseconds) { _ in
        } isStopping: {
            orderer.isStopping
        }
    }

    private func wait(until end: Int64) throws(StoreError) -> OrdererState.Event {
        let until = waits.isEmpty ? end : min(end, Self.now + Self.nodePause)
        let milliseconds = Int(clamping: min(max(until - Self.now, 1), 3_600_000))
        if let connection {
            var isNotified = false
            var notification = try connection.waitForNotification(
                milliseconds: milliseconds, wakeUp: orderer.wakeUp.descriptor)
            while let one = notification {
                isNotified = isNotified || one.channel == StoreOrders.channel
                notification = try connection.waitForNotification(milliseconds: 0)
            }
            if isNotified { orderer.whenChanged() }
        } else {
            orderer.wakeUp.wait(milliseconds: milliseconds)
        }
        try lookAtNodes()
        return .waited
    }

    // MARK: Work

    private func carryOut(_ work: [StoreOrderer.Work]) {
        for one in work {
            guard state.right == .owned || !one.needsRight, let connection else {
                one.refuse(StoreOrderer.notOwned)
                continue
            }
            if let error = one.run(connection), error.isConnectionLost { lose(error) }
        }
    }

    private func lose(_ error: StoreError) {
        state.handle(.failed(error.message, isConnectionLost: true), now: Self.now, random: &random)
        show()
    }

    private func takeWaits() {
        let new = orderer.waits.withLock { waits in
            defer { waits = [] }
            return waits
        }
        for (generation, whenServed) in new { waits.add(whenServed, generation: generation, now: Self.now) }
    }

    /// Ends the waits for nodes that are over.
    private func lookAtNodes() throws(StoreError) {
        guard !waits.isEmpty else { return }
        let isKnown = state.right == .owned
        let lowest =
            isKnown ? try StoreOrders.lowestGeneration(over: connection.required()) : nil
        for whenServed in waits.takeEnded(lowest: lowest, isKnown: isKnown, now: Self.now) { whenServed() }
    }
}
