/// A certificate signing request (RFC 2986).
public struct SampleRequest: Sendable {
    public var subject: SampleName
    public var key: SampleKey
    /// Stands in for the signature.
    public var signature: [UInt8]?

    public init(subject: SampleName = [.commonName("Push com.example.app 2026")], key: SampleKey = .p256()) {
        self.subject = subject
        self.key = key
    }

    public func der() throws -> [UInt8] {
        let body = DER.sequence(DER.integer(0), subject.der, try key.publicKeyInfo(), DER.tagged(0, []))
        return DER.sequence(
            body, try key.signatureAlgorithm("SHA256"), DER.bits(try signature ?? key.signature(of: body)))
    }

    public func pem() throws -> String { SamplePEM.block("CERTIFICATE REQUEST", try der()) }
}
