internal import OpenSSL

/// Makes keys from their encodings.
struct PrivateKeyReader {
    let decryption: PasswordDecryption

    /// The obstacle of a key that cannot be decoded.
    static let damaged = "it is damaged"

    /// RSA 16384 has some ten thousand bytes.
    private static let maximumBytes = 32 << 10

    /// One that is not encrypted.
    func read(_ info: PrivateKeyInfo) throws(ReadingError) -> ParsedKey {
        let oid = info.algorithm.oid
        var work = WorkCost.key
        switch oid {
        case "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10", "1.2.840.10045.2.1": break
        case "1.3.101.110", "1.3.101.111", "1.3.101.112", "1.3.101.113": break
        // The library takes any numbers for DSA, and computes with them.
        case "1.2.840.10040.4.1" where info.encoded.count <= 1200: work = WorkCost.dsaKey
        default: return .unreadable("its type (\(oid)) is unknown")
        }
        return try read(info.encoded, work: work) { PrivateKey(pkcs8: $0, in: $1) }
    }

    /// One in the form of its algorithm, not encrypted.
    func read(_ form: PrivateKey.TraditionalForm, _ bytes: ArraySlice<UInt8>) throws(ReadingError) -> ParsedKey {
        try read(bytes, work: WorkCost.key) { PrivateKey(form, der: $0, in: $1) }
    }

    private func read(
        _ bytes: ArraySlice<UInt8>, work: UInt64, _ make: (ArraySlice<UInt8>, LibraryContext) -> PrivateKey?
    ) throws(ReadingError) -> ParsedKey {
        guard bytes.count <= Self.maximumBytes else { return .unreadable("it is larger than any private key") }
        try decryption.budget.addKey(work)
        let key = make(bytes, decryption.context)
        return ParsedKey(key: key, isUnprotected: true, obstacle: key == nil ? Self.damaged : nil)
    }

    /// One that is encrypted.
    ///
    /// - Parameter first: Is tried before all other forms of the password.
    /// - Throws: One of the limits that hold for each key; what is too much for all of them leaves some unread.
    func read(_ encrypted: EncryptedPrivateKeyInfo, first: PasswordCandidate? = nil) throws(ReadingError) -> ParsedKey {
        let opened: (plain: SecretBytes, candidate: PasswordCandidate)?
        do throws(ReadingError) {
            let scheme = try encrypted.scheme.get()
            opened = try decryption.open(encrypted.text[...], scheme, first: first) { (try? PrivateKeyInfo($0)) != nil }
        } catch {
            switch error {
            // NSS 3.21 wrote the key length of another cipher, with a valid certificate beside the key.
            case .truncated, .malformed: return .unreadable("its encryption parameters are damaged")
            case .unsupported, .legacyProviderMissing, .tooMuchWork: return .unreadable(error.clause(in: "it"))
            case .tooManyIterations, .tooMuchMemory, .tooLongKey, .tooManyKeys, .tooManyCertificates: throw error
            }
        }
        guard let opened else { return locked }
        return try opened.plain.withBytes { plain throws(ReadingError) in
            let info = try PrivateKeyInfo(plain[...])
            var key = try read(info)
            key.isUnprotected = opened.candidate.isOpen
            return key
        }
    }

    /// A key that nothing opens.
    var locked: ParsedKey {
        let obstacle = decryption.candidates.isGiven ? "the password does not open it" : "it needs a password"
        return ParsedKey(key: nil, obstacle: obstacle, isLocked: true)
    }
}

/// An algorithm and its parameters (RFC 5280, section 4.1.1.2).
struct AlgorithmIdentifier {
    let oid: String
    let parameters: BERElement?

    init(_ element: BERElement) throws(ReadingError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let oid = try reader.next(.objectIdentifier).objectIdentifier else { throw .malformed }
        self.oid = oid
        parameters = try reader.next()
        try reader.finish()
    }

    /// The elements of parameters that are a SEQUENCE.
    func parameterReader() throws(ReadingError) -> BERReader {
        guard let parameters, parameters.isUniversal(.sequence) else { throw .malformed }
        return try BERReader(inside: parameters)
    }

    /// Parameters that are two algorithms, as those of PBES2 and PBMAC1 (RFC 8018, appendices A.4 and A.5).
    func twoAlgorithms() throws(ReadingError) -> (AlgorithmIdentifier, AlgorithmIdentifier) {
        var reader = try parameterReader()
        let algorithms = (try reader.nextAlgorithm(), try reader.nextAlgorithm())
        try reader.finish()
        return algorithms
    }
}

extension BERReader {
    /// The next element, which has to be there and be an algorithm.
    mutating func nextAlgorithm() throws(ReadingError) -> AlgorithmIdentifier {
        try AlgorithmIdentifier(next(.sequence))
    }
}

/// The outside of a private key in PKCS #8 (`PrivateKeyInfo`, RFC 5958, section 2).
struct PrivateKeyInfo {
    /// The algorithm of the key.
    let algorithm: AlgorithmIdentifier
    /// All of it.
    let encoded: ArraySlice<UInt8>

    /// - Parameter bytes: May be followed by others.
    init(_ bytes: ArraySlice<UInt8>) throws(ReadingError) {
        var file = BERReader(bytes)
        let element = try file.next(.sequence)
        var reader = try BERReader(inside: element)
        _ = try reader.next(.integer)
        algorithm = try reader.nextAlgorithm()
        _ = try reader.next(.octetString)
        // Attributes, and the public key.
        while let element = try reader.next() {
            guard element.tagClass == 2 else { throw .malformed }
        }
        encoded = element.encoded
    }
}

/// An encrypted private key (`EncryptedPrivateKeyInfo`, RFC 5958, section 3).
struct EncryptedPrivateKeyInfo {
    /// The scheme by which the key is encrypted, or the reason why no password can decrypt it.
    let scheme: Result<EncryptionScheme, ReadingError>
    let text: [UInt8]

    init(_ element: BERElement) throws(ReadingError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        let algorithm = try reader.nextAlgorithm()
        text = try reader.next(.octetString).octets()
        try reader.finish()
        scheme = Result { () throws(ReadingError) in try EncryptionScheme(algorithm) }
    }

    /// - Parameter bytes: May be followed by others.
    init(_ bytes: ArraySlice<UInt8>) throws(ReadingError) {
        var reader = BERReader(bytes)
        guard let element = try reader.next() else { throw .truncated }
        try self.init(element)
    }
}
