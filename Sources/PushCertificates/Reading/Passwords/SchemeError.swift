internal import Diagnostics
internal import OpenSSL

/// Why something cannot be opened or checked with any password.
enum SchemeError: Error, Equatable {
    /// Its parameters are none.
    case malformed
    case tooManyIterations(UInt64)
    /// The number of bytes.
    case tooMuchMemory(UInt64)
    /// More than is done for one file, in the nanoseconds of `WorkCost`.
    case tooMuchWork(UInt64)
    /// The number of bytes of a key of PBMAC1.
    case tooLongKey(UInt64)
    case tooManyKeys
    case tooManyCertificates
    /// The object identifier of an algorithm that the library does not know.
    case unsupported(String)
    /// The name of a cipher.
    case legacyProviderMissing(String)

    /// Runs what reads parameters.
    static func reading<Result>(_ body: () throws(BERError) -> Result) throws(SchemeError) -> Result {
        do throws(BERError) {
            return try body()
        } catch {
            throw .malformed
        }
    }

    /// What it means for a file.
    ///
    /// - Parameter place: What of the file it is about, like `the MAC`.
    func fileError(in place: String) -> CertificateFileError {
        switch self {
        case .malformed: CertificateFileError(.corrupt, "\(clause(in: place)); download or export it again")
        case .tooManyIterations, .tooMuchWork:
            CertificateFileError(.tooLarge, "\(clause(in: place)); export it again with fewer iterations")
        case .tooMuchMemory: CertificateFileError(.tooLarge, "\(clause(in: place)); export it again with less")
        case .tooLongKey: CertificateFileError(.tooLarge, "\(clause(in: place)); export it again")
        case .tooManyKeys, .tooManyCertificates:
            CertificateFileError(.tooLarge, "\(clause(in: place)); split it into several files")
        case .unsupported:
            CertificateFileError(
                .unsupportedAlgorithm,
                "\(clause(in: place)); export it again with AES-256 and SHA-256, or use a newer OpenSSL")
        case .legacyProviderMissing:
            CertificateFileError(
                .legacyProviderMissing,
                "\(clause(in: place)); install it (on Debian 13 it is the package 'openssl-provider-legacy'), "
                    + "or export the file again with AES or 3DES")
        }
    }

    /// What is the matter, without what to do.
    func clause(in place: String) -> String {
        switch self {
        case .malformed: "the parameters of \(place) are damaged"
        case .tooManyIterations(let count):
            "\(place) asks for \(Self.shown(count)) iterations, more than \(FileLimits.iterations)"
        case .tooMuchMemory(let bytes):
            "\(place) asks for \(Self.shown(bytes)) bytes of memory, more than \(FileLimits.memory)"
        case .tooManyKeys: "it has more than \(FileLimits.keys) private keys"
        case .tooManyCertificates: "it has more than \(FileLimits.certificates) certificates"
        case .tooLongKey(let bytes):
            "\(place) asks for a key of \(Self.shown(bytes)) bytes, more than \(FileLimits.macKeyLength)"
        case .tooMuchWork(let work):
            "all of the file together may take \(Self.seconds(work)) seconds of computing, more than \(FileLimits.work / 1_000_000_000)"
        case .unsupported(let oid):
            "\(place) needs \(Self.name(oid)), which \(LibraryContext.version) does not know"
        case .legacyProviderMissing(let cipher):
            "\(place) needs \(cipher), which is in OpenSSL's provider 'legacy', and that cannot be loaded"
        }
    }

    /// Rounded up.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        nanoseconds == .max ? "more than 2^34" : "\((nanoseconds - 1) / 1_000_000_000 + 1)"
    }

    private static func shown(_ number: UInt64) -> String { number == .max ? "more than 2^63" : "\(number)" }

    private static func name(_ oid: String) -> String {
        LibraryContext.name(of: oid).map { "\(quoted($0)) (\(oid))" } ?? "the algorithm \(quoted(oid))"
    }
}
