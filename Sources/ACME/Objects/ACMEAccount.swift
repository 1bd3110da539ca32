internal import Diagnostics
internal import JSONSyntax
package import OpenSSL

/// An account with a CA: `account.json`.
package struct ACMEAccount: Equatable, Sendable {
    /// The URL of the CA's directory.
    package let directory: SecureURL
    /// The URL of the account, by which the CA knows it.
    package let url: SecureURL
    /// E-mail addresses without `mailto:`, as configured.
    package let contact: [String]
    package let termsOfService: String?
    package let caaIdentities: [String]

    package init(
        directory: SecureURL, url: SecureURL, contact: [String], termsOfService: String?, caaIdentities: [String]
    ) {
        (self.directory, self.url, self.contact) = (directory, url, contact)
        (self.termsOfService, self.caaIdentities) = (termsOfService, caaIdentities)
    }

    /// Reads `account.json`.
    ///
    /// - Throws: `acme-account` if it cannot be read, or is for another directory.
    package init(json bytes: [UInt8], directory: SecureURL) throws(IssuanceError) {
        do throws(IssuanceError) {
            let object = try ReceivedObject(bytes, subject: "account.json")
            guard try object.integer("version") == 1 else {
                throw IssuanceError(.acmeAccount, "'version' of account.json is not 1")
            }
            let stored = try object.url("directory")
            guard stored == directory else {
                throw IssuanceError(.acmeAccount, "account.json is for '\(stored)', not for '\(directory)'")
            }
            self.directory = directory
            url = try object.url("url")
            contact = try object.optionalStrings("contact") ?? []
            termsOfService = try object.optionalString("termsOfService")
            caaIdentities = try object.optionalStrings("caaIdentities") ?? []
        } catch {
            throw IssuanceError(.acmeAccount, error.message, scope: .authority)
        }
    }

    /// The content of `account.json`.
    package var json: String {
        let object: [String: JSONOutput] = [
            "version": .number(1), "directory": .string(directory.description), "url": .string(url.description),
            "contact": .array(contact.map(JSONOutput.string)), "termsOfService": .optional(termsOfService),
            "caaIdentities": .array(caaIdentities.map(JSONOutput.string)),
        ]
        return JSONOutput.object(object).text + "\n"
    }
}

/// An account object as a CA sends it (RFC 8555, section 7.1.2).
struct ReceivedAccount {
    enum Status: String {
        case valid, deactivated, revoked
    }

    let status: Status
    /// Nil if the CA does not say.
    let contact: [String]?

    init(_ bytes: [UInt8]) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the account")
        status = try object.status(Status.init)
        contact = try object.optionalStrings("contact")
    }
}

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
