internal import COpenSSL
internal import Glibc

/// Makes certificates that sign themselves.
enum SelfSignedCertificate {
    /// An extension besides the subject alternative name; the value is the DER inside the octet string.
    typealias Extension = (oid: String, isCritical: Bool, value: [UInt8])

    private static let commonNameOID = "2.5.4.3"

    /// Makes a certificate for DNS names, signed with SHA-256; it is the caller's to free.
    ///
    /// - Parameters:
    ///   - name: the common name of subject and issuer.
    ///   - start: seconds since 1970, as `end`.
    /// - Throws: `OpenSSLError.Code.setUp` if a name cannot be in a certificate, or the library lacks something.
    static func make(
        name: String, dnsNames: [String], extensions: [Extension], from start: Int64, to end: Int64, key: PrivateKey
    ) throws(OpenSSLError) -> OpaquePointer {
        let alternativeName = try CertificateExtension(dnsNames: dnsNames)
        ErrorQueue.clear()
        guard let certificate = X509_new_ex(key.context.pointer, nil) else {
            throw OpenSSLError(.setUp, "out of memory")
        }
        var isComplete = false
        defer { if !isComplete { X509_free(certificate) } }
        let label = Array(name.utf8)
        let subject = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1, try setSerialNumber(of: certificate),
            ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(start)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(end)) != nil,
            X509_NAME_add_entry_by_txt(
                subject, commonNameOID, V_ASN1_UTF8STRING, label, Int32(label.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, subject) == 1, X509_set_pubkey(certificate, key.pointer) == 1,
            X509_add_ext(certificate, alternativeName.pointer, -1) == 1
        else { throw OpenSSLError(.setUp, "the certificate cannot be made") }
        for item in extensions {
            let added = try CertificateExtension(oid: item.oid, isCritical: item.isCritical, value: item.value)
            guard X509_add_ext(certificate, added.pointer, -1) == 1 else {
                throw OpenSSLError(.setUp, "the extension \(item.oid) cannot be added")
            }
        }
        try sign(certificate, key)
        isComplete = true
        return certificate
    }

    /// The certificate in DER.
    static func encoded(_ certificate: OpaquePointer) throws(OpenSSLError) -> [UInt8] {
        guard let bytes = DER.bytes({ i2d_X509(certificate, &$0) }) else {
            throw OpenSSLError(.setUp, "the certificate cannot be encoded")
        }
        return bytes
    }

    private static func sign(_ certificate: OpaquePointer, _ key: PrivateKey) throws(OpenSSLError) {
        guard let digest = key.context.digest("SHA256") else { throw OpenSSLError(.setUp, "SHA-256 is not there") }
        defer { EVP_MD_free(digest) }
        guard X509_sign(certificate, key.pointer, digest) > 0 else {
            throw OpenSSLError(.setUp, "the certificate cannot be signed")
        }
    }

    /// Random: two certificates of one issuer never have the same number.
    private static func setSerialNumber(of certificate: OpaquePointer) throws(OpenSSLError) -> Bool {
        var bytes = try SecureRandom.bytes(16)
        // Positive, and not zero.
        bytes[0] = bytes[0] & 0x3F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }
}
