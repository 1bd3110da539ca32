import OpenSSL
import PushSamples

/// Certification requests that are right.
enum CertificationRequestSample {
    static func request(for domain: String, key: SampleKey) throws -> [UInt8] {
        try CertificateRequest.make(dnsName: domain, key: key.privateKey())
    }
}
