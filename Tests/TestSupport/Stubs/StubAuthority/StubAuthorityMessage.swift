internal import TLSSamples

/// A signed message: flattened JSON (RFC 7515, section 7.2.2) that is spelled as RFC 8555, section 6.2, wants it.
struct StubAuthorityMessage {
    let header: [String: Any]
    let payload: [UInt8]
    let signature: [UInt8]
    /// The bytes that were signed.
    let signed: [UInt8]

    /// - Throws: a violation.
    init(_ object: [String: Any]?, header names: Set<String>) throws(StubAuthority.Problem) {
        guard let object = object as? [String: String], Set(object.keys) == ["protected", "payload", "signature"],
            let header = object["protected"], let payload = object["payload"], let signature = object["signature"]
        else { throw .violation("the message is not flattened JSON of 'protected', 'payload' and 'signature'") }
        guard let headerBytes = StubAuthorityBase64URL.bytes(header),
            let payloadBytes = StubAuthorityBase64URL.bytes(payload),
            let signatureBytes = StubAuthorityBase64URL.bytes(signature)
        else { throw .violation("a part of the message is not base64url without padding") }
        guard let members = StubAuthorityJSON.object(headerBytes) else {
            throw .violation("the protected header is not a JSON object")
        }
        guard Set(members.keys) == names else {
            throw .violation(
                "the protected header has \(members.keys.sorted()) and should have \(names.sorted())")
        }
        (self.header, self.payload, self.signature) = (members, payloadBytes, signatureBytes)
        signed = Array("\(header).\(payload)".utf8)
    }

    /// The body of a request.
    ///
    /// - Parameter isNewAccount: whether it has to have a key, and not an account.
    init(body: [UInt8], isNewAccount: Bool) throws(StubAuthority.Problem) {
        try self.init(
            StubAuthorityJSON.object(body), header: ["alg", "nonce", "url", isNewAccount ? "jwk" : "kid"])
        guard header["alg"] as? String == "ES256" else {
            throw .violation("'alg' is \(header["alg"] ?? "nothing")", type: "badSignatureAlgorithm")
        }
    }

    var nonce: String { header["nonce"] as? String ?? "" }

    /// Whether the message, with nothing in it but the account's key, is signed with the key of an external account (RFC
    /// 8555, section 7.3.4).
    func check(
        binding key: StubAuthorityKey, url: String, accounts: [String: [UInt8]]
    ) throws(StubAuthority.Problem) {
        guard header["alg"] as? String == "HS256" else { throw .violation("'alg' of the binding is not HS256") }
        guard header["url"] as? String == url else { throw .violation("'url' of the binding is not '\(url)'") }
        guard let name = header["kid"] as? String, let secret = accounts[name] else {
            throw StubAuthority.Problem("unauthorized", "the external account is not known")
        }
        guard StubAuthorityJSON.object(payload) as? [String: String] == key.members else {
            throw .violation("the binding is not for the account's key")
        }
        guard SampleVerifier.hmacSHA256(signed, key: secret) == signature else {
            throw StubAuthority.Problem("unauthorized", "the binding has another signature")
        }
    }
}
