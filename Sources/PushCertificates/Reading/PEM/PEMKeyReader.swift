internal import OpenSSL

/// Reads the private key of one block of PEM.
struct PEMKeyReader {
    let block: PEMBlock
    let keys: PrivateKeyReader

    private var decryption: PasswordDecryption { keys.decryption }

    /// - Parameter bytes: What the base64 stands for.
    /// - Throws: One of the limits; whatever else there is leaves one key unread.
    func read(_ bytes: ArraySlice<UInt8>) throws(SchemeError) -> ReadKey {
        try block.isEncrypted ? readEncrypted(bytes) : readPlain(bytes)
    }

    /// One that is not encrypted in the way of old.
    private func readPlain(_ bytes: ArraySlice<UInt8>) throws(SchemeError) -> ReadKey {
        switch block.label {
        case "PRIVATE KEY":
            guard let information = try? PrivateKeyInformation(bytes) else { return damaged }
            return ReadKey(key: try keys.read(information))
        case "ENCRYPTED PRIVATE KEY":
            var reader = BERReader(bytes)
            guard let element = try? reader.next(), let encrypted = try? EncryptedKey(element) else { return damaged }
            return try keys.read(encrypted)
        case "RSA PRIVATE KEY": return ReadKey(key: try keys.read(.rsa, bytes))
        case "EC PRIVATE KEY": return ReadKey(key: try keys.read(.ec, bytes))
        case "DSA PRIVATE KEY": return ReadKey(key: try keys.read(.dsa, bytes))
        default: return .unreadable("it is of an unknown kind")
        }
    }

    private var damaged: ReadKey {
        .unreadable(PrivateKeyReader.damaged)
    }

    /// In the way of old (RFC 1421): the header names the cipher, and the vector is the salt too.
    private func readEncrypted(_ bytes: ArraySlice<UInt8>) throws(SchemeError) -> ReadKey {
        let parts = block.cipherInformation?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let vector = Self.bytes(parts[1]), vector.count >= 8 else { return damaged }
        let cipher = String(parts[0])
        guard let sizes = SymmetricCipher.sizes(cipher, in: decryption.context) else {
            let isMissing = EncryptionScheme.isOld(cipher) && !decryption.context.hasLegacyProvider
            let error: SchemeError = isMissing ? .legacyProviderMissing(cipher) : .unsupported(cipher)
            return .unreadable(error.clause(in: "it"))
        }
        guard sizes.vector == vector.count else { return damaged }
        let work = WorkCost.sum(WorkCost.overhead, WorkCost.decryption(bytes.count, cipher))
        for candidate in decryption.candidates.distinct(.utf8) {
            try decryption.budget.spend(work)
            let key = KeyDerivation.pem(
                candidate.utf8, salt: Array(vector.prefix(8)), cipher: cipher, in: decryption.context)
            guard let key,
                let plain = SymmetricCipher.decrypt(
                    bytes, cipher: cipher, key: key, vector: SecretBytes(vector), in: decryption.context)
            else { continue }
            // Padding alone is right once in 256 times with a wrong key.
            let found = try plain.withBytes { plain throws(SchemeError) -> ReadKey? in
                guard Self.isKey(plain[...]) else { return nil }
                return try readPlain(plain[...])
            }
            guard var found else { continue }
            found.key.isUnprotected = candidate.isOpen
            return found
        }
        return keys.locked
    }

    /// All the forms are a SEQUENCE that begins with a number.
    private static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard var inside = try? BERReader(onlySequenceIn: bytes) else { return false }
        return (try? inside.next(.integer)) != nil
    }

    private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
        let digits = hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == hexadecimal.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
