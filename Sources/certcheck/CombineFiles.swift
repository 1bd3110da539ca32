import CommandLineSupport
import Diagnostics
import OpenSSL
import PushCertificates
import SystemSupport

/// Reads what `certcheck combine` puts together.
struct CombineFiles {
    /// Where a key is looked for.
    enum KeyPlace {
        case file(String)
        case folder(String)
    }

    let reader: CertificateFileReader

    init() throws(RenewalError) { reader = try Self.reader() }

    /// - Throws: `RenewalError.Code.library` if OpenSSL cannot be used.
    static func reader() throws(RenewalError) -> CertificateFileReader {
        do throws(CertificateFileError) {
            return try CertificateFileReader()
        } catch {
            throw RenewalError(.library, error.message)
        }
    }

    /// A path in messages.
    static func name(_ path: String) -> String {
        path == "-" ? "standard input" : "'\(VisibleText.escaped(path))'"
    }

    func certificate(_ path: String) throws(RenewalError) -> IssuedCertificate {
        let bytes = try Self.read(path)
        do throws(RenewalError) {
            return try bytes.withBytes { (bytes) throws(RenewalError) in try IssuedCertificate(bytes, with: reader) }
        } catch {
            throw Self.named(path, error)
        }
    }

    /// The key of a certificate, and where it was.
    func key(
        of certificate: IssuedCertificate, in place: KeyPlace, _ passwords: CombinePasswords
    ) throws(RenewalError) -> CombineKeySearch.Found {
        var search = CombineKeySearch(of: certificate, self, passwords)
        switch place {
        case .file(let path): return try search.inFile(path)
        case .folder(let path): return try search.inFolder(path)
        }
    }

    /// Compares the file in use with a new certificate.
    func replacement(
        of path: String, by certificate: IssuedCertificate, _ passwords: CombinePasswords
    ) throws(RenewalError) -> Replacement {
        let bytes = try Self.read(path)
        do throws(RenewalError) {
            return try Replacement(of: try old(bytes, path, passwords), by: certificate.certificate)
        } catch {
            throw Self.named(path, error)
        }
    }

    private func old(
        _ bytes: SecretBytes, _ path: String, _ passwords: CombinePasswords
    ) throws(RenewalError) -> CertificateFile {
        var failure: CertificateFileError
        do throws(CertificateFileError) {
            return try read(bytes, with: passwords.forOld)
        } catch {
            failure = error
        }
        let wantsPassword = [.passwordRequired, .wrongPassword].contains(failure.code)
        if wantsPassword, passwords.mayAskForOld, let password = passwords.ask(for: Self.name(path)) {
            do throws(CertificateFileError) {
                return try read(bytes, with: [password])
            } catch {
                failure = error
            }
        }
        guard wantsPassword else { throw RenewalError(.unsuitableFile, failure.message) }
        let statement =
            passwords.forOld.isEmpty ? "it is protected with a password" : "no password that is known opens it"
        throw RenewalError(.unsuitableFile, "\(statement); name the right one with --old-password-env")
    }

    /// Reads with the first password that opens it.
    private func read(
        _ bytes: SecretBytes, with passwords: [Password]
    ) throws(CertificateFileError) -> CertificateFile {
        for password in passwords {
            do throws(CertificateFileError) {
                return try read(bytes, password)
            } catch {
                guard error.code == .wrongPassword else { throw error }
            }
        }
        return try read(bytes, passwords.last)
    }

    private func read(_ bytes: SecretBytes, _ password: Password?) throws(CertificateFileError) -> CertificateFile {
        try bytes.withBytes { (bytes) throws(CertificateFileError) in try reader.read(bytes, password: password) }
    }

    /// Reads a file, or standard input for `-`.
    static func read(_ path: String) throws(RenewalError) -> SecretBytes {
        do throws(CertificateFileError) {
            return try (path == "-" ? CertificateInput.standardInput : .file(RawPath(argument: path))).read()
        } catch {
            // Most of them name the path themselves.
            let name = name(path)
            throw RenewalError(
                .unsuitableFile, error.message.contains(name) ? error.message : "\(name): \(error.message)")
        }
    }

    static func named(_ path: String, _ error: RenewalError) -> RenewalError {
        RenewalError(error.code, "\(name(path)): \(error.message)")
    }
}
