import Foundation
import OpenSSL
import PushCertificates
import PushSamples
import TestSupport
import Testing

@Suite("Combined files", .waiting)
struct CombinedFileTests {
    private let reader: CertificateFileReader

    init() throws { reader = try CertificateFileReader() }

    private func combine(
        _ sample: SampleCertificate = SampleProfile.universal.certificate(), key: SampleKey = .p256(),
        password: String = "test-password", form: CombinedFile.Form = .compatible
    ) throws -> CombinedFile {
        let certificate = try RenewalSamples.certificate(sample)
        let found = try #require(try RenewalSamples.key(key).keys.first)
        return try CombinedFile(
            certificate, key: found, password: RenewalSamples.password(password), form: form, issuers: IssuerChain(),
            with: reader)
    }

    private func information(_ file: CombinedFile) throws -> Shell.Outcome {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(file.bytes), to: "file.p12")
        return try Shell.run(
            ["openssl", "pkcs12", "-in", path, "-info", "-nodes", "-passin", "stdin"],
            input: Data("test-password\n".utf8))
    }

    @Test("Is read back with its key, kind, topics and environments", arguments: SampleProfile.allCases)
    func roundTrip(profile: SampleProfile) throws {
        // One is enough for the form that takes long.
        for form in profile == .universal ? CombinedFile.Form.allCases : [.compatible] {
            let file = try combine(profile.certificate(), form: form)
            let read = try reader.read(file.bytes, password: RenewalSamples.password())
            #expect(read.certificates.map(\.kind.rawValue) == [profile.kind])
            #expect(read.certificates.map(\.key) == [.matching])
            try file.verify(file.bytes)
        }
    }

    @Test("The name is the certificate's common name; one with a zero byte is left out")
    func friendlyName() throws {
        let name = "friendlyName: Apple Push Services: com.example.app"
        #expect(try information(try combine()).text.components(separatedBy: name).count == 3)
        let odd = SampleProfile.universal.certificate().with { sample in
            sample.subject = [.userID("com.example.app"), .commonName("Apple Push\u{0}x")]
        }
        #expect(try !information(try combine(odd)).text.contains("friendlyName"))
    }

    @Test("Another key, and passwords that are empty or cannot be typed elsewhere, are refused")
    func refused() throws {
        #expect(renewalCode { try combine(key: .p256(2)) } == .noMatchingKey)
        #expect(renewalCode { try combine(password: "") } == .invalidPassword)
        #expect(renewalCode { try combine(password: "a\u{0}b") } == .invalidPassword)
    }

    @Test("Verifying notices what is damaged, cut off, or of another certificate")
    func verifying() throws {
        let file = try combine()
        var damaged = file.bytes
        damaged[damaged.count / 2] ^= 1
        #expect(renewalCode { try file.verify(damaged) } == .differentContent)
        #expect(renewalCode { try file.verify(Array(file.bytes.dropLast())) } == .differentContent)
        #expect(renewalCode { try file.verify([]) } == .differentContent)
        let other = try combine(SampleProfile.pass.certificate())
        #expect(renewalCode { try file.verify(other.bytes) } == .differentContent)
        let otherPassword = try combine(password: "other")
        #expect(renewalCode { try file.verify(otherPassword.bytes) } == .differentContent)
        let withoutKey = SamplePKCS12(
            [.plain([.certificate(try SampleProfile.universal.certificate().der())])],
            mac: SampleMAC(password: "test-password", iterations: 1))
        #expect(renewalCode { try file.verify(withoutKey.der()) } == .differentContent)
    }
}
