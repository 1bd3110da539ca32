package import ACME
package import AssociationServer
internal import DomainNames
internal import OpenSSL
internal import ServiceHealth

/// The certificates of the server as the plan sees them.
///
/// Each result is kept as long as the server has the certificate: asking again reads no file.
package struct CertificateInventory: Sendable {
    private struct Entry {
        let leaf: [UInt8]
        let fingerprint: String
        /// Nil for a certificate of another source.
        let metadata: CertificateMetadata?
        let certificateID: CertificateID?
    }

    /// The results by the folders of the certificates.
    private var entries: [String: Entry] = [:]
    private var context: LibraryContext?
    /// The IDs of certificates that were just installed, by their DER; until they are found.
    private var installed: [[UInt8]: CertificateID] = [:]

    package init() {}

    /// A certificate is about to be found, and need not be read for what is known of it.
    mutating func expect(_ leaf: X509Certificate) {
        if let id = CertificateID(leaf) { installed[leaf.der] = id }
    }

    /// A certificate of ACME whose files cannot be used any more does not count, so that the next one is ordered; one of
    /// another source does as long as it is presented, because its writer may be replacing it right now.
    package mutating func certificates(_ input: IssuanceInput) -> [InstalledCertificate] {
        var known: [String: Entry] = [:]
        known.reserveCapacity(input.certificates.count)
        var result: [InstalledCertificate] = []
        result.reserveCapacity(input.certificates.count)
        for certificate in input.certificates where !(certificate.isKept && certificate.source == .acme) {
            let entry = entry(certificate)
            // What cannot be read now is tried again.
            if certificate.source == .folder || entry.metadata != nil { known[certificate.folder] = entry }
            result.append(
                InstalledCertificate(
                    source: Self.source(certificate, entry.metadata), fingerprint: entry.fingerprint,
                    names: certificate.names, notBefore: certificate.notBefore, notAfter: certificate.notAfter,
                    certificateID: entry.certificateID))
        }
        entries = known
        installed = [:]
        return result
    }

    private static func source(
        _ certificate: IssuanceInput.Certificate, _ metadata: CertificateMetadata?
    ) -> InstalledCertificate.Source {
        guard certificate.source == .acme else { return .folder }
        if let metadata { return .acme(metadata.domain, directory: metadata.directory) }
        // Of a CA that is not known, and so not the one that is configured.
        guard let name = certificate.names.first, let domain = Domain(name) else { return .folder }
        return .acme(domain, directory: "")
    }

    private mutating func entry(_ certificate: IssuanceInput.Certificate) -> Entry {
        // The same array is equal at once.
        if let entry = entries[certificate.folder], entry.leaf == certificate.leaf,
            (entry.metadata != nil) == (certificate.source == .acme)
        {
            return entry
        }
        let isOurs = certificate.source == .acme
        return Entry(
            leaf: certificate.leaf, fingerprint: InstalledCertificate.fingerprint(certificate.leaf),
            metadata: isOurs ? Self.metadata(certificate) : nil,
            certificateID: isOurs ? certificateID(certificate.leaf) : nil)
    }

    /// As the store says, or the file beside the certificate.
    private static func metadata(_ certificate: IssuanceInput.Certificate) -> CertificateMetadata? {
        guard let directory = certificate.authority else { return IssuanceFolder.metadata(of: certificate.folder) }
        return certificate.names.first.flatMap { Domain($0) }.map {
            CertificateMetadata(directory: directory, domain: $0, issuedAt: nil)
        }
    }

    private mutating func certificateID(_ leaf: [UInt8]) -> CertificateID? {
        if let id = installed[leaf] { return id }
        if context == nil { context = try? LibraryContext() }
        guard let context, let certificate = try? X509Certificate(der: leaf[...], in: context) else { return nil }
        return CertificateID(certificate)
    }
}
