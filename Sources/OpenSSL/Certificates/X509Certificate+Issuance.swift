internal import COpenSSL

// What has to be known of a certificate that a CA has just issued, and to ask the CA about it.

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
        var start: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_ASN1_INTEGER(X509_get0_serialNumber(pointer), &start))
        guard count > 2, let start else { return [] }
        defer { c_OPENSSL_free(start) }
        let bytes = UnsafeBufferPointer(start: start, count: count)
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
        return String(decoding: bytes, as: UTF8.self).lowercased() == name.lowercased()
    }
}
