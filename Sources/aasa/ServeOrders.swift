import ACME
import AutomaticCertificates
import Dispatch
import Logging
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The other nodes of a store, with which `aasa serve` shares the orders of certificates (store.md, section 7).
final class StoreCluster: IssuanceCluster {
    private struct State: Sendable {
        /// Nil while nothing is ordered here.
        var orderer: StoreOrderer?
        var handler: (@Sendable () -> Void)?
        /// The generation of the store that has what was installed last.
        var installed: Int64 = 0
    }

    /// The longest wait until this node presents what it has installed, in seconds.
    private static let longestWait = 60

    let node: StoreNode
    private let logger: Logger
    private let state = Locked(State())

    init(_ node: StoreNode, logger: Logger) { (self.node, self.logger) = (node, logger) }

    func storage(_ id: AuthorityID) -> any IssuanceStorage { StoreStorage(id, self) }

    /// The part that has, or seeks, the right to order; it begins to seek it if nobody has asked for it before.
    func orderer() -> StoreOrderer? {
        state.withLock { state in
            if let orderer = state.orderer { return orderer }
            do throws(SystemError) {
                state.orderer = try StoreOrderer(node.address, node: node.name) { [weak self] in self?.noteChange() }
            } catch {
                logger.error("acme: storage: no connection for orders can be made: \(error.reason)")
            }
            return state.orderer
        }
    }

    /// The right to order, or what is known of orders, may be another one.
    func noteChange() { state.withLock { $0.handler }?() }

    func noteInstalled(_ generation: Int64) { state.withLock { $0.installed = max($0.installed, generation) } }

    func publish(_ challenge: SharedChallenge, whenServed: @escaping @Sendable () -> Void) {
        guard let stored = StoredChallenge(challenge), let orderer = orderer() else { return whenServed() }
        orderer.publish(stored, whenServed: whenServed)
    }

    func withdraw(_ challenge: SharedChallenge) {
        guard let stored = StoredChallenge(challenge), let orderer = state.withLock({ $0.orderer }) else { return }
        orderer.start { (connection) throws(StoreError) in
            try StoreOrders.withdraw(stored, over: connection)
        } completion: { _ in
            // What stays expires.
        }
    }

    func whenInstalledCertificatesArePresented(_ whenPresented: @escaping @Sendable () -> Void) {
        let isOver = Locked(false)
        let once: @Sendable () -> Void = {
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { whenPresented() }
        }
        node.whenServed(state.withLock { $0.installed }, once)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.longestWait), execute: once)
    }

    func whenRightMayHaveChanged(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    func resign() {
        let orderer = state.withLock { state in
            defer { state.orderer = nil }
            return state.orderer
        }
        orderer?.stop()
    }
}

extension StoredChallenge {
    /// Nil for one that no server can answer.
    fileprivate init?(_ challenge: SharedChallenge) {
        guard let kind = Kind(rawValue: challenge.type.rawValue) else { return nil }
        self.init(
            domain: challenge.name, kind: kind, token: challenge.token,
            keyAuthorization: challenge.keyAuthorization)
    }
}
