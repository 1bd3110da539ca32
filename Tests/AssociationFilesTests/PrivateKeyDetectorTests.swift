import AssociationFiles
import Testing

/// The cost of looking for private keys, and the keys that are found.
struct PrivateKeyDetectorTests {
    /// Texts that begin what is looked for, and never end it.
    private static let repeated: [[UInt8]] = [
        Array("PRIVATE KEY---_".utf8), Array("MIIB".utf8), Array("TUlJ".utf8), Array("3082 ".utf8),
        [0x30, 0x82, 0x7F, 0xFF, 0x02, 0x01, 0x00], [0x30, 0x80], Array("PrivateKey = ".utf8),
        Array("AGE-SECRET-KEY-".utf8), Array("RSAKeyValue><D>".utf8), Array("{\"kty\":".utf8),
    ]

    @Test(
        "A file of nothing but beginnings of keys holds none, and is looked at in linear time", .timeLimit(.minutes(5)),
        arguments: repeated)
    func hostile(unit: [UInt8]) {
        // What is quadratic takes minutes.
        let bytes = Array(repeatElement(unit, count: 100_000 / unit.count).joined())
        #expect(PrivateKeyDetector.finding(in: bytes) == nil)
    }
}
