import OpenSSL
import Testing

@Suite("Ciphers")
struct SymmetricCipherTests {
    let context: LibraryContext
    /// The cipher text of `plain text` under a key and a vector of zeros.
    private let text: [UInt8]
    private let key = SecretBytes([UInt8](repeating: 0, count: 32))
    private let vector = SecretBytes([UInt8](repeating: 0, count: 16))

    init() throws {
        context = try LibraryContext()
        text = try #require(
            SymmetricCipher.encrypt(
                Array("plain text".utf8), cipher: "AES-256-CBC", key: key, vector: vector, in: context))
    }

    private func decrypt(_ text: [UInt8], _ cipher: String, key: SecretBytes? = nil, vector: SecretBytes? = nil)
        -> [UInt8]?
    {
        SymmetricCipher.decrypt(
            text[...], cipher: cipher, key: key ?? self.key, vector: vector ?? self.vector, in: context)?.withBytes {
                $0
            }
    }

    @Test("a cipher is known by its name and by its object identifier")
    func names() {
        for cipher in ["AES-256-CBC", "aes-256-cbc", "2.16.840.1.101.3.4.1.42"] {
            #expect(decrypt(text, cipher) == Array("plain text".utf8))
            #expect(SymmetricCipher.sizes(cipher, in: context)?.key == 32)
            #expect(SymmetricCipher.sizes(cipher, in: context)?.vector == 16)
        }
    }

    @Test(
        "the old ciphers are known too", arguments: ["RC2-CBC", "RC2-40-CBC", "RC2-64-CBC", "RC4", "RC4-40", "DES-CBC"])
    func old(_ cipher: String) throws {
        #expect(SymmetricCipher.sizes(cipher, in: context) != nil)
    }

    @Test("what does not decrypt is nil")
    func failures() {
        let other = SecretBytes([UInt8](repeating: 1, count: 32))
        #expect(decrypt(text, "AES-256-CBC", key: other) != Array("plain text".utf8))
        #expect(decrypt(Array(text.dropLast()), "AES-256-CBC") == nil)
        #expect(decrypt([], "AES-256-CBC") == nil)
        #expect(decrypt(text, "AES-256-CBC", key: SecretBytes([1, 2, 3])) == nil)
        #expect(decrypt(text, "AES-256-CBC", key: SecretBytes([])) == nil)
        #expect(decrypt(text, "AES-256-CBC", vector: SecretBytes([1, 2, 3])) == nil)
        for cipher in ["NO-CIPHER", "", "1.2.3", "AES-256-GCM", "AES-256-ECB", "AES-256-CTR", "id-aes256-wrap"] {
            #expect(decrypt(text, cipher) == nil)
            #expect(SymmetricCipher.sizes(cipher, in: context) == nil)
        }
    }

    @Test("HMAC gives what RFC 4231 says, for arrays, slices and others")
    func hmac() {
        let message = Array("what do ya want for nothing?".utf8)
        let expected = KeyDerivationTests.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let key = SecretBytes("Jefe".utf8)
        #expect(MessageAuthentication.hmac(message, key: key, digest: "SHA256", in: context) == expected)
        #expect(
            MessageAuthentication.hmac((message + [0]).dropLast(), key: key, digest: "SHA256", in: context) == expected)
        #expect(
            MessageAuthentication.hmac(message.lazy.map { $0 }, key: key, digest: "SHA256", in: context) == expected)
        #expect(
            MessageAuthentication.hmac(message, key: key, digest: "2.16.840.1.101.3.4.2.1", in: context) == expected)
        #expect(MessageAuthentication.hmac(message, key: key, digest: "MD99", in: context) == nil)
        #expect(MessageAuthentication.isEqual(expected, expected[...]))
        #expect(!MessageAuthentication.isEqual(expected, expected.dropLast()))
        #expect(!MessageAuthentication.isEqual(expected, expected.reversed()))
    }
}
