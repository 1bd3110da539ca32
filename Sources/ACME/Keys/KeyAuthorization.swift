/// What proves that whoever answers a challenge has the account's key (RFC 8555, section 8.1).
package struct KeyAuthorization: Equatable, Sendable, CustomStringConvertible {
    /// The token of the challenge, a full stop, and the thumbprint of the account's key.
    package let description: String

    package init(token: String, key: AccountKey) {
        description = "\(token).\(key.thumbprint)"
    }

    /// Whether a token can be in a path and in a file's name as it is: up to 255 characters of base64url (RFC 8555,
    /// section 8.3).
    static func isUsable(token: String) -> Bool {
        1...255 ~= token.utf8.count && Base64URL.isSpelledInAlphabet(token)
    }
}
