internal import Diagnostics
package import OpenSSL

/// Reads files of push certificates. The format is detected by content, never by name (push-certificates.md, section 1).
public struct CertificateFileReader: Sendable {
    /// The largest file that is looked at, in bytes (push-certificates.md, section 1).
    public static let maximumBytes = 10 << 20

    package let context: LibraryContext

    /// - Throws: `CertificateFileError.Code.unsupportedAlgorithm` if OpenSSL cannot be used.
    public init() throws(CertificateFileError) {
        do throws(OpenSSLError) {
            context = try LibraryContext()
        } catch {
            throw CertificateFileError(.unsupportedAlgorithm, "\(LibraryContext.version) cannot be used: \(error)")
        }
    }

    /// - Parameters:
    ///   - password: Nil if none was given, which is not the same as the empty one.
    ///   - budget: The budget of this file, for a caller that reads it more than once.
    public func read(
        _ bytes: [UInt8], password: Password?, budget: ReadingBudget = ReadingBudget()
    ) throws(CertificateFileError) -> CertificateFile {
        let file = try parse(bytes, password: password, budget: budget)
        return FileClassifier(context: context, budget: budget).classify(file)
    }

    /// The content of a file, before it is known what it is for.
    func parse(
        _ bytes: [UInt8], password: Password?, budget: ReadingBudget
    ) throws(CertificateFileError) -> ParsedFile {
        guard bytes.count <= Self.maximumBytes else {
            throw CertificateFileError(
                .tooLarge,
                "the file has \(grouped(bytes.count)) bytes, more than \(grouped(Self.maximumBytes))",
                advice: "name the file with the certificate; no certificate is that large")
        }
        let decryption = PasswordDecryption(candidates: PasswordCandidates(password), budget: budget, context: context)
        if PEMBlocks.isPEM(bytes[...]) { return try PEMFileReader(decryption: decryption).read(bytes[...]) }
        guard let decoded = Base64Text.decodeText(bytes[...]) else { return try parse(der: bytes[...], decryption) }
        var file = try decoded.withBytes { decoded throws(CertificateFileError) in
            try parse(der: decoded[...], decryption)
        }
        file.notes.insert(.base64Text, at: 0)
        return file
    }

    private func parse(
        der bytes: ArraySlice<UInt8>, _ decryption: PasswordDecryption
    ) throws(CertificateFileError) -> ParsedFile {
        switch DERFormat(bytes) {
        case .pkcs12:
            var reader = PKCS12Reader(decryption: decryption)
            return try reader.read(bytes)
        case .signed: return try parseCertificate(bytes)
        case nil: throw ForeignContent.error(bytes)
        }
    }

    /// Reads a certificate in DER that is a file of its own.
    private func parseCertificate(_ bytes: ArraySlice<UInt8>) throws(CertificateFileError) -> ParsedFile {
        var reader = BERReader(bytes)
        let element: BERElement?
        do throws(ReadingError) {
            element = try reader.next()
        } catch {
            throw CertificateFileError(
                .corrupt, "the certificate is truncated or damaged", advice: "download or export it again")
        }
        guard let element, let certificate = try? X509Certificate(der: element.encoded, in: context) else {
            throw element.flatMap(ForeignContent.error(signed:))
                ?? CertificateFileError(
                    .corrupt, "the certificate is damaged", advice: "download or export it again")
        }
        let notes = reader.isAtEnd ? [] : [ParsedFile.Note.trailingBytes(reader.rest.count)]
        return ParsedFile(container: .der, certificates: [ParsedCertificate(x509: certificate)], notes: notes)
    }
}

/// The format of a file in DER or BER by its first bytes, which tell it even if the end is missing.
enum DERFormat {
    /// A SEQUENCE that begins with the number 3.
    case pkcs12
    /// A SEQUENCE that begins with another one: something signed, or an encrypted key.
    case signed

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.first == 0x30, let length = bytes.dropFirst().first, !Self.isText(bytes) else { return nil }
        let inside = bytes.dropFirst(length > 0x80 ? 2 + Int(length & 0x7F) : 2)
        if inside.starts(with: [0x02, 0x01, 0x03]) {
            self = .pkcs12
        } else if inside.first == 0x30 {
            self = .signed
        } else {
            return nil
        }
    }

    /// Text can begin with `000` too.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.prefix(1024).allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
    }
}
