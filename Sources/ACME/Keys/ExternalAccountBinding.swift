internal import Diagnostics
package import OpenSSL

/// What proves to a CA that a new account belongs to somebody it knows already (RFC 8555, section 7.3.4).
package struct ExternalAccountBinding: Sendable {
    package let keyIdentifier: String
    private let hmacKey: SecretBytes

    /// - Parameter hmacKey: as bytes, not as base64url.
    package init(keyIdentifier: String, hmacKey: SecretBytes) {
        (self.keyIdentifier, self.hmacKey) = (keyIdentifier, hmacKey)
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
