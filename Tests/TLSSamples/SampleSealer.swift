internal import COpenSSL

/// Encrypts records as a client after its handshake, whatever they hold: also those that no library would send.
///
/// The client must have shaken hands with AES-128-GCM and SHA-256, and written nothing since.
package struct SampleSealer {
    private var secret: [UInt8]
    private var key: [UInt8] = []
    private var vector: [UInt8] = []
    /// The number of the next record.
    private var sequence: UInt64
    private let isTLS13: Bool

    /// - Throws: `SampleTLSError` if the connection has other algorithms.
    package init(_ client: SampleClient) throws {
        isTLS13 = SSL_version(client.ssl) == TLS1_3_VERSION
        // In TLS 1.2 the client's last message of the handshake was a record with these keys.
        sequence = isTLS13 ? 0 : 1
        guard client.cipher.contains("AES128-GCM-SHA256") || client.cipher.contains("AES_128_GCM_SHA256") else {
            throw SampleTLSError("records of '\(client.cipher)' cannot be made")
        }
        secret = client.trafficSecret
        if isTLS13 {
            guard secret.count == 32 else { throw SampleTLSError("there is no secret") }
            deriveKeys()
        } else {
            let block = Self.keyBlock(client.ssl)
            key = Array(block[0..<16])
            vector = Array(block[32..<36])
        }
    }

    private static func authenticate(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), key, Int32(truncatingIfNeeded: key.count), message, message.count, &code, nil)
        return code
    }

    /// HKDF-Expand-Label (RFC 8446, section 7.1).
    private func expand(_ label: String, _ count: Int) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let information = [0, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: name.count)] + name + [0]
        return Array(Self.authenticate(secret, information + [1]).prefix(count))
    }

    private mutating func deriveKeys() {
        key = expand("key", 16)
        vector = expand("iv", 12)
    }

    /// RFC 5246, section 6.3: 16 bytes of the client's key, 16 of the server's, and 4 of each one's vector.
    private static func keyBlock(_ ssl: OpaquePointer) -> [UInt8] {
        var master = [UInt8](repeating: 0, count: 48)
        var (client, server) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        SSL_SESSION_get_master_key(SSL_get_session(ssl), &master, master.count)
        SSL_get_client_random(ssl, &client, client.count)
        SSL_get_server_random(ssl, &server, server.count)
        let seed = Array("key expansion".utf8) + server + client
        var block: [UInt8] = []
        var chain = seed
        while block.count < 40 {
            chain = authenticate(master, chain)
            block += authenticate(master, chain + seed)
        }
        return block
    }

    /// Takes the next keys of TLS 1.3, after a record that said so.
    package mutating func updateKeys() {
        secret = expand("traffic upd", 32)
        sequence = 0
        deriveKeys()
    }

    /// - Parameters:
    ///   - type: 20 change cipher spec, 21 alert, 22 handshake, 23 application data.
    ///   - padding: so many zeros, in TLS 1.3.
    package mutating func seal(_ content: [UInt8], type: UInt8 = 23, padding: Int = 0) -> [UInt8] {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * $0)) }
        sequence &+= 1
        if isTLS13 {
            let plain = content + [type] + [UInt8](repeating: 0, count: padding)
            let header = Self.header(23, plain.count + 16)
            let nonce = zip(vector, [0, 0, 0, 0] + number).map { $0 ^ $1 }
            return header + encrypt(plain, nonce, header)
        }
        let associated = number + Self.header(type, content.count)
        return Self.header(type, content.count + 24) + number + encrypt(content, vector + number, associated)
    }

    /// A record in clear.
    package static func plain(_ content: [UInt8], type: UInt8) -> [UInt8] { header(type, content.count) + content }

    private static func header(_ type: UInt8, _ count: Int) -> [UInt8] {
        [type, 3, 3, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }

    /// AES-128-GCM: as many bytes, and sixteen of a tag.
    private func encrypt(_ plain: [UInt8], _ nonce: [UInt8], _ associated: [UInt8]) -> [UInt8] {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        EVP_EncryptInit_ex2(context, EVP_aes_128_gcm(), key, nonce, nil)
        EVP_EncryptUpdate(context, nil, &count, associated, Int32(truncatingIfNeeded: associated.count))
        if !plain.isEmpty {
            EVP_EncryptUpdate(context, &output, &count, plain, Int32(truncatingIfNeeded: plain.count))
        }
        EVP_EncryptFinal_ex(context, nil, &count)
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, &tag)
        return output + tag
    }
}
