internal import OpenSSL

/// The identity for each server name.
final class IdentityTable: Sendable {
    private let names: HostTable
    private let identities: [ServerIdentity]
    /// For clients that send no server name or an unknown one.
    let fallback: ServerIdentity?
    /// What a session begins with, before the client hello is read.
    let base: ServerIdentity

    /// - Parameters:
    ///   - pairs: certificates with the folders that they come from.
    ///   - defaultSite: whose identity is the fallback.
    ///   - previous: the table in use now; its identities are used on where their certificates are the same.
    /// - Returns: `nil` for a table without any identity; what is refused, and why, is in the findings.
    static func make(
        _ pairs: [LoadedPair], defaultSite: String?, minimumVersion: TLSContext.Version, ticketKeys: TicketKeys,
        previous: IdentityTable? = nil
    ) -> (table: IdentityTable?, findings: [Finding]) {
        let candidates = pairs.map {
            CertificateChoice.Candidate(
                path: $0.path, names: $0.certificate.names, keyType: $0.certificate.keyType,
                notBefore: $0.certificate.notBefore)
        }
        let choice = CertificateChoice.choose(candidates)
        var findings = choice.findings
        let known = Dictionary((previous?.identities ?? []).map { ($0.key, $0) }) { first, _ in first }
        var places: [[Int]: Int?] = [:]
        var identities: [ServerIdentity] = []
        var names: [(name: String, value: Int)] = []
        for (name, chosen) in choice.byName.sorted(by: { $0.key < $1.key }) {
            if places[chosen] == nil {
                do throws(OpenSSLError) {
                    let certificates = chosen.map { pairs[$0].certificate }
                    if let same = known[ServerIdentity.key(certificates)] {
                        identities.append(same)
                    } else {
                        identities.append(
                            try ServerIdentity(
                                certificates: certificates, minimumVersion: minimumVersion, ticketKeys: ticketKeys))
                    }
                    places[chosen] = .some(identities.count - 1)
                } catch {
                    places[chosen] = .some(nil)
                    for place in chosen { findings.append(.error(pairs[place].path, error.description)) }
                }
            }
            if case .some(.some(let place)) = places[chosen] { names.append((name, place)) }
        }
        let table = HostTable(names)
        let fallback = defaultSite.flatMap { table.find($0) }.map { identities[$0] }
        guard let base = fallback ?? identities.first else { return (nil, findings) }
        return (IdentityTable(names: table, identities: identities, fallback: fallback, base: base), findings)
    }

    private init(names: HostTable, identities: [ServerIdentity], fallback: ServerIdentity?, base: ServerIdentity) {
        self.names = names
        self.identities = identities
        self.fallback = fallback
        self.base = base
    }

    /// - Returns: `nil` if no certificate of ours could be right.
    func identity(for name: HostKey?) -> ServerIdentity? {
        guard let name, let place = names.view.find(name) else { return fallback }
        return identities[place]
    }

    /// - Parameter domain: a wildcard site is covered by the same wildcard only.
    func covers(_ domain: String) -> Bool { names.find(domain) != nil }
}
