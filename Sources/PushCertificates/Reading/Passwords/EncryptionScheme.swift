internal import Diagnostics
internal import OpenSSL

/// A way to encrypt with a password, as an algorithm identifier describes it.
struct EncryptionScheme {
    /// Where the initialization vector comes from.
    enum Vector {
        /// A vector that is derived from the password, too, separately from the key (RFC 7292, appendix C).
        case derived
        /// It follows the key (RFC 8018, section 6.1).
        case afterKey
        case given([UInt8])
    }

    /// A cipher that the library has, and the sizes that it is used with.
    struct Cipher {
        let name: String
        let keyLength: Int
        let vectorLength: Int
    }

    let derivation: KeyDerivation
    /// A name or an object identifier, as the library takes both.
    let cipher: String
    /// The identifier of the cipher, or of the scheme that implies it.
    let oid: String
    let vector: Vector
    /// Nil if the cipher takes but one, or has a usual one.
    var keyLength: UInt64?
    /// The effective key length of RC2, in bits.
    var effectiveKeyBits: UInt32?

    /// Whether the cipher takes keys of several lengths.
    private var isVariable: Bool { effectiveKeyBits != nil || cipher.hasPrefix("RC4") }

    /// Whether a cipher is in the provider of the old ones.
    static func isOld(_ cipher: String) -> Bool {
        cipher.hasPrefix("RC2") || cipher.hasPrefix("RC4") || cipher == "DES-CBC"
    }

    /// The cipher that decrypts, whatever the password.
    func resolve(in context: LibraryContext) throws(ReadingError) -> Cipher {
        guard derivation.isKnown(in: context) else { throw .unsupported(oid) }
        guard let sizes = SymmetricCipher.sizes(cipher, in: context) else {
            throw Self.isOld(cipher) && !context.hasLegacyProvider ? .legacyProviderMissing(cipher) : .unsupported(oid)
        }
        let length = keyLength.map(Int.init(clamping:)) ?? effectiveKeyBits.map { Int(($0 + 7) / 8) } ?? sizes.key
        guard length == sizes.key || isVariable && (1...128).contains(length) else { throw .malformed }
        if case .given(let vector) = vector, vector.count != sizes.vector { throw .malformed }
        return Cipher(name: cipher, keyLength: length, vectorLength: sizes.vector)
    }

    /// The bytes that are derived from a password: for the key, and for a vector that is not given.
    private func derived(_ cipher: Cipher) -> [(purpose: KeyDerivation.Purpose, count: Int)] {
        switch vector {
        case .given: [(.encryption, cipher.keyLength)]
        case .afterKey: [(.encryption, cipher.keyLength + cipher.vectorLength)]
        case .derived where cipher.vectorLength == 0: [(.encryption, cipher.keyLength)]
        case .derived: [(.encryption, cipher.keyLength), (.initializationVector, cipher.vectorLength)]
        }
    }

    /// The cost of decrypting so many bytes with one form of a password.
    func work(_ cipher: Cipher, count: Int, in context: LibraryContext) -> UInt64 {
        derived(cipher).reduce(WorkCost.decryption(count, self.cipher)) { work, part in
            WorkCost.sum(work, derivation.work(count: part.count, in: context))
        }
    }

    /// The plain text; nil if this is not the password, as far as the padding tells.
    func decrypt(
        _ text: ArraySlice<UInt8>, with candidate: PasswordCandidate, cipher: Cipher, in context: LibraryContext
    ) -> SecretBytes? {
        let parts = derived(cipher).map { part in
            derivation.key(candidate, purpose: part.purpose, count: part.count, in: context)
        }
        guard let first = parts[0], let last = parts[parts.count - 1] else { return nil }
        let key = first.withBytes { SecretBytes($0.prefix(cipher.keyLength)) }
        let derivedVector = last.withBytes { SecretBytes($0.suffix(cipher.vectorLength)) }
        let vector = if case .given(let bytes) = vector { SecretBytes(bytes) } else { derivedVector }
        return SymmetricCipher.decrypt(
            text, cipher: cipher.name, key: key, vector: vector, effectiveKeyBits: effectiveKeyBits, in: context)
    }
}

extension EncryptionScheme {
    init(_ algorithm: AlgorithmIdentifier) throws(ReadingError) {
        self =
            switch algorithm.oid {
            // RFC 7292, appendix C.
            case "1.2.840.113549.1.12.1.1": try .pkcs12(algorithm, "RC4")
            case "1.2.840.113549.1.12.1.2": try .pkcs12(algorithm, "RC4-40")
            case "1.2.840.113549.1.12.1.3": try .pkcs12(algorithm, "DES-EDE3-CBC")
            case "1.2.840.113549.1.12.1.4": try .pkcs12(algorithm, "DES-EDE-CBC")
            case "1.2.840.113549.1.12.1.5": try .pkcs12(algorithm, "RC2-CBC")
            case "1.2.840.113549.1.12.1.6": try .pkcs12(algorithm, "RC2-40-CBC")
            // RFC 8018, appendix A.3.
            case "1.2.840.113549.1.5.1": try .pbes1(algorithm, digest: "MD2", "DES-CBC")
            case "1.2.840.113549.1.5.3": try .pbes1(algorithm, digest: "MD5", "DES-CBC")
            case "1.2.840.113549.1.5.4": try .pbes1(algorithm, digest: "MD2", "RC2-64-CBC")
            case "1.2.840.113549.1.5.6": try .pbes1(algorithm, digest: "MD5", "RC2-64-CBC")
            case "1.2.840.113549.1.5.10": try .pbes1(algorithm, digest: "SHA1", "DES-CBC")
            case "1.2.840.113549.1.5.11": try .pbes1(algorithm, digest: "SHA1", "RC2-64-CBC")
            case "1.2.840.113549.1.5.13": try .pbes2(algorithm)
            default: throw .unsupported(algorithm.oid)
            }
    }

    private static func pkcs12(_ algorithm: AlgorithmIdentifier, _ cipher: String) throws(ReadingError) -> Self {
        let (salt, iterations) = try saltAndIterations(algorithm)
        return EncryptionScheme(
            derivation: KeyDerivation(.pkcs12(digest: "SHA1"), salt: salt, iterations: iterations),
            cipher: cipher, oid: algorithm.oid, vector: .derived)
    }

    private static func pbes1(
        _ algorithm: AlgorithmIdentifier, digest: String, _ cipher: String
    ) throws(ReadingError) -> Self {
        let (salt, iterations) = try saltAndIterations(algorithm)
        return EncryptionScheme(
            derivation: KeyDerivation(.pbkdf1(digest: digest), salt: salt, iterations: iterations),
            cipher: cipher, oid: algorithm.oid, vector: .afterKey)
    }

    private static func saltAndIterations(
        _ algorithm: AlgorithmIdentifier
    ) throws(ReadingError) -> (salt: [UInt8], iterations: UInt32) {
        var reader = try algorithm.parameterReader()
        let salt = try reader.next(.octetString).octets()
        let iterations = try reader.next(.integer)
        try reader.finish()
        return (salt, try KeyDerivation.iterations(iterations))
    }

    /// RFC 8018, appendix A.4.
    private static func pbes2(_ algorithm: AlgorithmIdentifier) throws(ReadingError) -> Self {
        let (derivation, cipher) = try algorithm.twoAlgorithms()
        let parsed = try KeyDerivation.parse(derivation)
        switch cipher.oid {
        case "1.2.840.113549.3.2":
            let (vector, bits) = try rc2Parameters(cipher)
            return EncryptionScheme(
                derivation: parsed.derivation, cipher: "RC2-CBC", oid: cipher.oid, vector: .given(vector),
                keyLength: parsed.keyLength, effectiveKeyBits: bits)
        case "1.2.840.113549.3.4":
            return EncryptionScheme(
                derivation: parsed.derivation, cipher: "RC4", oid: cipher.oid, vector: .given([]),
                keyLength: parsed.keyLength)
        default:
            // All others of use have the vector and nothing else.
            guard let parameters = cipher.parameters, parameters.isUniversal(.octetString) else {
                throw .unsupported(cipher.oid)
            }
            let vector = try parameters.octets()
            return EncryptionScheme(
                derivation: parsed.derivation, cipher: cipher.oid == "1.3.14.3.2.7" ? "DES-CBC" : cipher.oid,
                oid: cipher.oid, vector: .given(vector), keyLength: parsed.keyLength)
        }
    }

    /// RFC 2268, section 6.
    private static func rc2Parameters(_ cipher: AlgorithmIdentifier) throws(ReadingError) -> (
        vector: [UInt8], bits: UInt32
    ) {
        guard let parameters = cipher.parameters else { throw .truncated }
        if parameters.isUniversal(.octetString) { return (try parameters.octets(), 32) }
        var reader = try cipher.parameterReader()
        let version = try reader.next { $0.isUniversal(.integer) }
        let vector = try reader.next(.octetString).octets()
        try reader.finish()
        guard let version else { return (vector, 32) }
        return switch version.unsigned {
        case 160: (vector, 40)
        case 120: (vector, 64)
        case 58: (vector, 128)
        case .some(let bits) where (256...1024).contains(bits): (vector, UInt32(bits))
        default: throw .malformed
        }
    }
}

/// Decrypts with what may be the password, one form after the other.
struct PasswordDecryption {
    let candidates: PasswordCandidates
    let budget: ReadingBudget
    let context: LibraryContext

    /// The plain text, and what opened it; nil if nothing does.
    ///
    /// - Parameters:
    ///   - first: Is tried before all the others.
    ///   - isRight: Whether it looks as it has to: padding alone is right once in 256 times with a wrong key.
    func open(
        _ text: ArraySlice<UInt8>, _ scheme: EncryptionScheme, first: PasswordCandidate?,
        isRight: (ArraySlice<UInt8>) -> Bool
    ) throws(ReadingError) -> (plain: SecretBytes, candidate: PasswordCandidate)? {
        try budget.spend(WorkCost.overhead)
        let cipher = try scheme.resolve(in: context)
        let forms = candidates.distinct(scheme.derivation.form, first: first)
        let work = scheme.work(cipher, count: text.count, in: context)
        try budget.require(WorkCost.product(work, UInt64(forms.count)))
        for candidate in forms {
            try budget.spend(work)
            guard let plain = scheme.decrypt(text, with: candidate, cipher: cipher, in: context),
                plain.withBytes({ isRight($0[...]) })
            else { continue }
            return (plain, candidate)
        }
        return nil
    }
}

/// Why something of a file cannot be read, or not be opened or checked with any password.
enum ReadingError: Error, Equatable {
    /// The bytes end before the element does.
    case truncated
    /// A length, a tag, a type or a parameter that cannot be here.
    case malformed
    case tooManyIterations(UInt64)
    /// The number of bytes.
    case tooMuchMemory(UInt64)
    /// More than is done for one file, in the nanoseconds of `WorkCost`.
    case tooMuchWork(UInt64)
    /// The number of bytes of a key of PBMAC1.
    case tooLongKey(UInt64)
    case tooManyKeys
    case tooManyCertificates
    /// The object identifier of an algorithm that the library does not know.
    case unsupported(String)
    /// The name of a cipher.
    case legacyProviderMissing(String)

    /// The error of a file with this scheme.
    ///
    /// - Parameter subject: What of the file it is about, like `the MAC`.
    func fileError(in subject: String) -> CertificateFileError {
        let (code, advice): (CertificateFileError.Code, String) =
            switch self {
            case .truncated, .malformed: (.corrupt, "download or export it again")
            case .tooManyIterations, .tooMuchWork: (.tooLarge, "export it again with fewer iterations")
            case .tooMuchMemory: (.tooLarge, "export it again with a lower memory cost")
            case .tooLongKey: (.tooLarge, "export it again")
            case .tooManyKeys, .tooManyCertificates: (.tooLarge, "split it into several files")
            case .unsupported:
                (.unsupportedAlgorithm, "export it again with AES-256 and SHA-256, or use a newer OpenSSL")
            case .legacyProviderMissing:
                (
                    .legacyProviderMissing,
                    "install it (on Debian 13 it is the package 'openssl-provider-legacy'), or export the file again with "
                        + "AES or 3DES"
                )
            }
        return CertificateFileError(code, clause(in: subject), advice: advice)
    }

    /// The fault without the remedy.
    func clause(in subject: String) -> String {
        switch self {
        case .truncated, .malformed: "the parameters of \(subject) are damaged"
        case .tooManyIterations(let count):
            "\(subject) asks for \(Self.shown(count)) iterations, more than \(grouped(FileLimits.iterations))"
        case .tooMuchMemory(let bytes):
            "\(subject) asks for \(Self.shown(bytes)) bytes of memory, more than \(grouped(FileLimits.memory))"
        case .tooManyKeys: "the file has more than \(FileLimits.keys) private keys"
        case .tooManyCertificates: "the file has more than \(FileLimits.certificates) certificates"
        case .tooLongKey(let bytes):
            "\(subject) asks for a key of \(Self.shown(bytes)) bytes, more than \(FileLimits.macKeyLength)"
        case .tooMuchWork(let work):
            "the whole file may take \(Self.seconds(work)) seconds of computing time, more than \(FileLimits.work / 1_000_000_000)"
        case .unsupported(let oid):
            "\(subject) needs \(Self.name(oid)), which \(LibraryContext.version) does not support"
        case .legacyProviderMissing(let cipher):
            "\(subject) needs \(cipher), which is in OpenSSL's provider 'legacy'; that provider cannot be loaded"
        }
    }

    /// Rounded up.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        nanoseconds == .max ? "more than 2^34" : "\((nanoseconds - 1) / 1_000_000_000 + 1)"
    }

    private static func shown(_ number: UInt64) -> String { number == .max ? "more than 2^63" : grouped(number) }

    private static func name(_ oid: String) -> String {
        LibraryContext.name(of: oid).map { "\(quoted($0)) (\(oid))" } ?? "the algorithm \(quoted(oid))"
    }
}
