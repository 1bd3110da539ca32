import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Certificates as they are", .waiting)
struct X509CertificateTests {
    private let folder: TemporaryFolder
    private let context: LibraryContext

    init() throws {
        folder = try TemporaryFolder()
        context = try LibraryContext()
    }

    private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    /// A self-signed certificate in DER.
    private func make(
        _ arguments: [String] = [], key: [String] = curve, subject: String = "/CN=test", days: Int = 30
    ) throws -> [UInt8] {
        let command =
            ["openssl", "req", "-x509"] + key + ["-nodes", "-utf8", "-days", "\(days)", "-subj", subject]
            + ["-outform", "DER", "-keyout", "\(folder.path)/key"] + arguments
        let outcome = try Shell.run(command)
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return Array(outcome.output)
    }

    private func read(_ der: [UInt8]) throws -> X509Certificate { try X509Certificate(der: der[...], in: context) }

    /// The bytes with one run of them replaced by another as long.
    private func replacing(_ old: [UInt8], by new: [UInt8], in bytes: [UInt8]) throws -> [UInt8] {
        let range = try #require(bytes.firstRange(of: old))
        return Array(bytes[..<range.lowerBound]) + new + Array(bytes[range.upperBound...])
    }

    @Test("attributes stand in the order of the file, by object identifier, as text")
    func subject() throws {
        let certificate = try read(make(subject: "/UID=com.example.app/CN=Größe ✓/OU=ONE/OU=TWO/C=DE"))
        #expect(
            certificate.subject.map(\.oid) == [
                "0.9.2342.19200300.100.1.1", "2.5.4.3", "2.5.4.11", "2.5.4.11", "2.5.4.6",
            ])
        #expect(certificate.subject.map(\.value) == ["com.example.app", "Größe ✓", "ONE", "TWO", "DE"])
        #expect(certificate.subject("2.5.4.11") == "ONE")
        #expect(certificate.subject("2.5.4.99") == nil)
        #expect(certificate.issuer == certificate.subject)
        #expect(certificate.issuerName == certificate.subjectName && certificate.subjectName.first == 0x30)
    }

    @Test(
        "text is converted from other encodings",
        arguments: [
            (0x14, [0x41, 0xE9, 0x42, 0xFC, 0x43, 0x44], "AéBüCD"),
            (0x1E, [0x26, 0x13, 0x00, 0x41, 0x63, 0xA8], "☓A推"),
            (0x16, [0x41, 0, 0x0A, 0x1B, 0x44, 0x45], "A\0\n\u{1B}DE"),
            (0x13, [0x41, 0x42, 0x40, 0x44, 0x45, 0x46], "AB@DEF"),
        ] as [(UInt8, [UInt8], String)])
    func encodings(tag: UInt8, bytes: [UInt8], text: String) throws {
        let der = try make(subject: "/CN=ABCDEF")
        let changed = try replacing([0x0C, 0x06] + Array("ABCDEF".utf8), by: [tag, 0x06] + bytes, in: der)
        // The issuer's name is the first of the two.
        #expect(try read(changed).issuer.first?.value == text)
    }

    @Test(
        "text that is damaged is an error",
        arguments: [(0x0C, [0x41, 0xFF, 0xFE]), (0x1E, [0x41, 0x42, 0x43])] as [(UInt8, [UInt8])])
    func damagedText(tag: UInt8, bytes: [UInt8]) throws {
        let der = try make(subject: "/CN=ABC")
        #expect(throws: OpenSSLError.self) {
            try read(replacing([0x0C, 0x03, 0x41, 0x42, 0x43], by: [tag, 0x03] + bytes, in: der))
        }
    }

    @Test("what follows the certificate is not part of it")
    func trailingBytes() throws {
        let der = try make()
        #expect(try read(der + [0x0A, 0x30]).der == der)
        let padded = [1, 2, 3] + der
        #expect(try X509Certificate(der: padded[3...], in: context).der == der)
    }

    @Test("what is no whole certificate is an error")
    func damaged() throws {
        let der = try make()
        let damaged: [[UInt8]] = [
            [], [0x30], [0x30, 0x80], [0x30, 0x00], Array(der.dropLast()), Array(der.prefix(der.count / 2)),
            [0x31] + der.dropFirst(), Array(der.dropFirst(4)),
        ]
        for bytes in damaged {
            #expect { try read(bytes) } throws: { ($0 as? OpenSSLError)?.code == .noCertificate }
        }
    }

    @Test("every cut and every flipped byte is an error or a certificate, and nothing else")
    func flipped() throws {
        let der = try make(["-addext", "keyUsage=digitalSignature"])
        for place in der.indices {
            _ = try? read(Array(der[..<place]))
            for bit in [UInt8(1), 0x80] {
                var changed = der
                changed[place] ^= bit
                guard let certificate = try? read(changed) else { continue }
                _ = (certificate.publicKey, certificate.publicKeyIdentity, certificate.isSigned(by: certificate))
            }
        }
    }

    @Test(
        "serial numbers are whole bytes in upper-case hexadecimal",
        arguments: [
            ("0", "00"), ("1", "01"), ("0x00AB", "AB"), ("255", "FF"), ("-10", "-0A"), ("-0xFFEE", "-FFEE"),
            ("0x123456789ABCDEF0123456789ABCDEF012345678", "123456789ABCDEF0123456789ABCDEF012345678"),
        ])
    func serial(given: String, shown: String) throws {
        #expect(try read(make(["-set_serial", given])).serialNumber == shown)
    }

    @Test("dates go up to the year 9999")
    func dates() throws {
        let certificate = try read(make(days: 2_900_000))
        #expect(certificate.notAfter - certificate.notBefore == 2_900_000 * 86_400)
        #expect(abs(Double(certificate.notBefore) - Date().timeIntervalSince1970) < 600)
    }

    @Test("a date that is none is an error")
    func noDate() throws {
        let der = try make()
        let tag = try #require(der.firstRange(of: [0x17, 0x0D]))
        var changed = der
        for place in 0..<4 { changed[tag.upperBound + 2 + place] = UInt8(ascii: "9") }
        #expect(throws: OpenSSLError.self) { try read(changed) }
    }

    @Test("extensions are there in their order, with their bytes")
    func extensions() throws {
        let certificate = try read(
            make([
                "-addext", "1.2.840.113635.100.6.3.2=ASN1:NULL", "-addext", "1.2.3.4=critical,ASN1:UTF8String:x",
            ]))
        #expect(certificate.extension("1.2.840.113635.100.6.3.2") == [0x05, 0x00])
        #expect(certificate.extension("1.2.840.113635.100.6.3.1") == nil)
        let last = try #require(certificate.extensions.last)
        #expect(last.oid == "1.2.3.4" && last.isCritical && last.value == [0x0C, 0x01, UInt8(ascii: "x")])
    }

    @Test("an extension that is damaged, or there twice, does not hide the rest")
    func damagedExtension() throws {
        let der = try make(["-addext", "keyUsage=critical,digitalSignature"])
        // A bit string without its first octet.
        let damaged = try replacing([0x03, 0x02, 0x07, 0x80], by: [0x03, 0x01, 0x09, 0x05], in: der)
        #expect(try read(damaged).extension("2.5.29.15") == [0x03, 0x01, 0x09, 0x05])
        #expect(try read(damaged).subject("2.5.4.3") == "test")
    }

    @Test(
        "the kind and size of the public key",
        arguments: [
            (["-newkey", "rsa:1024"], "RSA", 1_024), (curve, "EC", 256), (["-newkey", "ed25519"], "ED25519", 256),
        ] as [([String], String, Int)])
    func publicKey(key: [String], algorithm: String, bits: Int) throws {
        let certificate = try read(make(key: key))
        let found = try #require(certificate.publicKey)
        #expect(found.algorithm == algorithm && found.bits == bits)
        #expect(certificate.publicKeyIdentity != nil)
        #expect(certificate.isSigned(by: certificate))
    }

    @Test("a DSA key is a key like others")
    func dsa() throws {
        let parameters = ["openssl", "dsaparam", "-genkey", "-out", "\(folder.path)/dsa", "1024"]
        guard try Shell.run(parameters).status == 0 else { throw TestFailure("no DSA key") }
        let certificate = try read(make(key: ["-key", "\(folder.path)/dsa"]))
        #expect(certificate.publicKey?.algorithm == "DSA")
        #expect(certificate.publicKeyIdentity != nil)
        #expect(certificate.isSigned(by: certificate))
    }

    @Test("a public key of an unknown kind is none")
    func unknownKey() throws {
        let der = try make(key: ["-newkey", "rsa:1024"])
        let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let certificate = try read(replacing(rsa, by: rsa.dropLast() + [0x63], in: der))
        #expect(certificate.publicKey == nil)
        #expect(certificate.publicKeyIdentity == nil)
        #expect(!certificate.isSigned(by: certificate))
        #expect(certificate.subject("2.5.4.3") == "test")
    }

    @Test(
        "the digest of the signature",
        arguments: [
            (["-sha1"], ["-newkey", "rsa:1024"], "SHA1"), (["-md5"], ["-newkey", "rsa:1024"], "MD5"),
            (["-sha256"], curve, "SHA256"), ([], ["-newkey", "ed25519"], nil),
            (["-sha384", "-sigopt", "rsa_padding_mode:pss"], ["-newkey", "rsa:2048"], "SHA384"),
        ] as [([String], [String], String?)])
    func digest(arguments: [String], key: [String], name: String?) throws {
        #expect(try read(make(arguments, key: key)).signatureDigest == name)
    }

    @Test("the digest of a signature that the library cannot check is known all the same")
    func oldDigest() throws {
        let der = try make(["-md5"], key: ["-newkey", "rsa:1024"])
        let md5: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x04]
        var changed = der
        // MD2, inside and outside.
        while let place = changed.firstRange(of: md5) { changed[place.upperBound - 1] = 0x02 }
        let certificate = try read(changed)
        #expect(certificate.signatureDigest == "MD2")
        #expect(!certificate.isSigned(by: certificate))
    }

    @Test("only the key that made a signature fits it")
    func signatures() throws {
        let own = try make()
        let other = try make()
        #expect(try read(own).isSigned(by: read(own)))
        #expect(try !read(own).isSigned(by: read(other)))
        var damaged = own
        damaged[damaged.count - 1] ^= 1
        #expect(try !read(damaged).isSigned(by: read(own)))
    }

    @Test("a public key is found by its numbers, whatever certificate it is in")
    func identity() throws {
        let first = try read(make())
        let second = try read(make(key: ["-key", "\(folder.path)/key"], subject: "/CN=other"))
        let third = try read(make())
        #expect(first.publicKeyIdentity == second.publicKeyIdentity)
        #expect(first.publicKeyIdentity != third.publicKeyIdentity)
    }
}
