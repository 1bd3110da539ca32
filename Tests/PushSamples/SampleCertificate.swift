/// A certificate to be made. All can be changed before `der()` is asked for; the standard values make a valid one.
public struct SampleCertificate: Sendable {
    public var subject: SampleName
    /// Nil for one that signs itself.
    public var issuer: SampleAuthority?
    /// Another name than the issuer's, as of somebody who pretends.
    public var issuerName: SampleName?
    /// The content octets of the integer.
    public var serial: [UInt8] = [0x10, 0x01]
    /// Seconds since 1970.
    public var notBefore: Int64
    /// Seconds since 1970.
    public var notAfter: Int64
    public var notBeforeEncoding = SampleTime.Encoding.standard
    public var notAfterEncoding = SampleTime.Encoding.standard
    public var extensions: [SampleExtension]
    public var key: SampleKey
    /// Stands in for the public key, as one of an unknown kind.
    public var publicKeyInfo: [UInt8]?
    /// `SHA256`, `SHA1`, `MD5` (with the key of an RSA authority only) …
    public var digest = "SHA256"
    /// Stands in for the algorithm of the signature.
    public var signatureAlgorithm: [UInt8]?
    /// Stands in for the signature.
    public var signature: [UInt8]?

    public init(
        subject: SampleName, issuer: SampleAuthority? = .g4, notBefore: Int64 = SampleTime.days(-30),
        notAfter: Int64 = SampleTime.days(365), extensions: [SampleExtension] = [], key: SampleKey = .p256()
    ) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.extensions = extensions
        self.key = key
    }

    /// A copy in which something was changed.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// - Throws: `SampleError` if there is no such signature.
    public func der() throws -> [UInt8] {
        let signer = issuer?.key ?? key
        let algorithm = try signatureAlgorithm ?? signer.signatureAlgorithm(digest)
        let body = DER.sequence(
            DER.tagged(0, DER.integer(2)), DER.element(0x02, serial), algorithm,
            (issuerName ?? issuer?.name ?? subject).der,
            DER.sequence(
                SampleTime.der(notBefore, notBeforeEncoding), SampleTime.der(notAfter, notAfterEncoding)),
            subject.der, try publicKeyInfo ?? key.publicKeyInfo(),
            extensions.isEmpty ? [] : DER.tagged(3, DER.sequence(of: try extensions.map(encoded))))
        let signature = try signature ?? signer.signature(of: body, digest: digest)
        return DER.sequence(body, algorithm, DER.bits(signature))
    }

    public func pem() throws -> String { SamplePEM.block("CERTIFICATE", try der()) }

    private func encoded(_ element: SampleExtension) throws -> [UInt8] {
        let value =
            switch element.content {
            case .bytes(let bytes): bytes
            case .ownKeyIdentifier: DER.octets(try key.identifier())
            case .issuersKeyIdentifier: DER.sequence(DER.element(0x80, try (issuer?.key ?? key).identifier()))
            }
        return DER.sequence(
            DER.oid(element.oid), element.isCritical ? DER.boolean(true) : [], DER.octets(value))
    }
}
