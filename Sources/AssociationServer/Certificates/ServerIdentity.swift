internal import EventLoops
internal import OpenSSL
internal import Synchronization
internal import SystemSupport

/// What the server presents to a client: one or two certificates (of different key types) for the same name.
final class ServerIdentity: Sendable {
    /// What does not depend on the certificates.
    struct Policy: Sendable {
        let minimumVersion: TLSContext.Version
        let tls: ServerTLS
        /// What a session speaks before the client hello is read.
        let base: TLSContext

        /// - Parameter previous: the table in use now, whose context is used on if it has the same minimum version.
        /// - Throws: `OpenSSLError.Code.setUp`.
        init(
            _ minimumVersion: ServerConfiguration.TLSVersion, _ tls: ServerTLS, previous: IdentityTable? = nil
        ) throws(OpenSSLError) {
            self.minimumVersion = minimumVersion == .tls13 ? .tls13 : .tls12
            self.tls = tls
            if let base = previous?.base(self.minimumVersion) {
                self.base = base
            } else {
                base = try TLSContext(
                    certificates: [], minimumVersion: self.minimumVersion, ticketKeys: tls.ticketKeys)
            }
        }
    }

    let certificates: [ServerCertificate]
    private let policy: Policy
    /// Made when a client first asks for it: most of many are hardly ever asked for, and it takes ten times the memory of
    /// the rest.
    private let made = AtomicLazyReference<TLSContext>()
    /// Whether somebody has asked for it lately.
    private let isInUse = Atomic(false)
    /// The names that each certificate covers.
    private let coverages: [HostTable]
    /// The names that all of them cover.
    private let common: HostTable

    init(_ certificates: [ServerCertificate], _ policy: Policy) {
        self.certificates = certificates
        self.policy = policy
        let coverages = certificates.map { HostTable($0.names.map { ($0, 0) }) }
        self.coverages = coverages
        if let only = coverages.first, coverages.count == 1 {
            common = only
        } else {
            let names = Set(certificates.flatMap(\.names)).sorted()
            common = HostTable(names.filter { name in coverages.allSatisfy { $0.find(name) != nil } }.map { ($0, 0) })
        }
    }

    /// The same identity, with nothing made yet.
    private init(anew other: ServerIdentity) {
        certificates = other.certificates
        policy = other.policy
        coverages = other.coverages
        common = other.common
    }

    /// For a handshake; `nil` if the library lacks memory: everything else was tried when the certificates were read.
    ///
    /// Two loops that need it at once may both make it; then one of them is dropped.
    var context: TLSContext? {
        isInUse.store(true, ordering: .relaxed)
        if let context = made.load() { return context }
        do throws(OpenSSLError) {
            let context = try TLSContext(
                certificates: certificates, minimumVersion: policy.minimumVersion, ticketKeys: policy.tls.ticketKeys)
            policy.tls.budget.contextWasMade()
            return made.storeIfNil(context)
        } catch {
            return nil
        }
    }

    /// The same identity without a context, if nobody has asked for that since the last call; otherwise itself.
    func withoutIdleContext() -> ServerIdentity {
        isInUse.exchange(false, ordering: .relaxed) || made.load() == nil ? self : ServerIdentity(anew: self)
    }

    /// Identifies an identity that is in use: its certificates, in their order.
    static func key(_ certificates: [ServerCertificate]) -> [ObjectIdentifier] {
        certificates.map { ObjectIdentifier($0) }
    }

    /// What a connection's certificate covers; a resumed session does not say which it was.
    func coverage(of certificate: Int?) -> HostTable.View {
        guard let certificate, coverages.indices.contains(certificate) else { return common.view }
        return coverages[certificate].view
    }
}

/// What all TLS contexts of a server share, as long as it runs.
final class ServerTLS: Sendable {
    let ticketKeys: TicketKeys
    let budget: ContextBudget

    /// - Parameter mostContexts: may be made between two looks at those that nobody asks for any more.
    /// - Throws: `ServerError.Code.setUp`.
    init(mostContexts: Int) throws(ServerError) {
        budget = ContextBudget(most: mostContexts)
        do throws(OpenSSLError) {
            ticketKeys = try TicketKeys { Clock.monotonicMilliseconds() / 1_000 }
        } catch {
            throw ServerError(.setUp, error.description)
        }
    }
}

/// Counts the TLS contexts that are made, so that a client that tries all names does not take up memory for good.
final class ContextBudget: Sendable {
    /// So many may be made between two looks at those that nobody asks for any more.
    private let most: Int
    private let made = Atomic(0)
    private let whenMany = Locked<(@Sendable () -> Void)?>(nil)

    init(most: Int) { self.most = most }

    /// - Parameter work: is done when many were made since the last look, on whatever thread that happens.
    func watch(_ work: @escaping @Sendable () -> Void) { whenMany.withLock { $0 = work } }

    func contextWasMade() {
        guard made.wrappingAdd(1, ordering: .relaxed).newValue == most else { return }
        whenMany.withLock { $0 }?()
    }

    /// Counts from zero: somebody is about to look.
    func reset() { made.store(0, ordering: .relaxed) }
}
