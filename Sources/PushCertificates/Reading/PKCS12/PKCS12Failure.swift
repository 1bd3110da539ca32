internal import Diagnostics
internal import OpenSSL

/// What is said of a PKCS #12 that cannot be read.
enum PKCS12Failure {
    /// Runs what reads structure; whatever is not as it has to be makes the file corrupt.
    static func structure<Result>(_ body: () throws(BERError) -> Result) throws(CertificateFileError) -> Result {
        do throws(BERError) {
            return try body()
        } catch .truncated {
            throw damaged("it ends in the middle of an element")
        } catch {
            throw damaged("its structure is broken")
        }
    }

    /// - Parameter reason: A clause.
    static func damaged(_ reason: String) -> CertificateFileError {
        CertificateFileError(
            .corrupt, "it is a PKCS #12 file, but it is damaged: \(reason); download or export it again")
    }

    /// Nothing that was tried opens it.
    static func notOpened(isGiven: Bool) -> CertificateFileError {
        isGiven
            ? CertificateFileError(
                .wrongPassword,
                "wrong password; check it; a damaged file looks the same: if the password is right, export it again")
            : CertificateFileError(
                .passwordRequired,
                "password required; give it with --password-env, --password-file or --password-fd")
    }

    /// - Parameter type: Of the content, where one for passwords has to be.
    static func notByPassword(_ type: String) -> CertificateFileError {
        guard [ContentInformation.signedData, ContentInformation.envelopedData].contains(type) else {
            return damaged("there is content of the unexpected type \(quoted(type))")
        }
        let name = LibraryContext.name(of: type) ?? type
        return CertificateFileError(
            .unsupportedAlgorithm,
            "it is protected with somebody's public key and not with a password (\(name), \(type)), which is not "
                + "supported with \(LibraryContext.version) or any other; export it again with a password")
    }

    /// - Parameter skipped: What else was there.
    static func withoutCertificate(hasKey: Bool, skipped: [FileContents.Note]) -> CertificateFileError {
        let names = skipped.compactMap { if case .bagSkipped(let name) = $0 { name } else { nil } }
        let others = names.isEmpty ? "" : ", but with \(names.joined(separator: ", "))"
        return CertificateFileError(
            .notACertificate,
            hasKey
                ? "it is a PKCS #12 file with a private key and no certificate\(others); export the certificate together "
                    + "with its key"
                : "it is a PKCS #12 file without a certificate\(others); export the certificate again")
    }
}
