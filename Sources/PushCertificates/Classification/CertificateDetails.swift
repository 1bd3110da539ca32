internal import OpenSSL

/// A certificate, and what its subject and its extensions say.
///
/// Subject attributes are found by object identifier: their order varies. An extension that is damaged counts as absent.
struct CertificateDetails {
    let certificate: X509Certificate
    let commonName: String?
    let userID: String?
    /// The first organizational unit.
    let team: String?
    let isCA: Bool
    let extendedKeyUsages: [String]
    let subjectKeyIdentifier: [UInt8]?
    let authorityKeyIdentifier: [UInt8]?

    init(_ certificate: X509Certificate) {
        self.certificate = certificate
        commonName = certificate.subject(ObjectIdentifier.commonName)
        userID = certificate.subject(ObjectIdentifier.userID)
        team = certificate.subject(ObjectIdentifier.organizationalUnit)
        isCA = certificate.extension(ObjectIdentifier.basicConstraints).map(Self.saysCA) ?? false
        extendedKeyUsages = certificate.extension(ObjectIdentifier.extendedKeyUsage).map(Self.usages) ?? []
        subjectKeyIdentifier = certificate.extension(ObjectIdentifier.subjectKeyIdentifier).flatMap(Self.identifier)
        authorityKeyIdentifier =
            certificate.extension(ObjectIdentifier.authorityKeyIdentifier).flatMap(Self.authorityIdentifier)
    }

    /// The common name of the issuer, as the certificate says.
    var issuerCommonName: String? { issuer(ObjectIdentifier.commonName) }

    /// Whether it names itself as its issuer, as roots do.
    var isSelfIssued: Bool { certificate.subjectName == certificate.issuerName }

    /// The first attribute of the issuer with an object identifier.
    func issuer(_ oid: String) -> String? { certificate.issuer.first { $0.oid == oid }?.value }

    /// `SEQUENCE { cA BOOLEAN DEFAULT FALSE, … }` (RFC 5280, section 4.2.1.9).
    private static func saysCA(_ value: [UInt8]) -> Bool {
        guard let first = sequence(value)?.first, first.isUniversal(.boolean) else { return false }
        return first.content.contains { $0 != 0 }
    }

    /// `SEQUENCE OF OBJECT IDENTIFIER` (RFC 5280, section 4.2.1.12).
    private static func usages(_ value: [UInt8]) -> [String] {
        sequence(value)?.compactMap(\.objectIdentifier) ?? []
    }

    /// `OCTET STRING` (RFC 5280, section 4.2.1.2).
    private static func identifier(_ value: [UInt8]) -> [UInt8]? {
        var reader = BERReader(value[...])
        return try? reader.next(.octetString).octets()
    }

    /// `SEQUENCE { [0] OCTET STRING OPTIONAL, … }` (RFC 5280, section 4.2.1.1).
    private static func authorityIdentifier(_ value: [UInt8]) -> [UInt8]? {
        guard let first = sequence(value)?.first, first.isContext(0) else { return nil }
        return try? first.octets()
    }

    private static func sequence(_ value: [UInt8]) -> [BERElement]? {
        var reader = BERReader(value[...])
        guard let whole = try? reader.next(.sequence), var inside = try? BERReader(inside: whole) else { return nil }
        var elements: [BERElement] = []
        while !inside.isAtEnd {
            guard let next = try? inside.next() else { return nil }
            elements.append(next)
        }
        return elements
    }
}
