internal import COpenSSL
internal import SystemSupport

/// Association files that are signed as iOS 8 wanted it: CMS signed data around the JSON (RFC 5652, section 5).
///
/// The signature is not verified: today's systems do not need it, and nothing here rests on it.
package enum SignedData {
    /// The largest content that is unwrapped, in bytes: 16 MiB, as for a file that is not signed.
    package static let maximumContent = 16 << 20

    /// Whether bytes begin like CMS or PKCS #7 signed data, in DER, in BER of indefinite length, or in PEM.
    ///
    /// Looks at the first bytes only; what follows can be damaged still. A byte order mark and white space may precede
    /// the PEM line.
    package static func isSigned(_ bytes: [UInt8]) -> Bool {
        isBinary(bytes) || textStart(bytes) != nil
    }

    /// Takes the content out of signed data, and who signed it.
    ///
    /// - Throws: `OpenSSLError.Code.rejected` if there is no signed data, it is damaged, it has no content (as a detached
    ///   signature) or one above `maximumContent`; `OpenSSLError.Code.setUp` if memory is lacking.
    package static func content(_ bytes: [UInt8]) throws(OpenSSLError) -> SignedContent {
        let message = try read(bytes)
        defer { CMS_ContentInfo_free(message) }
        guard OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else {
            throw OpenSSLError(.rejected, "not signed data")
        }
        guard let content = CMS_get0_content(message)?.pointee else {
            throw OpenSSLError(.rejected, "the signature is detached, it has no content")
        }
        let count = Int(ASN1_STRING_length(content))
        guard count <= maximumContent else { throw OpenSSLError(.rejected, "the signed content is larger than 16 MiB") }
        var signed = SignedContent(
            content: Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(content), count: count)))
        signed.readSigner(of: message)
        ERR_clear_error()
        return signed
    }

    /// The caller's to free.
    private static func read(_ bytes: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        let start = textStart(bytes)
        guard start != nil || isBinary(bytes) else { throw OpenSSLError(.rejected, "not signed data") }
        guard let input = BIO_new(BIO_s_mem()) else { throw OpenSSLError(.setUp, "out of memory") }
        defer { BIO_free(input) }
        let bytes = start.map { Array(bytes[$0...]) } ?? bytes
        guard let count = Int32(exactly: bytes.count), BIO_write(input, bytes, count) == count else {
            throw OpenSSLError(.setUp, "out of memory")
        }
        ErrorQueue.clear()
        // Without the callback OpenSSL would ask on the terminal for the password of an encrypted block.
        let message =
            start == nil ? d2i_CMS_bio(input, nil) : PEM_read_bio_CMS(input, nil, { _, _, _, _ in -1 }, nil)
        guard let message else { throw OpenSSLError(.rejected, "the signed data is damaged") }
        return message
    }

    /// A `ContentInfo` whose type is signed data: SEQUENCE, its length in any form, OBJECT IDENTIFIER.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let lengthOctets = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
        // Data that needs more is larger than any file.
        guard lengthOctets <= 8 else { return false }
        return bytes.dropFirst(2 + lengthOctets).starts(with: identifier)
    }

    /// 1.2.840.113549.1.7.2, with its tag and length.
    private static let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

    /// Where the first line of PEM begins (RFC 7468, sections 8 and 9).
    private static func textStart(_ bytes: [UInt8]) -> Int? {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start]) { start += 1 }
        let labels = ["-----BEGIN PKCS7-----", "-----BEGIN CMS-----"]
        return labels.contains { bytes[start...].starts(with: $0.utf8) } ? start : nil
    }
}

extension SignedData {
    /// The certificates of those who signed a message, which may be detached from its content, in DER.
    ///
    /// The signatures are not verified. What the message encloses besides, as issuers, is left out.
    /// - Parameters:
    ///   - bytes: Signed data in DER or BER.
    ///   - limit: No more signers are looked for.
    /// - Returns: One for each signer; nil for one whose certificate is not enclosed.
    /// - Throws: `OpenSSLError.Code.rejected` if it is not signed data, or damaged.
    package static func signerCertificates(_ bytes: [UInt8], limit: Int) throws(OpenSSLError) -> [[UInt8]?] {
        guard isBinary(bytes) else { throw OpenSSLError(.rejected, "not signed data") }
        let message = try read(bytes)
        defer {
            CMS_ContentInfo_free(message)
            ERR_clear_error()
        }
        guard let signers = CMS_get0_SignerInfos(message) else {
            throw OpenSSLError(.rejected, "the signed data is damaged")
        }
        let certificates = CMS_get1_certs(message)
        defer { c_sk_X509_pop_free(certificates) }
        let enclosed = (0..<max(0, c_sk_X509_num(certificates))).compactMap { c_sk_X509_value(certificates, $0) }
        return (0..<min(limit, Int(max(0, c_sk_CMS_SignerInfo_num(signers))))).map { index in
            guard let signer = c_sk_CMS_SignerInfo_value(signers, Int32(index)) else { return nil }
            return enclosed.first { CMS_SignerInfo_cert_cmp(signer, $0) == 0 }.flatMap { certificate in
                DER.bytes { i2d_X509(certificate, &$0) }
            }
        }
    }
}

/// The content of a signed file, and what it says about its signer.
package struct SignedContent: Equatable, Sendable {
    package let content: [UInt8]
    /// The subject of the signer's certificate as RFC 4514 writes it, or nil if the certificate is not enclosed.
    package fileprivate(set) var signer: String?
    /// The issuer of the signer's certificate, in the same form.
    package fileprivate(set) var issuer: String?
    /// When the signer's certificate expires, in UTC as RFC 3339 writes it, or nil if it is not enclosed.
    package fileprivate(set) var notAfter: String?

    /// Notes the first signer of a message, as far as the message tells.
    fileprivate mutating func readSigner(of message: OpaquePointer) {
        guard let signers = CMS_get0_SignerInfos(message), c_sk_CMS_SignerInfo_num(signers) > 0,
            let signer = c_sk_CMS_SignerInfo_value(signers, 0)
        else { return }
        var issuerName: OpaquePointer?
        if CMS_SignerInfo_get0_signer_id(signer, nil, &issuerName, nil) == 1 { issuer = ASN1Value.text(issuerName) }

        let certificates = CMS_get1_certs(message)
        defer { c_sk_X509_pop_free(certificates) }
        for index in 0..<max(0, c_sk_X509_num(certificates)) {
            guard let certificate = c_sk_X509_value(certificates, index),
                CMS_SignerInfo_cert_cmp(signer, certificate) == 0
            else { continue }
            self.signer = ASN1Value.text(X509_get_subject_name(certificate))
            issuer = ASN1Value.text(X509_get_issuer_name(certificate))
            notAfter = ASN1Value.seconds(X509_get0_notAfter(certificate)).map { InternetDate.string($0) }
            return
        }
    }
}
