internal import BoundedText
internal import COpenSSL
internal import SystemSupport

/// A leaf certificate with its chain and its private key, for a server to present: one that TLS accepts.
///
/// It keeps them encoded, because most of many certificates are hardly ever asked for.
package final class ServerCertificate: Sendable {
    package enum KeyType: String, Sendable, Comparable {
        case ecdsa = "ECDSA"
        case rsa = "RSA"
        case other = "other"

        /// The preferred one first.
        package static func < (left: KeyType, right: KeyType) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ecdsa: 0
            case .other: 1
            case .rsa: 2
            }
        }
    }

    /// The leaf certificate in DER.
    package let leaf: [UInt8]
    /// `nil` for one that is never read again.
    private let key: EncodedKey?
    /// The parsed identity that it was checked with, until it is first used; `nil` for most of many.
    private let checked: Locked<ParsedIdentity?>
    let issuers: [IssuerCertificate]

    /// The DNS names and IPv4 addresses of the subject alternative name, lower case. The common name is never looked at.
    package let names: [String]
    package let keyType: KeyType
    /// The size of the key in bits.
    package let keyBits: Int
    /// Seconds since 1970.
    package let notBefore: Int64
    /// Seconds since 1970.
    package let notAfter: Int64

    /// Reads a chain, leaf first, and the key that belongs to the leaf, both in PEM form.
    package convenience init(chain: [UInt8], key: [UInt8]) throws(OpenSSLError) {
        let reader = try ServerCertificateReader()
        try self.init(chain: chain, key: key, reader: reader)
    }

    /// The same, for one of many.
    package convenience init(
        chain chainText: [UInt8], key keyText: [UInt8], reader: ServerCertificateReader
    ) throws(OpenSSLError) {
        let chain = try PEMText.certificates(chainText)
        guard let leaf = chain.first else {
            throw OpenSSLError(.noCertificate, "it contains no certificate in PEM form")
        }
        let issuers = try reader.issuers(chain.dropFirst())
        let key: EncodedKey
        do throws(OpenSSLError) {
            key = try PEMText.privateKey(keyText)
        } catch {
            // A damaged certificate is the first thing to tell.
            X509_free(try ParsedIdentity.certificate(leaf))
            throw error
        }
        try self.init(leaf: leaf, key: key, issuers: issuers, reader: reader)
    }

    /// The same of parts that are read already.
    ///
    /// - Parameter chain: in DER, leaf first.
    package convenience init(
        chain: [[UInt8]], key: PrivateKey, reader: ServerCertificateReader
    ) throws(OpenSSLError) {
        guard let leaf = chain.first else { throw OpenSSLError(.noCertificate, "there is no certificate") }
        guard let key = EncodedKey(key) else { throw OpenSSLError(.noKey, "the private key cannot be encoded") }
        try self.init(leaf: leaf, key: key, issuers: reader.issuers(chain.dropFirst()), reader: reader)
    }

    /// - Parameter leaf: in DER.
    private convenience init(
        leaf: [UInt8], key: EncodedKey, issuers: [IssuerCertificate], reader: ServerCertificateReader
    ) throws(OpenSSLError) {
        let parsed = try ParsedIdentity(leaf: leaf, key: key)
        try reader.check(parsed, issuers)
        self.init(parsed, leaf: leaf, key: key, issuers: issuers, isKept: reader.keepsAnother())
    }

    /// One that was just made, signed by itself: TLS accepts it.
    ///
    /// - Parameter der: of its leaf.
    convenience init(madeHere identity: ParsedIdentity, der: [UInt8]) {
        self.init(identity, leaf: der, key: nil, issuers: [], isKept: true)
    }

    private init(
        _ identity: ParsedIdentity, leaf: [UInt8], key: EncodedKey?, issuers: [IssuerCertificate], isKept: Bool
    ) {
        (self.leaf, self.key, self.issuers) = (leaf, key, issuers)
        names = SubjectAlternativeNames.of(identity.leaf, hasIPv6: false)
        keyType = Self.keyType(of: identity.key)
        keyBits = Int(EVP_PKEY_get_bits(identity.key))
        notBefore = ASN1Value.seconds(X509_get0_notBefore(identity.leaf)) ?? 0
        notAfter = ASN1Value.seconds(X509_get0_notAfter(identity.leaf)) ?? 0
        checked = Locked(isKept ? identity : nil)
    }

    /// The identity that the library uses: the first time the one it was checked with, if that was kept, and otherwise
    /// read again.
    func parsed() throws(OpenSSLError) -> ParsedIdentity {
        let kept = checked.withLock { checked in
            defer { if key != nil { checked = nil } }
            return checked
        }
        if let kept { return kept }
        guard let key else { throw OpenSSLError(.noKey, "the private key no longer exists") }
        return try ParsedIdentity(leaf: leaf, key: key)
    }

    /// Whether key, certificate and chain belong together, and TLS accepts them.
    ///
    /// - Parameter chain: leaf first.
    /// - Throws: `OpenSSLError.Code.keyMismatch`, `.chainOrder` or `.rejected`.
    package static func check(_ chain: [X509Certificate], key: PrivateKey) throws(OpenSSLError) {
        guard let leaf = chain.first else { throw OpenSSLError(.noCertificate, "the chain has no certificate") }
        let identity = ParsedIdentity(sharing: leaf, key)
        let issuers = chain.dropFirst().map(IssuerCertificate.init(sharing:))
        try sharedReader.withLock { reader throws(OpenSSLError) in
            let reader = try reader.get()
            defer { reader.forget() }
            try reader.check(identity, issuers)
        }
    }

    /// Setting one up takes longer than what it is used for.
    private static let sharedReader = Locked(Result { () throws(OpenSSLError) in try ServerCertificateReader() })

    /// Those that a signature in TLS 1.3 can be made with (RFC 8446, section 4.2.3), by OpenSSL's names.
    fileprivate static let usableCurves = ["prime256v1", "secp384r1", "secp521r1"]

    fileprivate static func keyType(of key: OpaquePointer) -> KeyType {
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_EC: .ecdsa
        case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: .rsa
        default: .other
        }
    }
}

/// Reads many certificates of a server: what they have in common is set up, read and kept once.
package final class ServerCertificateReader {
    /// A session that never begins: what is added to it meets the policy of its context, and is gone with it.
    private let session: OpaquePointer
    /// The issuers by their content.
    private var known: [[UInt8]: IssuerCertificate] = [:]
    /// At most this many of the first certificates keep what they were checked with until a client asks for them: the first client
    /// of a server that has just started need not wait until it is read again. Of more it would take too much memory.
    private var toKeep = 16

    /// - Parameters:
    ///   - certificates: earlier ones, whose issuers are used on.
    ///   - context: any context of the server; without one, one is made.
    package init(
        reusing certificates: [ServerCertificate] = [], context: TLSContext? = nil
    ) throws(OpenSSLError) {
        ErrorQueue.clear()
        // The session keeps it.
        let ownContext = context == nil ? SSL_CTX_new(TLS_server_method()) : nil
        defer { SSL_CTX_free(ownContext) }
        guard let pointer = context?.pointer ?? ownContext, let session = SSL_new(pointer) else {
            throw OpenSSLError(.setUp, "TLS cannot be set up")
        }
        self.session = session
        SSL_set_security_level(session, TLSContext.securityLevel)
        var seen: Set<ObjectIdentifier> = []
        for issuer in certificates.lazy.flatMap(\.issuers) where seen.insert(ObjectIdentifier(issuer)).inserted {
            known[issuer.der] = issuer
        }
    }

    deinit { SSL_free(session) }

    /// The number of certificates in the chains that are not leaves.
    package var issuerCount: Int { known.count }

    /// Whether one more certificate may keep what it was checked with.
    fileprivate func keepsAnother() -> Bool {
        toKeep -= 1
        return toKeep >= 0
    }

    func issuers(_ chain: ArraySlice<[UInt8]>) throws(OpenSSLError) -> [IssuerCertificate] {
        var issuers: [IssuerCertificate] = []
        for der in chain {
            let issuer: IssuerCertificate
            if let same = known[der] {
                issuer = same
            } else {
                issuer = try IssuerCertificate(der: der)
                known[der] = issuer
            }
            issuers.append(issuer)
        }
        return issuers
    }

    /// Whether key, certificate and chain belong together, and TLS accepts them; if not, why.
    func check(
        _ identity: ParsedIdentity, _ issuers: [IssuerCertificate]
    ) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard X509_check_private_key(identity.leaf, identity.key) == 1 else {
            ERR_clear_error()
            throw OpenSSLError(.keyMismatch, "the private key does not belong to the certificate")
        }
        var subject = identity.leaf
        for (index, issuer) in issuers.enumerated() {
            guard X509_check_issued(issuer.pointer, subject) == X509_V_OK else {
                throw OpenSSLError(
                    .chainOrder,
                    "the chain is in the wrong order: certificate \(index + 2) did not issue certificate \(index + 1)")
            }
            subject = issuer.pointer
        }
        do throws(OpenSSLError) {
            try identity.add(issuers, to: session, with: c_SSL_use_cert_and_key)
        } catch {
            var error = error
            let (type, bits) = (ServerCertificate.keyType(of: identity.key), EVP_PKEY_get_bits(identity.key))
            error.help =
                error.reasons.contains("ee key too small")
                ? "its \(type.rawValue) key has \(bits) bits, expected RSA from 2048"
                : "an issuer's key or a signature in the chain is too weak"
            throw error
        }
        if let curve = curve(of: identity.key), !ServerCertificate.usableCurves.contains(curve) {
            throw OpenSSLError(
                .rejected,
                "no TLS client can use an EC key on the curve '\(curve)'; expected one on P-256, P-384 or P-521")
        }
    }

    /// Keeps nothing of what was checked.
    fileprivate func forget() { SSL_certs_clear(session) }
}
