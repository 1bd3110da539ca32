internal import BoundedText
internal import COpenSSL

/// Reads and writes PEM (RFC 7468).
package enum PEMText {
    /// The certificates of a text in DER, in its order; empty if there is none. Other blocks are passed over.
    ///
    /// - Throws: `OpenSSLError.Code.noCertificate` if one of them is damaged.
    package static func certificates(_ text: [UInt8]) throws(OpenSSLError) -> [[UInt8]] {
        let input = try memory(text)
        defer { BIO_free(input) }
        ErrorQueue.clear()
        var certificates: [[UInt8]] = []
        while let block = nextBlock(PEM_STRING_X509, in: input) { certificates.append(block.content) }
        // The end of the text is reported as a missing start line.
        guard ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE else {
            throw OpenSSLError(.noCertificate, "a certificate in it is damaged")
        }
        ERR_clear_error()
        return certificates
    }

    /// The first private key of a text.
    static func privateKey(_ text: [UInt8]) throws(OpenSSLError) -> EncodedKey {
        let input = try memory(text)
        defer { BIO_free(input) }
        ErrorQueue.clear()
        if var block = nextBlock(PEM_STRING_EVP_PKEY, in: input) {
            let key = EncodedKey(label: block.label, taking: &block.content)
            if let key { return key }
        }
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        if isEncrypted(text) { throw OpenSSLError(.encryptedKey, "the private key is protected with a password") }
        throw reason == PEM_R_NO_START_LINE
            ? OpenSSLError(.noKey, "it contains no private key in PEM form")
            : OpenSSLError(.noKey, "the private key in it is damaged")
    }

    private static func isEncrypted(_ text: [UInt8]) -> Bool {
        let text = String(text: text)
        return text.contains("ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private static func memory(_ text: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        // Copies, because the BIO would outlive the array's pointer.
        guard let memory = BIO_new(BIO_s_mem()) else { throw OpenSSLError(.setUp, "out of memory") }
        BIO_write(memory, text, Int32(clamping: text.count))
        return memory
    }

    /// The next block of a kind; what the library held of it is wiped.
    ///
    /// - Parameter kind: a label of OpenSSL's that stands for several.
    private static func nextBlock(_ kind: String, in input: OpaquePointer) -> (label: String, content: [UInt8])? {
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        var label: UnsafeMutablePointer<CChar>?
        guard PEM_bytes_read_bio(&content, &count, &label, kind, input, neverAskForPassword, nil) == 1, let content,
            let label
        else { return nil }
        defer {
            OPENSSL_cleanse(content, count)
            c_OPENSSL_free(content)
            c_OPENSSL_free(label)
        }
        return (String(cText: label), Array(UnsafeBufferPointer(start: content, count: count)))
    }

    /// A callback that has no password: OpenSSL would ask on the terminal otherwise.
    private static let neverAskForPassword:
        @convention(c) (
            UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, _, _, _ in -1 }

    /// A block with lines of 64 characters; nil only if memory is lacking.
    ///
    /// - Parameter label: Like `CERTIFICATE REQUEST`.
    package static func block(_ label: String, _ content: SecretBytes) -> SecretBytes? {
        content.withBytes { block(label, $0) }
    }

    /// The same for content that is not secret.
    package static func block(_ label: String, _ content: [UInt8]) -> SecretBytes? {
        let header = Array("-----BEGIN \(label)-----\n".utf8)
        let footer = Array("-----END \(label)-----\n".utf8)
        let lines = (content.count + bytesPerLine - 1) / bytesPerLine
        // With room for the zero byte that the library writes after each line.
        let capacity = header.count + lines * (charactersPerLine + 1) + footer.count + 1
        return SecretBytes(capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var count = 0
            func append(_ bytes: [UInt8]) {
                for byte in bytes {
                    buffer[count] = byte
                    count += 1
                }
            }
            append(header)
            content.withUnsafeBufferPointer { content in
                for line in 0..<lines {
                    let offset = line * bytesPerLine
                    let size = min(bytesPerLine, content.count - offset)
                    count += Int(EVP_EncodeBlock(start + count, content.baseAddress.map { $0 + offset }, Int32(size)))
                    append([UInt8(ascii: "\n")])
                }
            }
            append(footer)
            return count
        }
    }

    private static let bytesPerLine = 48
    private static let charactersPerLine = 64
}

/// The encoding of an object of OpenSSL.
enum DER {
    /// The object that a `d2i` function reads, which is the caller's to free; nil if it is damaged. Bytes may follow it.
    static func read(
        _ bytes: ArraySlice<UInt8>, _ decode: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return decode(&cursor, buffer.count)
        }
    }

    /// The bytes that an `i2d` function makes; nil if it makes none.
    static func bytes(_ encode: (inout UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        let count = encode(&start)
        guard count > 0, let start else { return nil }
        defer { c_OPENSSL_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
