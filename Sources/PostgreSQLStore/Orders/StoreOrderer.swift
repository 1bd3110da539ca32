internal import Dispatch
internal import EventLoops
package import SiteStore
package import SystemSupport

/// The connection of a node that orders certificates, or would like to (store.md, section 7).
///
/// It has the advisory lock, and everything that the orders write goes over it: who has lost the lock cannot write any more.
/// It belongs to a thread of its own.
package final class StoreOrderer: Sendable {
    /// A piece of work for the thread: with the connection, or with the reason why there is none.
    typealias Job = @Sendable (_ connection: StoreConnection) -> StoreError?

    struct Work: Sendable {
        /// Whether it is carried out only while this node orders.
        let needsRight: Bool
        let run: Job
        let refuse: @Sendable (StoreError) -> Void
    }

    private struct State: Sendable {
        var right = OrdererState.Right.sought
        /// The number of times that the right was taken.
        var term = 0
        var work: [Work] = []
        var isStopping = false
        var hasEnded = false
    }

    let address: StoreAddress
    let node: String
    /// Is called on the thread when the right, or what somebody has asked for, may be another one; it must not wait.
    let whenChanged: @Sendable () -> Void
    private let state = Locked(State())
    /// Signalled when there is something to do.
    let wakeUp: WakeUp

    /// Starts to seek the right to order.
    ///
    /// - Parameters:
    ///   - node: the name of this node in the store.
    ///   - whenChanged: is called on any thread when the right, or what somebody has asked for, may be another one; it must not
    ///     wait.
    package init(
        _ address: StoreAddress, node: String, whenChanged: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        (self.address, self.node, self.whenChanged) = (address, node, whenChanged)
        wakeUp = try WakeUp()
        try DetachedThread.start { [self] in
            let driver = OrdererDriver(self)
            driver.run()
            for work in end() { work.refuse(Self.stopped) }
        }
    }

    private static let stopped = StoreError(.other, "this node orders no certificates any more")
    static let notOwned = StoreError(
        .other, "this node does not order any more: another one does, or the store cannot be reached")
    /// The longest that a caller waits for work that is under way: as long as an answer may take, and a new connection.
    private static let patience = 30

    /// Whether this node orders.
    package var right: OrdererState.Right { state.withLock { $0.right } }

    /// Whether this node orders, and how often it has got the right: between two terms others may have had it.
    package var rightAndTerm: (OrdererState.Right, term: Int) { state.withLock { ($0.right, $0.term) } }

    /// Has the thread carry something out over the connection that has the lock, and waits for it.
    ///
    /// - Throws: what the body throws, and an error of its own if this node does not order.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let outcome = Locked<Swift.Result<Result, StoreError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        start(body) { result in
            outcome.withLock { $0 = result }
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(Self.patience)) == .success else {
            throw StoreError(.timeout, "the store has not answered for \(Self.patience) seconds")
        }
        guard let result = outcome.withLock({ $0 }) else { throw Self.stopped }
        return try result.get()
    }

    /// Has the thread carry something out over the connection that has the lock.
    ///
    /// - Parameters:
    ///   - needsRight: false for what also a node may do that does not order: reading.
    ///   - completion: is called once, on any thread.
    package func start<Result: Sendable>(
        needsRight: Bool = true,
        _ body: @escaping @Sendable (StoreConnection) throws(StoreError) -> Result,
        completion: @escaping @Sendable (Swift.Result<Result, StoreError>) -> Void
    ) {
        let work = Work(
            needsRight: needsRight,
            run: { connection in
                do throws(StoreError) {
                    completion(.success(try body(connection)))
                    return nil
                } catch {
                    completion(.failure(error))
                    return error
                }
            }, refuse: { completion(.failure($0)) })
        let refusal = state.withLock { state -> StoreError? in
            if state.isStopping { return Self.stopped }
            // Nobody waits for a connection to be made, which can take long.
            guard state.right == .owned || !needsRight else { return Self.notOwned }
            state.work.append(work)
            return nil
        }
        if let refusal { return work.refuse(refusal) }
        wakeUp.signal()
    }

    /// Publishes a challenge.
    ///
    /// - Parameter whenServed: is called once, on any thread, when all nodes that are not silent answer it, and after 10 s in
    ///   any case; also if it could not be published, so that the CA says what is wrong.
    package func publish(_ challenge: StoredChallenge, whenServed: @escaping @Sendable () -> Void) {
        start { (connection) throws(StoreError) in
            try StoreOrders.publish(challenge, over: connection)
        } completion: { [self] result in
            guard case .success(let generation) = result else { return whenServed() }
            // On the thread, which carried it out.
            waits.withLock { $0.append((generation, whenServed)) }
        }
    }

    /// Waits for nodes that the thread has not begun yet.
    let waits = Locked<[(generation: Int64, whenServed: @Sendable () -> Void)]>([])

    /// Gives the right back soon, so that another node orders. What was asked for before is carried out.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
    }

    // MARK: From the thread

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Shows the right; whether it is another one than before.
    func show(_ right: OrdererState.Right) -> Bool {
        state.withLock { state in
            defer { state.right = right }
            if right == .owned, state.right != .owned { state.term += 1 }
            return state.right != right
        }
    }

    func takeWork() -> [Work] {
        wakeUp.take()
        return state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
    }

    private func end() -> [Work] {
        state.withLock { state in
            state.isStopping = true
            state.hasEnded = true
            state.right = .sought
            defer { state.work = [] }
            return state.work
        }
    }
}
