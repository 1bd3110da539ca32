import Foundation
import PushSamples
import TestSupport
import Testing

/// The topic that is expected, and that of a certificate for MDM which was made anew (push-certificates.md, sections 7, 10).
@Suite("certcheck: topics", .waiting)
struct CertcheckTopicTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
    }

    private func management(_ uuid: String, key: Int, days: Int64) -> SampleCertificate {
        SampleProfile.mdm.certificate(key: .p256(key)).with {
            $0.subject = [.userID("com.apple.mgmt.External.\(uuid)"), .commonName("APSP:\(uuid)")]
            $0.notAfter = SampleTime.days(days)
            $0.notBefore = SampleTime.days(days - 365)
        }
    }

    private func codes(_ outcome: Shell.Outcome, file: Int) throws -> [String] {
        let files = try #require(try outcome.object()["files"] as? [[String: Any]])
        let findings = try #require(files[file]["findings"] as? [[String: Any]])
        return findings.map { "\($0["code"] as? String ?? "?"):\($0["severity"] as? String ?? "?")" }
    }

    @Test("a certificate without the expected topic is critical in every format")
    func unexpected() throws {
        try tool.write(CertcheckSamples.certificate(), to: "push.cer")
        #expect(try tool.check("--topic", "com.example.app", "push.cer").status == 0)
        #expect(
            try tool.check("--topic", "com.example.other", "--topic", "com.example.app.voip", "push.cer").status == 0)
        let text = try tool.check("--topic", "com.example", "push.cer")
        #expect(text.status == 2)
        #expect(text.text.hasPrefix("push.cer: broken, cannot send, "))
        #expect(
            text.text.contains(
                "critical: com.example.app has none of the expected topics: 'com.example' [unexpected-topic]"))
        let json = try tool.check("--topic", "com.example", "--format", "json", "push.cer")
        #expect(json.status == 2)
        #expect(try codes(json, file: 0).contains("unexpected-topic:critical"))
        let nagios = try tool.check("--topic", "com.example", "--format", "nagios", "push.cer")
        #expect(nagios.status == 2)
        #expect(
            nagios.text.hasPrefix(
                "CERTCHECK CRITICAL - com.example.app +2 cannot be used: it has none of the expected topics"))
        let prometheus = try tool.check("--topic", "com.example", "--format", "prometheus", "push.cer")
        #expect(prometheus.status == 2)
        #expect(prometheus.text.contains(#"serial="1001"} 0"#))
        #expect(try tool.check("--topic", "", "push.cer").status == 3)
    }

    @Test("an MDM certificate that was made anew instead of renewed is noted beside the old one")
    func management() throws {
        try tool.write(management("old", key: 1, days: 20).der(), to: "mdm/1.cer")
        try tool.write(management("new", key: 2, days: 364).der(), to: "mdm/2.cer")
        let outcome = try tool.check("--format", "json", "mdm")
        #expect(outcome.status == 1)
        #expect(try codes(outcome, file: 1).contains("mdm-topic-changed:note"))
        #expect(try !codes(outcome, file: 0).contains { $0.hasPrefix("mdm-topic-changed") })
        #expect(
            try tool.check("mdm").text.contains(
                "note: com.apple.mgmt.External.new is another topic than that of the older certificate in 'mdm/1.cer', "
                    + "com.apple.mgmt.External.old"))
        #expect(try tool.check("--topic", "com.apple.mgmt.External.old", "mdm").status == 2)

        // One that was renewed keeps its topic, and what is not about to end has nothing to be replaced.
        try tool.write(management("old", key: 3, days: 364).der(), to: "mdm/2.cer")
        #expect(try !tool.check("mdm").text.contains("mdm-topic-changed"))
        try tool.write(management("new", key: 2, days: 364).der(), to: "mdm/2.cer")
        try tool.write(management("old", key: 1, days: 200).der(), to: "mdm/1.cer")
        #expect(try !tool.check("mdm").text.contains("mdm-topic-changed"))
    }
}
