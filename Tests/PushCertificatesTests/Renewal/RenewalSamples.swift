import OpenSSL
import PushCertificates
import PushSamples
import Testing

/// The values that the tests of the renewal have in common.
enum RenewalSamples {
    static func certificate(_ sample: SampleCertificate) throws -> IssuedCertificate {
        try IssuedCertificate(try sample.der(), with: CertificateFileReader())
    }

    static func key(_ sample: SampleKey, password: String? = nil) throws -> KeyFile {
        try KeyFile(
            Array(try sample.pem().utf8), passwords: password.map { [Password(utf8: $0.utf8)] } ?? [],
            with: CertificateFileReader())
    }

    static func password(_ text: String = "test-password") -> Password { Password(utf8: text.utf8) }
}

/// The code of a `RenewalError` that an expression throws.
func renewalCode(_ body: () throws -> some Any) -> RenewalError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? RenewalError)?.code
    }
}
