internal import Diagnostics
internal import OpenSSL
internal import PushCertificates
internal import SystemSupport

/// Recognizes a file by its content, and reads it.
struct SignerFileReader {
    let file: RandomAccessFile
    /// The name of the file in advice.
    let path: String

    /// The password that Android's tools give to the keystore that they make for development.
    private static let debugPassword = "android"
    /// The number of bytes that is enough to recognize every kind.
    private static let startCount = 64

    func read(password: SecretBytes?) throws(SignatureError) -> SignerFile {
        guard file.size <= SignerFile.maximumSize else {
            throw SignatureError(
                .tooLarge, "the file has \(grouped(file.size)) bytes, more than \(grouped(SignerFile.maximumSize))",
                help: "name a smaller file that is signed with the same key, or the certificate itself")
        }
        let start = try SignatureError.reading { () throws(SystemError) in
            try file.bytes(at: 0, count: min(file.size, Self.startCount)) ?? []
        }
        if ZipArchive.isArchive(start) { return try SignedArchive(file).read(try context()) }
        if let keystore = JavaKeystore(start) { throw keystore.error(path) }
        return try readCertificates(password)
    }

    private func readCertificates(_ password: SecretBytes?) throws(SignatureError) -> SignerFile {
        guard file.size <= CertificateFileReader.maximumBytes else {
            throw SignatureError(
                .tooLarge,
                "the file is not an archive and has \(grouped(file.size)) bytes, more than "
                    + "\(grouped(CertificateFileReader.maximumBytes))",
                help: "no keystore or certificate is that large; \(SignatureError.expected)")
        }
        let found = try SignatureError.reading { () throws(SystemError) in try file.bytes(at: 0, count: file.size) }
        guard var content = found else {
            throw SignatureError(.unreadable, "the file became shorter while it was read", help: "try again")
        }
        // There may be a private key in it.
        let bytes = SecretBytes(taking: &content)
        return try bytes.withBytes { bytes throws(SignatureError) in try readCertificates(in: bytes, password) }
    }

    private func readCertificates(
        in bytes: [UInt8], _ password: SecretBytes?
    ) throws(SignatureError) -> SignerFile {
        guard CertificateFileReader.mayRead(bytes) else {
            throw SignatureError(
                .notACertificate,
                bytes.isEmpty ? "the file is empty" : "this is neither an archive nor a keystore nor a certificate",
                help: SignatureError.expected)
        }
        let enclosed: EnclosedCertificates
        do throws(CertificateFileError) {
            enclosed = try CertificateFileReader().certificates(
                bytes, password: password.map { Password($0) },
                others: [Password(utf8: Self.debugPassword.utf8)])
        } catch {
            throw SignatureError(error)
        }
        return try Self.signerFile(enclosed)
    }

    private static func signerFile(_ enclosed: EnclosedCertificates) throws(SignatureError) -> SignerFile {
        var list = CertificateList()
        switch enclosed.container {
        case .certificates:
            for entry in enclosed.entries { list.add(entry.certificate, .signer, nil) }
            return SignerFile(kind: .certificate, certificates: list.certificates)
        case .keystore:
            for entry in enclosed.entries where entry.hasPrivateKey { list.add(entry.certificate, .signer, nil) }
            guard !list.certificates.isEmpty else {
                throw SignatureError(
                    .notACertificate, "the keystore has no certificate with its private key, so it signs nothing",
                    help: "name the keystore that the app is signed with, or a certificate in a file of its own",
                    kind: .pkcs12)
            }
            return SignerFile(kind: .pkcs12, certificates: list.certificates)
        }
    }

    private func context() throws(SignatureError) -> LibraryContext {
        do throws(OpenSSLError) {
            return try LibraryContext()
        } catch {
            throw SignatureError(.missingLibrary, "\(LibraryContext.version) cannot be used: \(error)")
        }
    }
}

/// A keystore of Java that is not PKCS #12.
private struct JavaKeystore {
    private let name: String
    /// The options with which keytool reads it.
    private let options: [String]

    /// Nil if the bytes do not begin like one.
    init?(_ start: [UInt8]) {
        if start.starts(with: [0xFE, 0xED, 0xFE, 0xED]) {
            (name, options) = ("JKS", [])
        } else if start.starts(with: [0xCE, 0xCE, 0xCE, 0xCE]) {
            (name, options) = ("JCEKS", ["-srcstoretype", "jceks"])
        } else if [[0, 0, 0, 1], [0, 0, 0, 2]].contains(Array(start.prefix(4))),
            // A version, and then the length of a salt of SHA-1.
            start.dropFirst(4).starts(with: [0, 0, 0, 20])
        {
            name = "BKS"
            options = [
                "-srcstoretype", "bks", "-providerclass", "org.bouncycastle.jce.provider.BouncyCastleProvider",
                "-providerpath", "bcprov.jar",
            ]
        } else {
            return nil
        }
    }

    /// - Parameter path: The keystore.
    func error(_ path: String) -> SignatureError {
        let words =
            ["keytool", "-importkeystore", "-srckeystore", path] + options
            + ["-destkeystore", "\(path == "-" ? "keystore" : path).p12", "-deststoretype", "pkcs12"]
        return SignatureError(
            .unsupportedKeystore, "this is a Java keystore of the type \(name), which is not read",
            help: "convert it: \(ShellText.line(words))")
    }
}

extension SignatureError {
    /// The kinds that a file may be of.
    static let expected = "expected an APK, an app bundle, a JAR, a PKCS #12 keystore, or a certificate in PEM or DER"

    init(_ error: CertificateFileError) {
        let keystoreCodes: [CertificateFileError.Code] = [.legacyProviderMissing, .unsupportedAlgorithm]
        let code: Code
        switch error.code {
        case .notACertificate: code = .notACertificate
        case .passwordRequired, .wrongPassword: code = .wrongPassword
        case .tooLarge: code = .tooLarge
        case _ where keystoreCodes.contains(error.code): code = .unsupportedKeystore
        default: code = .corrupt
        }
        self.init(
            code, error.message, help: code == .notACertificate ? Self.expected : error.advice,
            kind: code == .wrongPassword || code == .unsupportedKeystore ? .pkcs12 : nil)
    }

    /// Runs what reads a file.
    static func reading<Value>(_ body: () throws(SystemError) -> Value) throws(SignatureError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw SignatureError(error)
        }
    }

    /// Runs what reads an archive.
    static func readingArchive<Value>(_ body: () throws(ZipError) -> Value) throws(SignatureError) -> Value {
        do throws(ZipError) {
            return try body()
        } catch {
            switch error {
            case .unreadable(let error): throw SignatureError(error)
            case .unusable(let reason): throw SignatureError(.corrupt, reason, help: Self.again)
            case .tooLarge(let reason): throw SignatureError(.tooLarge, reason)
            case .missingLibrary(let library): throw SignatureError(.missingLibrary, library.description)
            }
        }
    }

    static func damaged(_ subject: String, _ reason: String) -> SignatureError {
        SignatureError(.corrupt, "\(subject) is damaged: \(reason)", help: again)
    }

    /// The advice about a damaged archive.
    static let again = "download or build it again"
}
