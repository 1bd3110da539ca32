import Diagnostics
import PushCertificates
import PushSamples
import Testing

@Suite("What a file holds")
struct FileClassifierTests {
    private static let universal = SampleProfile.universal.certificate()

    private static func names(_ file: CertificateFile) -> [String] {
        file.certificates.flatMap { $0.topics.map(\.name) }
    }

    @Test("all that a certificate says is there")
    func attributes() throws {
        let der = try Self.universal.with { $0.serial = [0x7F, 0xAB] }.der()
        let file = try Classified.read(der)
        let certificate = try #require(file.certificates.first)
        #expect(certificate.kind == .applePushServices && certificate.environments == [.sandbox, .production])
        #expect(certificate.subjectCommonName == "Apple Push Services: com.example.app")
        #expect(certificate.userID == "com.example.app" && certificate.team == "TEAM123456")
        #expect(certificate.serial == "7FAB")
        #expect(certificate.sha256?.utf8.count == 64 && certificate.sha256 == certificate.sha256?.lowercased())
        #expect(certificate.notBefore == SampleTime.days(-30) && certificate.notAfter == SampleTime.days(365))
        #expect(
            certificate.topics == [
                Topic(name: "com.example.app", purposes: ["topic"]),
                Topic(name: "com.example.app.voip", purposes: ["voip"]),
                Topic(name: "com.example.app.complication", purposes: ["complication"]),
            ])
        #expect(certificate.key == .none && !file.wantsPassword)
        #expect(file.findings.map(\.code.rawValue) == ["not-apple-issued"])
    }

    @Test("attributes of the subject are found in any order, and the first of several counts")
    func subjectOrder() throws {
        let file = try Classified.only(
            Self.universal.with {
                $0.subject = [
                    .organizationalUnit("FIRST"), .country("DE"), .commonName("Größe ✓", as: .bmp),
                    .organizationalUnit("SECOND"),
                    .userID("com.example.app"), .commonName("another"),
                ]
            })
        let certificate = file.certificates[0]
        #expect(certificate.team == "FIRST" && certificate.subjectCommonName == "Größe ✓")
        #expect(certificate.userID == "com.example.app")
    }

    @Test("what is not in the subject is absent")
    func emptySubject() throws {
        let certificate = try Classified.only(Self.universal.with { $0.subject = [] }).certificates[0]
        #expect(certificate.subjectCommonName == nil && certificate.userID == nil && certificate.team == nil)
        #expect(certificate.kind == .applePushServices && certificate.topics.count == 3)
    }

    @Test(
        "topics come from the list, else from the user ID, else from the name",
        arguments: [
            (SampleProfile.universal, ["com.a", "com.a.voip", "com.a.complication"]), (.production, ["com.a"]),
            (.voip, ["com.a", "com.a.voip"]), (.voipWithList, ["com.a", "com.a.voip"]), (.website, ["web.com.a"]),
            (.pass, ["pass.com.a"]), (.mdm, ["com.apple.mgmt.External.6f9619ff-8b86-4011-b42d-00c04fc964ff"]),
            (.codeSigning, []), (.tlsServer, []), (.mdmVendor, []),
        ])
    func topics(profile: SampleProfile, topics: [String]) throws {
        let file = try Classified.only(profile.certificate("com.a"))
        #expect(Self.names(file) == topics)
        #expect(file.codes == (profile.kind == "not-push" ? ["0 not-push"] : []))
    }

    @Test(
        "without a list and without a user ID the name tells",
        arguments: [
            ("Apple Production IOS Push Services: com.a", ["com.a"]), ("Something: else: more", ["else: more"]),
            ("Apple Production IOS Push Services:com.a", []), ("a:b: c", ["c"]), ("APSP:6f96", []), ("name: ", []),
            ("", []),
        ])
    func topicOfName(name: String, topics: [String]) throws {
        let file = try Classified.only(
            SampleProfile.production.certificate().with { $0.subject = [.commonName(name)] })
        #expect(Self.names(file) == topics)
    }

    @Test("a list that is damaged is said to be, and the user ID stands in")
    func damagedTopics() throws {
        let broken = SampleExtension.apple("6.3.6", [0x30, 0x20, 0x0C, 0x40, 0x61, 0x62])
        let half = SampleExtension.apple(
            "6.3.6", DER.sequence(DER.utf8("com.example.app"), DER.utf8("b"), DER.sequence(DER.utf8("voip"))))
        for (list, topics) in [(broken, ["com.example.app"]), (half, ["com.example.app", "b"])] {
            let file = try Classified.only(
                Self.universal.with { certificate in
                    certificate.extensions = certificate.extensions.map { $0.oid == list.oid ? list : $0 }
                })
            #expect(Self.names(file) == topics)
            #expect(file.codes == ["0 topics-malformed"])
        }
    }

    @Test("the user ID should be among the topics, but for MDM")
    func userID() throws {
        let other = Self.universal.with {
            $0.subject = [.userID("com.other"), .commonName("Apple Push Services: com.other")]
        }
        #expect(try Classified.only(other).codes == ["0 userid-not-in-topics"])
        #expect(try Classified.only(other).message("userid-not-in-topics")?.contains("'com.other'") == true)
        let empty = Self.universal.with { $0.subject = [.userID("")] }
        #expect(try Classified.only(empty).codes.isEmpty)
        let mdm = SampleProfile.mdm.certificate().with { $0.extensions.append(.topics([("x", ["y"])])) }
        #expect(try Classified.only(mdm).codes.isEmpty)
        // Equal to the eye is not equal.
        let decomposed = Self.universal.with {
            $0.subject = [.userID("u\u{308}")]
            $0.extensions = [.topics([("ü", ["topic"])]), .sandbox, .production]
        }
        #expect(try Classified.only(decomposed).codes == ["0 userid-not-in-topics"])
    }

    @Test("weak keys and signatures are told")
    func weak() throws {
        let small = SampleProfile.universal.certificate(key: .rsa(1_024))
        #expect(try Classified.only(small).codes == ["0 weak-key"])
        #expect(try Classified.only(SampleProfile.universal.certificate(key: .rsa())).codes.isEmpty)
        for digest in ["SHA1", "MD5"] {
            let signed = Self.universal.with {
                $0.issuer = .g1
                $0.digest = digest
            }
            let file = try Classified.only(signed)
            #expect(file.codes == ["0 weak-signature"])
            #expect(file.message("weak-signature")?.contains(digest == "SHA1" ? "SHA-1" : digest) == true)
        }
        // A root's own signature protects nothing.
        let root = SampleAuthority.root.certificate.with { $0.digest = "SHA1" }
        #expect(try Classified.only(root).codes.isEmpty)
    }

    @Test("a public key of an unknown kind does no harm")
    func unknownKey() throws {
        let odd = Self.universal.with {
            $0.publicKeyInfo = DER.sequence(DER.sequence(DER.oid("1.2.3.4")), DER.bits([1, 2, 3]))
        }
        let file = try Classified.pem(odd.pem(), SampleKey.p256(1).pem())
        #expect(file.certificates.map(\.key) == [.mismatched])
        let authority = SampleAuthority.g4.certificate.with { $0.publicKeyInfo = odd.publicKeyInfo }
        #expect(try Classified.pem(Self.universal.pem(), authority.pem()).certificates[0].issuer?.notAfter == nil)
    }

    @Test("damaged extensions count as absent")
    func damagedExtensions() throws {
        for oid in ["2.5.29.14", "2.5.29.19", "2.5.29.35", "2.5.29.37"] {
            for bytes: [UInt8] in [[], [0x30], [0x30, 0x80], [0x05, 0x00], [0x30, 0x03, 0x01], [0x04, 0x84, 0xFF]] {
                let damaged = Self.universal.with { certificate in
                    certificate.extensions =
                        certificate.extensions.filter { $0.oid != oid } + [SampleExtension(oid, bytes)]
                }
                let file = try Classified.only(damaged)
                #expect(file.certificates[0].kind == .applePushServices)
                #expect(file.codes.isEmpty)
            }
        }
    }

    @Test("the notes of a file come first")
    func notes() throws {
        let der = try SampleProfile.codeSigning.certificate().der()
        let file = try Classified.read(der + [0x0A])
        #expect(file.codes == ["- trailing-bytes", "0 not-push"])
        #expect(file.message("trailing-bytes")?.hasPrefix("1 byte follows") == true)
        #expect(try Classified.read(der + [0x0D, 0x0A]).message("trailing-bytes")?.hasPrefix("2 bytes follow") == true)
        let text = Array(SamplePEM.base64(der).utf8)
        #expect(try Classified.read(text).codes == ["- base64-text", "0 not-push"])
        let bags = try Classified.pkcs12([
            Self.universal.bag(), SampleKey.p256(1).bag(), .crl([0x30, 0]), .crl([0x30, 0]),
        ])
        #expect(
            bags.codes == ["- bag-skipped", "- no-mac", "0 unprotected-key"]
                || bags.codes == ["- no-mac", "- bag-skipped", "0 unprotected-key"])
    }

    @Test("findings are ordered by certificate and severity, and stay in order otherwise")
    func order() {
        func finding(_ message: String, _ severity: Severity, _ certificate: Int?) -> Diagnostic {
            CheckSample.finding("weak-key", severity, message, certificate: certificate)
        }
        let ordered = Diagnostic.ordered([
            finding("a", .note, 1), finding("b", .warning, 0), finding("c", .note, nil), finding("d", .critical, 1),
            finding("e", .note, 1), finding("f", .warning, nil), finding("g", .warning, 0),
        ])
        #expect(ordered.map(\.sentence) == ["f", "c", "b", "g", "d", "a", "e"])
    }

    @Test("every message is one clause after the other: no capital, no full stop, no line break")
    func messages() throws {
        var findings: [Diagnostic] = []
        for profile in SampleProfile.allCases { findings += try Classified.only(profile.certificate()).findings }
        findings += try Classified.pkcs12([Self.universal.bag(), SampleKey.p256(2).bag(), .crl([0x30, 0])]).findings
        findings += try Classified.pem(Self.universal.pem(), SampleAuthority.g1.certificate.pem()).findings
        findings += try Classified.only(Self.universal.with { $0.subject = [.commonName("VoIP Services: a")] }).findings
        for finding in findings {
            #expect(finding.sentence.first?.isUppercase == false && finding.sentence.last != ".", "\(finding.sentence)")
            #expect(!finding.sentence.contains("\n") && !finding.sentence.contains("  "), "\(finding.sentence)")
        }
    }
}
