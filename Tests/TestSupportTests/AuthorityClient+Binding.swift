import TLSSamples
import TestSupport

extension AuthorityClient {
    /// The account's key, signed with the key of an external account (RFC 8555, section 7.3.4).
    func binding(_ name: String, key: [UInt8], url: String? = nil) throws -> String {
        let address = url ?? directory["newAccount"] ?? ""
        let header = StubAuthorityBase64URL.text(
            Array(#"{"alg":"HS256","kid":"\#(name)","url":"\#(address)"}"#.utf8))
        let payload = StubAuthorityBase64URL.text(Array(try jwkText().utf8))
        let code = SampleVerifier.hmacSHA256(Array("\(header).\(payload)".utf8), key: key)
        return """
            {"protected":"\(header)","payload":"\(payload)","signature":"\(StubAuthorityBase64URL.text(code))"}
            """
    }
}
