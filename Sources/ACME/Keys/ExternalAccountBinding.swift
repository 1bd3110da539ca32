internal import Diagnostics
package import OpenSSL

/// What proves to a CA that a new account belongs to somebody it knows already (RFC 8555, section 7.3.4).
package struct ExternalAccountBinding: Sendable {
    package let keyIdentifier: String
    private let hmacKey: SecretBytes

    /// - Parameter hmacKey: the content of the key's file: base64url, with or without padding, and white space around.
    /// - Returns: nil if it is not that, or empty.
    package init?(keyIdentifier: String, hmacKey text: [UInt8]) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) && $0 != UInt8(ascii: "=") }
        guard let end, var key = Base64URL.bytes(String(decoding: start[...end], as: UTF8.self)), !key.isEmpty,
            !keyIdentifier.isEmpty
        else { return nil }
        self.keyIdentifier = keyIdentifier
        self.hmacKey = SecretBytes(taking: &key)
    }

    /// - Parameter key: what the CA has handed out, decoded.
    package init?(keyIdentifier: String, key: SecretBytes) {
        guard !keyIdentifier.isEmpty else { return nil }
        (self.keyIdentifier, hmacKey) = (keyIdentifier, key)
    }

    /// The account's key, signed with the key that the CA has handed out; nil if the library cannot.
    func binding(of key: AccountKey, newAccount url: SecureURL) -> JSONOutput? {
        let header: [String: JSONOutput] = [
            "alg": .string("HS256"), "kid": .string(keyIdentifier), "url": .string(url.description),
        ]
        return JWS.flattened(header, key.jwk.json.text) {
            MessageAuthentication.hmac($0, key: hmacKey, digest: "SHA256", in: key.key.context)
        }
    }
}
