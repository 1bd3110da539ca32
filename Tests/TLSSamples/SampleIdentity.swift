package import OpenSSL
public import PushSamples

/// A certificate for `localhost` with its key, that signs itself.
public enum SampleIdentity {
    /// Both as PEM.
    public static func pem(_ names: [String] = ["localhost"], key: SampleKey = .p256()) throws -> (
        chain: String, key: String
    ) {
        let general = names.map { DER.element(0x82, Array($0.utf8)) }
        let certificate = SampleCertificate(
            subject: [.commonName("test")], issuer: nil,
            extensions: [SampleExtension("2.5.29.17", DER.sequence(of: general))], key: key)
        return (try certificate.pem(), try key.pem())
    }

    package static func certificate(
        _ names: [String] = ["localhost"], key: SampleKey = .p256()
    ) throws -> ServerCertificate {
        let pem = try pem(names, key: key)
        return try ServerCertificate(chain: Array(pem.chain.utf8), key: Array(pem.key.utf8))
    }
}
