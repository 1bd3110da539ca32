internal import OpenSSL

/// Reads PEM: certificates and private keys, in any order.
struct PEMFileReader {
    let decryption: PasswordDecryption

    private var keys: PrivateKeyReader { PrivateKeyReader(decryption: decryption) }

    func read(_ text: ArraySlice<UInt8>) throws(CertificateFileError) -> ParsedFile {
        var file = ParsedFile(container: .pem)
        var keyBlocks: [PEMBlock] = []
        var otherLabels: [String] = []
        var trailingBytes = 0
        var blocks = PEMBlocks(text)
        while let block = try blocks.next() {
            if block.isCertificate {
                let (certificate, rest) = try certificate(block)
                file.certificates.append(ParsedCertificate(x509: certificate))
                // Trust settings follow a trusted one.
                if block.label != "TRUSTED CERTIFICATE" { trailingBytes += rest }
            } else if block.isPrivateKey {
                guard keyBlocks.count < FileLimits.keys else { throw ReadingError.tooManyKeys.fileError(in: "") }
                keyBlocks.append(block)
            } else if otherLabels.count < FileLimits.keys {
                otherLabels.append(block.label)
            }
        }
        guard !file.certificates.isEmpty else {
            guard let token = try tokenKey(keyBlocks) else {
                throw ForeignContent.error(labels: keyBlocks.map(\.label) + otherLabels)
            }
            return token
        }
        if trailingBytes > 0 { file.notes.append(.trailingBytes(trailingBytes)) }
        for block in keyBlocks { file.keys.append(try key(block)) }
        file.wantsPassword = !decryption.candidates.isGiven && file.keys.contains { $0.isLocked }
        return file
    }

    /// - Returns: A certificate, and how many bytes follow it.
    private func certificate(_ block: PEMBlock) throws(CertificateFileError) -> (X509Certificate, Int) {
        do throws(ReadingError) {
            try decryption.budget.addCertificate()
        } catch {
            throw error.fileError(in: "")
        }
        return try decoded(block).withBytes { bytes throws(CertificateFileError) in
            guard let certificate = try? X509Certificate(der: bytes[...], in: decryption.context) else {
                throw Self.damaged(block, "no certificate")
            }
            return (certificate, bytes.count - certificate.der.count)
        }
    }

    /// The key of a `.p8` file, if that is what it is: one key that is not encrypted, on the curve P-256.
    private func tokenKey(_ blocks: [PEMBlock]) throws(CertificateFileError) -> ParsedFile? {
        guard blocks.count == 1, let block = blocks.first, block.label == "PRIVATE KEY", !block.isEncrypted else {
            return nil
        }
        let found = try key(block)
        if found.obstacle == PrivateKeyReader.damaged { throw Self.damaged(block, "no private key") }
        guard found.key?.isP256 == true else { return nil }
        return ParsedFile(container: .pem, keys: [found], isTokenKey: true)
    }

    private func key(_ block: PEMBlock) throws(CertificateFileError) -> ParsedKey {
        let bytes = try decoded(block)
        do throws(ReadingError) {
            return try bytes.withBytes { bytes throws(ReadingError) in
                try PEMKeyReader(block: block, keys: keys).read(bytes[...])
            }
        } catch .tooMuchWork(let work) {
            return .unreadable(ReadingError.tooMuchWork(work).clause(in: "it"))
        } catch {
            throw error.fileError(in: "the encryption of the private key in line \(block.line)")
        }
    }

    private func decoded(_ block: PEMBlock) throws(CertificateFileError) -> SecretBytes {
        guard let bytes = block.decoded() else { throw Self.damaged(block, "no complete base64 text") }
        return bytes
    }

    private static func damaged(_ block: PEMBlock, _ lack: String) -> CertificateFileError {
        CertificateFileError(
            .corrupt,
            "damaged PEM file: there is \(lack) in the block of line \(block.line)",
            advice: "download or export it again")
    }
}

/// Reads the private key of one block of PEM.
struct PEMKeyReader {
    let block: PEMBlock
    let keys: PrivateKeyReader

    private var decryption: PasswordDecryption { keys.decryption }

    /// - Parameter bytes: The decoded content of the block.
    /// - Throws: One of the limits; whatever else there is leaves one key unread.
    func read(_ bytes: ArraySlice<UInt8>) throws(ReadingError) -> ParsedKey {
        try block.isEncrypted ? readEncrypted(bytes) : readPlain(bytes)
    }

    /// One that is not encrypted in the way of old.
    private func readPlain(_ bytes: ArraySlice<UInt8>) throws(ReadingError) -> ParsedKey {
        switch block.label {
        case "PRIVATE KEY":
            guard let info = try? PrivateKeyInfo(bytes) else { return damaged }
            return try keys.read(info)
        case "ENCRYPTED PRIVATE KEY":
            guard let encrypted = try? EncryptedPrivateKeyInfo(bytes) else { return damaged }
            return try keys.read(encrypted)
        case "RSA PRIVATE KEY": return try keys.read(.rsa, bytes)
        case "EC PRIVATE KEY": return try keys.read(.ec, bytes)
        case "DSA PRIVATE KEY": return try keys.read(.dsa, bytes)
        default: return .unreadable("its type is unknown")
        }
    }

    private var damaged: ParsedKey { .unreadable(PrivateKeyReader.damaged) }

    /// Reads a key that is encrypted as in RFC 1421: the header names the cipher, and the vector is the salt, too.
    private func readEncrypted(_ bytes: ArraySlice<UInt8>) throws(ReadingError) -> ParsedKey {
        let parts = block.cipherInformation?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let vector = Self.bytes(parts[1]), vector.count >= 8 else { return damaged }
        let cipher = String(parts[0])
        guard let sizes = SymmetricCipher.sizes(cipher, in: decryption.context) else {
            let isMissing = EncryptionScheme.isOld(cipher) && !decryption.context.hasLegacyProvider
            let error: ReadingError = isMissing ? .legacyProviderMissing(cipher) : .unsupported(cipher)
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
            let found = try plain.withBytes { plain throws(ReadingError) -> ParsedKey? in
                guard Self.isKey(plain[...]) else { return nil }
                return try readPlain(plain[...])
            }
            guard var found else { continue }
            found.isUnprotected = candidate.isOpen
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
