import OpenSSL
import Testing

@Suite("Bytes that are wiped")
struct SecretBytesTests {
    @Test("bytes are taken over, and nothing is left behind")
    func taking() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(taking: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret.withBytes { $0 } == [1, 2, 3])
        #expect(secret.count == 3)
    }

    @Test("any sequence is copied, however long", arguments: [0, 1, 63, 64, 65, 1000])
    func copying(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0 & 0xFF) }
        #expect(SecretBytes(bytes).withBytes { $0 } == bytes)
        // Nobody knows beforehand how many there are.
        #expect(SecretBytes(bytes.lazy.filter { _ in true }).withBytes { $0 } == bytes)
    }

    @Test("a buffer holds what was written to it")
    func filling() {
        let some = SecretBytes(capacity: 8) { buffer in
            buffer[0] = 7
            return 2
        }
        #expect(some?.withBytes { $0 } == [7, 0])
        #expect(SecretBytes(capacity: 4) { _ in 9 }?.count == 4)
        #expect(SecretBytes(capacity: 4) { _ in -1 }?.count == 0)
        #expect(SecretBytes(capacity: 0) { _ in 0 }?.count == 0)
        #expect(SecretBytes(capacity: 4) { _ in nil } == nil)
    }

    @Test("bytes are lent as text, a short one and a long one", arguments: ["", "kurz", "länger als fünfzehn Bytes"])
    func text(_ text: String) {
        #expect(SecretBytes(text.utf8).withText { $0.uppercased() } == text.uppercased())
    }

    @Test("wiped bytes are zeros")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        SecretBytes.wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }
}
