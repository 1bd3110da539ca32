internal import OpenSSL

/// Reads a certificate in DER that is a file of its own.
struct CertificateReader {
    let context: LibraryContext

    func read(_ bytes: ArraySlice<UInt8>) throws(CertificateFileError) -> FileContents {
        var reader = BERReader(bytes)
        let element: BERElement?
        do throws(BERError) {
            element = try reader.next()
        } catch {
            throw CertificateFileError(
                .corrupt, "it begins like a certificate, but it is cut off or damaged; download or export it again")
        }
        guard let element, let certificate = try? X509Certificate(der: element.encoded, in: context) else {
            throw Self.error(element.flatMap(SignedShape.init))
        }
        var contents = FileContents(container: .der)
        contents.certificates = [FileContents.Certificate(certificate: certificate)]
        if !reader.isAtEnd { contents.notes = [.trailingBytes(reader.rest.count)] }
        return contents
    }

    private static func error(_ shape: SignedShape?) -> CertificateFileError {
        switch shape {
        case .request: ForeignContent.request
        case .revocationList: ForeignContent.revocationList
        case .encryptedKey: ForeignContent.key(isEncrypted: true)
        case .publicKey: ForeignContent.publicKey
        case nil:
            CertificateFileError(
                .corrupt, "it begins like a certificate, but it is damaged; download or export it again")
        }
    }
}
