internal import BoundedText
package import Diagnostics
package import OpenSSL
internal import SystemSupport

/// The messages of a client, signed (RFC 7515, and RFC 8555, section 6.2): flattened JSON.
enum JWS {
    /// - Parameters:
    ///   - payload: JSON; the empty text asks for a resource (POST-as-GET).
    ///   - account: the account that the CA knows; nil for a key that it is to know from now on, as in `newAccount`.
    /// - Returns: nil if the key cannot sign.
    static func message(
        _ payload: String, to url: SecureURL, for account: SecureURL?, key: AccountKey, nonce: String
    ) -> [UInt8]? {
        var header: [String: JSONOutput] = [
            "alg": .string("ES256"), "nonce": .string(nonce), "url": .string(url.description),
        ]
        if let account { header["kid"] = .string(account.description) } else { header["jwk"] = key.jwk.json }
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

/// A public key as JSON (RFC 7517): the members that are required for its kind, and no others.
package struct JSONWebKey: Equatable, Sendable {
    /// The members by their names; all of them are texts.
    package let members: [String: String]

    package init(members: [String: String]) {
        self.members = members
    }

    package var json: JSONOutput { .object(members.mapValues(JSONOutput.string)) }

    /// The hash of the members in the order of their names, without white space (RFC 7638, section 3), as base64url.
    package var thumbprint: String { Base64URL.text(SHA256Digest.hash(Array(json.text.utf8))) }
}

extension ACMEConfiguration.ExternalAccount {
    /// The proof to a CA that a new account belongs to a customer it knows already (RFC 8555, section 7.3.4): the account's
    /// key, signed with the key that the CA has handed out; nil if that was not read, or the library cannot.
    func binding(of key: AccountKey, newAccount url: SecureURL) -> JSONOutput? {
        guard let hmacKey else { return nil }
        let header: [String: JSONOutput] = [
            "alg": .string("HS256"), "kid": .string(keyIdentifier), "url": .string(url.description),
        ]
        return JWS.flattened(header, key.jwk.json.text) {
            MessageAuthentication.hmac($0, key: hmacKey, digest: "SHA256", in: key.key.context)
        }
    }
}

/// Base64 with the alphabet for URLs, without padding (RFC 7515, section 2).
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Base64.url.text(bytes) }

    /// Whether all characters are of the alphabet.
    package static func isSpelledInAlphabet(_ text: String) -> Bool {
        text.utf8.allSatisfy { Base64.url.value(of: $0) != nil }
    }

    /// Reads what an operator has written.
    ///
    /// - Parameter text: with white space around it; `=` at its end is accepted.
    /// - Returns: `nil` for nothing, and for what is not base64url.
    package static func decoded(_ text: [UInt8]) -> SecretBytes? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var digits = text[...]
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        digits = digits.drop(while: isSpace)
        let count = digits.count
        while digits.last == UInt8(ascii: "="), count - digits.count < 2 { digits.removeLast() }
        let padding = count - digits.count
        guard !digits.isEmpty, padding == 0 || count % 4 == 0 else { return nil }
        return SecretBytes(capacity: digits.count * 3 / 4) { output in
            var filled = 0
            let rest = Base64.url.decode(digits) { byte in
                output[filled] = byte
                filled += 1
            }
            return rest == 0 ? filled : nil
        }
    }
}
