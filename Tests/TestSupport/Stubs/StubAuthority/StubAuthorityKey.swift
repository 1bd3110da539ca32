internal import PushSamples
internal import TLSSamples

/// The public key of an account, on P-256.
struct StubAuthorityKey: Sendable {
    /// Members of the key in JSON (RFC 7517).
    let members: [String: String]
    private let publicKeyInfo: [UInt8]

    /// - Throws: a violation for anything but an EC key on P-256 with the members that it needs.
    init(_ value: Any?) throws(StubAuthority.Problem) {
        guard let members = value as? [String: String], Set(members.keys) == ["kty", "crv", "x", "y"],
            members["kty"] == "EC", members["crv"] == "P-256",
            let x = members["x"].flatMap(StubAuthorityBase64URL.bytes), x.count == 32,
            let y = members["y"].flatMap(StubAuthorityBase64URL.bytes), y.count == 32
        else { throw .violation("'jwk' is not a public key on P-256", type: "badPublicKey") }
        self.members = members
        publicKeyInfo = DER.sequence(
            DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid("1.2.840.10045.3.1.7")), DER.bits([0x04] + x + y))
    }

    /// RFC 7638.
    var thumbprint: String {
        let parts = ["crv", "kty", "x", "y"].map { "\"\($0)\":\"\(members[$0] ?? "")\"" }
        return StubAuthorityBase64URL.text(SampleVerifier.sha256(Array("{\(parts.joined(separator: ","))}".utf8)))
    }

    /// - Parameter signature: of ES256: both numbers, 32 bytes each (RFC 7518, section 3.4).
    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let der = DER.sequence(
            DER.integer(magnitude: Array(signature[..<32])), DER.integer(magnitude: Array(signature[32...])))
        return SampleVerifier.isSigned(message, der, publicKeyInfo: publicKeyInfo)
    }
}
