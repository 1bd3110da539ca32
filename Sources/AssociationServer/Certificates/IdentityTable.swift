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
    /// - Returns: `nil` for a table without any identity; what is refused, and why, is in the findings.
    static func make(
        _ pairs: [CertificateLoader.Loaded], defaultSite: String?, minimumVersion: TLSContext.Version,
        ticketKeys: TicketKeys
    ) -> (table: IdentityTable?, findings: [Finding]) {
        let candidates = pairs.map {
            CertificateChoice.Candidate(
                path: $0.path, names: $0.certificate.names, keyType: $0.certificate.keyType,
                notBefore: $0.certificate.notBefore)
        }
        let choice = CertificateChoice.choose(candidates)
        var refused: [Int: String] = [:]
        func identity(_ chosen: [Int]) -> ServerIdentity? {
            do throws(OpenSSLError) {
                return try ServerIdentity(
                    certificates: chosen.map { pairs[$0].certificate }, minimumVersion: minimumVersion,
                    ticketKeys: ticketKeys)
            } catch {
                if chosen.count == 1 { refused[chosen[0]] = error.description }
                return nil
            }
        }
        var places: [[Int]: Int?] = [:]
        var identities: [ServerIdentity] = []
        var names: [(name: String, value: Int)] = []
        for (name, chosen) in choice.byName.sorted(by: { $0.key < $1.key }) {
            if places[chosen] == nil {
                // One certificate that TLS does not accept must not take the other with it.
                let made = identity(chosen) ?? chosen.lazy.compactMap { identity([$0]) }.first
                if let made { identities.append(made) }
                places[chosen] = .some(made == nil ? nil : identities.count - 1)
            }
            if case .some(.some(let place)) = places[chosen] { names.append((name, place)) }
        }
        let refusals = refused.sorted { $0.key < $1.key }.map { Finding.error(pairs[$0.key].path, $0.value) }
        let findings = choice.findings + refusals
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

    func covers(_ domain: String) -> Bool {
        // A wildcard site is covered by the same wildcard only.
        domain.hasPrefix("*.") ? names.find("x\(domain.dropFirst())") != nil : names.find(domain) != nil
    }
}
