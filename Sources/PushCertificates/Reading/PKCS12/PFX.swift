internal import OpenSSL

/// The outermost structure of a PKCS #12 (`PFX`, RFC 7292, section 4): what is protected, and its MAC.
struct PFX {
    /// The type of the content: data if a password protects it.
    let contentType: String
    /// The encoded `AuthenticatedSafe`; nil if the content is of another type.
    let content: OctetString?
    let mac: MACData?
    /// The number of bytes after the end.
    let trailingBytes: Int

    init(_ bytes: ArraySlice<UInt8>) throws(ReadingError) {
        var file = BERReader(bytes)
        var reader = try BERReader(inside: file.next(.sequence))
        trailingBytes = file.rest.count
        guard try reader.next(.integer).unsigned == 3 else { throw .malformed }
        let contentInfo = try ContentInfo(reader.next(.sequence))
        contentType = contentInfo.type
        content = contentInfo.type == ContentInfo.data ? try contentInfo.octets() : nil
        mac = try reader.next().map { element throws(ReadingError) in try MACData(element) }
        try reader.finish()
    }
}

/// Content with its type (`ContentInfo`, RFC 5652, section 3).
struct ContentInfo {
    static let data = "1.2.840.113549.1.7.1"
    static let signedData = "1.2.840.113549.1.7.2"
    static let envelopedData = "1.2.840.113549.1.7.3"
    static let encryptedData = "1.2.840.113549.1.7.6"

    let type: String
    /// The element inside the explicit tag.
    private let content: BERElement?

    init(_ element: BERElement) throws(ReadingError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let type = try reader.next(.objectIdentifier).objectIdentifier else { throw .malformed }
        self.type = type
        content = try reader.next { $0.isContext(0) }.flatMap { tagged throws(ReadingError) in
            var inside = try BERReader(inside: tagged)
            let content = try inside.next()
            try inside.finish()
            return content
        }
        try reader.finish()
    }

    /// The content of the type data.
    func octets() throws(ReadingError) -> OctetString {
        guard type == Self.data, let content, content.isUniversal(.octetString) else { throw .malformed }
        return try content.octetString()
    }

    /// The content of the type encrypted data (RFC 5652, section 8).
    func encrypted() throws(ReadingError) -> (algorithm: AlgorithmIdentifier, text: OctetString) {
        guard type == Self.encryptedData, let content, content.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: content)
        _ = try reader.next(.integer)
        var inside = try BERReader(inside: reader.next(.sequence))
        guard try inside.next(.objectIdentifier).objectIdentifier == Self.data else { throw .malformed }
        let algorithm = try inside.nextAlgorithm()
        guard let text = try inside.next(), text.isContext(0) else { throw .malformed }
        try inside.finish()
        return (algorithm, try text.octetString())
    }
}

/// The MAC of a PKCS #12, which proves that file and password belong together (`MacData`, RFC 7292, section 4; RFC 9579).
struct MACData {
    private let algorithm: AlgorithmIdentifier
    private let code: [UInt8]
    private let salt: [UInt8]
    /// Once if there is none.
    private let iterations: BERElement?

    init(_ element: BERElement) throws(ReadingError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        var digest = try BERReader(inside: reader.next(.sequence))
        algorithm = try digest.nextAlgorithm()
        code = try digest.next(.octetString).octets()
        try digest.finish()
        salt = try reader.next(.octetString).octets()
        iterations = try reader.next { $0.isUniversal(.integer) }
        try reader.finish()
    }

    /// The derivation of the code from a password and the content.
    func scheme(in context: LibraryContext) throws(ReadingError) -> MACScheme {
        if algorithm.oid == "1.2.840.113549.1.5.14" { return try passwordBased(in: context) }
        let derivation = KeyDerivation(
            .pkcs12(digest: algorithm.oid), salt: salt,
            iterations: try iterations.map { element throws(ReadingError) in
                try KeyDerivation.iterations(element)
            } ?? 1)
        return try checked(derivation, keyLength: nil, digest: algorithm.oid, in: context)
    }

    /// PBMAC1: salt and iterations are in the algorithm (RFC 9579, section 5).
    private func passwordBased(in context: LibraryContext) throws(ReadingError) -> MACScheme {
        let (derivation, code) = try algorithm.twoAlgorithms()
        let parsed = try KeyDerivation.parse(derivation)
        // It has to be there: a key may be of any length.
        guard let length = parsed.keyLength else { throw .malformed }
        guard length <= FileLimits.macKeyLength else {
            // A mistake of its author, unless it is there to take long.
            let isCostly =
                length <= FileLimits.keyLength
                && parsed.derivation.work(count: Int(length), in: context) > FileLimits.oddWork
            throw isCostly ? .tooLongKey(length) : .malformed
        }
        let digest = try KeyDerivation.hmacDigest(code)
        return try checked(parsed.derivation, keyLength: Int(length), digest: digest, in: context)
    }

    private func checked(
        _ derivation: KeyDerivation, keyLength: Int?, digest: String, in context: LibraryContext
    ) throws(ReadingError) -> MACScheme {
        guard let size = context.digestSize(digest), size > 0 else { throw .unsupported(algorithm.oid) }
        guard code.count == size else { throw .malformed }
        return MACScheme(
            derivation: derivation, keyLength: keyLength ?? size, digest: digest, oid: algorithm.oid, code: code)
    }
}

/// A message authentication code of a PKCS #12, and how to make it again.
struct MACScheme {
    let derivation: KeyDerivation
    let keyLength: Int
    /// A name or an object identifier, as the library takes both.
    let digest: String
    let oid: String
    let code: [UInt8]

    /// The cost of verifying so many bytes with one form of the password.
    func work(count: Int, in context: LibraryContext) -> UInt64 {
        WorkCost.sum(derivation.work(count: keyLength, in: context), WorkCost.hashing(count, digest))
    }

    /// The first form of the password with which it verifies; nil if there is none.
    func verify(_ content: ArraySlice<UInt8>, with decryption: PasswordDecryption) throws(ReadingError)
        -> PasswordCandidate?
    {
        let context = decryption.context
        let work = work(count: content.count, in: context)
        for candidate in decryption.candidates.distinct(derivation.form) {
            try decryption.budget.spend(work)
            guard let key = derivation.key(candidate, purpose: .integrity, count: keyLength, in: context),
                let found = MessageAuthentication.hmac(content, key: key, digest: digest, in: context)
            else { throw .unsupported(oid) }
            if MessageAuthentication.isEqual(found, code) { return candidate }
        }
        return nil
    }
}
