internal import COpenSSL

/// Makes requests for certificates (PKCS #10, RFC 2986).
package enum CertificateRequest {
    /// An attribute of the subject, a relative name of its own.
    package struct Attribute: Equatable, Sendable {
        package enum Encoding: Sendable {
            case utf8, ia5, printable
        }

        /// The object identifier in dots.
        package let oid: String
        package let value: String
        package let encoding: Encoding

        package init(_ oid: String, _ value: String, as encoding: Encoding) {
            self.oid = oid
            self.value = value
            self.encoding = encoding
        }
    }

    /// A request in DER, signed by the key with SHA-256. Whether a value may stand in its encoding is the caller's to check.
    ///
    /// - Throws: `OpenSSLError.Code.setUp` if the library refuses a value, cannot sign with the key, or lacks memory.
    package static func make(subject: [Attribute], key: PrivateKey) throws(OpenSSLError) -> [UInt8] {
        try make(key: key) { name, _ throws(OpenSSLError) in
            for attribute in subject { try add(attribute, to: name) }
        }
    }

    /// A request in DER for one DNS name, in the subject alternative name and nowhere else: the subject is empty, and no
    /// other extension is requested, as ACME has it (RFC 8555, section 7.4).
    ///
    /// - Throws: `OpenSSLError.Code.setUp` if the name cannot be in a certificate, or as above.
    package static func make(dnsName: String, key: PrivateKey) throws(OpenSSLError) -> [UInt8] {
        let alternativeName = try CertificateExtension(dnsName: dnsName)
        let pointer = alternativeName.pointer
        let request = try make(key: key) { _, request throws(OpenSSLError) in
            let extensions = c_sk_X509_EXTENSION_new_null()
            defer { c_sk_X509_EXTENSION_free(extensions) }
            guard c_sk_X509_EXTENSION_push(extensions, pointer) > 0,
                X509_REQ_add_extensions(request, extensions) == 1
            else { throw OpenSSLError(.setUp, "the request cannot be made") }
        }
        // The pointer is used up to here.
        _ = consume alternativeName
        return request
    }

    private static func make(
        key: PrivateKey, fill: (_ subject: OpaquePointer, _ request: OpaquePointer) throws(OpenSSLError) -> Void
    ) throws(OpenSSLError) -> [UInt8] {
        ErrorQueue.clear()
        let context = key.context
        guard let request = X509_REQ_new_ex(context.pointer, nil), let name = X509_NAME_new() else {
            throw OpenSSLError(.setUp, "out of memory")
        }
        defer {
            X509_REQ_free(request)
            X509_NAME_free(name)
        }
        try fill(name, request)
        guard X509_REQ_set_version(request, 0) == 1, X509_REQ_set_subject_name(request, name) == 1,
            key.setPublicKey(of: request)
        else { throw OpenSSLError(.setUp, "the request cannot be made") }

        guard let digest = context.digest("SHA256") else { throw OpenSSLError(.setUp, "SHA-256 is not there") }
        defer { EVP_MD_free(digest) }
        guard X509_REQ_sign(request, key.pointer, digest) > 0 else {
            throw OpenSSLError(.setUp, "the request cannot be signed")
        }
        guard let bytes = DER.bytes({ i2d_X509_REQ(request, &$0) }) else {
            throw OpenSSLError(.setUp, "the request cannot be encoded")
        }
        return bytes
    }

    private static func add(_ attribute: Attribute, to name: OpaquePointer) throws(OpenSSLError) {
        let type =
            switch attribute.encoding {
            case .utf8: V_ASN1_UTF8STRING
            case .ia5: V_ASN1_IA5STRING
            case .printable: V_ASN1_PRINTABLESTRING
            }
        let value = Array(attribute.value.utf8)
        let object = OBJ_txt2obj(attribute.oid, 1)
        defer { ASN1_OBJECT_free(object) }
        guard let object, let count = Int32(exactly: value.count),
            X509_NAME_add_entry_by_OBJ(name, object, type, value, count, -1, 0) == 1
        else { throw OpenSSLError(.setUp, "the subject cannot hold \(attribute.oid)") }
    }
}

/// An extension of a certificate that is being made, or of a request for one.
struct CertificateExtension: ~Copyable {
    let pointer: OpaquePointer

    /// A subject alternative name with exactly one name (RFC 5280, section 4.2.1.6).
    ///
    /// - Throws: `OpenSSLError.Code.setUp` if the name is not ASCII, is empty, or memory is lacking.
    init(dnsName name: String) throws(OpenSSLError) { try self.init(dnsNames: [name]) }

    /// The same for several names.
    init(dnsNames: [String]) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard let names = GENERAL_NAMES_new() else { throw OpenSSLError(.setUp, "out of memory") }
        defer { GENERAL_NAMES_free(names) }
        for name in dnsNames { try Self.add(name, to: names) }
        guard let pointer = X509V3_EXT_i2d(NID_subject_alt_name, 0, UnsafeMutableRawPointer(names)) else {
            throw OpenSSLError(.setUp, "the subject alternative name cannot be encoded")
        }
        self.pointer = pointer
    }

    private static func add(_ name: String, to names: OpaquePointer) throws(OpenSSLError) {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ 0x21...0x7E ~= $0 }), let count = Int32(exactly: bytes.count) else {
            throw OpenSSLError(.setUp, "a certificate cannot be for this name: expected visible ASCII characters")
        }
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
