import Diagnostics
import OpenSSL
import PushCertificates
import PushSamples
import Testing

@Suite("Certificates as Apple gives them")
struct IssuedCertificateTests {
    private let reader: CertificateFileReader

    init() throws { reader = try CertificateFileReader() }

    private func read(_ text: String) throws -> IssuedCertificate {
        try IssuedCertificate(Array(text.utf8), with: reader)
    }

    @Test("DER and PEM are read, also with the authority beside, twice, or with its key", arguments: 0..<6)
    func forms(place: Int) throws {
        let sample = SampleProfile.universal.certificate()
        let pem = try sample.pem()
        let bytes: [UInt8] =
            switch place {
            case 0: try sample.der()
            case 1: try sample.der() + [0x0A]
            case 2: Array(pem.utf8)
            case 3: Array((try SampleAuthority.g4.certificate.pem() + pem).utf8)
            case 4: Array((pem + pem).utf8)
            default: Array((pem + (try SampleKey.p256().pem())).utf8)
            }
        let issued = try IssuedCertificate(bytes, with: reader)
        #expect(issued.certificate.kind == .applePushServices)
        #expect(issued.certificate.userID == "com.example.app")
        #expect(issued.findings.allSatisfy { !["no-private-key", "key-mismatch"].contains($0.code.rawValue) })
    }

    @Test(
        "Several certificates, requests, a PKCS #12 that is locked, token keys and other things are refused",
        arguments: 0..<7)
    func refused(place: Int) throws {
        let sample = SampleProfile.universal.certificate()
        let bytes: [UInt8] =
            switch place {
            case 0: Array((try sample.pem() + SampleProfile.pass.certificate().pem()).utf8)
            case 1: try SampleRequest().der()
            case 2: try SamplePKCS12.export(sample, password: .text("x"), as: .openSSL, iterations: 1).der()
            case 3: Array(try SampleKey.p256().pem().utf8)
            case 4: Array("<!DOCTYPE html>".utf8)
            case 5: []
            default: [UInt8](repeating: 0x30, count: CertificateFileReader.maximumBytes + 1)
            }
        #expect(renewalCode { try IssuedCertificate(bytes, with: reader) } == .unsuitableFile)
    }

    @Test("A PKCS #12 file gives its certificate and its key, with one of the passwords")
    func pkcs12() throws {
        let file = try SamplePKCS12.export(
            SampleProfile.universal.certificate(), password: "x", as: .openSSL, iterations: 1
        ).der()
        for passwords in [[], ["y"]] {
            #expect {
                try IssuedCertificate(file, passwords: passwords.map { RenewalSamples.password($0) }, with: reader)
            } throws: { ($0 as? RenewalError)?.message.contains("this PKCS #12 file") == true }
        }
        let passwords = ["y", "x"].map { RenewalSamples.password($0) }
        let issued = try IssuedCertificate(file, passwords: passwords, with: reader)
        #expect(issued.certificate.userID == "com.example.app" && issued.ownKey?.belongs(to: issued) == true)
    }

    @Test(
        "Of several the one for push is taken, or that of a serial number, however it is written",
        arguments: [
            (nil, nil), ("1002", "com.example.other"), ("10:02", "com.example.other"),
            ("0x001002", "com.example.other"),
            ("1001", "com.example.app"), ("1003", nil), ("", nil),
        ] as [(String?, String?)])
    func serial(serial: String?, expected: String?) throws {
        let blocks =
            try [
                SampleProfile.codeSigning.certificate().with { $0.serial = [9] }, SampleProfile.universal.certificate(),
                SampleProfile.universal.certificate("com.example.other", key: .p256(2)).with { $0.serial = [0x10, 2] },
            ].map { try $0.pem() } + [SampleKey.p256(2).pem()]
        let bytes = Array(blocks.joined().utf8)
        let issued = try? IssuedCertificate(bytes, serial: serial, with: reader)
        #expect(issued?.certificate.userID == expected)
        #expect((issued?.ownKey != nil) == (expected == "com.example.other"))
        let two = try IssuedCertificate(Array(blocks.prefix(2).joined().utf8), with: reader)
        #expect(two.certificate.userID == "com.example.app")
    }

    @Test("Warns of one that has expired, is not valid yet, is not for push, is an authority's, or is not from Apple")
    func warnings() throws {
        let now = SampleTime.now
        func warnings(_ sample: SampleCertificate, now: Int64 = SampleTime.now) throws -> String {
            try RenewalSamples.certificate(sample).warnings(now: now).joined(separator: "\n")
        }
        let universal = SampleProfile.universal.certificate()
        let end = universal.notAfter
        #expect(!(try warnings(universal, now: end)).contains("expired"))
        #expect(try warnings(universal, now: end + 1).contains("it expired at \(SampleTime.text(end))"))
        #expect(try warnings(universal, now: universal.notBefore - 1).contains("not valid before"))
        // The samples are signed by nobody that is known.
        #expect(try RenewalSamples.certificate(universal).warnings(now: now).count == 1)
        #expect(try RenewalSamples.certificate(SampleProfile.codeSigning.certificate()).warnings(now: now).count == 2)
        #expect(try warnings(SampleProfile.tlsServer.certificate()).contains("push"))
        #expect(try warnings(SampleAuthority.root.certificate).contains("certificate authority"))
    }
}
