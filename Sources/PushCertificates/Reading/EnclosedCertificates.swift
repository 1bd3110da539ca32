package import OpenSSL

/// The certificates of a file, whatever they are for, and nothing that is only of interest for push.
package struct EnclosedCertificates {
    /// The form in which a file holds certificates.
    package enum Container: Sendable {
        /// Certificates alone, in DER, PEM or base64.
        case certificates
        /// A PKCS #12, which is meant to hold a private key.
        case keystore
    }

    /// A certificate, and whether the file has its private key.
    package struct Entry {
        package let certificate: X509Certificate
        package let hasPrivateKey: Bool
    }

    package let container: Container
    /// In the order of the file.
    package let entries: [Entry]

    fileprivate init(_ file: ParsedFile) {
        container = file.container == .pkcs12 ? .keystore : .certificates
        entries = zip(file.certificates, KeyPairing(file).verdicts).map { certificate, verdict in
            // A key that cannot be read, and is joined to the certificate by its identifier, is there all the same.
            Entry(
                certificate: certificate.x509,
                hasPrivateKey: verdict.presence == .matching || verdict.presence == .unreadable)
        }
    }
}

extension CertificateFileReader {
    /// Reads the certificates of a file in PEM, DER or PKCS #12, which is recognized by its content.
    ///
    /// - Parameters:
    ///   - password: Nil if none was given. No password and the empty one are tried, too.
    ///   - others: Passwords that are tried one after another if that one does not open a PKCS #12.
    /// - Throws: `CertificateFileError.Code.notACertificate` if it is something else or has no certificate. The error of
    ///   a file that no password opens is the one about `password`.
    package func certificates(
        _ bytes: [UInt8], password: Password?, others: [Password] = []
    ) throws(CertificateFileError) -> EnclosedCertificates {
        let budget = ReadingBudget()
        let failure: CertificateFileError
        do throws(CertificateFileError) {
            return try enclosed(bytes, password, budget)
        } catch {
            guard error.code == .passwordRequired || error.code == .wrongPassword else { throw error }
            failure = error
        }
        for other in others {
            do throws(CertificateFileError) {
                return try enclosed(bytes, other, budget)
            } catch {
                guard error.code == .wrongPassword else { throw error }
            }
        }
        throw failure
    }

    private func enclosed(
        _ bytes: [UInt8], _ password: Password?, _ budget: ReadingBudget
    ) throws(CertificateFileError) -> EnclosedCertificates {
        let file = try parse(bytes, password: password, budget: budget)
        guard !file.isTokenKey else { throw ForeignContent.key(isEncrypted: false) }
        return EnclosedCertificates(file)
    }

    /// Whether bytes look like PEM, base64 or DER from afar: what is something else is none of the reader's files.
    package static func mayRead(_ bytes: [UInt8]) -> Bool {
        PEMBlocks.isPEM(bytes[...]) || DERFormat(bytes[...]) != nil || Base64Text.decodeText(bytes[...]) != nil
    }
}
