internal import OpenSSL

/// The integrity code of a PKCS #12 file.
public struct SampleMAC: Sendable {
    public var password: SamplePassword
    public var iterations: UInt32
    /// `SHA1`, `SHA256`, `SHA512`, `MD5` …
    public var digest = "SHA1"
    public var salt: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
    /// Whether the code is made with PBKDF2 and HMAC in place of the derivation of PKCS #12 (RFC 9579).
    public var isPBMAC1 = false
    /// Stands in the file instead of the true count: the content octets of the integer.
    public var statedIterations: [UInt8]?
    /// The length of the key of a PBMAC1; nil for as many bytes as the digest has.
    public var keyLength: Int?
    /// Stands in the file instead of that length.
    public var statedKeyLength: Int?
    /// Stands in for the object identifier of the digest.
    public var digestOID: String?
    /// Whether the code is one bit off.
    public var isDamaged = false

    public init(password: SamplePassword, iterations: UInt32 = 1, digest: String = "SHA1") {
        self.password = password
        self.iterations = iterations
        self.digest = digest
    }

    /// A copy in which something was changed.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// `MacData`, in DER.
    func der(of content: [UInt8]) throws(SampleError) -> [UInt8] {
        let context = try SampleContext.shared()
        let size = keyLength ?? SampleDigest.size(digest)
        let key =
            isPBMAC1
            ? KeyDerivation(.pbkdf2(digest: digest), salt: salt, iterations: iterations).key(
                password.utf8, count: size, in: context)
            : KeyDerivation(.pkcs12(digest: digest), salt: salt, iterations: iterations).key(
                password.pkcs12, purpose: .integrity, count: size, in: context)
        guard let key, var code = MessageAuthentication.hmac(content, key: key, digest: digest, in: context) else {
            throw SampleError("there is no MAC with \(digest)")
        }
        if isDamaged { code[0] ^= 1 }
        let count = statedIterations.map { DER.element(0x02, $0) } ?? DER.integer(UInt64(iterations))
        if isPBMAC1 {
            let derivation = DER.sequence(
                DER.oid("1.2.840.113549.1.5.12"),
                DER.sequence(
                    DER.octets(salt), count, DER.integer(statedKeyLength ?? size),
                    DER.sequence(DER.oid(SampleDigest.hmac(digest)), DER.null)))
            let algorithm = DER.sequence(
                DER.oid(digestOID ?? "1.2.840.113549.1.5.14"),
                DER.sequence(derivation, DER.sequence(DER.oid(SampleDigest.hmac(digest)), DER.null)))
            return DER.sequence(DER.sequence(algorithm, DER.octets(code)), DER.octets(salt), DER.integer(1))
        }
        let algorithm = DER.sequence(DER.oid(digestOID ?? SampleDigest.oid(digest)), DER.null)
        // DER leaves the standard value out.
        let isStandard = statedIterations == nil && iterations == 1
        return DER.sequence(
            DER.sequence(algorithm, DER.octets(code)), DER.octets(salt), isStandard ? [] : count)
    }
}
