internal import OpenSSL

/// Decides by the content what a file is, and reads it (push-certificates.md, section 1).
struct ContentReader {
    private let candidates: PasswordCandidates
    private let context: LibraryContext

    init(password: Password?, context: LibraryContext) {
        candidates = PasswordCandidates(password)
        self.context = context
    }

    func read(_ bytes: [UInt8]) throws(CertificateFileError) -> FileContents {
        let decryption = PasswordDecryption(candidates: candidates, budget: WorkBudget(), context: context)
        if PEMBlocks.isPEM(bytes[...]) { return try PEMReader(decryption: decryption).read(bytes[...]) }
        guard let decoded = Base64.decodeText(bytes[...]) else { return try readDER(bytes[...], decryption) }
        var contents = try decoded.withBytes { decoded throws(CertificateFileError) in
            try readDER(decoded[...], decryption)
        }
        contents.notes.insert(.base64Text, at: 0)
        return contents
    }

    private func readDER(
        _ bytes: ArraySlice<UInt8>, _ decryption: PasswordDecryption
    ) throws(CertificateFileError) -> FileContents {
        switch DERStart(bytes) {
        case .pkcs12: try PKCS12Reader(decryption: decryption).read(bytes)
        case .sequence: try CertificateReader(context: context).read(bytes)
        case nil: throw ForeignContent.error(bytes)
        }
    }
}
