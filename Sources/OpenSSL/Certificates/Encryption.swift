internal import COpenSSL

/// The counterpart of `Decryption`.
package enum Encryption {
    /// The cipher text with padding; nil if the cipher is not known or does not take the key.
    ///
    /// - Parameters:
    ///   - key: As many bytes as `Decryption.sizes` says, or others if the cipher takes them.
    ///   - vector: As many bytes as `Decryption.sizes` says.
    package static func encrypt(
        _ text: [UInt8], cipher: String, key: SecretBytes, vector: SecretBytes, in context: LibraryContext
    ) -> [UInt8]? {
        guard let algorithm = context.cipher(cipher), let size = Int32(exactly: text.count) else { return nil }
        defer { EVP_CIPHER_free(algorithm) }
        guard vector.count >= Int(EVP_CIPHER_get_iv_length(algorithm)), let state = EVP_CIPHER_CTX_new() else {
            return nil
        }
        defer { EVP_CIPHER_CTX_free(state) }
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard EVP_EncryptInit_ex2(state, algorithm, nil, nil, nil) == 1,
            key.count == Int(EVP_CIPHER_CTX_get_key_length(state))
                || EVP_CIPHER_CTX_set_key_length(state, Int32(clamping: key.count)) == 1,
            key.withBytes({ key in vector.withBytes { EVP_EncryptInit_ex2(state, nil, key, $0, nil) } }) == 1
        else { return nil }
        var result = [UInt8](repeating: 0, count: text.count + Int(EVP_MAX_BLOCK_LENGTH))
        var count: Int32 = 0
        var rest: Int32 = 0
        guard EVP_EncryptUpdate(state, &result, &count, text, size) == 1 else { return nil }
        let isFinished = result.withUnsafeMutableBufferPointer { buffer in
            EVP_EncryptFinal_ex(state, buffer.baseAddress.map { $0 + Int(count) }, &rest) == 1
        }
        return isFinished ? Array(result.prefix(Int(count + rest))) : nil
    }
}
