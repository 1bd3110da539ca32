import Diagnostics
import PushCertificates
import PushSamples
import Testing

/// Files of samples, read.
enum Classified {
    /// A PKCS #12 file without encryption and without a MAC, whose keys are not protected therefore.
    static func pkcs12(_ bags: [SampleBag]) throws -> CertificateFile {
        try read(SamplePKCS12([.plain(bags)]).der())
    }

    static func pem(_ blocks: String...) throws -> CertificateFile {
        try read(Array(blocks.joined().utf8))
    }

    static func read(_ bytes: [UInt8], password: String? = nil) throws -> CertificateFile {
        try CertificateFileReader().read(bytes, password: password.map { Password(utf8: $0.utf8) })
    }

    /// The only certificate of a file that has nothing else in it.
    static func only(_ certificate: SampleCertificate) throws -> CertificateFile {
        let file = try read(certificate.der())
        try #require(file.certificates.count == 1)
        return file
    }
}

extension CertificateFile {
    /// As `0 not-push`, or `- no-mac` for the whole file, without what all samples have in common: Apple has not issued them.
    var codes: [String] {
        findings.filter { $0.code.rawValue != "not-apple-issued" }.map { finding in
            "\(finding.certificate.map(String.init) ?? "-") \(finding.code)"
        }
    }

    func message(_ code: String) -> String? { findings.first { $0.code.rawValue == code }?.sentence }
}

extension SampleKey {
    func bag(_ localKeyID: [UInt8]? = nil) throws -> SampleBag {
        SampleBag.key(try pkcs8()).named("k", localKeyID: localKeyID)
    }
}

extension SampleCertificate {
    func bag(_ localKeyID: [UInt8]? = nil) throws -> SampleBag {
        SampleBag.certificate(try der()).named("c", localKeyID: localKeyID)
    }
}
