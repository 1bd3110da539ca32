import PushCertificates
import PushSamples
import Testing

@Suite("PEM files")
struct PEMTests {
    static func code(_ text: String, password: String? = nil) throws -> String {
        try FileOutcome.code(Array(text.utf8), password: password)
    }

    static func read(_ text: String, password: String? = nil) throws -> CertificateFile {
        try FileOutcome.read(Array(text.utf8), password: password)
    }

    @Test("a file is read with whatever stands around its blocks")
    func surroundings() throws {
        let pem = try FileOutcome.certificate().pem()
        let crlf = SamplePEM.block("CERTIFICATE", try FileOutcome.certificate().der(), newline: "\r\n")
        let cr = SamplePEM.block("CERTIFICATE", try FileOutcome.certificate().der(), newline: "\r")
        let attributes = "Bag Attributes\n    friendlyName: Größe\n    localKeyID: 01 02\nsubject=/CN=x\n"
        for text in [
            pem, "\u{FEFF}" + pem, attributes + pem, crlf, "\u{FEFF}" + crlf, cr, "text\n" + pem + "text", "\n\n" + pem,
            String(pem.dropLast()), pem.replacing("-----\n", with: "-----  \t\n"),
            pem.replacing("-----BEGIN CERTIFICATE-----\n", with: "-----BEGIN CERTIFICATE-----\n\n  \n"),
            SamplePEM.block("DH PARAMETERS", [0x30, 0]) + pem, SamplePEM.block("X509 CRL", [0x30, 0]) + pem,
            pem.replacing("CERTIFICATE", with: "X509 CERTIFICATE"),
        ] {
            let file = try Self.read(text)
            #expect(file.certificates.count == 1)
            #expect(file.isSound)
        }
    }

    @Test("certificates keep their order, and keys find theirs")
    func order() throws {
        let certificates = (1...3).map(FileOutcome.certificate)
        let encoded = try certificates.map { try $0.der() }
        let blocks = encoded.map { SamplePEM.block("CERTIFICATE", $0) }
        let keys = [try certificates[2].key.pem(), try certificates[0].key.traditionalPEM()]
        let text = keys[0] + blocks[0] + keys[1] + blocks[1] + blocks[2]
        let file = try Self.read(text)
        #expect(file.certificates.map(\.key) == [.matching, .none, .matching])
        let hashes = try encoded.map { try FileOutcome.read($0).certificates[0].sha256 }
        #expect(file.certificates.map(\.sha256) == hashes)
    }

    @Test("the trust settings of a trusted certificate are left out, other bytes behind one are told")
    func bytesBehind() throws {
        let der = try FileOutcome.certificate().der()
        let settings = DER.sequence(DER.sequence(DER.oid("1.3.6.1.5.5.7.3.2")), DER.utf8("alias"))
        let trusted = try Self.read(SamplePEM.block("TRUSTED CERTIFICATE", der + settings))
        #expect(trusted.certificates.count == 1)
        #expect(!trusted.says("trailing-bytes"))
        #expect(try Self.read(SamplePEM.block("CERTIFICATE", der + settings)).says("trailing-bytes"))
    }

    static let damages: [(String, @Sendable (String) -> String)] = [
        ("no END line", { String($0.prefix(200)) }),
        ("the END line of another block", { $0.replacing("END CERTIFICATE", with: "END PRIVATE KEY") }),
        ("a BEGIN line that is cut off", { $0.replacing("BEGIN CERTIFICATE-----", with: "BEGIN CERTIFICATE--") }),
        ("an END line that is cut off", { $0.replacing("END CERTIFICATE-----", with: "END CERTIFICATE") }),
        (
            "a block in a block",
            { $0.replacing("-----BEGIN CERTIFICATE-----", with: "-----BEGIN A-----\n-----BEGIN CERTIFICATE-----") }
        ),
        ("a character that is no base64", { String($0.prefix(200)) + "!" + $0.dropFirst(201) }),
        ("a character too few", { String($0.prefix(200)) + $0.dropFirst(201) }),
        ("padding in the middle", { String($0.prefix(200)) + "==" + $0.dropFirst(202) }),
        ("nothing inside", { _ in "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n" }),
        ("no certificate inside", { _ in SamplePEM.block("CERTIFICATE", [0x30, 0]) }),
        ("a sound one before", { $0 + "-----BEGIN CERTIFICATE-----\n" }),
    ]

    @Test("damage is found", arguments: damages.indices)
    func damaged(_ index: Int) throws {
        let (name, damage) = Self.damages[index]
        let text = damage(try FileOutcome.certificate().pem())
        #expect(try Self.code(text) == "corrupt", "\(name)")
    }

    @Test("a message names the line")
    func line() throws {
        let pem = try FileOutcome.certificate().pem()
        let error = try #require(try FileOutcome.error(Array("one\r\ntwo\r\n\(pem.prefix(200))".utf8)))
        #expect(error.sentence.contains("line 3"))
    }

    @Test("what it is instead is said, with what to do")
    func foreign() throws {
        let cases: [(String, String)] = [
            (try SampleRequest().pem(), "upload it"),
            (try SampleRequest().pem().replacing("CERTIFICATE REQUEST", with: "NEW CERTIFICATE REQUEST"), "upload it"),
            (try SampleKey.p256().traditionalPEM(), "private key"),
            (SamplePEM.block("ENCRYPTED PRIVATE KEY", [1]), "encrypted private key"),
            (SamplePEM.block("OPENSSH PRIVATE KEY", [1]), "SSH"), (SamplePEM.block("PUBLIC KEY", [1]), "public key"),
            (SamplePEM.block("X509 CRL", [1]), "revoked"), (SamplePEM.block("PKCS7", [1]), ".p7b"),
            (SamplePEM.block("SOMETHING\u{7}", [1]), "'SOMETHING\\u0007'"),
        ]
        for (text, words) in cases {
            let error = try #require(try FileOutcome.error(Array(text.utf8)))
            #expect(error.code == .notACertificate)
            #expect(error.sentence.contains(words))
        }
    }
}
