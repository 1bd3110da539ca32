internal import OpenSSL

extension KeyDerivation {
    var form: PasswordForm {
        if case .pkcs12 = function { .utf16 } else { .utf8 }
    }

    /// Whether the library has the digest.
    func isKnown(in context: LibraryContext) -> Bool {
        switch function {
        case .pkcs12(let digest), .pbkdf1(let digest), .pbkdf2(let digest): context.hasDigest(digest)
        case .scrypt: true
        }
    }

    /// - Returns: Nil if the library does not know the function.
    func key(
        _ candidate: PasswordCandidate, purpose: Purpose = .encryption, count: Int, in context: LibraryContext
    ) -> SecretBytes? {
        key(candidate.bytes(form), purpose: purpose, count: count, in: context)
    }
}

extension KeyDerivation {
    /// A derivation, and how long its parameters say that the key is: saturated, and not believed yet.
    typealias Parsed = (derivation: KeyDerivation, keyLength: UInt64?)

    /// The derivation of PBES2 and PBMAC1 (RFC 8018, appendix A.2; RFC 7914, section 7).
    static func parse(_ algorithm: AlgorithmIdentifier) throws(ReadingError) -> Parsed {
        switch algorithm.oid {
        case "1.2.840.113549.1.5.12": try pbkdf2(algorithm)
        case "1.3.6.1.4.1.11591.4.11": try scrypt(algorithm)
        default: throw .unsupported(algorithm.oid)
        }
    }

    /// The number of iterations: at least one, and not above the limit.
    static func iterations(_ element: BERElement) throws(ReadingError) -> UInt32 {
        guard let count = element.saturated, count > 0 else { throw .malformed }
        guard count <= FileLimits.iterations, let iterations = UInt32(exactly: count) else {
            throw .tooManyIterations(count)
        }
        return iterations
    }

    private static func pbkdf2(_ algorithm: AlgorithmIdentifier) throws(ReadingError) -> Parsed {
        var reader = try algorithm.parameterReader()
        guard let salt = try reader.next() else { throw .truncated }
        let iterations = try reader.next(.integer)
        let length = try reader.next { $0.isUniversal(.integer) }
        let hmac = reader.isAtEnd ? nil : try reader.nextAlgorithm()
        try reader.finish()
        // The other choice is an algorithm, of which none was ever defined.
        guard salt.isUniversal(.octetString) else { throw .malformed }
        let octets = try salt.octets()
        let digest = try hmac.map { algorithm throws(ReadingError) in try hmacDigest(algorithm) } ?? "SHA1"
        return (
            KeyDerivation(.pbkdf2(digest: digest), salt: octets, iterations: try Self.iterations(iterations)),
            try length.map { element throws(ReadingError) in try Self.length(element) }
        )
    }

    private static func scrypt(_ algorithm: AlgorithmIdentifier) throws(ReadingError) -> Parsed {
        var reader = try algorithm.parameterReader()
        let salt = try reader.next(.octetString).octets()
        let elements = [try reader.next(.integer), try reader.next(.integer), try reader.next(.integer)]
        let length = try reader.next { $0.isUniversal(.integer) }
        try reader.finish()
        let numbers = elements.compactMap(\.saturated)
        guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else { throw .malformed }
        let (cost, blockSize, parallelization) = (numbers[0], numbers[1], numbers[2])
        let table = WorkCost.product(cost, blockSize, 128)
        let (both, overflows) = table.addingReportingOverflow(WorkCost.product(parallelization, blockSize, 128))
        // What comes with the table is a few kilobytes, and does not make a file one too many.
        guard table <= FileLimits.memory, !overflows, both <= FileLimits.memory + 1 << 20 else {
            throw .tooMuchMemory(overflows ? .max : both)
        }
        guard cost > 1, cost & (cost - 1) == 0 else { throw .malformed }
        let function = Function.scrypt(
            cost: cost, blockSize: blockSize, parallelization: parallelization, memoryLimit: 2 * FileLimits.memory)
        return (
            KeyDerivation(function, salt: salt),
            try length.map { element throws(ReadingError) in try Self.length(element) }
        )
    }

    private static func length(_ element: BERElement) throws(ReadingError) -> UInt64 {
        guard let length = element.saturated, length > 0 else { throw .malformed }
        return length
    }

    /// The digest of an HMAC by the object identifier of the HMAC (RFC 8018, appendix B.1, and others).
    static func hmacDigest(_ algorithm: AlgorithmIdentifier) throws(ReadingError) -> String {
        switch algorithm.oid {
        case "1.2.840.113549.2.6", "1.3.6.1.5.5.8.1.1": "MD5"
        case "1.2.840.113549.2.7", "1.3.6.1.5.5.8.1.2": "SHA1"
        case "1.2.840.113549.2.8": "SHA224"
        case "1.2.840.113549.2.9": "SHA256"
        case "1.2.840.113549.2.10": "SHA384"
        case "1.2.840.113549.2.11": "SHA512"
        case "1.2.840.113549.2.12": "SHA512-224"
        case "1.2.840.113549.2.13": "SHA512-256"
        case "2.16.840.1.101.3.4.2.13": "SHA3-224"
        case "2.16.840.1.101.3.4.2.14": "SHA3-256"
        case "2.16.840.1.101.3.4.2.15": "SHA3-384"
        case "2.16.840.1.101.3.4.2.16": "SHA3-512"
        default: throw .unsupported(algorithm.oid)
        }
    }
}
