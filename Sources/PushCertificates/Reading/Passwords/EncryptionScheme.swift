internal import OpenSSL

/// How something is encrypted with a password, as an algorithm identifier says it.
struct EncryptionScheme {
    /// Where the initialization vector comes from.
    enum Vector {
        /// From the password too, as a derivation of its own (RFC 7292, appendix C).
        case derived
        /// It stands behind the key (RFC 8018, section 6.1).
        case behindKey
        case given([UInt8])
    }

    /// A cipher that the library has, and the sizes that it is used with.
    struct Cipher {
        let name: String
        let keyLength: Int
        let vectorLength: Int
    }

    let derivation: PasswordDerivation
    /// A name or an object identifier, as the library takes both.
    let cipher: String
    /// Of the cipher, or of the scheme that implies it.
    let oid: String
    let vector: Vector
    /// Nil if the cipher takes but one, or has a usual one.
    var keyLength: UInt64?
    /// Of RC2.
    var effectiveKeyBits: UInt32?

    /// Whether the cipher takes keys of several lengths.
    private var isVariable: Bool { effectiveKeyBits != nil || cipher.hasPrefix("RC4") }

    /// Whether a cipher is in the provider of the old ones.
    static func isOld(_ cipher: String) -> Bool {
        cipher.hasPrefix("RC2") || cipher.hasPrefix("RC4") || cipher == "DES-CBC"
    }

    /// What is needed to decrypt, whatever the password.
    func resolve(in context: LibraryContext) throws(SchemeError) -> Cipher {
        guard derivation.isKnown(in: context) else { throw .unsupported(oid) }
        guard let sizes = SymmetricCipher.sizes(cipher, in: context) else {
            throw Self.isOld(cipher) && !context.hasLegacyProvider ? .legacyProviderMissing(cipher) : .unsupported(oid)
        }
        let length = keyLength.map(Int.init(clamping:)) ?? effectiveKeyBits.map { Int(($0 + 7) / 8) } ?? sizes.key
        guard length == sizes.key || isVariable && (1...128).contains(length) else { throw .malformed }
        if case .given(let vector) = vector, vector.count != sizes.vector { throw .malformed }
        return Cipher(name: cipher, keyLength: length, vectorLength: sizes.vector)
    }

    /// What it costs to decrypt so many bytes with one form of a password.
    func work(_ cipher: Cipher, count: Int, in context: LibraryContext) -> UInt64 {
        let keys =
            switch vector {
            case .given: derivation.work(count: cipher.keyLength, in: context)
            case .behindKey: derivation.work(count: cipher.keyLength + cipher.vectorLength, in: context)
            case .derived where cipher.vectorLength == 0: derivation.work(count: cipher.keyLength, in: context)
            case .derived:
                WorkCost.sum(
                    derivation.work(count: cipher.keyLength, in: context),
                    derivation.work(count: cipher.vectorLength, in: context))
            }
        return WorkCost.sum(keys, WorkCost.decryption(count, self.cipher))
    }

    /// The plain text; nil if this is not the password, as far as the padding tells.
    func decrypt(
        _ text: ArraySlice<UInt8>, with candidate: PasswordCandidate, cipher: Cipher, in context: LibraryContext
    ) -> SecretBytes? {
        let key: SecretBytes?
        let vector: SecretBytes?
        switch self.vector {
        case .given(let bytes):
            key = derivation.key(candidate, count: cipher.keyLength, in: context)
            vector = SecretBytes(bytes)
        case .derived:
            key = derivation.key(candidate, count: cipher.keyLength, in: context)
            vector =
                cipher.vectorLength == 0
                ? SecretBytes([])
                : derivation.key(
                    candidate, purpose: .initializationVector, count: cipher.vectorLength, in: context)
        case .behindKey:
            let both = derivation.key(candidate, count: cipher.keyLength + cipher.vectorLength, in: context)
            key = both?.withBytes { SecretBytes($0.prefix(cipher.keyLength)) }
            vector = both?.withBytes { SecretBytes($0.suffix(cipher.vectorLength)) }
        }
        guard let key, let vector else { return nil }
        return SymmetricCipher.decrypt(
            text, cipher: cipher.name, key: key, vector: vector, effectiveKeyBits: effectiveKeyBits, in: context)
    }
}
