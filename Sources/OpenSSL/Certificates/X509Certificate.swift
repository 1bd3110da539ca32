internal import BoundedText
internal import COpenSSL
internal import SystemSupport

/// A certificate (RFC 5280), as far as its bytes say; nothing about it is believed.
///
/// It never changes after it was made, so all threads may use it.
package final class X509Certificate: @unchecked Sendable {
    /// An attribute of a name, or an extension, by its object identifier in dots.
    package struct Attribute: Equatable, Sendable {
        package let oid: String
        package let value: String
    }

    package struct Extension: Equatable, Sendable {
        package let oid: String
        package let isCritical: Bool
        /// The DER inside the octet string.
        package let value: [UInt8]
    }

    let pointer: OpaquePointer
    private let context: LibraryContext

    package let der: [UInt8]
    /// The attributes of the subject, in the order of the file.
    package let subject: [Attribute]
    package let issuer: [Attribute]
    /// The names as they are encoded, to be compared.
    package let subjectName: [UInt8]
    package let issuerName: [UInt8]
    package let extensions: [Extension]
    /// Upper-case hexadecimal, with a minus sign if it is negative.
    package let serialNumber: String
    /// Seconds since 1970.
    package let notBefore: Int64
    /// Seconds since 1970; the certificate is valid in that second still.
    package let notAfter: Int64
    /// The name of the digest of the signature as the library writes it, like `SHA1`; nil if it is not known.
    package let signatureDigest: String?

    /// Reads one certificate in DER, which may be followed by other bytes.
    ///
    /// - Throws: `OpenSSLError.Code.noCertificate`.
    package init(der bytes: ArraySlice<UInt8>, in context: LibraryContext) throws(OpenSSLError) {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        // The context goes with the certificate, so that its key is read and used in it too.
        guard let empty = X509_new_ex(context.pointer, nil) else { throw OpenSSLError(.setUp, "out of memory") }
        var certificate: OpaquePointer? = empty
        var consumed = 0
        let isRead = bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            var cursor: UnsafePointer<UInt8>? = start
            // Not d2i_X509, which refuses certificates with a damaged extension.
            guard ASN1_item_d2i(&certificate, &cursor, buffer.count, X509_it()) != nil, let cursor else { return false }
            consumed = cursor - start
            return true
        }
        guard isRead, let certificate else {
            X509_free(certificate)
            throw OpenSSLError(.noCertificate, "the certificate is damaged")
        }
        guard let notBefore = ASN1Value.seconds(X509_get0_notBefore(certificate)),
            let notAfter = ASN1Value.seconds(X509_get0_notAfter(certificate))
        else {
            X509_free(certificate)
            throw OpenSSLError(.noCertificate, "the certificate has no readable dates")
        }
        pointer = certificate
        self.context = context
        der = Array(bytes.prefix(consumed))
        self.notBefore = notBefore
        self.notAfter = notAfter
        subject = Self.attributes(X509_get_subject_name(certificate))
        issuer = Self.attributes(X509_get_issuer_name(certificate))
        subjectName = Self.encoded(X509_get_subject_name(certificate))
        issuerName = Self.encoded(X509_get_issuer_name(certificate))
        serialNumber = Self.hexadecimal(X509_get0_serialNumber(certificate))
        extensions = (0..<max(0, X509_get_ext_count(certificate))).compactMap { Self.extension(certificate, $0) }
        var digest: Int32 = 0
        // The result says whether the digest can be used here; that of an old one is wanted all the same.
        _ = X509_get_signature_info(certificate, &digest, nil, nil, nil)
        signatureDigest = digest == NID_undef ? nil : OBJ_nid2sn(digest).map { String(cText: $0) }
    }

    deinit { X509_free(pointer) }

    /// The public key's algorithm as the library names it, like `RSA` or `EC`, and its size in bits; nil if it is of an
    /// unknown kind.
    package var publicKey: (algorithm: String, bits: Int)? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(pointer), let name = EVP_PKEY_get0_type_name(key) else { return nil }
        return (String(cText: name), Int(EVP_PKEY_get_bits(key)))
    }

    /// The object identifier of the public key's algorithm in dots, also where the library does not know the algorithm.
    package var publicKeyAlgorithm: String {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        var object: OpaquePointer?
        guard let key = X509_get_X509_PUBKEY(pointer), X509_PUBKEY_get0_param(&object, nil, nil, nil, key) == 1 else {
            return ""
        }
        return Self.dotted(object)
    }

    /// Whether the signature is one that the other certificate's key has made. Neither names nor dates matter.
    package func isSigned(by issuer: X509Certificate) -> Bool {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
        return X509_verify(pointer, key) == 1
    }

    /// The first attribute of the subject with an object identifier.
    package func subject(_ oid: String) -> String? { subject.first { $0.oid == oid }?.value }

    /// The subject as RFC 4514 writes it, like `CN=Android Debug,O=Android,C=US`.
    package var subjectText: String {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return ASN1Value.text(X509_get_subject_name(pointer)) ?? ""
    }

    /// The value of the first extension with an object identifier.
    package func `extension`(_ oid: String) -> [UInt8]? { extensions.first { $0.oid == oid }?.value }

    private static func attributes(_ name: OpaquePointer?) -> [Attribute] {
        (0..<max(0, X509_NAME_entry_count(name))).compactMap { index in
            guard let entry = X509_NAME_get_entry(name, index) else { return nil }
            return Attribute(
                oid: dotted(X509_NAME_ENTRY_get_object(entry)), value: text(X509_NAME_ENTRY_get_data(entry)))
        }
    }

    private static func text(_ string: UnsafeMutablePointer<ASN1_STRING>?) -> String {
        guard let string else { return "" }
        var utf8: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&utf8, string)
        guard count >= 0, let utf8 else { return String(text: ASN1Value.bytes(string)) }
        defer { c_OPENSSL_free(utf8) }
        return String(text: UnsafeBufferPointer(start: utf8, count: Int(count)))
    }

    private static func encoded(_ name: OpaquePointer?) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard let name, X509_NAME_get0_der(name, &start, &count) == 1, let start else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    private static func `extension`(_ certificate: OpaquePointer, _ index: Int32) -> Extension? {
        guard let found = X509_get_ext(certificate, index), let value = X509_EXTENSION_get_data(found) else {
            return nil
        }
        return Extension(
            oid: dotted(X509_EXTENSION_get_object(found)), isCritical: X509_EXTENSION_get_critical(found) == 1,
            value: ASN1Value.bytes(value))
    }

    private static func dotted(_ object: OpaquePointer?) -> String {
        var text = [CChar](repeating: 0, count: 256)
        let count = OBJ_obj2txt(&text, Int32(text.count), object, 1)
        guard count > 0 else { return "" }
        return String(text: text.prefix(while: { $0 != 0 }).map(UInt8.init(bitPattern:)))
    }

    private static func hexadecimal(_ number: UnsafePointer<ASN1_INTEGER>?) -> String {
        guard let number, let value = ASN1_INTEGER_to_BN(number, nil) else { return "" }
        defer { BN_free(value) }
        guard let text = BN_bn2hex(value) else { return "" }
        defer { c_OPENSSL_free(text) }
        // Whole bytes, as all the others.
        return BN_is_zero(value) == 1 ? "00" : String(cText: text)
    }
}

/// Values of a certificate as the library holds them.
enum ASN1Value {
    /// Seconds since 1970; nil if it is not a time.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        // Not timegm(3), which reads the zone of the machine.
        let date = CivilDate(year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        guard let date else { return nil }
        let minutes = Int64(parts.tm_hour) * 60 + Int64(parts.tm_min)
        return date.daysSince1970 * 86_400 + minutes * 60 + Int64(parts.tm_sec)
    }

    /// A name as RFC 4514 writes it, but with the characters beyond ASCII as they are; nil if it cannot be written.
    static func text(_ name: OpaquePointer?) -> String? {
        guard let name, let output = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(output) }
        guard X509_NAME_print_ex(output, name, 0, c_name_flags()) >= 0 else { return nil }
        var data: UnsafeMutablePointer<CChar>?
        let count = c_BIO_get_mem_data(output, &data)
        guard let data, count > 0 else { return "" }
        return String(text: UnsafeRawBufferPointer(start: data, count: count))
    }

    /// The content of a string of any type.
    static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        guard let string, let data = ASN1_STRING_get0_data(string) else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
    }
}

// The values that are needed of a certificate that a CA has just issued, and to ask the CA about it.

extension X509Certificate {
    /// The key identifier of the authority key identifier (RFC 5280, section 4.2.1.1); nil if there is none.
    package var authorityKeyIdentifier: [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let identifier = X509_get0_authority_key_id(pointer) else { return nil }
        return ASN1Value.bytes(identifier)
    }

    /// The content bytes of the serial number as they are encoded in DER, with a zero before them where the first bit
    /// would be a sign.
    package var serialNumberContent: [UInt8] {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let serialNumber = X509_get0_serialNumber(pointer)
        guard let bytes = DER.bytes({ i2d_ASN1_INTEGER(serialNumber, &$0) }), bytes.count > 2 else { return [] }
        // After the tag, one byte of length, or the number of bytes that say the length.
        let header = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7F)
        return Array(bytes.dropFirst(header))
    }

    /// The common name of the issuer, if it has one.
    package var issuerCommonName: String? { issuer.first { $0.oid == "2.5.4.3" }?.value }

    /// The DNS names in lower case and the addresses of the subject alternative name; without one, or without any of
    /// these in it, the common name of the subject.
    package var shownNames: [String] {
        let names = SubjectAlternativeNames.of(pointer)
        return names.isEmpty ? subject("2.5.4.3").map { [$0] } ?? [] : names
    }

    /// Whether the subject alternative name is exactly one DNS name, without case.
    package func hasOnlyDNSName(_ name: String) -> Bool {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        // A second extension of the kind makes the library find none.
        guard let value = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return false }
        let list = OpaquePointer(value)
        defer { GENERAL_NAMES_free(list) }
        guard c_sk_GENERAL_NAME_num(list) == 1, let only = c_sk_GENERAL_NAME_value(list, 0),
            only.pointee.type == GEN_DNS
        else { return false }
        let bytes = ASN1Value.bytes(only.pointee.d.dNSName)
        return String(text: bytes).lowercased() == name.lowercased()
    }
}
