/// An algorithm and its parameters (RFC 5280, section 4.1.1.2).
struct AlgorithmIdentifier {
    let oid: String
    let parameters: BERElement?

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let oid = try reader.next(.objectIdentifier).objectIdentifier else { throw .malformed }
        self.oid = oid
        parameters = try reader.next()
        try reader.finish()
    }

    /// The elements of parameters that are a SEQUENCE.
    func parameterReader() throws(BERError) -> BERReader {
        guard let parameters, parameters.isUniversal(.sequence) else { throw .malformed }
        return try BERReader(inside: parameters)
    }

    /// Parameters that are two algorithms, as those of PBES2 and PBMAC1 (RFC 8018, appendices A.4 and A.5).
    func twoAlgorithms() throws(BERError) -> (AlgorithmIdentifier, AlgorithmIdentifier) {
        var reader = try parameterReader()
        let algorithms = (try reader.nextAlgorithm(), try reader.nextAlgorithm())
        try reader.finish()
        return algorithms
    }
}

extension BERReader {
    /// The next element, which has to be there and be an algorithm.
    mutating func nextAlgorithm() throws(BERError) -> AlgorithmIdentifier {
        try AlgorithmIdentifier(next(.sequence))
    }
}

/// The outside of a private key in PKCS #8 (`PrivateKeyInfo`, RFC 5958, section 2).
struct PrivateKeyInfo {
    /// Of the kind of the key.
    let algorithm: AlgorithmIdentifier
    /// All of it.
    let encoded: ArraySlice<UInt8>

    /// - Parameter bytes: May be followed by others.
    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
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
    /// How it is encrypted, or why it cannot be decrypted with any password.
    let scheme: Result<EncryptionScheme, SchemeError>
    let text: [UInt8]

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        let algorithm = try reader.nextAlgorithm()
        text = try reader.next(.octetString).octets()
        try reader.finish()
        scheme = Result { () throws(SchemeError) in try EncryptionScheme(algorithm) }
    }

    /// - Parameter bytes: May be followed by others.
    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var reader = BERReader(bytes)
        guard let element = try reader.next() else { throw .truncated }
        try self.init(element)
    }
}
