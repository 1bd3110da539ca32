package import OpenSSL
internal import SystemSupport

/// A private key by its kind and a number. Keys are made once in a process, when one is first needed; EC keys follow from
/// their number and are always the same.
public struct SampleKey: Sendable, Hashable {
    enum Kind: Hashable {
        case p256
        case rsa(bits: Int)
    }

    let kind: Kind
    let number: Int

    /// Takes next to no time.
    public static func p256(_ number: Int = 1) -> Self { SampleKey(kind: .p256, number: number) }

    /// - Parameter bits: 2048 take a tenth of a second, once.
    public static func rsa(_ bits: Int = 2_048, _ number: Int = 1) -> Self {
        SampleKey(kind: .rsa(bits: bits), number: number)
    }

    private static let pool = Locked<[SampleKey: PrivateKey]>([:])

    package func privateKey() throws -> PrivateKey {
        try Self.pool.withLock { pool throws(SampleError) in
            if let key = pool[self] { return key }
            let key = try make()
            pool[self] = key
            return key
        }
    }

    private func make() throws(SampleError) -> PrivateKey {
        let context = try SampleContext.shared()
        switch kind {
        case .rsa(let bits):
            do {
                return try PrivateKey.makeRSA(bits: bits, in: context)
            } catch {
                throw SampleError("an RSA key cannot be made: \(error)")
            }
        case .p256:
            // The hash is below the order of the group, but for one in four thousand millions.
            let scalar = SHA256Digest.hash(Array("sample key \(number)".utf8))
            // ECPrivateKey of RFC 5915 without the public key, which the library works out.
            let encoded = DER.sequence(
                DER.integer(0), DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid("1.2.840.10045.3.1.7")),
                DER.octets(DER.sequence(DER.integer(1), DER.octets(scalar))))
            guard let key = PrivateKey(pkcs8: encoded[...], in: context) else {
                throw SampleError("an EC key cannot be made")
            }
            return key
        }
    }

    /// PKCS #8 `PrivateKeyInfo`, not encrypted.
    public func pkcs8() throws -> [UInt8] {
        guard let key = try privateKey().pkcs8 else { throw SampleError("the key cannot be written") }
        return key.withBytes { Array($0) }
    }

    /// The form of old that PKCS #8 wraps: `RSAPrivateKey` or `ECPrivateKey`.
    public func traditional() throws -> [UInt8] {
        let parts = DER.elements(of: DER.content(of: try pkcs8()) ?? [])
        guard parts.count >= 3, let inner = DER.content(of: parts[2]) else {
            throw SampleError("the key cannot be taken out")
        }
        guard kind == .p256, var elements = DER.content(of: inner).map(DER.elements) else { return inner }
        // Its parameters stand outside in PKCS #8.
        elements.insert(DER.tagged(0, DER.oid("1.2.840.10045.3.1.7")), at: min(2, elements.count))
        return DER.sequence(of: elements)
    }

    /// `SubjectPublicKeyInfo`.
    public func publicKeyInfo() throws -> [UInt8] { try privateKey().publicKeyInfo }

    /// Twenty bytes (RFC 7093, section 2, method 1).
    public func identifier() throws -> [UInt8] {
        let parts = DER.elements(of: DER.content(of: try publicKeyInfo()) ?? [])
        guard parts.count == 2, let bits = DER.content(of: parts[1]) else {
            throw SampleError("the public key cannot be taken out")
        }
        return Array(SHA256Digest.hash(Array(bits.dropFirst())).prefix(20))
    }

    /// `PRIVATE KEY`, as in a `.p8`.
    public func pem() throws -> String { SamplePEM.block("PRIVATE KEY", try pkcs8()) }

    /// `RSA PRIVATE KEY` or `EC PRIVATE KEY`.
    public func traditionalPEM() throws -> String { SamplePEM.block(traditionalLabel, try traditional()) }

    public func signature(of message: [UInt8], digest: String = "SHA256") throws -> [UInt8] {
        guard let signature = try privateKey().signature(of: message, digest: digest) else {
            throw SampleError("the key does not sign with \(digest)")
        }
        return signature
    }

    var traditionalLabel: String { kind == .p256 ? "EC PRIVATE KEY" : "RSA PRIVATE KEY" }

    /// The algorithm of a signature with a digest, in DER.
    func signatureAlgorithm(_ digest: String) throws(SampleError) -> [UInt8] {
        let oid: String? =
            switch kind {
            case .p256:
                [
                    "SHA1": "1.2.840.10045.4.1", "SHA224": "1.2.840.10045.4.3.1", "SHA256": "1.2.840.10045.4.3.2",
                    "SHA384": "1.2.840.10045.4.3.3", "SHA512": "1.2.840.10045.4.3.4",
                ][digest]
            case .rsa:
                [
                    "MD5": "1.2.840.113549.1.1.4", "SHA1": "1.2.840.113549.1.1.5", "SHA256": "1.2.840.113549.1.1.11",
                    "SHA384": "1.2.840.113549.1.1.12", "SHA512": "1.2.840.113549.1.1.13",
                ][digest]
            }
        guard let oid else { throw SampleError("there is no signature with \(digest) by such a key") }
        return kind == .p256 ? DER.sequence(DER.oid(oid)) : DER.sequence(DER.oid(oid), DER.null)
    }
}
