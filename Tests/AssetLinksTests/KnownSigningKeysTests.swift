import AssetLinks
import Testing

@Suite("Known signing keys")
struct KnownSigningKeysTests {
    @Test("their fingerprints are whole, and found in any case")
    func publicKeys() {
        #expect(KnownSigningKeys.publicKeys.count == 3)
        for key in KnownSigningKeys.publicKeys {
            #expect(key.fingerprint.wholeMatch(of: #/([0-9A-F]{2}:){31}[0-9A-F]{2}/#) != nil)
            #expect(KnownSigningKeys.publicKey(key.fingerprint) == key)
            #expect(KnownSigningKeys.publicKey(key.fingerprint.lowercased()) == key)
            #expect(KnownSigningKeys.publicKey(String(key.fingerprint.dropLast())) == nil)
            #expect(!KnownSigningKeys.isExample(key.fingerprint))
        }
        #expect(KnownSigningKeys.publicKey(KnownSigningKeys.documentationExample) == nil)
        #expect(KnownSigningKeys.publicKey("") == nil)
    }

    @Test("examples are the documentation's, and what is made of at most two pairs")
    func examples() {
        let pair = ["AB", "cd"]
        #expect(KnownSigningKeys.isExample(KnownSigningKeys.documentationExample.lowercased()))
        #expect(KnownSigningKeys.isExample(Array(repeating: "00", count: 32).joined(separator: ":")))
        #expect(KnownSigningKeys.isExample((0..<32).map { pair[$0 % 2] }.joined(separator: ":")))
        #expect(KnownSigningKeys.isExample((0..<32).map { $0 % 2 == 0 ? "ab" : "AB" }.joined(separator: ":")))
        #expect(!KnownSigningKeys.isExample((0..<32).map { "1\($0 % 3)" }.joined(separator: ":")))
        #expect(!KnownSigningKeys.isExample("AB"))
    }
}
