internal import COpenSSL

/// A certificate of a chain that is no leaf. Many chains share one.
///
/// It never changes after it was made, so all threads may use it.
final class IssuerCertificate: @unchecked Sendable {
    let der: [UInt8]
    let pointer: OpaquePointer

    init(der: [UInt8]) throws(OpenSSLError) {
        pointer = try ParsedIdentity.certificate(der)
        self.der = der
    }

    deinit { X509_free(pointer) }
}
