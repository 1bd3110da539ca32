internal import OpenSSL

/// Who the server is to a client: one or two certificates (of different key types) for the same name.
final class ServerIdentity: Sendable {
    let context: TLSContext
    /// The names that each certificate covers.
    private let coverages: [HostTable]
    /// The names that all of them cover.
    private let common: HostTable

    init(
        certificates: [ServerCertificate], minimumVersion: TLSContext.Version, ticketKeys: TicketKeys
    ) throws(OpenSSLError) {
        context = try TLSContext(
            certificates: certificates, minimumVersion: minimumVersion, ticketKeys: ticketKeys)
        let coverages = certificates.map { HostTable($0.names.map { ($0, 0) }) }
        let names = Set(certificates.flatMap(\.names)).sorted()
        common = HostTable(names.filter { name in coverages.allSatisfy { $0.find(name) != nil } }.map { ($0, 0) })
        self.coverages = coverages
    }

    /// What tells identities apart that are in use: the very certificates, in their order.
    static func key(_ certificates: [ServerCertificate]) -> [ObjectIdentifier] {
        certificates.map { ObjectIdentifier($0) }
    }

    var key: [ObjectIdentifier] { Self.key(context.certificates) }

    /// What a connection's certificate covers; a resumed session does not tell which it was.
    func coverage(of certificate: Int?) -> HostTable.View {
        guard let certificate, coverages.indices.contains(certificate) else { return common.view }
        return coverages[certificate].view
    }
}
