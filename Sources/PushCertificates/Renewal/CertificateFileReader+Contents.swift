internal import OpenSSL

extension CertificateFileReader {
    /// What is in a file, before anything is made of it.
    func contents(of bytes: [UInt8], password: Password?) throws(CertificateFileError) -> FileContents {
        guard bytes.count <= Self.maximumBytes else {
            throw CertificateFileError(.tooLarge, "it has \(bytes.count) bytes, more than \(Self.maximumBytes)")
        }
        return try ContentReader(password: password, context: context).read(bytes)
    }
}
