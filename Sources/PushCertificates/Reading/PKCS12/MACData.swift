internal import OpenSSL

/// The MAC of a PKCS #12, which proves that file and password belong together (`MacData`, RFC 7292, section 4; RFC 9579).
struct MACData {
    private let algorithm: AlgorithmIdentifier
    private let code: [UInt8]
    private let salt: [UInt8]
    /// Once if there is none.
    private let iterations: BERElement?

    init(_ element: BERElement) throws(BERError) {
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

    /// How the code is made from a password and the content.
    func scheme(in context: LibraryContext) throws(SchemeError) -> MACScheme {
        if algorithm.oid == "1.2.840.113549.1.5.14" { return try passwordBased(in: context) }
        let derivation = PasswordDerivation(
            function: .pkcs12(digest: algorithm.oid), salt: salt,
            iterations: try iterations.map { element throws(SchemeError) in
                try PasswordDerivation.iterations(element)
            } ?? 1)
        return try checked(derivation, keyLength: nil, digest: algorithm.oid, in: context)
    }

    /// PBMAC1: salt and iterations are in the algorithm (RFC 9579, section 5).
    private func passwordBased(in context: LibraryContext) throws(SchemeError) -> MACScheme {
        let (derivation, code) = try SchemeError.reading { () throws(BERError) in try algorithm.twoAlgorithms() }
        let parsed = try PasswordDerivation.parse(derivation)
        // It has to be there: a key may be of any length.
        guard let length = parsed.keyLength else { throw .malformed }
        guard length <= FileLimits.macKeyLength else {
            // A mistake of whoever made it, unless it is there to take long.
            let isCostly =
                length <= FileLimits.keyLength
                && parsed.derivation.work(count: Int(length), in: context) > FileLimits.oddWork
            throw isCostly ? .tooLongKey(length) : .malformed
        }
        let digest = try PasswordDerivation.hmacDigest(code)
        return try checked(parsed.derivation, keyLength: Int(length), digest: digest, in: context)
    }

    private func checked(
        _ derivation: PasswordDerivation, keyLength: Int?, digest: String, in context: LibraryContext
    ) throws(SchemeError) -> MACScheme {
        guard let size = context.digestSize(digest), size > 0 else { throw .unsupported(algorithm.oid) }
        guard code.count == size else { throw .malformed }
        return MACScheme(
            derivation: derivation, keyLength: keyLength ?? size, digest: digest, oid: algorithm.oid, code: code)
    }
}

/// A message authentication code of a PKCS #12, and how to make it again.
struct MACScheme {
    let derivation: PasswordDerivation
    let keyLength: Int
    /// A name or an object identifier, as the library takes both.
    let digest: String
    let oid: String
    let code: [UInt8]

    /// What it costs to verify so many bytes with one form of the password.
    func work(count: Int, in context: LibraryContext) -> UInt64 {
        WorkCost.sum(derivation.work(count: keyLength, in: context), WorkCost.hashing(count, digest))
    }

    /// The first form of the password with which it verifies; nil if there is none.
    func verify(_ content: ArraySlice<UInt8>, with decryption: PasswordDecryption) throws(SchemeError)
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
