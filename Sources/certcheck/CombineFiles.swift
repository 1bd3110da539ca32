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
            throw RenewalError(.library, error.sentence)
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
        guard wantsPassword else { throw RenewalError(.unsuitableFile, failure.sentence) }
        let statement =
            passwords.forOld.isEmpty ? "it is protected with a password" : "none of the given passwords opens it"
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
                .unsuitableFile, error.message.contains(name) ? error.sentence : "\(name): \(error.sentence)")
        }
    }

    static func named(_ path: String, _ error: RenewalError) -> RenewalError {
        RenewalError(error.code, "\(name(path)): \(error.message)")
    }
}

/// The passwords of the new file, of the key and of the file in use: from options, or asked for.
final class CombinePasswords {
    private let new: Password?
    private let key: Password?
    private let old: Password?
    /// What somebody has typed already; nobody is to type it twice.
    private var typed: [Password] = []

    init(new: Password?, key: Password?, old: Password?) {
        self.new = new
        self.key = key
        self.old = old
    }

    /// What is tried on an encrypted key: many people use one password for all of it.
    var forKey: [Password] { [key, new].compactMap { $0 } + typed }
    /// What is tried on the file in use.
    var forOld: [Password] { [old, new].compactMap { $0 } + typed }

    /// Whether somebody can be asked for the password of a key.
    var mayAskForKey: Bool { key == nil && TerminalPassword.isPossible }
    /// Whether somebody can be asked for the password of the file in use.
    var mayAskForOld: Bool { old == nil && TerminalPassword.isPossible }

    /// Asks for the password of a file.
    func ask(for name: String) -> Password? {
        guard let password = TerminalPassword.ask("Password for \(name): ") else { return nil }
        typed.append(password)
        return password
    }

    /// The password of the new file; asked for twice if no option named it.
    ///
    /// - Throws: `RenewalError.Code.invalidPassword`.
    func forNewFile() throws(RenewalError) -> Password {
        if let new { return new }
        guard TerminalPassword.isPossible, let first = TerminalPassword.ask("Password for the new file: ") else {
            throw RenewalError(
                .invalidPassword,
                "the new file needs a password; name it with --password-env, --password-file or --password-fd")
        }
        // Nobody shall type a useless one twice.
        try first.checkForNewFile()
        guard let second = TerminalPassword.ask("The same password again: "), Self.isEqual(first, second) else {
            throw RenewalError(.invalidPassword, "the two passwords differ; try again")
        }
        return first
    }

    private static func isEqual(_ left: Password, _ right: Password) -> Bool {
        left.bytes.withBytes { left in right.bytes.withBytes { MessageAuthentication.isEqual(left, $0) } }
    }
}
