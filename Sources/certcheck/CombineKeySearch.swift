import CommandLineSupport
import Diagnostics
import OpenSSL
import PushCertificates
import SystemSupport

/// Looks for the private key of a certificate.
struct CombineKeySearch {
    typealias Found = (key: RenewalKey, path: String)

    private let certificate: IssuedCertificate
    private let files: CombineFiles
    private let passwords: CombinePasswords

    /// What was found on the way.
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
        let bytes = try CombineFiles.read(path)
        do throws(RenewalError) {
            if let key = try look(into: bytes, path) { return (key, path) }
        } catch {
            throw CombineFiles.named(path, error)
        }
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
            // What is not a key does not matter here.
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
