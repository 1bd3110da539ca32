internal import Diagnostics
internal import EventLoops
internal import OpenSSL
internal import Synchronization
internal import SystemSupport

/// The identity for each server name.
final class IdentityTable: Sendable {
    private let names: HostTable
    private let identities: [ServerIdentity]
    /// The indices of the pairs that each identity is made of.
    private let pairIndices: [[Int]]
    /// For clients that send no server name or an unknown one.
    let fallback: ServerIdentity?
    /// The context of a session before its client hello is read.
    let base: TLSContext
    /// When another certificate may be the right one for some name, in seconds since 1970; `nil` for never.
    let reconsiderAt: Int64?
    private let minimumVersion: TLSContext.Version

    /// - Parameters:
    ///   - pairs: certificates with the folders that they come from, one at least that names a host.
    ///   - defaultSite: whose identity is the fallback.
    ///   - now: seconds since 1970.
    ///   - previous: the table in use now; its identities are used on where their certificates are the same.
    /// - Returns: `nil` for a table without any identity; what is not used, and why, is in the findings.
    static func make(
        _ pairs: [CertificatePair], defaultSite: String?, policy: ServerIdentity.Policy, now: Int64,
        previous: IdentityTable? = nil
    ) -> (table: IdentityTable?, findings: [LocatedDiagnostic]) {
        let choice = CertificateChoice.choose(pairs.map(CertificateChoice.Candidate.init), now: now)
        guard !choice.byName.isEmpty else { return (nil, choice.findings) }
        let usable = previous.flatMap { $0.minimumVersion == policy.minimumVersion ? $0 : nil }
        let known = Dictionary(
            (usable?.identities ?? []).map { (ServerIdentity.key($0.certificates), $0) }
        ) { first, _ in first }
        var indices: [[Int]: Int] = [:]
        var identities: [ServerIdentity] = []
        var pairIndices: [[Int]] = []
        var names: [(name: String, value: Int)] = []
        for (name, chosen) in choice.byName.sorted(by: { $0.key < $1.key }) {
            if let index = indices[chosen] {
                names.append((name, index))
                continue
            }
            names.append((name, identities.count))
            indices[chosen] = identities.count
            let certificates = chosen.map { pairs[$0].certificate }
            identities.append(known[ServerIdentity.key(certificates)] ?? ServerIdentity(certificates, policy))
            pairIndices.append(chosen)
        }
        let table = HostTable(names)
        let fallback = defaultSite.flatMap { table.find($0) }.map { identities[$0] }
        return (
            IdentityTable(
                names: table, identities: identities, pairIndices: pairIndices, fallback: fallback, base: policy.base,
                reconsiderAt: choice.reconsiderAt, minimumVersion: policy.minimumVersion),
            choice.findings
        )
    }

    /// A table without identities, for a server that no client speaks TLS with, or that waits for its first certificate.
    static func none(_ policy: ServerIdentity.Policy) -> IdentityTable {
        IdentityTable(
            names: HostTable([]), identities: [], pairIndices: [], fallback: nil, base: policy.base, reconsiderAt: nil,
            minimumVersion: policy.minimumVersion)
    }

    private init(
        names: HostTable, identities: [ServerIdentity], pairIndices: [[Int]], fallback: ServerIdentity?,
        base: TLSContext, reconsiderAt: Int64?, minimumVersion: TLSContext.Version
    ) {
        self.names = names
        self.identities = identities
        self.pairIndices = pairIndices
        self.fallback = fallback
        self.base = base
        self.reconsiderAt = reconsiderAt
        self.minimumVersion = minimumVersion
    }

    /// `base`, if it has this minimum version.
    func base(_ minimumVersion: TLSContext.Version) -> TLSContext? {
        minimumVersion == self.minimumVersion ? base : nil
    }

    /// The same table without the contexts that nobody has asked for since the last call.
    func withoutIdleContexts() -> IdentityTable {
        let index = fallback.flatMap { fallback in identities.firstIndex { $0 === fallback } }
        let trimmed = identities.map { $0.withoutIdleContext() }
        return IdentityTable(
            names: names, identities: trimmed, pairIndices: pairIndices, fallback: index.map { trimmed[$0] },
            base: base, reconsiderAt: reconsiderAt, minimumVersion: minimumVersion)
    }

    var isEmpty: Bool { identities.isEmpty }

    /// - Returns: `nil` if no certificate of ours could be right.
    func identity(for name: HostKey?) -> ServerIdentity? {
        guard let name, let index = names.view.find(name) else { return fallback }
        return identities[index]
    }

    /// - Parameter domain: a wildcard site is covered by the same wildcard only.
    func covers(_ domain: String) -> Bool { names.find(domain) != nil }

    /// The indices of the pairs that a client which asks for a domain is served, the preferred one first.
    func pairs(for domain: String) -> [Int] { names.find(domain).map { pairIndices[$0] } ?? [] }

    /// The indices of all pairs that some client is served.
    var servedPairs: Set<Int> { Set(pairIndices.joined()) }
}

/// The certificates that the server presents to a client: one or two (of different key types) for the same name.
final class ServerIdentity: Sendable {
    /// The part that does not depend on the certificates.
    struct Policy: Sendable {
        let minimumVersion: TLSContext.Version
        let tls: ServerTLS
        /// The context of a session before its client hello is read.
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

    /// The names that a connection's certificate covers; a resumed session does not say which certificate it was.
    func coverage(of certificate: Int?) -> HostTable.View {
        guard let certificate, coverages.indices.contains(certificate) else { return common.view }
        return coverages[certificate].view
    }
}

/// The state that all TLS contexts of a server share, as long as it runs.
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
    /// The most contexts that are made before the unused ones are dropped.
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
