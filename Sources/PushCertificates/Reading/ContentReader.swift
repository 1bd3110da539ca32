internal import OpenSSL

/// Decides by the content what a file is, and reads it (push-certificates.md, section 1).
struct ContentReader {
    private let decryption: PasswordDecryption

    init(password: Password?, budget: WorkBudget, context: LibraryContext) {
        decryption = PasswordDecryption(
            candidates: PasswordCandidates(password), budget: budget, context: context)
    }

    func read(_ bytes: [UInt8]) throws(CertificateFileError) -> FileContents {
        if PEMBlocks.isPEM(bytes[...]) { return try PEMReader(decryption: decryption).read(bytes[...]) }
        guard let decoded = Base64.decodeText(bytes[...]) else { return try readDER(bytes[...]) }
        var contents = try decoded.withBytes { decoded throws(CertificateFileError) in
            try readDER(decoded[...])
        }
        contents.notes.insert(.base64Text, at: 0)
        return contents
    }

    private func readDER(_ bytes: ArraySlice<UInt8>) throws(CertificateFileError) -> FileContents {
        switch DERStart(bytes) {
        case .pkcs12: try PKCS12Reader(decryption: decryption).read(bytes)
        case .sequence: try CertificateReader(context: decryption.context).read(bytes)
        case nil: throw ForeignContent.error(bytes)
        }
    }
}
