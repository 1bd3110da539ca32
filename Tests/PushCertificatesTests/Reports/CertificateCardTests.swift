import Diagnostics
import PushCertificates
import Testing

@Suite("Text about a single certificate")
struct CertificateCardTests {
    private static func text(_ file: CheckSample.File, width: Int? = nil, now: Int64 = CheckSample.now) -> String {
        TextReport(style: TextStyle(isColored: false), width: width).render(CheckSample.report(file, now: now))
    }

    @Test("All that one wants to know of a healthy certificate")
    func healthy() {
        let certificate = PushCertificate(
            kind: .applePushServices,
            topics: [
                Topic(name: "com.example.app", purposes: ["topic"]),
                Topic(name: "com.example.app.voip", purposes: ["voip", ".voip-ptt"]), Topic(name: "com.example"),
            ],
            environments: [.sandbox, .production], subjectCommonName: "Apple Push Services: com.example.app",
            userID: "com.example.app", team: "ABCDE12345", serial: "0A1B2C3D4E5F", notBefore: 1_790_000_000,
            notAfter: 1_829_128_000, key: .matching,
            issuer: CertificateIssuer(
                commonName: "Apple Worldwide Developer Relations Certification Authority", generation: "G4",
                chainsToApple: true))
        #expect(
            Self.text(CheckSample.file("push.p12", certificate, CheckSample.authority(left: 5)), width: 80) == """
                push.p12: ok, expires in 395 days

                   kind          apple-push-services (all notifications for an app)
                   topics        com.example.app       topic
                                 com.example.app.voip  voip, .voip-ptt
                                 com.example
                   environments  sandbox, production
                   team          ABCDE12345
                   subject       Apple Push Services: com.example.app
                   serial        0A1B2C3D4E5F
                   valid from    2026-09-21T14:13:20Z
                   expires       2027-12-18T11:06:40Z
                   issuer        Apple Worldwide Developer Relations Certification Authority
                                 (G4)
                   private key   in this file, matches the certificate
                   beside it     1 CA certificate
                   revoked       not checked (offline); see Apple's developer portal
                """)
    }

    @Test("Findings are below, with what to do")
    func warning() {
        let finding = CheckSample.finding(
            "key-mismatch", .warning,
            "the key in the file is another certificate's", advice: "export the certificate with its key")
        let certificate = CheckSample.certificate(
            left: 5 * CheckSample.day, kind: .mdm, environments: [.production], key: .mismatched, chains: false)
        #expect(
            Self.text(CheckSample.file("push.p12", certificate, findings: [finding]), width: 60) == """
                push.p12: critical, expires in 5 days

                   kind          mdm (device management, MDM)
                   topic         com.example.app  topic
                   environment   production
                   team          ABCDE12345
                   subject       Apple Push Services: com.example.app
                   serial        0A1B2C3D
                   valid from    2026-01-22T11:06:40Z
                   expires       2026-11-23T11:06:40Z
                   issuer        Some Authority, not confirmed by a
                                 signature
                   private key   in this file, belongs to another
                                 certificate
                   revoked       not checked (offline); see Apple's
                                 developer portal

                critical: com.example.app expires in 5 days (2026-11-23
                  11:06 UTC) [expires-soon]
                  = help: renew this certificate at identity.apple.com with
                          the same Apple ID; do not create a new one: it
                          would have another topic, and every device would
                          have to enroll again

                warning: the key in the file is another certificate's
                  [key-mismatch]
                  = help: export the certificate with its key
                """)
    }

    @Test("A token key has little to say")
    func tokenKey() {
        let finding = CheckSample.finding("token-key", .note, "it does not expire")
        #expect(
            Self.text(CheckSample.file("AuthKey.p8", CheckSample.tokenKey, findings: [finding])) == """
                AuthKey.p8: ok, never expires

                   kind          token-key (a key that signs tokens, not a certificate)
                   expires       never
                   private key   in this file

                note: it does not expire [token-key]
                """)
    }

    static let headCases: [(left: Int64, begin: Int64, head: String)] = [
        (0, -5, "critical, expires in less than a minute"), (-1, -5, "critical, expired less than a minute ago"),
        (3 * 3600, -5, "critical, expires in 3 h"), (-86_400, -86_401, "critical, expired 1 day ago"),
        (20 * 86_400, -5, "warning, expires in 20 days"), (20 * 86_400, 90, "critical, begins in 1 min"),
        (5, 90, "critical, expires before it becomes valid"), (400_000_000_000, -5, "ok, expires in 12675 years"),
    ]

    @Test("The first line has the status", arguments: headCases)
    func head(left: Int64, begin: Int64, head: String) {
        let text = Self.text(CheckSample.file("a", CheckSample.certificate(left: left, begin: begin)))
        #expect(text.hasPrefix("a: \(head)\n\n"))
    }

    @Test("Thousands of topics and very long names fill no screen")
    func large() {
        let topics = (0..<5000).map { "com.example.app\($0)" + String(repeating: "x", count: $0 == 3 ? 100_000 : 0) }
        let text = Self.text(CheckSample.file("a", CheckSample.certificate(topics, left: 0)))
        #expect(text.utf8.count < 20_000)
        #expect(text.contains("and 4970 more\n"))
    }
}
