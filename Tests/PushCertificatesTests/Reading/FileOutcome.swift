import Diagnostics
import PushCertificates
import PushSamples

/// The outcome for a file.
enum FileOutcome {
    private static let reader = Result { () throws(CertificateFileError) in try CertificateFileReader() }

    /// `ok`, or the code of the error.
    static func code(
        _ bytes: [UInt8], password: String? = nil, budget: ReadingBudget = ReadingBudget()
    ) throws -> String {
        try error(bytes, password: password, budget: budget)?.code.description ?? "ok"
    }

    static func error(
        _ bytes: [UInt8], password: String? = nil, budget: ReadingBudget = ReadingBudget()
    ) throws -> CertificateFileError? {
        let reader = try reader.get()
        do throws(CertificateFileError) {
            _ = try reader.read(bytes, password: password.map { Password(utf8: $0.utf8) }, budget: budget)
            return nil
        } catch {
            return error
        }
    }

    static func read(
        _ bytes: [UInt8], password: String? = nil, budget: ReadingBudget = ReadingBudget()
    ) throws -> CertificateFile {
        try reader.get().read(bytes, password: password.map { Password(utf8: $0.utf8) }, budget: budget)
    }

    /// A certificate of a key of its own.
    static func certificate(_ number: Int = 1) -> SampleCertificate {
        SampleProfile.universal.certificate(key: .p256(number))
    }
}

extension CertificateFile {
    func says(_ code: String) -> Bool { !messages(code).isEmpty }

    func messages(_ code: String) -> [String] { findings.filter { $0.code.rawValue == code }.map(\.sentence) }

    /// Nothing is said of it but what is said of every sample: Apple has not issued it.
    var isSound: Bool { findings.allSatisfy { $0.code.rawValue == "not-apple-issued" } }
}
