internal import Diagnostics
internal import OpenSSL

/// The identity for each server name.
final class IdentityTable: Sendable {
    private let names: HostTable
    private let identities: [ServerIdentity]
    /// The indices of the pairs that each identity is made of.
    private let pairIndices: [[Int]]
    /// For clients that send no server name or an unknown one.
    let fallback: ServerIdentity?
    /// What a session speaks before the client hello is read.
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
