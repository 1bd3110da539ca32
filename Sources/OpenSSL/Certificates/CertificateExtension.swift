internal import COpenSSL

/// An extension of a certificate that is being made, or of a request for one.
struct CertificateExtension: ~Copyable {
    let pointer: OpaquePointer

    /// A subject alternative name with exactly one name (RFC 5280, section 4.2.1.6).
    ///
    /// - Throws: `OpenSSLError.Code.setUp` if the name is not ASCII, is empty, or memory is lacking.
    init(dnsName name: String) throws(OpenSSLError) {
        ErrorQueue.clear()
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ 0x21...0x7E ~= $0 }), let count = Int32(exactly: bytes.count) else {
            throw OpenSSLError(.setUp, "a certificate cannot be for this name: expected visible ASCII characters")
        }
        guard let names = GENERAL_NAMES_new() else { throw OpenSSLError(.setUp, "out of memory") }
        defer { GENERAL_NAMES_free(names) }
        guard let general = GENERAL_NAME_new() else { throw OpenSSLError(.setUp, "out of memory") }
        guard let text = ASN1_IA5STRING_new() else {
            GENERAL_NAME_free(general)
            throw OpenSSLError(.setUp, "out of memory")
        }
        // Owned by the general name from here, and that by the list.
        GENERAL_NAME_set0_value(general, GEN_DNS, text)
        guard ASN1_STRING_set(text, bytes, count) == 1, c_sk_GENERAL_NAME_push(names, general) > 0 else {
            GENERAL_NAME_free(general)
            throw OpenSSLError(.setUp, "out of memory")
        }
        guard let pointer = X509V3_EXT_i2d(NID_subject_alt_name, 0, UnsafeMutableRawPointer(names)) else {
            throw OpenSSLError(.setUp, "the subject alternative name cannot be encoded")
        }
        self.pointer = pointer
    }

    /// Any extension.
    ///
    /// - Parameters:
    ///   - oid: in dots.
    ///   - value: the DER inside the octet string.
    init(oid: String, isCritical: Bool, value: [UInt8]) throws(OpenSSLError) {
        ErrorQueue.clear()
        let object = OBJ_txt2obj(oid, 1)
        let content = ASN1_OCTET_STRING_new()
        defer {
            ASN1_OBJECT_free(object)
            ASN1_OCTET_STRING_free(content)
        }
        guard let object, let content, let count = Int32(exactly: value.count),
            ASN1_OCTET_STRING_set(content, value, count) == 1,
            let pointer = X509_EXTENSION_create_by_OBJ(nil, object, isCritical ? 1 : 0, content)
        else { throw OpenSSLError(.setUp, "the extension \(oid) cannot be encoded") }
        self.pointer = pointer
    }

    deinit { X509_EXTENSION_free(pointer) }
}
