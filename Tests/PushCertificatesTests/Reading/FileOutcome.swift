import PushCertificates
import PushSamples

/// What comes of a file.
enum FileOutcome {
    /// `ok`, or the code of the error.
    static func code(_ bytes: [UInt8], password: String? = nil) throws -> String {
        try error(bytes, password: password)?.code.description ?? "ok"
    }

    static func error(_ bytes: [UInt8], password: String? = nil) throws -> CertificateFileError? {
        let reader = try CertificateFileReader()
        do throws(CertificateFileError) {
            _ = try reader.read(bytes, password: password.map { Password(utf8: $0.utf8) })
            return nil
        } catch {
            return error
        }
    }

    static func read(_ bytes: [UInt8], password: String? = nil) throws -> CertificateFile {
        try CertificateFileReader().read(bytes, password: password.map { Password(utf8: $0.utf8) })
    }

    /// A certificate of a key of its own.
    static func certificate(_ number: Int = 1) -> SampleCertificate {
        SampleProfile.universal.certificate(key: .p256(number))
    }
}

extension CertificateFile {
    /// Of whatever is said about it, without what every sample has in common.
    func says(_ code: String) -> Bool { findings.contains { $0.code.rawValue == code } }
}
