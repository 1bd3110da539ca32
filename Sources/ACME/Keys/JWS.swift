internal import Diagnostics
internal import OpenSSL

/// The messages of a client, signed (RFC 7515, and RFC 8555, section 6.2): flattened JSON.
enum JWS {
    /// Whose signature it is.
    enum Signer {
        /// Of a key that the CA is to know from now on: only for `newAccount`.
        case key
        /// Of an account that the CA knows.
        case account(SecureURL)
    }

    /// - Parameter payload: JSON; the empty text asks for a resource (POST-as-GET).
    /// - Returns: nil if the key cannot sign.
    static func message(
        _ payload: String, to url: SecureURL, by signer: Signer, key: AccountKey, nonce: String
    ) -> [UInt8]? {
        var header: [String: JSONOutput] = [
            "alg": .string("ES256"), "nonce": .string(nonce), "url": .string(url.description),
        ]
        switch signer {
        case .key: header["jwk"] = key.jwk.json
        case .account(let account): header["kid"] = .string(account.description)
        }
        return flattened(header, payload) { key.key.es256Signature(of: $0) }.map { Array($0.text.utf8) }
    }

    static func flattened(
        _ header: [String: JSONOutput], _ payload: String, sign: ([UInt8]) -> [UInt8]?
    ) -> JSONOutput? {
        let header = Base64URL.text(JSONOutput.object(header).text.utf8)
        let payload = Base64URL.text(payload.utf8)
        guard let signature = sign(Array("\(header).\(payload)".utf8)) else { return nil }
        return .object([
            "protected": .string(header), "payload": .string(payload),
            "signature": .string(Base64URL.text(signature)),
        ])
    }
}
