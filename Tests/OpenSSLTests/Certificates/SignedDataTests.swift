import Foundation
import FuzzingSupport
import OpenSSL
import TestSupport
import Testing

@Suite("Signed association files", .waiting)
struct SignedDataTests {
    private static let content = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"]}]}}"#

    /// The forms that signing tools make: a name, and the arguments of the `openssl` command.
    private static let forms: [(name: String, arguments: [String])] = [
        ("CMS, DER", ["cms", "-nodetach", "-outform", "DER"]),
        ("CMS, PEM", ["cms", "-nodetach", "-outform", "PEM"]),
        ("CMS, indefinite length", ["cms", "-nodetach", "-outform", "DER", "-stream"]),
        ("CMS, PEM, indefinite length", ["cms", "-nodetach", "-outform", "PEM", "-stream"]),
        ("CMS, key identifier", ["cms", "-nodetach", "-outform", "DER", "-keyid"]),
        ("PKCS #7, DER", ["smime", "-nodetach", "-outform", "DER"]),
        ("PKCS #7, PEM", ["smime", "-nodetach", "-outform", "PEM"]),
        ("PKCS #7, indefinite length", ["smime", "-nodetach", "-outform", "DER", "-stream"]),
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // The key identifier form needs the extension that a request adds by default.
        let outcome = try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-utf8", "-subj", "/O=Bücher, Söhne/CN=example.com", "-keyout", "\(folder.path)/key", "-out",
            "\(folder.path)/certificate",
        ])
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
    }

    private func sign(_ arguments: [String], content: String = Self.content) throws -> [UInt8] {
        let outcome = try Shell.run(
            ["openssl", arguments[0], "-sign", "-binary"] + arguments.dropFirst()
                + ["-signer", "\(folder.path)/certificate", "-inkey", "\(folder.path)/key"], input: Data(content.utf8))
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return Array(outcome.output)
    }

    @Test("content and signer are read in all forms", arguments: forms)
    func unwrapped(name: String, arguments: [String]) throws {
        let signed = try sign(arguments)
        #expect(SignedData.isSigned(signed))
        let result = try SignedData.content(signed)
        #expect(String(decoding: result.content, as: UTF8.self) == Self.content)
        #expect(result.signer == #"CN=example.com,O=Bücher\, Söhne"#)
        #expect(result.issuer == result.signer)
    }

    @Test("the expiry is that of the certificate, in UTC")
    func notAfter() throws {
        let text = try #require(try SignedData.content(sign(Self.forms[0].arguments)).notAfter)
        let date = try #require(ISO8601DateFormatter().date(from: text))
        #expect(text.hasSuffix("Z") && text.utf8.count == 20)
        #expect((29...31).contains(date.timeIntervalSinceNow / 86_400))
    }

    @Test("the signer's certificate is found among others, and its issuer named")
    func chain() throws {
        let names = [
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=leaf"]
                + ["-keyout", "\(folder.path)/leaf.key", "-out", "\(folder.path)/leaf.csr"],
            ["x509", "-req", "-in", "\(folder.path)/leaf.csr", "-CA", "\(folder.path)/certificate"]
                + ["-CAkey", "\(folder.path)/key", "-CAcreateserial"]
                // Or else it is beside the first folder with a dot in its name, where other tests have theirs, too.
                + ["-CAserial", "\(folder.path)/serial", "-out", "\(folder.path)/leaf"],
        ]
        for arguments in names {
            let outcome = try Shell.run(["openssl"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let arguments = ["cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-signer", "\(folder.path)/leaf"]
        let outcome = try Shell.run(
            ["openssl"] + arguments + ["-inkey", "\(folder.path)/leaf.key", "-certfile", "\(folder.path)/certificate"],
            input: Data(Self.content.utf8))
        let result = try SignedData.content(Array(outcome.output))
        #expect(result.signer == "CN=leaf")
        #expect(result.issuer == #"CN=example.com,O=Bücher\, Söhne"#)
    }

    @Test("without the certificate only its issuer is known")
    func withoutCertificate() throws {
        let result = try SignedData.content(sign(["cms", "-nodetach", "-outform", "DER", "-nocerts"]))
        #expect(String(decoding: result.content, as: UTF8.self) == Self.content)
        #expect(result.signer == nil)
        #expect(result.issuer == #"CN=example.com,O=Bücher\, Söhne"#)
        #expect(result.notAfter == nil)
    }

    @Test("an empty content is a content")
    func emptyContent() throws {
        #expect(try SignedData.content(sign(Self.forms[0].arguments, content: "")).content.isEmpty)
    }

    @Test("a content above 16 MiB is refused")
    func largeContent() throws {
        let most = String(repeating: " ", count: SignedData.maximumContent)
        #expect(try SignedData.content(sign(Self.forms[0].arguments, content: most)).content.count == most.utf8.count)
        let signed = try sign(Self.forms[0].arguments, content: most + " ")
        #expect(failure(signed)?.contains("16 MiB") == true)
    }

    @Test("a detached signature has no content", arguments: ["cms", "smime"])
    func detached(tool: String) throws {
        let signed = try sign([tool, "-outform", "DER"])
        #expect(SignedData.isSigned(signed))
        #expect(failure(signed)?.contains("detached") == true)
    }

    @Test("a byte order mark and blanks may precede PEM")
    func precededPEM() throws {
        let signed = [0xEF, 0xBB, 0xBF, 0x0A, 0x20] + (try sign(Self.forms[1].arguments))
        #expect(SignedData.isSigned(signed))
        #expect(try SignedData.content(signed).content == Array(Self.content.utf8))
    }

    @Test(
        "other files are not signed",
        arguments: [
            "", "0", "0\u{80}", "{}", " {}", #"{"comment": "-----BEGIN PKCS7-----"}"#, "-----BEGIN CERTIFICATE-----\n",
            "-----BEGIN CMS", "\u{FEFF}",
        ])
    func notSigned(text: String) {
        #expect(!SignedData.isSigned(Array(text.utf8)))
        #expect(failure(Array(text.utf8)) != nil)
    }

    @Test("enveloped data and certificates are not signed data")
    func otherMessages() throws {
        let enveloped = try Shell.run(
            ["openssl", "cms", "-encrypt", "-outform", "DER", "\(folder.path)/certificate"],
            input: Data(Self.content.utf8))
        let certificate = try Shell.run(["openssl", "x509", "-in", "\(folder.path)/certificate", "-outform", "DER"])
        for other in [enveloped, certificate] {
            #expect(other.output.count > 100)
            #expect(!SignedData.isSigned(Array(other.output)))
            #expect(failure(Array(other.output)) != nil)
        }
        let disguised = try Shell.run(
            ["openssl", "cms", "-encrypt", "-outform", "PEM", "\(folder.path)/certificate"],
            input: Data(Self.content.utf8))
        #expect(SignedData.isSigned(Array(disguised.output)))
        #expect(failure(Array(disguised.output)) == "not signed data")
    }

    @Test("an encrypted PEM block is damaged, and nobody is asked for its password")
    func encryptedBlock() throws {
        let signed = String(decoding: try sign(Self.forms[1].arguments), as: UTF8.self)
        let header = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n"
        let line = "-----BEGIN CMS-----\n"
        #expect(failure(Array(signed.replacingOccurrences(of: line, with: line + header).utf8)) != nil)
    }

    @Test("a truncated file is damaged", arguments: [0, 1, 2, 5])
    func truncated(form: Int) throws {
        let signed = try sign(Self.forms[form].arguments)
        // PEM is whole without its last line break.
        for count in 0..<(signed.count - 1) where failure(Array(signed[..<count])) == nil {
            Issue.record("the first \(count) of \(signed.count) bytes are read")
        }
    }

    /// A message of indefinite length, up to its type.
    private static let head: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

    @Test("values nested without end are refused", arguments: [0x24, 0x30, 0x31, 0xA0] as [UInt8])
    func nesting(tag: UInt8) {
        let level: [UInt8] = [tag, 0x80]
        let signedData: [UInt8] = [0xA0, 0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x00, 0x30, 0x80]
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0xA0, 0x80]
        let levels = Array(repeatElement(level, count: 200_000).joined())
        #expect(failure(Self.head + levels) != nil)
        #expect(failure(Self.head + signedData + identifier + levels) != nil)
    }

    @Test("bytes at random are refused", arguments: TestSeeds.of(1...1))
    func noise(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5_000 {
            let bytes = (0..<random.number(below: 200)).map { _ in random.byte() }
            #expect(failure(bytes) != nil)
            #expect(failure(Self.head + bytes) != nil)
        }
    }

    @Test("mutated files are read or refused, and nothing else", arguments: forms, TestSeeds.of(2...2))
    func mutations(form: (name: String, arguments: [String]), seed: UInt64) throws {
        let original = try sign(form.arguments)
        var random = SplitMix64(seed: seed)
        var refused = 0
        // `make fuzz` has more of them: profiles are signed, too.
        for _ in 0..<1_000 {
            var bytes = original
            for _ in 0...random.number(below: 3) {
                let place = random.number(below: bytes.count)
                switch random.number(below: 4) {
                case 0: bytes[place] = random.byte()
                case 1: bytes[place] ^= 1 << UInt8(random.number(below: 8))
                case 2: bytes.insert(random.byte(), at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.number(below: 8)))
                }
            }
            if failure(bytes) != nil { refused += 1 }
        }
        #expect((20...1_000).contains(refused))
    }

    /// Why the content cannot be read; nil if it can.
    private func failure(_ bytes: [UInt8]) -> String? {
        do throws(OpenSSLError) {
            _ = try SignedData.content(bytes)
            return nil
        } catch {
            return error.message
        }
    }
}
