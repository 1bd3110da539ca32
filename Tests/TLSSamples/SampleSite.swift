internal import Glibc
package import OpenSSL
public import PushSamples

/// Certificates of a server with an authority of their own, valid today: a root, an intermediate, and leafs of it.
public enum SampleSite {
    public static let root = authority("Sample Root", key: .p256(201), issuer: nil)
    public static let intermediate = authority("Sample Intermediate", key: .p256(202), issuer: root)
    /// That nobody trusts.
    public static let otherRoot = authority("Other Root", key: .p256(203), issuer: nil)

    /// Seconds since 1970, as it was when somebody first asked.
    public static let now = Int64(time(nil))
    public static let day: Int64 = 86_400

    /// - Parameters:
    ///   - notBefore: in days from now.
    ///   - notAfter: in days from now.
    public static func authority(
        _ name: String, key: SampleKey, issuer: SampleAuthority?, notBefore: Int64 = -300, notAfter: Int64 = 3_000
    ) -> SampleAuthority {
        SampleAuthority(
            name: [.organization("Sample Authority"), .commonName(name)], key: key, issuer: issuer,
            notBefore: now + notBefore * day, notAfter: now + notAfter * day)
    }

    /// A leaf for some names.
    ///
    /// - Parameters:
    ///   - issuer: nil for one that signs itself.
    ///   - notBefore: in days from now.
    ///   - notAfter: in days from now.
    public static func leaf(
        _ names: [String] = ["localhost"], addresses: [[UInt8]] = [], issuer: SampleAuthority? = intermediate,
        notBefore: Int64 = -30, notAfter: Int64 = 60, key: SampleKey = .p256(210)
    ) -> SampleCertificate {
        let general =
            names.map { DER.element(0x82, Array($0.utf8)) } + addresses.map { DER.element(0x87, $0) }
        return SampleCertificate(
            subject: [.commonName(names.first ?? "none")], issuer: issuer, notBefore: now + notBefore * day,
            notAfter: now + notAfter * day,
            extensions: [
                .basicConstraints(isCA: false), .digitalSignature, .extendedKeyUsage("1.3.6.1.5.5.7.3.1"),
                SampleExtension("2.5.29.17", DER.sequence(of: general)), .subjectKeyIdentifier,
                .authorityKeyIdentifier,
            ], key: key)
    }

    /// The certificates that a server presents, with the key of the leaf.
    package static func identity(
        _ leaf: SampleCertificate = leaf(), chain: [SampleAuthority] = [intermediate]
    ) throws -> ServerCertificate {
        try identity(pem: leaf.pem() + chain.map { try $0.certificate.pem() }.joined(), key: leaf.key)
    }

    /// The same for certificates that are made already: each signature by an EC key is another one.
    package static func identity(pem text: String, key: SampleKey = .p256(210)) throws -> ServerCertificate {
        try ServerCertificate(chain: Array(text.utf8), key: Array(key.pem().utf8))
    }

    /// One that trusts the root only.
    package static func trust(_ roots: [SampleAuthority] = [root]) throws -> TrustStore {
        let text = try roots.map { try $0.certificate.pem() }.joined()
        return try TrustStore(includesSystem: false, additional: Array(text.utf8))
    }
}
