import TestSupport
import Testing

@Suite("Base64url of the stub authority")
struct StubAuthorityBase64URLTests {
    @Test("what is not base64url is none", arguments: ["A", "AB==", "A+", "A/", "A A", "_x", "é", "AAAAA"])
    func refused(text: String) {
        #expect(StubAuthorityBase64URL.bytes(text) == nil)
    }
}
