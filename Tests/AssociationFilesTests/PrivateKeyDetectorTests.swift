import AssociationFiles
import Foundation
import Testing

/// The cost of looking for private keys, and the keys that are found.
struct PrivateKeyDetectorTests {
    /// Texts that begin what is looked for, and never end it.
    private static let repeated: [[UInt8]] = [
        Array("PRIVATE KEY---_".utf8), Array("MIIB".utf8), Array("TUlJ".utf8), Array("3082 ".utf8),
        [0x30, 0x82, 0x7F, 0xFF, 0x02, 0x01, 0x00], [0x30, 0x80], Array("PrivateKey = ".utf8),
        Array("AGE-SECRET-KEY-".utf8), Array("RSAKeyValue><D>".utf8), Array("{\"kty\":".utf8),
        Array("{\"\\u006bty".utf8), Array("{\"d\": \\".utf8), Array("{\"kty\"      ".utf8),
        [UInt8](repeating: 0x5C, count: 64),
    ]

    @Test(
        "A file of nothing but beginnings of keys holds none, and is looked at in linear time", .timeLimit(.minutes(5)),
        arguments: repeated)
    func hostile(unit: [UInt8]) {
        // What is quadratic takes minutes.
        let bytes = Array(repeatElement(unit, count: 100_000 / unit.count).joined())
        #expect(PrivateKeyDetector.finding(in: bytes) == nil)
    }

    /// The beginnings of key files that are known by their text, each with something after it.
    private static let texts = [
        "-----BEGIN PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "PuTTY-User-Key-File-3: ssh-ed25519", "privateExponent:",
        "<DSAKeyValue><P>\(digits)</P><X>\(digits)</X></DSAKeyValue>",
        "<RSAKeyValue><Modulus>\(digits)</Modulus><D>\(digits)</D></RSAKeyValue>",
    ].map { "\($0)\n\(digits)\n" }

    private static func isFound(_ data: Data) -> Bool { PrivateKeyDetector.finding(in: Array(data)) != nil }

    @Test(
        "A key file is found as it is, in UTF-16, and up to three times in Base64 or hexadecimal digits",
        arguments: texts)
    func encodings(text: String) throws {
        for order in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(text.data(using: order))
            #expect(Self.isFound(data))
            for encode in [{ $0.base64EncodedData() }, Self.hexadecimal] as [(Data) -> Data] {
                let once = encode(data)
                let twice = encode(once)
                let threeTimes = encode(twice)
                #expect(Self.isFound(once) && Self.isFound(twice) && Self.isFound(threeTimes))
                #expect(!Self.isFound(encode(threeTimes)))
            }
        }
    }

    private static func hexadecimal(_ data: Data) -> Data {
        Data(data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().utf8)
    }

    @Test("OpenSSH's own format is found without its armor, too")
    func openSSH() {
        let data = Data("openssh-key-v1\0".utf8) + Data(repeating: 7, count: 200)
        #expect(Self.isFound(data) && Self.isFound(data.base64EncodedData()))
        #expect(!Self.isFound(Data("openssh-key-v1 is a format".utf8)))
    }

    /// Not a key, but as long as one.
    private static let digits = String(repeating: "Ab1-_", count: 9)
    private static let key = "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(digits)\",\"d\":\"\(digits)\"}"
    private static let escaped = key.replacing("\"", with: "\\\"")

    @Test(
        "A private JWK is found in a sentence, in strings of JSON, and in other spellings of its names",
        arguments: [
            key, "the key is \(key), keep it", "a 5\" screen, and then \(key)", "{ \(key)", "[\(key)", "}}} \(key)",
            "{\"note\":\"\(escaped)\"}", "{\"note\":\"see \(escaped) there\"}",
            "{\"a\":\"\(escaped.replacing("\\", with: "\\\\\\"))\"}",
            key.replacing("\"kty\"", with: "\"\\u006bty\""), key.replacing("\"kty\"", with: "\"k\\u0074\\u0079\""),
            key.replacing("\"d\"", with: "\"\\u0064\""), key.replacing(":", with: " :\n\t "),
            "{\"kty\":\"oct\",\"k\":\"\(digits)\"", "{\"d\":\"\(digits)\",\"x\":{\"y\":1},\"kty\":\"EC\"}",
            "{\"keys\":[{\"kty\":\"EC\"},\(key)]} and more",
        ])
    func looseKeys(text: String) {
        #expect(PrivateKeyDetector.finding(in: Array(text.utf8)) != nil)
    }

    @Test(
        "Public keys, other members and short values are not taken for one",
        arguments: [
            "{\"kty\":\"EC\",\"x\":\"\(digits)\",\"y\":\"\(digits)\"}",
            "see {\"kty\":\"EC\",\"x\":\"\(digits)\"} there",
            "the keys {\"kty\":\"EC\"} and {\"d\":\"\(digits)\"} here", "kty and d: {\"d\":\"\(digits)\"}",
            "x {\"kty\":\"EC\",\"d\":\"short\"}", "x {\"kty\":\"EC\",\"id\":\"\(digits)\",\"kd\":\"\(digits)\"}",
            "\"kty\": \"EC\", \"d\": \"\(digits)\"",
        ])
    func noKeys(text: String) {
        #expect(PrivateKeyDetector.finding(in: Array(text.utf8)) == nil)
    }
}
