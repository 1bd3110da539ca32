internal import OpenSSL

/// Who the server is to a client: one or two certificates (of different key types) for the same name.
final class ServerIdentity: Sendable {
    let context: TLSContext
    /// The names that all its certificates cover.
    let coverage: HostTable

    init(
        certificates: [ServerCertificate], minimumVersion: TLSContext.Version, ticketKeys: TicketKeys
    ) throws(OpenSSLError) {
        context = try TLSContext(
            certificates: certificates, minimumVersion: minimumVersion, ticketKeys: ticketKeys)
        let common = certificates.dropFirst().reduce(Set(certificates.first?.names ?? [])) { $0.intersection($1.names) }
        coverage = HostTable(common.sorted().map { ($0, 0) })
    }
}
