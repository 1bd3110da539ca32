import Android
import FuzzingSupport
import TestSupport
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

    @Test("examples are the documentation's, and what is typed in a pattern")
    func examples() {
        let pair = ["AB", "cd"]
        #expect(KnownSigningKeys.isExample(KnownSigningKeys.documentationExample.lowercased()))
        #expect(KnownSigningKeys.isExample(Array(repeating: "00", count: 32).joined(separator: ":")))
        #expect(KnownSigningKeys.isExample((0..<32).map { pair[$0 % 2] }.joined(separator: ":")))
        #expect(KnownSigningKeys.isExample((0..<32).map { $0 % 2 == 0 ? "ab" : "AB" }.joined(separator: ":")))
        #expect(KnownSigningKeys.isExample((0..<32).map { "1\($0 % 3)" }.joined(separator: ":")))
        #expect(!KnownSigningKeys.isExample("AB"))
        func repeated(_ text: String, _ first: String = "") -> Bool {
            let pairs = (first + text + ":" + text + ":" + text + ":" + text).split(separator: ":").prefix(32)
            return KnownSigningKeys.isExample(pairs.joined(separator: ":"))
        }
        #expect(repeated("AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99"))
        #expect(repeated("01:23:45:67:89:AB:CD:EF:01:23") && repeated("12:34:56:78:90:ab:cd:ef:12"))
        #expect(repeated("DE:AD:BE:EF:DE:AD:BE:EF") && repeated("FA:CE:B0:0C:CA:FE:BA:BE:DE:AD"))
        // As long as a digest, without a pair twice.
        #expect(repeated("11:22:33:44:55:66:77:88:99:AA:1B:2C", "0F:A0:B1:C2:D3:E4:F5:07:18:29:3A:4B:5C:6D:7E:8F:"))
    }

    @Test("a digest is never an example", arguments: TestSeeds.of(1...4))
    func digests(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let pairs = (0..<32).map { _ in String(UInt8(truncatingIfNeeded: random.next()), radix: 16) }
            #expect(!KnownSigningKeys.isExample(pairs.joined(separator: ":")), "\(pairs)")
        }
    }
}
