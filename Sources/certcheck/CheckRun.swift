import CommandLineSupport
import Diagnostics
import OpenSSL
import PushCertificates
import SystemSupport

/// Reads files one after the other, and keeps what came of them.
struct CheckRun {
    typealias Content = Result<CertificateFile, CertificateFileError>

    private let reader: CertificateFileReader
    private var passwords: PasswordSupply
    private(set) var files: [(path: String, content: Content)] = []

    /// - Throws: `CertificateFileError` if OpenSSL cannot be used.
    init(password: Password?) throws(CertificateFileError) {
        reader = try CertificateFileReader()
        passwords = PasswordSupply(given: password)
    }

    /// Reads a file, all files in a folder, or standard input for `-`.
    mutating func add(_ argument: String) {
        guard argument != "-" else { return add(.standardInput) }
        let path = RawPath(argument: argument)
        guard path.isFolder else { return add(.file(path)) }
        let before = files.count
        for (path, failure) in FolderWalk.files(below: path) {
            if let failure {
                let message = "the folder cannot be read: \(failure.reason)"
                files.append((path.text, .failure(CertificateFileError(.unreadable, message))))
            } else {
                let content = read(.file(path))
                if case .failure(let error) = content, error.code == .notACertificate { continue }
                files.append((path.text, content))
            }
        }
        if files.count == before {
            let message = "there is no certificate in this folder, nor in those in it; check the path"
            files.append((path.text, .failure(CertificateFileError(.notACertificate, message))))
        }
    }

    private mutating func add(_ input: CertificateInput) {
        files.append((input.path, read(input)))
    }

    private mutating func read(_ input: CertificateInput) -> Content {
        do throws(CertificateFileError) {
            let bytes = try input.read()
            let budget = WorkBudget()
            var content = read(bytes, budget)
            if Self.wantsPassword(content), passwords.password == nil, passwords.ask(for: input.path) {
                content = read(bytes, budget)
            }
            return content
        } catch {
            return .failure(error)
        }
    }

    private func read(_ bytes: SecretBytes, _ budget: WorkBudget) -> Content {
        do throws(CertificateFileError) {
            return .success(
                try bytes.withBytes { (bytes) throws(CertificateFileError) in
                    try reader.read(bytes, password: passwords.password, budget: budget)
                })
        } catch {
            return .failure(error)
        }
    }

    private static func wantsPassword(_ content: Content) -> Bool {
        switch content {
        case .success(let file): file.wantsPassword
        case .failure(let error): error.code == .passwordRequired
        }
    }
}
