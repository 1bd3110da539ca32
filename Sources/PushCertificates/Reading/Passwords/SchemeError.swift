internal import Diagnostics
internal import OpenSSL

/// Why something cannot be opened or checked with any password.
enum SchemeError: Error, Equatable {
    /// Its parameters are damaged.
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
    /// - Parameter subject: What of the file it is about, like `the MAC`.
    func fileError(in subject: String) -> CertificateFileError {
        let (code, advice): (CertificateFileError.Code, String) =
            switch self {
            case .malformed: (.corrupt, "download or export it again")
            case .tooManyIterations, .tooMuchWork: (.tooLarge, "export it again with fewer iterations")
            case .tooMuchMemory: (.tooLarge, "export it again with a lower memory cost")
            case .tooLongKey: (.tooLarge, "export it again")
            case .tooManyKeys, .tooManyCertificates: (.tooLarge, "split it into several files")
            case .unsupported:
                (.unsupportedAlgorithm, "export it again with AES-256 and SHA-256, or use a newer OpenSSL")
            case .legacyProviderMissing:
                (
                    .legacyProviderMissing,
                    "install it (on Debian 13 it is the package 'openssl-provider-legacy'), or export the file again with "
                        + "AES or 3DES"
                )
            }
        return CertificateFileError(code, clause(in: subject), advice: advice)
    }

    /// What is wrong, without what to do.
    func clause(in subject: String) -> String {
        switch self {
        case .malformed: "the parameters of \(subject) are damaged"
        case .tooManyIterations(let count):
            "\(subject) asks for \(Self.shown(count)) iterations, more than \(grouped(FileLimits.iterations))"
        case .tooMuchMemory(let bytes):
            "\(subject) asks for \(Self.shown(bytes)) bytes of memory, more than \(grouped(FileLimits.memory))"
        case .tooManyKeys: "the file has more than \(FileLimits.keys) private keys"
        case .tooManyCertificates: "the file has more than \(FileLimits.certificates) certificates"
        case .tooLongKey(let bytes):
            "\(subject) asks for a key of \(Self.shown(bytes)) bytes, more than \(FileLimits.macKeyLength)"
        case .tooMuchWork(let work):
            "the whole file may take \(Self.seconds(work)) seconds of computing time, more than \(FileLimits.work / 1_000_000_000)"
        case .unsupported(let oid):
            "\(subject) needs \(Self.name(oid)), which \(LibraryContext.version) does not support"
        case .legacyProviderMissing(let cipher):
            "\(subject) needs \(cipher), which is in OpenSSL's provider 'legacy'; that provider cannot be loaded"
        }
    }

    /// Rounded up.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        nanoseconds == .max ? "more than 2^34" : "\((nanoseconds - 1) / 1_000_000_000 + 1)"
    }

    private static func shown(_ number: UInt64) -> String { number == .max ? "more than 2^63" : grouped(number) }

    private static func name(_ oid: String) -> String {
        LibraryContext.name(of: oid).map { "\(quoted($0)) (\(oid))" } ?? "the algorithm \(quoted(oid))"
    }
}
