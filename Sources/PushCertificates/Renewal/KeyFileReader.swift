internal import OpenSSL

/// Finds the private keys of a file, whatever else is in it.
struct KeyFileReader {
    private let password: Password?
    private let context: LibraryContext
    private let budget: WorkBudget
    private let keys: PrivateKeyReader

    init(password: Password?, budget: WorkBudget, context: LibraryContext) {
        self.password = password
        self.context = context
        self.budget = budget
        keys = PrivateKeyReader(
            decryption: PasswordDecryption(
                candidates: PasswordCandidates(password), budget: budget, context: context))
    }

    /// - Throws: `RenewalError.Code.unsuitableFile` if it is damaged, or above a limit.
    func read(_ bytes: [UInt8]) throws(RenewalError) -> [ReadKey] {
        do throws(CertificateFileError) {
            guard bytes.count <= CertificateFileReader.maximumBytes else {
                throw CertificateFileError(.tooLarge, "it is larger than any file with a private key")
            }
            if PEMBlocks.isPEM(bytes[...]) { return try readPEM(bytes[...]) }
            guard let decoded = Base64.decodeText(bytes[...]) else { return try readDER(bytes) }
            return try decoded.withBytes { decoded throws(CertificateFileError) in try readDER(decoded) }
        } catch {
            throw RenewalError(.unsuitableFile, error.message)
        }
    }

    private func readPEM(_ text: ArraySlice<UInt8>) throws(CertificateFileError) -> [ReadKey] {
        var found: [ReadKey] = []
        var blocks = PEMBlocks(text)
        while let block = try blocks.next() {
            guard block.isPrivateKey else { continue }
            guard let bytes = block.decoded() else {
                throw CertificateFileError(.corrupt, "the private key in line \(block.line) is no whole base64 text")
            }
            do throws(SchemeError) {
                found.append(
                    try bytes.withBytes { bytes throws(SchemeError) in
                        try PEMKeyReader(block: block, keys: keys).read(bytes[...])
                    })
            } catch {
                throw error.fileError(in: "the encryption of the private key in line \(block.line)")
            }
        }
        return found
    }

    private func readDER(_ bytes: [UInt8]) throws(CertificateFileError) -> [ReadKey] {
        switch DERStart(bytes[...]) {
        case .pkcs12: return try readPKCS12(bytes)
        case .sequence, nil: break
        }
        do throws(SchemeError) {
            if let information = try? PrivateKeyInformation(bytes[...]) {
                return [ReadKey(key: try keys.read(information))]
            }
            var reader = BERReader(bytes[...])
            if let element = try? reader.next(), let encrypted = try? EncryptedKey(element) {
                return [try keys.read(encrypted)]
            }
            guard case .key = KeyShape(bytes[...]) else { return [] }
            let forms: [PrivateKey.TraditionalForm] = [.rsa, .ec]
            let found = try forms.map { form throws(SchemeError) in try keys.read(form, bytes[...]) }
            let readable = found.filter { $0.key != nil }
            return (readable.isEmpty ? found : readable).prefix(1).map { ReadKey(key: $0) }
        } catch {
            throw error.fileError(in: "the private key")
        }
    }

    private func readPKCS12(_ bytes: [UInt8]) throws(CertificateFileError) -> [ReadKey] {
        do throws(CertificateFileError) {
            let contents = try ContentReader(password: password, budget: budget, context: context).read(bytes)
            return contents.keys.map { ReadKey(key: $0, isLocked: $0.key == nil && contents.wantsPassword) }
        } catch {
            guard [.passwordRequired, .wrongPassword].contains(error.code) else { throw error }
            return [keys.locked]
        }
    }
}
