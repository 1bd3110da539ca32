import OpenSSL
import PushCertificates
import PushSamples
import Testing

@Suite("A new certificate for one in use")
struct ReplacementTests {
    private func file(_ samples: SampleCertificate...) throws -> CertificateFile {
        let text = try samples.map { try $0.pem() }.joined()
        return try CertificateFileReader().read(Array(text.utf8), password: nil)
    }

    private func replace(_ old: CertificateFile, by new: SampleCertificate) throws -> Replacement {
        try Replacement(of: old, by: try RenewalSamples.certificate(new).certificate)
    }

    private func later(_ sample: SampleCertificate) -> SampleCertificate {
        sample.with {
            $0.notAfter += SampleTime.days(300) - SampleTime.now
            $0.serial = [0x20]
        }
    }

    @Test("The same app later is fine, and there is nothing to say", arguments: SampleProfile.allCases)
    func same(profile: SampleProfile) throws {
        let sample = profile.certificate()
        let old = try file(sample)
        guard profile.kind != "not-push" else {
            #expect(renewalCode { try replace(old, by: later(sample)) } == .unsuitableFile)
            return
        }
        let replacement = try replace(old, by: later(sample))
        #expect(replacement.refusal == nil)
        #expect(replacement.warnings.isEmpty)
    }

    @Test("Another user ID is refused")
    func otherUser() throws {
        let replacement = try replace(
            file(SampleProfile.universal.certificate("com.example.old")),
            by: later(SampleProfile.universal.certificate("com.example.new")))
        #expect(replacement.refusal?.code == .differentTopic)
        let message = replacement.refusal?.message ?? ""
        #expect(message.contains("'com.example.old'") && message.contains("'com.example.new'"))
        #expect(!message.contains("MDM"))
    }

    @Test("What only looks alike is another one")
    func canonicalEquivalence() throws {
        let old = try file(SampleProfile.production.certificate("com.example.caf\u{E9}"))
        let new = later(SampleProfile.production.certificate("com.example.cafe\u{301}"))
        #expect(try replace(old, by: new).refusal?.code == .differentTopic)
    }

    @Test("Missing topics are named; more topics are fine")
    func topics() throws {
        let many = SampleProfile.pushToTalk.certificate()
        let few = SampleProfile.production.certificate()
        let refusal = try replace(file(many), by: later(few)).refusal
        #expect(refusal?.code == .differentTopic)
        #expect(refusal?.message.contains("'com.example.app.voip', 'com.example.app.complication'") == true)
        #expect(refusal?.message.contains("topics of") == true)
        #expect(try replace(file(few), by: later(many)).refusal == nil)
    }

    @Test("For MDM the refusal explains that the same certificate is to be renewed")
    func deviceManagement() throws {
        let other = "11111111-2222-3333-4444-555555555555"
        let new = later(SampleProfile.mdm.certificate()).with {
            $0.subject = [.userID("com.apple.mgmt.External.\(other)"), .commonName("APSP:\(other)")]
        }
        let refusal = try replace(file(SampleProfile.mdm.certificate()), by: new).refusal
        #expect(refusal?.code == .differentTopic)
        let message = refusal?.message ?? ""
        for part in ["enrol", "renew the same", "identity.apple.com", "same Apple ID", other] {
            #expect(message.contains(part), "\(part)")
        }
        #expect(
            try replace(file(SampleProfile.universal.certificate()), by: new).refusal?.message.contains("enrol") == true
        )
    }

    @Test("Of several certificates in use those of the same user ID count, all of their topics, and no authority")
    func several() throws {
        let old = try file(
            SampleAuthority.g4.certificate, SampleProfile.universal.certificate("com.example.other"),
            SampleProfile.production.certificate(), SampleProfile.voip.certificate())
        #expect(try replace(old, by: later(SampleProfile.universal.certificate())).refusal == nil)
        #expect(try replace(old, by: later(SampleProfile.production.certificate())).refusal != nil)
        #expect(try replace(old, by: later(SampleProfile.production.certificate("com.example.x"))).refusal != nil)
    }

    @Test("Says so if it is the same one, ends earlier, is of another team, or lacks an environment")
    func warnings() throws {
        let old = SampleProfile.universal.certificate()
        func warnings(_ new: SampleCertificate) throws -> [String] {
            let replacement = try replace(file(old), by: new)
            #expect(replacement.refusal == nil)
            return replacement.warnings
        }
        // Every signature is another one, so this one is made once.
        let bytes = try old.der()
        let reader = try CertificateFileReader()
        let same = try Replacement(
            of: reader.read(bytes, password: nil), by: IssuedCertificate(bytes, with: reader).certificate)
        #expect(same.refusal == nil)
        #expect(same.warnings == ["the new certificate is already in use"])
        #expect(try warnings(old.with { $0.serial = [2] }).first?.contains("not earlier than the new one") == true)
        let team = try warnings(later(SampleProfile.universal.certificate(team: "OTHER12345")))
        #expect(team.count == 1 && team.first?.contains("'OTHER12345'") == true)
        let development = later(old).with { $0.extensions.removeAll { $0.oid.hasSuffix(".6.3.2") } }
        #expect(try warnings(development).contains { $0.contains("production") })
    }
}
