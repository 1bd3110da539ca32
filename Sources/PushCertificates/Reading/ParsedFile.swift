internal import OpenSSL

/// The content of a file, before it is known what it is for.
struct ParsedFile {
    enum Container {
        case der, pem, pkcs12
    }

    /// A remark about a file as a whole.
    enum Note: Equatable {
        case base64Text
        /// The number of bytes after the end.
        case trailingBytes(Int)
        case noMAC
        /// A bag that was skipped, like `a CRL` or `3 secrets`.
        case bagSkipped(String)
    }

    var container: Container
    var certificates: [ParsedCertificate] = []
    var keys: [ParsedKey] = []
    /// The file is a token key (`.p8`) and nothing else.
    var isTokenKey = false
    var notes: [Note] = []
    /// The container itself opens with the empty password or with none, whether there are keys in it or not.
    var isUnprotected = false
    /// A key is encrypted, and no password was given.
    var wantsPassword = false
}

/// A private key of a file, readable or not.
struct ParsedKey {
    /// Nil if it could not be decrypted or is of an unknown kind.
    let key: PrivateKey?
    var localKeyID: [UInt8]?
    /// Whether it is not encrypted, or opens with the empty password.
    var isUnprotected = false
    /// Why there is none: a clause, like `the password does not open it`.
    var obstacle: String?
    /// It is encrypted, and nothing that was tried opens it.
    var isLocked = false

    /// One that no password can open; the certificates are read all the same.
    static func unreadable(_ obstacle: String) -> ParsedKey { ParsedKey(key: nil, obstacle: obstacle) }
}

/// A certificate of a file, and what its subject and its extensions say; nothing of it is believed yet.
///
/// Subject attributes are found by object identifier: their order varies. An extension that is damaged counts as absent.
struct ParsedCertificate {
    let x509: X509Certificate
    /// The identifier that joins it to a key of a PKCS #12.
    var localKeyID: [UInt8]?

    var commonName: String? { x509.subject(ObjectIdentifier.commonName) }
    var userID: String? { x509.subject(ObjectIdentifier.userID) }
    /// The first organizational unit.
    var team: String? { x509.subject(ObjectIdentifier.organizationalUnit) }
    var isCA: Bool { x509.extension(ObjectIdentifier.basicConstraints).map(Self.saysCA) ?? false }
    var extendedKeyUsages: [String] { x509.extension(ObjectIdentifier.extendedKeyUsage).map(Self.usages) ?? [] }
    var subjectKeyIdentifier: [UInt8]? {
        x509.extension(ObjectIdentifier.subjectKeyIdentifier).flatMap(Self.identifier)
    }
    var authorityKeyIdentifier: [UInt8]? {
        x509.extension(ObjectIdentifier.authorityKeyIdentifier).flatMap(Self.authorityIdentifier)
    }

    /// The common name of the issuer, as the certificate says.
    var issuerCommonName: String? { issuer(ObjectIdentifier.commonName) }

    /// Whether it names itself as its issuer, as roots do.
    var isSelfIssued: Bool { x509.subjectName == x509.issuerName }

    /// The first attribute of the issuer with an object identifier.
    func issuer(_ oid: String) -> String? { x509.issuer.first { $0.oid == oid }?.value }

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

/// The object identifiers that say what a certificate is.
enum ObjectIdentifier {
    // Attributes of a subject (RFC 4519).
    static let userID = "0.9.2342.19200300.100.1.1"
    static let commonName = "2.5.4.3"
    static let organization = "2.5.4.10"
    static let organizationalUnit = "2.5.4.11"

    // Extensions (RFC 5280, section 4.2).
    static let subjectKeyIdentifier = "2.5.29.14"
    static let basicConstraints = "2.5.29.19"
    static let authorityKeyIdentifier = "2.5.29.35"
    static let extendedKeyUsage = "2.5.29.37"

    // Apple's extensions (push-certificates.md, section 2).
    static let appleCodeSigning = "1.2.840.113635.100.6.1."
    static let passTypeID = "1.2.840.113635.100.6.1.16"
    static let pushDevelopment = "1.2.840.113635.100.6.3.1"
    static let pushProduction = "1.2.840.113635.100.6.3.2"
    static let voipTopics = "1.2.840.113635.100.6.3.4"
    static let topics = "1.2.840.113635.100.6.3.6"

    // Extended key usages (RFC 5280, section 4.2.1.12).
    static let serverAuthentication = "1.3.6.1.5.5.7.3.1"
    static let clientAuthentication = "1.3.6.1.5.5.7.3.2"
    static let codeSigning = "1.3.6.1.5.5.7.3.3"
    static let emailProtection = "1.3.6.1.5.5.7.3.4"
    static let timeStamping = "1.3.6.1.5.5.7.3.8"
    static let ocspSigning = "1.3.6.1.5.5.7.3.9"
}
