package import OpenSSL

/// By which a CA knows a certificate when it is asked about its renewal (RFC 9773, section 4.1).
package struct CertificateID: Hashable, Sendable, CustomStringConvertible {
    /// The key identifier of the issuer and the serial number, each as base64url, with a full stop between them.
    package let description: String

    package init(keyIdentifier: [UInt8], serialNumber: [UInt8]) {
        description = "\(Base64URL.text(keyIdentifier)).\(Base64URL.text(serialNumber))"
    }

    /// Nil for a certificate that does not name its issuer's key.
    package init?(_ certificate: X509Certificate) {
        guard let identifier = certificate.authorityKeyIdentifier, !identifier.isEmpty,
            case let serial = certificate.serialNumberContent, !serial.isEmpty
        else { return nil }
        self.init(keyIdentifier: identifier, serialNumber: serial)
    }

    /// Reads what was stored; nil if it is not of that form.
    init?(stored text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 512,
            parts.allSatisfy({ !$0.isEmpty && Base64URL.isSpelledInAlphabet(String(Substring($0))) })
        else { return nil }
        description = text
    }
}
