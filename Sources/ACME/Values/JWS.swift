internal import BoundedText
package import Diagnostics
package import OpenSSL

/// The messages of a client, signed (RFC 7515, and RFC 8555, section 6.2): flattened JSON.
enum JWS {
    /// The key that signs, and the way in which the message names it.
    enum Signer {
        /// Signed by a key that the CA is to know from now on: only for `newAccount`.
        case key
        /// Signed for an account that the CA knows.
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

/// The proof to a CA that a new account belongs to a customer it knows already (RFC 8555, section 7.3.4).
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

/// Base64 with the alphabet for URLs, without padding (RFC 7515, section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
        return String(text: text)
    }

    /// Whether all characters are of the alphabet.
    package static func isSpelledInAlphabet(_ text: String) -> Bool { text.utf8.allSatisfy { value(of: $0) != nil } }

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
        // A digit alone is less than a byte.
        guard !digits.isEmpty, digits.count % 4 != 1, padding == 0 || count % 4 == 0 else { return nil }
        return SecretBytes(capacity: digits.count * 3 / 4) { output in
            var (bits, bitCount, filled) = (UInt32(0), 0, 0)
            for digit in digits {
                guard let value = value(of: digit) else { return nil }
                bits = bits << 6 | value
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    output[filled] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                    filled += 1
                }
            }
            return bits & ((1 << UInt32(bitCount)) - 1) == 0 ? filled : nil
        }
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
