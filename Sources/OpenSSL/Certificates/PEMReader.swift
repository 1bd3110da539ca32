internal import COpenSSL

/// Reads the blocks of a PEM text (RFC 7468).
enum PEMReader {
    /// All certificates of a text, in order; empty if there is none. Each is the caller's to free.
    ///
    /// - Throws: `OpenSSLError.Code.noCertificate` if one of them is damaged.
    static func certificates(_ text: [UInt8]) throws(OpenSSLError) -> [OpaquePointer] {
        guard let input = memory(text) else { throw OpenSSLError(.setUp, "out of memory") }
        defer { BIO_free(input) }
        ErrorQueue.clear()
        var certificates: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(input, nil, neverAskForPassword, nil) {
            certificates.append(certificate)
        }
        // The end of the text is reported as a missing start line.
        guard ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE else {
            ERR_clear_error()
            return certificates
        }
        certificates.forEach(X509_free)
        throw OpenSSLError(.noCertificate, "a certificate in it is damaged")
    }

    /// The first private key of a text; the caller's to free.
    static func privateKey(_ text: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        guard let input = memory(text) else { throw OpenSSLError(.setUp, "out of memory") }
        defer { BIO_free(input) }
        ErrorQueue.clear()
        if let key = PEM_read_bio_PrivateKey(input, nil, neverAskForPassword, nil) { return key }
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        if isEncrypted(text) { throw OpenSSLError(.encryptedKey, "the private key is protected with a password") }
        throw reason == PEM_R_NO_START_LINE
            ? OpenSSLError(.noKey, "it holds no private key in PEM form")
            : OpenSSLError(.noKey, "the private key in it is damaged")
    }

    private static func isEncrypted(_ text: [UInt8]) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private static func memory(_ text: [UInt8]) -> OpaquePointer? {
        // Copies, because the BIO would outlive the array's pointer.
        guard let memory = BIO_new(BIO_s_mem()) else { return nil }
        BIO_write(memory, text, Int32(clamping: text.count))
        return memory
    }

    /// Without this OpenSSL would ask on the terminal.
    private static let neverAskForPassword:
        @convention(c) (
            UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, _, _, _ in -1 }
}
