import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Keys out of passwords", .waiting)
struct KeyDerivationTests {
    let context: LibraryContext

    init() throws {
        context = try LibraryContext()
    }

    static func text(_ text: String) -> SecretBytes { SecretBytes(text.utf8) }

    /// UTF-16 with two zero bytes at the end, of ASCII.
    static func wide(_ text: String) -> SecretBytes { SecretBytes(text.utf8.flatMap { [0, $0] } + [0, 0]) }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }

    @Test("PBKDF2 gives what RFC 6070 and RFC 7914 say")
    func pbkdf2() {
        for (iterations, expected) in [
            (1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"), (4096, "4b007901b765489abead49d926f721d065a429c1"),
        ] {
            let key = KeyDerivation(.pbkdf2(digest: "SHA1"), salt: Array("salt".utf8), iterations: UInt32(iterations))
                .key(Self.text("password"), count: 20, in: context)
            #expect(key?.withBytes { $0 } == Self.bytes(expected))
        }
        let key = KeyDerivation(.pbkdf2(digest: "SHA256"), salt: Array("salt".utf8), iterations: 1).key(
            Self.text("passwd"), count: 64, in: context)
        let expected =
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
            + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        #expect(key?.withBytes { $0 } == Self.bytes(expected))
    }

    @Test("scrypt gives what RFC 7914 says, for no password and no salt too")
    func scrypt() {
        let key = KeyDerivation(.scrypt(cost: 16, blockSize: 1, parallelization: 1, memoryLimit: 1 << 20), salt: [])
            .key(Self.text(""), count: 64, in: context)
        let expected =
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        #expect(key?.withBytes { $0 } == Self.bytes(expected))
        let hungry = KeyDerivation(
            .scrypt(cost: 1 << 20, blockSize: 8, parallelization: 1, memoryLimit: 1 << 20), salt: []
        ).key(Self.text(""), count: 64, in: context)
        #expect(hungry == nil)
    }

    @Test("the derivation of PKCS #12 gives what others give")
    func pkcs12() {
        let cases: [(String, String, UInt32, KeyDerivation.Purpose, String)] = [
            ("smeg", "0a58cf64530d823f", 1, .encryption, "8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3"),
            ("smeg", "0a58cf64530d823f", 1, .initializationVector, "79993dfe048d3b76"),
            ("smeg", "3d83c0e4546ac140", 1, .integrity, "8d967d88f6caa9d714800ab3d48051d63f73a312"),
            ("queeg", "05dec959acff72f7", 1000, .encryption, "ed2034e36328830ff09df1e1a07dd357185dac0d4f9eb3d4"),
            ("queeg", "05dec959acff72f7", 1000, .initializationVector, "11dedad7758d4860"),
        ]
        for (password, salt, iterations, purpose, expected) in cases {
            let expected = Self.bytes(expected)
            let key = KeyDerivation(.pkcs12(digest: "SHA1"), salt: Self.bytes(salt), iterations: iterations).key(
                Self.wide(password), purpose: purpose, count: expected.count, in: context)
            #expect(key?.withBytes { $0 } == expected)
        }
    }

    @Test("the empty password and none at all give different keys")
    func emptyPassword() {
        let keys = [[0, 0], []].map { password in
            KeyDerivation(.pkcs12(digest: "SHA1"), salt: [1, 2, 3], iterations: 1).key(
                SecretBytes(password), purpose: .encryption, count: 8, in: context)?.withBytes { $0 }
        }
        #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
    }

    @Test("PBKDF1 gives what others give, and no more than the digest has")
    func pbkdf1() {
        func key(_ count: Int) -> [UInt8]? {
            KeyDerivation(.pbkdf1(digest: "SHA1"), salt: Self.bytes("78578e5a5d63cb06"), iterations: 1000).key(
                Self.text("password"), count: count, in: context)?.withBytes { $0 }
        }
        #expect(key(16) == Self.bytes("dc19847e05c64d2faf10ebfb4a3d2a20"))
        #expect(key(20)?.count == 20)
        #expect(key(21) == nil)
    }

    @Test(
        "the key of an encrypted PEM block is that of the openssl command", arguments: ["aes-128-cbc", "aes-256-cbc"])
    func pem(_ cipher: String) throws {
        let key = KeyDerivation.pem(Self.text("sesame"), salt: Array(1...8), cipher: cipher, in: context)
        let outcome = try Shell.run([
            "openssl", "enc", "-\(cipher)", "-md", "md5", "-S", "0102030405060708", "-k", "sesame", "-P",
        ])
        let line = try #require(outcome.text.split(separator: "\n").first { $0.hasPrefix("key=") })
        #expect(key?.withBytes { $0 } == Self.bytes(String(line.dropFirst(4))))
        #expect(KeyDerivation.pem(Self.text("sesame"), salt: [1], cipher: cipher, in: context) == nil)
        #expect(KeyDerivation.pem(Self.text("sesame"), salt: Array(1...8), cipher: "no-cipher", in: context) == nil)
    }

    @Test("a digest that nobody knows gives no key")
    func unknownDigest() {
        let password = Self.text("sesame")
        #expect(
            KeyDerivation(.pbkdf2(digest: "MD99"), salt: [1], iterations: 1).key(password, count: 8, in: context) == nil
        )
        #expect(
            KeyDerivation(.pbkdf1(digest: "MD99"), salt: [1], iterations: 1).key(password, count: 8, in: context) == nil
        )
        #expect(
            KeyDerivation(.pkcs12(digest: "MD99"), salt: [1], iterations: 1).key(
                password, purpose: .encryption, count: 8, in: context) == nil)
    }
}
