package import Diagnostics
internal import OpenSSL

/// A public key as JSON (RFC 7517): the members that are required for its kind, and no others.
package struct JSONWebKey: Equatable, Sendable {
    /// By their names; all of them are texts.
    package let members: [String: String]

    package init(members: [String: String]) {
        self.members = members
    }

    package var json: JSONOutput { .object(members.mapValues(JSONOutput.string)) }

    /// The hash of the members in the order of their names, without white space (RFC 7638, section 3), as base64url.
    package var thumbprint: String { Base64URL.text(SHA256Digest.hash(Array(json.text.utf8))) }
}
