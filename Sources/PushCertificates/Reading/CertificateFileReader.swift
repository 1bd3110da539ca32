package import OpenSSL

/// Reads files of push certificates and says what they are; what counts is the content, never the name.
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
    ///   - budget: Of this file, for whoever reads it more than once.
    public func read(
        _ bytes: [UInt8], password: Password?, budget: WorkBudget = WorkBudget()
    ) throws(CertificateFileError) -> CertificateFile {
        let contents = try contents(of: bytes, password: password, budget: budget)
        return FileClassifier(context: context, budget: budget).classify(contents)
    }

    /// What is in a file, before anything is made of it.
    func contents(
        of bytes: [UInt8], password: Password?, budget: WorkBudget
    ) throws(CertificateFileError) -> FileContents {
        guard bytes.count <= Self.maximumBytes else {
            throw CertificateFileError(
                .tooLarge,
                "it has \(bytes.count) bytes, more than \(Self.maximumBytes); no file with certificates is that large")
        }
        return try ContentReader(password: password, budget: budget, context: context).read(bytes)
    }
}
