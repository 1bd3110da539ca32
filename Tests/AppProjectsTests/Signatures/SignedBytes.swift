import AppProjects
import AppSamples
import OpenSSL
import PushSamples
import SystemSupport

/// A file in memory, and what is read of it.
struct SignedBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// An APK without the signature of a JAR.
    init(_ block: SampleSigningBlock) throws {
        bytes = block.inserted(into: try SampleSignature.application().bytes)
    }

    func result(password: String? = nil) -> Result<SignerFile, SignatureError> {
        Result { () throws(SignatureError) in
            try SignerFile.read(
                RandomAccessFile(bytes: bytes), path: "my app", password: password.map { SecretBytes($0.utf8) })
        }
    }

    /// The kind, and each certificate with role and scheme by the last number of its name; or the code of the error.
    func summary(password: String? = nil) -> String {
        switch result(password: password) {
        case .success(let file):
            let certificates = file.certificates.map { certificate in
                let name = certificate.subject.split(separator: ",").first?.split(separator: " ").last ?? ""
                return "\(name) \(certificate.role.rawValue)" + (certificate.scheme.map { " \($0.rawValue)" } ?? "")
            }
            return ([file.kind.rawValue] + certificates).joined(separator: "; ")
        case .failure(let error): return error.code.rawValue
        }
    }

    var error: SignatureError? {
        if case .failure(let error) = result() { error } else { nil }
    }

    /// The fingerprint as everybody else computes it.
    static func fingerprint(_ der: [UInt8]) -> String {
        SHA256Digest.hash(der).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "0\(digits)" : digits
        }.joined(separator: ":")
    }
}
