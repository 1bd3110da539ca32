import FuzzingSupport
import OpenSSL
import Testing

@Suite("AES-256-GCM")
struct AuthenticatedCipherTests {
    /// Test cases 13 to 16 of "The Galois/Counter Mode of Operation (GCM)" by McGrew and Viega, which NIST publishes.
    struct Vector: Sendable {
        let key, nonce, plain, additional, cipher, tag: String
    }

    private static let vectors = [
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), plain: "",
            additional: "", cipher: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plain: String(repeating: "00", count: 16), additional: "", cipher: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            additional: "",
            cipher: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            additional: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            cipher: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap {
            UInt8(String(hex.dropFirst($0).prefix(2)), radix: 16)
        }
    }

    private func opened(_ sealed: [UInt8], _ key: SecretBytes, _ additional: [UInt8]) -> [UInt8]? {
        AuthenticatedCipher.open(sealed, key: key, additional: additional)?.withBytes { $0 }
    }

    @Test("texts are encrypted as the standard says", arguments: vectors)
    func standard(vector: Vector) throws {
        let key = SecretBytes(Self.bytes(vector.key))
        let sealed = try AuthenticatedCipher.seal(
            SecretBytes(Self.bytes(vector.plain)), key: key, nonce: Self.bytes(vector.nonce),
            additional: Self.bytes(vector.additional))
        #expect(sealed == Self.bytes(vector.nonce + vector.cipher + vector.tag))
        #expect(opened(sealed, key, Self.bytes(vector.additional)) == Self.bytes(vector.plain))
    }

    @Test("a text whose key, additional data or any byte is another one does not open")
    func tampering() throws {
        var random = SplitMix64(seed: 1)
        let key = SecretBytes((0..<32).map { _ in random.byte() })
        let plain = (0..<40).map { _ in random.byte() }
        let additional = Array("aasa:certificates:example.com".utf8)
        let sealed = try AuthenticatedCipher.seal(SecretBytes(plain), key: key, additional: additional)
        #expect(sealed.count == 12 + 40 + 16)
        #expect(opened(sealed, key, additional) == plain)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(opened(changed, key, additional) == nil, "byte \(index), bit \(bit)")
            }
        }
        for count in 0..<sealed.count { #expect(opened(Array(sealed.prefix(count)), key, additional) == nil) }
        #expect(opened(sealed + [0], key, additional) == nil)
        #expect(opened(sealed, key, additional + [0]) == nil)
        #expect(opened(sealed, key, []) == nil)
        for index in 0..<32 {
            let other = key.withBytes { bytes in SecretBytes(bytes.enumerated().map { $0 == index ? ~$1 : $1 }) }
            #expect(opened(sealed, other, additional) == nil)
        }
    }

    @Test("a text is never sealed twice in the same way")
    func nonces() throws {
        let key = SecretBytes([UInt8](repeating: 1, count: 32))
        let sealed = try (0..<100).map { _ in
            try AuthenticatedCipher.seal(SecretBytes([1, 2, 3]), key: key, additional: [])
        }
        #expect(Set(sealed.map { $0.prefix(12) }).count == 100)
    }

    @Test("a key of another length is an error", arguments: [0, 16, 31, 33])
    func keys(count: Int) {
        let key = SecretBytes([UInt8](repeating: 1, count: count))
        #expect(throws: OpenSSLError.self) {
            try AuthenticatedCipher.seal(SecretBytes([1]), key: key, additional: [])
        }
        #expect(opened([UInt8](repeating: 0, count: 40), key, []) == nil)
    }
}
