internal import OpenSSL

/// Reads a PKCS #12 (RFC 7292) that a password protects (push-certificates.md, section 5).
///
/// Every structure is walked here, and the library is asked to compute and nothing else: it takes some files apart in
/// ways of its own, and drops all keys but one.
struct PKCS12Reader {
    let decryption: PasswordDecryption

    private var context: LibraryContext { decryption.context }

    func read(_ bytes: ArraySlice<UInt8>) throws(CertificateFileError) -> FileContents {
        let container = try PKCS12Failure.structure { () throws(BERError) in try PKCS12Container(bytes) }
        guard let content = container.content else { throw PKCS12Failure.notByPassword(container.contentType) }
        return try content.withBytes { content throws(CertificateFileError) in
            var limits = PKCS12Limits(decryption: decryption)
            try limits.check(content, container.mac)
            var contents = FileContents(container: .pkcs12)
            if container.trailingBytes > 0 { contents.notes.append(.trailingBytes(container.trailingBytes)) }
            if container.mac == nil { contents.notes.append(.noMAC) }
            let verified = try container.mac.map { mac throws(CertificateFileError) in try verify(mac, content) }
            var walk = PKCS12Walk(decryption: decryption, verified: verified, contents: contents)
            try walk.readParts(content)
            return try walk.finish()
        }
    }

    /// - Returns: The form of the password that the file was made with.
    private func verify(_ mac: MACData, _ content: ArraySlice<UInt8>) throws(CertificateFileError) -> PasswordCandidate
    {
        let candidate: PasswordCandidate?
        do throws(SchemeError) {
            candidate = try mac.scheme(in: context).verify(content, with: decryption)
        } catch {
            throw error.fileError(in: "the MAC")
        }
        guard let candidate else { throw PKCS12Failure.notOpened(isGiven: decryption.candidates.isGiven) }
        return candidate
    }
}
