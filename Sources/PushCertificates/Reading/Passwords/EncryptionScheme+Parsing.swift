extension EncryptionScheme {
    init(_ algorithm: AlgorithmIdentifier) throws(SchemeError) {
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

    private static func pkcs12(_ algorithm: AlgorithmIdentifier, _ cipher: String) throws(SchemeError) -> Self {
        let (salt, iterations) = try saltAndIterations(algorithm)
        return EncryptionScheme(
            derivation: PasswordDerivation(function: .pkcs12(digest: "SHA1"), salt: salt, iterations: iterations),
            cipher: cipher, oid: algorithm.oid, vector: .derived)
    }

    private static func pbes1(
        _ algorithm: AlgorithmIdentifier, digest: String, _ cipher: String
    ) throws(SchemeError) -> Self {
        let (salt, iterations) = try saltAndIterations(algorithm)
        return EncryptionScheme(
            derivation: PasswordDerivation(function: .pbkdf1(digest: digest), salt: salt, iterations: iterations),
            cipher: cipher, oid: algorithm.oid, vector: .behindKey)
    }

    private static func saltAndIterations(
        _ algorithm: AlgorithmIdentifier
    ) throws(SchemeError) -> (salt: [UInt8], iterations: UInt32) {
        let found = try SchemeError.reading { () throws(BERError) -> (salt: [UInt8], iterations: BERElement) in
            var reader = try algorithm.parameterReader()
            let salt = try reader.next(.octetString).octets()
            let iterations = try reader.next(.integer)
            try reader.finish()
            return (salt, iterations)
        }
        return (found.salt, try PasswordDerivation.iterations(found.iterations))
    }

    /// RFC 8018, appendix A.4.
    private static func pbes2(_ algorithm: AlgorithmIdentifier) throws(SchemeError) -> Self {
        let (derivation, cipher) = try SchemeError.reading { () throws(BERError) in try algorithm.twoAlgorithms() }
        let parsed = try PasswordDerivation.parse(derivation)
        switch cipher.oid {
        case "1.2.840.113549.3.2":
            let (vector, bits) = try SchemeError.reading { () throws(BERError) in try rc2Parameters(cipher) }
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
            let vector = try SchemeError.reading { () throws(BERError) in try parameters.octets() }
            return EncryptionScheme(
                derivation: parsed.derivation, cipher: cipher.oid == "1.3.14.3.2.7" ? "DES-CBC" : cipher.oid,
                oid: cipher.oid, vector: .given(vector), keyLength: parsed.keyLength)
        }
    }

    /// RFC 2268, section 6.
    private static func rc2Parameters(_ cipher: AlgorithmIdentifier) throws(BERError) -> (vector: [UInt8], bits: UInt32)
    {
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
