internal import OpenSSL

/// Password based encryption: how, and what the algorithm identifier says about it.
public struct SampleEncryption: Sendable {
    /// A way to derive the key and to encrypt.
    public enum Scheme: Sendable, Hashable, CaseIterable {
        /// The encryption schemes of PKCS #12 (RFC 7292, appendix C).
        case rc4With128, rc4With40, tripleDES, tripleDESWithTwoKeys, rc2With128, rc2With40
        /// PBES2 with PBKDF2 (RFC 8018, section 6.2).
        case aes128, aes192, aes256, camellia128, camellia192, tripleDESInPBES2, rc2InPBES2
        /// PBES2 with scrypt (RFC 7914), and AES-256.
        case scrypt
        /// PBES1 (RFC 8018, section 6.1).
        case md5AndDES, sha1AndDES
    }

    public var scheme: Scheme
    public var password: SamplePassword
    public var iterations: UInt32
    /// The cost of scrypt, a power of two; its other parameters are 8 and 1.
    public var cost: UInt64 = 1_024
    public var salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    public var vector: [UInt8] = Array(0x10..<0x20)
    /// The length of the key, as the parameters of PBKDF2 state it; they need not.
    public var statedKeyLength: Int?
    /// The digest of PBKDF2: `SHA256`, `SHA1`, `SHA512` …
    public var digest = "SHA256"
    /// Stands in the algorithm identifier instead of the true count, as a hostile file has it.
    public var statedIterations: [UInt8]?
    /// Stands in for the whole algorithm identifier.
    public var algorithm: [UInt8]?

    public init(_ scheme: Scheme, password: SamplePassword, iterations: UInt32 = 1) {
        self.scheme = scheme
        self.password = password
        self.iterations = iterations
    }

    /// A copy in which something was changed.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// The algorithm identifier in DER, and the cipher text.
    func encrypt(_ plain: [UInt8]) throws(SampleError) -> (algorithm: [UInt8], text: [UInt8]) {
        let context = try SampleContext.shared()
        let (cipher, key, vector) = try material(context)
        guard
            let key, let vector,
            let text = SymmetricCipher.encrypt(plain, cipher: cipher, key: key, vector: vector, in: context)
        else { throw SampleError("there is no encryption by \(scheme)") }
        return (algorithm ?? identifier, text)
    }

    private func material(
        _ context: LibraryContext
    ) throws(SampleError) -> (cipher: String, key: SecretBytes?, vector: SecretBytes?) {
        let cipher = cipher
        guard let sizes = SymmetricCipher.sizes(cipher, in: context) else { throw SampleError("there is no \(cipher)") }
        switch family {
        case .pkcs12(_, let size):
            func derive(_ purpose: KeyDerivation.Purpose, _ count: Int) -> SecretBytes? {
                guard count > 0 else { return SecretBytes([]) }
                return KeyDerivation(.pkcs12(digest: "SHA1"), salt: salt, iterations: iterations).key(
                    password.pkcs12, purpose: purpose, count: count, in: context)
            }
            return (cipher, derive(.encryption, size), derive(.initializationVector, sizes.vector))
        case .pbes2:
            return (
                cipher,
                KeyDerivation(.pbkdf2(digest: digest), salt: salt, iterations: iterations).key(
                    password.utf8, count: sizes.key, in: context),
                SecretBytes(vector.prefix(sizes.vector))
            )
        case .scrypt:
            return (
                cipher,
                KeyDerivation(.scrypt(cost: cost, blockSize: 8, parallelization: 1, memoryLimit: 64 << 20), salt: salt)
                    .key(password.utf8, count: sizes.key, in: context),
                SecretBytes(vector.prefix(sizes.vector))
            )
        case .pbes1(_, let digest):
            let both = KeyDerivation(.pbkdf1(digest: digest), salt: salt, iterations: iterations).key(
                password.utf8, count: 16, in: context)
            return (
                cipher, both?.withBytes { SecretBytes($0.prefix(8)) }, both?.withBytes { SecretBytes($0.suffix(8)) }
            )
        }
    }

    private enum Family {
        case pkcs12(arc: Int, keySize: Int)
        case pbes2(cipher: String)
        case scrypt
        case pbes1(arc: Int, digest: String)
    }

    private var family: Family {
        switch scheme {
        case .rc4With128: .pkcs12(arc: 1, keySize: 16)
        case .rc4With40: .pkcs12(arc: 2, keySize: 5)
        case .tripleDES: .pkcs12(arc: 3, keySize: 24)
        case .tripleDESWithTwoKeys: .pkcs12(arc: 4, keySize: 16)
        case .rc2With128: .pkcs12(arc: 5, keySize: 16)
        case .rc2With40: .pkcs12(arc: 6, keySize: 5)
        case .aes128: .pbes2(cipher: "2.16.840.1.101.3.4.1.2")
        case .aes192: .pbes2(cipher: "2.16.840.1.101.3.4.1.22")
        case .aes256: .pbes2(cipher: "2.16.840.1.101.3.4.1.42")
        case .camellia128: .pbes2(cipher: "1.2.392.200011.61.1.1.1.2")
        case .camellia192: .pbes2(cipher: "1.2.392.200011.61.1.1.1.3")
        case .tripleDESInPBES2: .pbes2(cipher: "1.2.840.113549.3.7")
        case .rc2InPBES2: .pbes2(cipher: "1.2.840.113549.3.2")
        case .scrypt: .scrypt
        case .md5AndDES: .pbes1(arc: 3, digest: "MD5")
        case .sha1AndDES: .pbes1(arc: 10, digest: "SHA1")
        }
    }

    private var cipher: String {
        switch scheme {
        case .rc4With128: "RC4"
        case .camellia128: "CAMELLIA-128-CBC"
        case .camellia192: "CAMELLIA-192-CBC"
        case .rc4With40: "RC4-40"
        case .tripleDES, .tripleDESInPBES2: "DES-EDE3-CBC"
        case .tripleDESWithTwoKeys: "DES-EDE-CBC"
        case .rc2With128, .rc2InPBES2: "RC2-CBC"
        case .rc2With40: "RC2-40-CBC"
        case .aes128: "AES-128-CBC"
        case .aes192: "AES-192-CBC"
        case .aes256, .scrypt: "AES-256-CBC"
        case .md5AndDES, .sha1AndDES: "DES-CBC"
        }
    }

    private var identifier: [UInt8] {
        let count = statedIterations.map { DER.element(0x02, $0) } ?? DER.integer(UInt64(iterations))
        switch family {
        case .pkcs12(let arc, _):
            return DER.sequence(DER.oid("1.2.840.113549.1.12.1.\(arc)"), DER.sequence(DER.octets(salt), count))
        case .pbes1(let arc, _):
            return DER.sequence(DER.oid("1.2.840.113549.1.5.\(arc)"), DER.sequence(DER.octets(salt), count))
        case .pbes2(let cipher):
            let function =
                digest == "SHA1" ? [] : DER.sequence(DER.oid(SampleDigest.hmac(digest)), DER.null)
            return pbes2(
                DER.sequence(
                    DER.oid("1.2.840.113549.1.5.12"),
                    DER.sequence(DER.octets(salt), count, statedKeyLength.map { DER.integer($0) } ?? [], function)),
                cipher: cipher)
        case .scrypt:
            let cost = statedIterations.map { DER.element(0x02, $0) } ?? DER.integer(cost)
            return pbes2(
                DER.sequence(
                    DER.oid("1.3.6.1.4.1.11591.4.11"),
                    DER.sequence(DER.octets(salt), cost, DER.integer(8), DER.integer(1))),
                cipher: "2.16.840.1.101.3.4.1.42")
        }
    }

    private func pbes2(_ derivation: [UInt8], cipher oid: String) -> [UInt8] {
        let parameters =
            switch oid {
            // 58 stands for 128 bits (RFC 2268, section 6).
            case "1.2.840.113549.3.2": DER.sequence(DER.integer(58), DER.octets(Array(vector.prefix(8))))
            case "1.2.840.113549.3.7": DER.octets(Array(vector.prefix(8)))
            default: DER.octets(Array(vector.prefix(16)))
            }
        return DER.sequence(
            DER.oid("1.2.840.113549.1.5.13"),
            DER.sequence(derivation, DER.sequence(DER.oid(oid), parameters)))
    }
}
