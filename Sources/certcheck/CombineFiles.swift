import CommandLineSupport
import Diagnostics
import OpenSSL
import PushCertificates
import SystemSupport

/// Reads what `certcheck combine` puts together.
struct CombineFiles {
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

    func certificate(
        _ path: String, serial: String?, _ passwords: CombinePasswords
    ) throws(RenewalError) -> IssuedCertificate {
        try Self.reading(path) { bytes throws(RenewalError) in
            try IssuedCertificate(bytes, passwords: passwords.forKey, serial: serial, with: reader)
        }
    }

    /// Compares the file in use with a new certificate.
    func replacement(
        of path: String, by certificate: IssuedCertificate, _ passwords: CombinePasswords
    ) throws(RenewalError) -> Replacement {
        try Self.reading(path) { bytes throws(RenewalError) in
            try Replacement(of: try old(bytes, path, passwords), by: certificate.certificate)
        }
    }

    private func old(
        _ bytes: [UInt8], _ path: String, _ passwords: CombinePasswords
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
        _ bytes: [UInt8], with passwords: [Password]
    ) throws(CertificateFileError) -> CertificateFile {
        for password in passwords {
            do throws(CertificateFileError) {
                return try reader.read(bytes, password: password)
            } catch {
                guard error.code == .wrongPassword else { throw error }
            }
        }
        return try reader.read(bytes, password: passwords.last)
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

    /// Reads a file, and has what is wrong with it named by the path.
    static func reading<Result>(
        _ path: String, _ body: ([UInt8]) throws(RenewalError) -> Result
    ) throws(RenewalError) -> Result {
        let bytes = try read(path)
        do throws(RenewalError) {
            return try bytes.withBytes(body)
        } catch {
            throw RenewalError(error.code, "\(name(path)): \(error.message)")
        }
    }
}

/// The passwords of the new file, of the key and of the file in use: from options, or asked for.
final class CombinePasswords {
    private let new: Password?
    private let key: Password?
    private let old: Password?
    /// The passwords that were typed already, so that none has to be typed twice.
    private var typed: [Password] = []

    init(new: Password?, key: Password?, old: Password?) {
        self.new = new
        self.key = key
        self.old = old
    }

    /// The passwords to try on an encrypted key: many people use one password for all of it.
    var forKey: [Password] { [key, new].compactMap { $0 } + typed }
    /// The passwords to try on the file in use.
    var forOld: [Password] { [old, new].compactMap { $0 } + typed }

    /// Whether the user can be asked for the password of a key.
    var mayAskForKey: Bool { key == nil && TerminalPassword.isPossible }
    /// Whether the user can be asked for the password of the file in use.
    var mayAskForOld: Bool { old == nil && TerminalPassword.isPossible }

    /// Asks for the password of a file.
    func ask(for name: String) -> Password? {
        guard let password = Self.ask("Password for \(name): ") else { return nil }
        typed.append(password)
        return password
    }

    /// The password of the new file; asked for twice if no option named it.
    ///
    /// - Throws: `RenewalError.Code.invalidPassword`.
    func forNewFile() throws(RenewalError) -> Password {
        if let new { return new }
        guard TerminalPassword.isPossible, let first = Self.ask("Password for the new file: ") else {
            throw RenewalError(
                .invalidPassword,
                "the new file needs a password; name it with --password-env, --password-file or --password-fd")
        }
        // A useless one is not asked for twice.
        try first.checkForNewFile()
        guard let second = Self.ask("The same password again: "), first.bytes == second.bytes else {
            throw RenewalError(.invalidPassword, "the two passwords differ; try again")
        }
        return first
    }

    private static func ask(_ question: String) -> Password? { TerminalPassword.ask(question).map { Password($0) } }
}

/// Looks for the private key of a certificate.
struct CombineKeySearch {
    typealias Found = (key: RenewalKey, path: String)

    private let certificate: IssuedCertificate
    private let files: CombineFiles
    private let passwords: CombinePasswords

    /// The number of other keys that were found on the way.
    private var otherKeys = 0
    private var locked: [(path: String, bytes: SecretBytes)] = []
    private var unreadable = 0

    init(of certificate: IssuedCertificate, _ files: CombineFiles, _ passwords: CombinePasswords) {
        self.certificate = certificate
        self.files = files
        self.passwords = passwords
    }

    /// - Throws: `RenewalError.Code.noMatchingKey`, or `RenewalError.Code.unsuitableFile` if there is no key at all.
    mutating func inFile(_ path: String) throws(RenewalError) -> Found {
        if path != "-", RawPath(argument: path).isFolder {
            throw RenewalError(.unsuitableFile, "\(CombineFiles.name(path)) is a folder; use --keys for folders")
        }
        let key = try CombineFiles.reading(path) { bytes throws(RenewalError) in
            try look(into: SecretBytes(bytes), path)
        }
        if let key { return (key, path) }
        if let found = askForLocked() { return found }
        throw refusal(path, isFolder: false)
    }

    /// - Throws: `RenewalError.Code.noMatchingKey`, or `RenewalError.Code.unsuitableFile` if the folder cannot be read.
    mutating func inFolder(_ path: String) throws(RenewalError) -> Found {
        let folder = RawPath(argument: path)
        guard folder.isFolder else {
            // Says so if there is nothing at all.
            _ = try CombineFiles.read(path)
            throw RenewalError(.unsuitableFile, "\(CombineFiles.name(path)) is not a folder; use --key for a file")
        }
        let found: [RawPath]
        do throws(SystemError) {
            found = try FolderWalk.files(directlyIn: folder)
        } catch {
            throw RenewalError(.unsuitableFile, "the folder \(CombineFiles.name(path)) cannot be read: \(error.reason)")
        }
        for file in found {
            let bytes: SecretBytes
            do throws(CertificateFileError) {
                bytes = try CertificateInput.file(file).read()
            } catch {
                unreadable += 1
                continue
            }
            // Other files than keys do not matter here.
            if let key = try? look(into: bytes, file.text) { return (key, file.text) }
        }
        if let found = askForLocked() { return found }
        throw refusal(path, isFolder: true)
    }

    private mutating func look(into bytes: SecretBytes, _ path: String) throws(RenewalError) -> RenewalKey? {
        let file = try read(bytes, passwords.forKey)
        if let key = file.key(of: certificate) { return key }
        otherKeys += file.keys.count
        if file.hasLockedKeys { locked.append((path, bytes)) }
        return nil
    }

    private func read(_ bytes: SecretBytes, _ passwords: [Password]) throws(RenewalError) -> KeyFile {
        try bytes.withBytes { (bytes) throws(RenewalError) in
            try KeyFile(bytes, passwords: passwords, with: files.reader)
        }
    }

    /// Asks once for the password of all keys that are left.
    private func askForLocked() -> Found? {
        guard let first = locked.first, passwords.mayAskForKey else { return nil }
        let name = CombineFiles.name(first.path) + (locked.count > 1 ? " and \(locked.count - 1) more" : "")
        guard let password = passwords.ask(for: name) else { return nil }
        for (path, bytes) in locked {
            if let key = try? read(bytes, [password]).key(of: certificate) { return (key, path) }
        }
        return nil
    }

    private func refusal(_ path: String, isFolder: Bool) -> RenewalError {
        let name = CombineFiles.name(path)
        var reasons: [String] = []
        if otherKeys == 1 {
            let which = isFolder ? "the only readable private key in" : "the private key in"
            reasons.append("\(which) \(name) does not match the certificate")
        }
        if otherKeys > 1 { reasons.append("none of the \(otherKeys) private keys in \(name) matches the certificate") }
        if otherKeys == 0, locked.isEmpty { reasons.append("there is no private key in \(name)") }
        if !locked.isEmpty {
            let subject = !isFolder ? "a key in it" : locked.count == 1 ? "one file" : "\(locked.count) files"
            let start = reasons.isEmpty ? "\(name): " : ""
            reasons.append(
                "\(start)\(subject) cannot be opened without the right password; name it with --key-password-env")
        }
        if unreadable > 0 { reasons.append("\(unreadable) of its files cannot be read") }
        reasons.append(
            "without its private key the certificate cannot be used: create a new request with 'certcheck csr'")
        return RenewalError(.noMatchingKey, reasons.joined(separator: "; "))
    }
}
