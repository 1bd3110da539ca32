import Foundation
import PushSamples
import TestSupport
import Testing

/// Files that cannot be used to send, or not by every sender: all formats agree (push-certificates.md, section 7).
@Suite("certcheck: files that cannot be used to send", .waiting)
struct CertcheckUnusableFilesTests {
    /// A file, by the certificates and keys in it.
    struct Sample: CustomTestStringConvertible {
        let name: String
        /// `2` critical, `1` warning, `0` ok.
        let status: Int32
        let code: String
        /// The values of `certcheck_certificate_usable`, by certificate.
        let usable: String
        let bytes: @Sendable () throws -> [UInt8]

        init(
            _ name: String, _ status: Int32, _ code: String, usable: String,
            _ bytes: @escaping @Sendable () throws -> [UInt8]
        ) {
            (self.name, self.status, self.code, self.usable, self.bytes) = (name, status, code, usable, bytes)
        }

        var testDescription: String { name }
    }

    private static func push(_ key: Int, days: Int64, _ topic: String = "com.example.app") -> SampleCertificate {
        SampleProfile.universal.certificate(topic, key: .p256(key)).with {
            $0.notAfter = SampleTime.days(days)
            $0.notBefore = SampleTime.days(days - 395)
            $0.serial = [0x10, UInt8(key)]
        }
    }

    private static let distribution = SampleProfile.codeSigning.certificate(key: .p256(7))

    private static func pkcs12(_ identities: [SampleCertificate]) throws -> [UInt8] {
        let bags = try identities.flatMap { [try SampleBag.certificate($0.der()), try SampleBag.key($0.key.pkcs8())] }
        return try SamplePKCS12([.plain(bags)], mac: SampleMAC(password: "", iterations: 1)).der()
    }

    private static func pem(_ certificates: [SampleCertificate], _ keys: Int...) throws -> [UInt8] {
        try Array((certificates.map { try $0.pem() } + keys.map { try SampleKey.p256($0).pem() }).joined().utf8)
    }

    static let samples: [Sample] = [
        Sample("lonely.p12", 2, "no-private-key", usable: "0") {
            let bag = SampleBag.certificate(try push(1, days: 365).der())
            return try SamplePKCS12([.plain([bag])], mac: SampleMAC(password: "", iterations: 1)).der()
        },
        Sample("key-of-another.p12", 2, "key-mismatch", usable: "0") {
            let bags = [SampleBag.certificate(try push(1, days: 365).der()), .key(try SampleKey.p256(9).pkcs8())]
            return try SamplePKCS12([.plain(bags)], mac: SampleMAC(password: "", iterations: 1)).der()
        },
        Sample("expired-and-new.p12", 2, "several-identities", usable: "00") {
            try pkcs12([push(1, days: -3), push(2, days: 365)])
        },
        Sample("new-and-expired.p12", 2, "several-identities", usable: "00") {
            try pkcs12([push(2, days: 365), push(1, days: -3)])
        },
        Sample("expired-and-new.pem", 2, "several-identities", usable: "00") {
            try pem([push(1, days: -3), push(2, days: 365)], 1, 2)
        },
        Sample("expired-first-without-keys.pem", 2, "several-identities", usable: "00") {
            try pem([push(1, days: -3), push(2, days: 365)])
        },
        Sample("old-with-the-key-of-the-new.pem", 2, "several-identities", usable: "00") {
            try pem([push(1, days: 60), push(2, days: 365)], 2)
        },
        Sample("two-and-the-key-of-neither.pem", 2, "key-mismatch", usable: "01") {
            try pem([push(1, days: 60), push(2, days: 365)], 3)
        },
        Sample("two-valid.p12", 1, "several-identities", usable: "11") {
            try pkcs12([push(1, days: 200), push(2, days: 365)])
        },
        Sample("two-apps.p12", 1, "several-identities", usable: "11") {
            try pkcs12([push(1, days: 200), push(2, days: 365, "com.example.other")])
        },
        Sample("two-valid.pem", 1, "several-identities", usable: "11") {
            try pem([push(1, days: 200), push(2, days: 365)], 1, 2)
        },
        Sample("push-and-distribution.p12", 1, "several-identities", usable: "11") {
            try pkcs12([push(1, days: 365), distribution])
        },
        Sample("distribution-and-push.p12", 1, "several-identities", usable: "11") {
            try pkcs12([distribution, push(1, days: 365)])
        },
        Sample("distribution-first.pem", 2, "several-identities", usable: "10") {
            try pem([distribution, push(1, days: 365)], 7, 1)
        },
        Sample("ca-first.pem", 1, "ca-first", usable: "11") {
            try pem([SampleAuthority.g4.certificate, push(1, days: 365)], 1)
        },
        Sample("key-of-another.pem", 2, "key-mismatch", usable: "0") { try pem([push(1, days: 365)], 2) },
        Sample("key-of-another-first.pem", 2, "key-mismatch", usable: "0") {
            try Array((SampleKey.p256(2).pem() + push(1, days: 365).pem()).utf8)
        },
        Sample("locked-key.pem", 1, "key-unreadable", usable: "1") {
            let key = try SampleKey.p256(1).encryptedPEM(SampleEncryption(.aes256, password: "other", iterations: 1))
            return try Array((push(1, days: 365).pem() + key).utf8)
        },
        // These can be used.
        Sample("twice-the-same.pem", 0, "not-apple-issued", usable: "11") {
            let text = try push(1, days: 365).pem()
            return try Array((text + text + SampleKey.p256(1).pem()).utf8)
        },
        Sample("several-without-keys.pem", 0, "several-identities", usable: "11") {
            try pem([push(1, days: 200), push(2, days: 365)])
        },
        Sample("ca-after.pem", 0, "not-apple-issued", usable: "11") {
            try pem([push(1, days: 365), SampleAuthority.g4.certificate], 1)
        },
        Sample("ca-first.p12", 0, "not-apple-issued", usable: "11") {
            let leaf = push(1, days: 365)
            let bags = try [
                SampleBag.certificate(SampleAuthority.g4.certificate.der()), .certificate(leaf.der()),
                .key(leaf.key.pkcs8()),
            ]
            return try SamplePKCS12([.plain(bags)], mac: SampleMAC(password: "", iterations: 1)).der()
        },
    ]

    @Test("text, JSON, nagios and Prometheus agree about a file, and so does the exit code", arguments: samples)
    func formats(sample: Sample) throws {
        let tool = try BuiltTool.certcheck()
        try tool.write(sample.bytes(), to: sample.name)
        let word = ["ok", "warning", "critical"][Int(sample.status)]

        let text = try tool.check(sample.name)
        #expect(text.status == sample.status, "\(text.text)")
        #expect(text.text.contains("[\(sample.code)]"), "\(text.text)")
        // A file without a key cannot be used to send anyway, and Apple has issued none of these.
        let severity = sample.status > 0 ? word : sample.code == "several-identities" ? "note" : "warning"
        #expect(text.text.split(separator: "\n").contains { $0.hasPrefix("\(severity): ") && $0.contains(sample.code) })

        let json = try tool.check("--format", "json", sample.name)
        #expect(json.status == sample.status)
        let object = try json.object()
        let file = try #require((object["files"] as? [[String: Any]])?.first)
        #expect(object["status"] as? String == word && file["status"] as? String == word)
        let findings = try #require(file["findings"] as? [[String: Any]])
        #expect(findings.contains { $0["code"] as? String == sample.code && $0["severity"] as? String == severity })

        let nagios = try tool.check("--format", "nagios", sample.name)
        #expect(nagios.status == sample.status)
        #expect(nagios.text.hasPrefix("CERTCHECK \(word.uppercased()) - "), "\(nagios.text)")
        let clause = ["expires in", "may not work: ", "cannot be used: "][Int(sample.status)]
        #expect(nagios.text.split(separator: "\n")[0].contains(clause), "\(nagios.text)")

        let prometheus = try tool.check("--format", "prometheus", sample.name)
        #expect(prometheus.status == sample.status)
        func values(_ metric: String) -> [Character] {
            prometheus.text.split(separator: "\n").filter { $0.hasPrefix("\(metric){") }.compactMap(\.last)
        }
        #expect(String(values("certcheck_certificate_usable")) == sample.usable)
        #expect(values("certcheck_certificate_status").max() == Character(String(sample.status)))
    }

    @Test("an archive of old files stays quiet once a file of its own has the new certificate and its key")
    func archive() throws {
        let tool = try BuiltTool.certcheck()
        try tool.write(Self.pkcs12([Self.push(1, days: -3), Self.push(2, days: 365)]), to: "push/both.p12")
        #expect(try tool.check("push").status == 2)
        // The certificate alone cannot send in its stead.
        try tool.write(Self.push(2, days: 365).der(), to: "push/new.cer")
        #expect(try tool.check("push").status == 2)
        try tool.write(Self.pkcs12([Self.push(2, days: 365)]), to: "push/new.p12")
        let outcome = try tool.check("push")
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.text.contains("note: the file has 2 certificates"))
    }

    @Test("an old certificate with the key of the new one is not replaced by the new one without its key")
    func wrongKeyIsNotReplaced() throws {
        let tool = try BuiltTool.certcheck()
        try tool.write(Self.pem([Self.push(1, days: 5)], 2), to: "push/push.pem")
        try tool.write(Self.push(2, days: 365).der(), to: "push/new.cer")
        let outcome = try tool.check("push")
        #expect(outcome.status == 2, "\(outcome.text)")
        #expect(outcome.text.contains("critical: com.example.app does not match the private key"))
    }
}
