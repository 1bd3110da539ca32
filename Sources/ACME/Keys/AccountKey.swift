package import OpenSSL

/// The key that an account is known by: on P-256, and the same as long as its file is there.
package struct AccountKey: Sendable {
    package let key: PrivateKey
    package let jwk: JSONWebKey
    package let thumbprint: String

    /// Nil for a key that is not on P-256.
    package init?(_ key: PrivateKey) {
        guard let point = key.p256Point else { return nil }
        self.key = key
        jwk = JSONWebKey(members: [
            "kty": "EC", "crv": "P-256", "x": Base64URL.text(point.x), "y": Base64URL.text(point.y),
        ])
        thumbprint = jwk.thumbprint
    }

    /// - Throws: `acme-account` if the library cannot.
    package static func make(in context: LibraryContext) throws(IssuanceError) -> AccountKey {
        do throws(OpenSSLError) {
            if let key = AccountKey(try PrivateKey.makeP256(in: context)) { return key }
        } catch {
            throw IssuanceError(.acmeAccount, "the account's key cannot be created: \(error)", scope: .authority)
        }
        throw IssuanceError(.acmeAccount, "the account's key cannot be created", scope: .authority)
    }

    /// Reads `account.key`.
    ///
    /// - Throws: `acme-account` if there is no key in it, or one that is not on P-256.
    package init(pem: [UInt8], in context: LibraryContext) throws(IssuanceError) {
        let key: PrivateKey
        do throws(OpenSSLError) {
            key = try PrivateKey(pem: pem, in: context)
        } catch {
            throw IssuanceError(.acmeAccount, "the account's key cannot be read: \(error)", scope: .authority)
        }
        guard let key = AccountKey(key) else {
            throw IssuanceError(.acmeAccount, "the account's key is not an EC key on P-256", scope: .authority)
        }
        self = key
    }
}
