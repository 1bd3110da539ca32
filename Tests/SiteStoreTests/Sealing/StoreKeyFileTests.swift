import Foundation
import OpenSSL
import SiteStore
import SystemSupport
import TestSupport
import Testing

@Suite("The key file of a store")
struct StoreKeyFileTests {
    private static let digits = String(repeating: "0123456789abcdef", count: 4)
    private static let otherDigits = String(repeating: "FEDCBA9876543210", count: 4)

    private func parse(_ text: String) throws -> StoreKeyRing {
        try StoreKeyFile.parse(Array(text.utf8), path: "store.keys")
    }

    @Test("keys are in lines, the first encrypts, and comments and blanks are passed over")
    func reading() throws {
        let text = """
            # the keys of our store

            k20261101 \(Self.digits)
            \tk20250301  \t\(Self.otherDigits) # the old one\r
            """
        let ring = try parse(text)
        #expect(ring.keys.map(\.id) == ["k20261101", "k20250301"])
        #expect(ring.keys[0].secret.withBytes { $0 } == (0..<4).flatMap { _ in [1, 35, 69, 103, 137, 171, 205, 239] })
        #expect(ring.keys[1].secret.withBytes { $0.prefix(2) } == [0xFE, 0xDC])
        #expect(ring.has("k20250301") && !ring.has("k"))
    }

    @Test(
        "what is wrong is named by its line, and nothing of the line is shown",
        arguments: [
            ("k1", "store.keys:2: expected a name and a key, found 1 word"),
            ("k1 \(digits) more", "store.keys:2: expected a name and a key, found 3 words"),
            ("\(digits)", "store.keys:2: expected a name and a key, found 1 word"),
            ("K1 \(digits)", "store.keys:2: the name of the key is not 1 to 32 lowercase letters, digits and hyphens"),
            (
                "\(digits) \(digits)",
                "store.keys:2: the name of the key is not 1 to 32 lowercase letters, digits and hyphens"
            ),
            ("k1 \(digits)0", "store.keys:2: expected 64 hexadecimal digits after the name, found 65 characters"),
            ("k1 0123", "store.keys:2: expected 64 hexadecimal digits after the name, found 4 characters"),
            (
                "k1 \(digits.dropLast())g",
                "store.keys:2: expected 64 hexadecimal digits after the name, found other characters"
            ),
            (
                "k1 \(digits)\nk2 \(digits)\nk1 \(otherDigits)",
                "store.keys:4: the key has the same name as that of line 2"
            ),
            ("# nothing", "store.keys: the key file has no key"),
        ])
    func errors(text: String, message: String) {
        let error = #expect(throws: StoreKeyFileError.self) { try parse("# first\n\(text)\n") }
        #expect(error?.description == "\(message); help: write one key a line, as 'aasa store key' prints it")
        #expect(error?.description.contains("0123") != true)
    }

    @Test("a file of another size, or that is not there, is an error")
    func files() throws {
        let folder = try TemporaryFolder()
        let large = try folder.write(String(repeating: "#\n", count: 40_000), to: "large")
        #expect(throws: StoreKeyFileError.self) { try StoreKeyFile(large) }
        let error = #expect(throws: StoreKeyFileError.self) { try StoreKeyFile("\(folder.path)/none") }
        #expect(error?.message == "the key file cannot be read: no such file or directory")
        #expect(throws: StoreKeyFileError.self) { try StoreKeyFile(folder.path) }
    }

    @Test("a file that everybody can read gives a warning", arguments: [(0o600, 0), (0o640, 0), (0o644, 1)])
    func permissions(mode: Int, warnings: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("k1 \(Self.digits)\n", to: "keys")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let file = try StoreKeyFile(path)
        #expect(file.keys.keys.count == 1)
        #expect(file.warnings.count == warnings)
    }

    @Test("a new line can be read, is named by its day, and has a key of its own")
    func newLine() throws {
        let day = try #require(CivilDate(year: 2026, month: 3, day: 1))
        let lines = try [[], ["k20260301"], ["k20260301-2", "k20260301"]].map { names in
            try StoreKeyFile.newLine(date: day, besides: names).withBytes { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines.allSatisfy { $0.hasSuffix("\n") && $0.filter { $0 == "\n" }.count == 1 })
        let ring = try parse(lines.joined())
        #expect(ring.keys.map(\.id) == ["k20260301", "k20260301-2", "k20260301-3"])
        #expect(Set(ring.keys.map { $0.secret.withBytes { $0 } }).count == 3)
    }
}

@Suite("Secrets in a store")
struct StoreKeyRingTests {
    private static func key(_ id: String, _ byte: UInt8) -> StoreKeyRing.Key {
        StoreKeyRing.Key(id: id, secret: SecretBytes([UInt8](repeating: byte, count: 32)))
    }

    private let ring = StoreKeyRing([key("new", 1), key("old", 2)])
    private let secret = SecretBytes(Array("-----BEGIN PRIVATE KEY-----".utf8))

    private func opened(_ sealed: StoreKeyRing.Sealed, _ table: String, _ row: String) -> Result<[UInt8], StoreKeyError>
    {
        do throws(StoreKeyError) {
            return .success(
                try ring.open(sealed.bytes, keyID: sealed.keyID, table: table, primaryKey: row).withBytes { $0 })
        } catch {
            return .failure(error)
        }
    }

    @Test("the first key encrypts, all decrypt")
    func rotation() throws {
        let new = try ring.seal(secret, table: "certificates", primaryKey: "example.com")
        let old = try StoreKeyRing([Self.key("old", 2)]).seal(secret, table: "certificates", primaryKey: "example.com")
        #expect(new.keyID == "new" && old.keyID == "old")
        for sealed in [new, old] {
            #expect(opened(sealed, "certificates", "example.com") == .success(secret.withBytes { $0 }))
        }
    }

    @Test("a secret opens in its own row alone")
    func rows() throws {
        let sealed = try ring.seal(secret, table: "certificates", primaryKey: "example.com")
        for (table, row) in [("certificates", "example.org"), ("ticket_keys", "example.com"), ("certificates", "")] {
            #expect(opened(sealed, table, row) == .failure(.wrong(keyID: "new")))
        }
        for index in sealed.bytes.indices {
            var bytes = sealed.bytes
            bytes[index] ^= 0x80
            let changed = StoreKeyRing.Sealed(keyID: "new", bytes: bytes)
            #expect(opened(changed, "certificates", "example.com") == .failure(.wrong(keyID: "new")))
        }
    }

    @Test("a key that is missing, and one that is another, are different errors")
    func keys() throws {
        let sealed = try StoreKeyRing([Self.key("new", 9)]).seal(secret, table: "t", primaryKey: "r")
        #expect(opened(sealed, "t", "r") == .failure(.wrong(keyID: "new")))
        let unknown = StoreKeyRing.Sealed(keyID: "k9", bytes: sealed.bytes)
        #expect(opened(unknown, "t", "r") == .failure(.missing(keyID: "k9")))
        #expect(throws: StoreKeyError.cannotSeal) { try StoreKeyRing([]).seal(secret, table: "t", primaryKey: "r") }
    }
}
