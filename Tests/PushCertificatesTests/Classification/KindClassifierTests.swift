import Diagnostics
import PushCertificates
import Testing

@Suite("Kinds of certificates")
struct KindClassifierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let extensions: [String]
        let commonName: String?
        let userID: String?
        let kind: CertificateKind
        let environments: [APNsEnvironment]
        let finding: String?

        init(
            _ extensions: [String], _ commonName: String?, _ userID: String?, _ kind: CertificateKind,
            _ environments: [APNsEnvironment], _ finding: String? = nil
        ) {
            self.extensions = extensions
            self.commonName = commonName
            self.userID = userID
            self.kind = kind
            self.environments = environments
            self.finding = finding
        }

        var testDescription: String { "\(extensions) \(commonName ?? "-") \(userID ?? "-")" }
    }

    private static func classify(_ test: Case) -> KindVerdict {
        KindClassifier.classify(
            KindEvidence(
                extensions: Set(test.extensions.map { "1.2.840.113635.100.\($0)" }), commonName: test.commonName,
                userID: test.userID))
    }

    private static let both: [APNsEnvironment] = [.sandbox, .production]
    private static let all = ["6.3.1", "6.3.2", "6.3.6"]

    static let genuineCases: [Case] = [
        Case(all, "Apple Push Services: com.a", "com.a", .applePushServices, both),
        Case(["6.3.1"], "Apple Development IOS Push Services: com.a", "com.a", .apnsDevelopment, [.sandbox]),
        Case(["6.3.1"], "Apple Development Mac Push Services: com.a", "com.a", .apnsDevelopment, [.sandbox]),
        Case(["6.3.1"], "Apple Sandbox Push Services: com.a", "com.a", .apnsDevelopment, [.sandbox]),
        Case(["6.3.2"], "Apple Production IOS Push Services: com.a", "com.a", .apnsProduction, [.production]),
        Case(["6.3.2"], "Apple Production Mac Push Services: com.a", "com.a", .apnsProduction, [.production]),
        Case(["6.3.1", "6.3.2", "6.3.3", "6.3.4"], "VoIP Services: com.a", "com.a", .voip, both),
        Case(all, "WatchKit Services: com.a.complication", "com.a.complication", .watchkit, both),
        Case(["6.3.2"], "Website Push ID: web.com.a", "web.com.a", .websitePush, [.production]),
        Case(["6.1.16", "6.3.2"], "Pass Type ID: pass.com.a", "pass.com.a", .passTypeID, [.production]),
        Case(["6.3.2"], "APSP:6f96", "com.apple.mgmt.External.6f96", .mdm, [.production]),
        Case([], "APSP:6f96", "com.apple.mgmt.External.6f96", .mdm, [.production]),
        Case(["6.1.7"], "Apple Distribution: A (T)", "T", .notPush, [], "not-push"),
    ]

    @Test("those that Apple makes are told apart", arguments: genuineCases)
    func genuine(test: Case) { check(test) }

    static let extensionCases: [Case] = [
        // Every combination of extensions, without help from the name.
        Case(["6.3.6"], nil, "com.a", .applePushServices, both),
        Case(["6.3.1", "6.3.2"], nil, "com.a", .applePushServices, both),
        Case(["6.3.1", "6.3.6"], nil, "com.a", .applePushServices, [.sandbox]),
        Case(["6.3.2", "6.3.6"], nil, "com.a", .applePushServices, [.production]),
        Case(["6.3.2"], nil, nil, .apnsProduction, [.production]),
        Case(["6.3.1"], nil, nil, .apnsDevelopment, [.sandbox]),
        Case(["6.3.4"], nil, nil, .voip, both),
        Case(["6.3.2", "6.3.4"], nil, nil, .voip, [.production]),
        Case(["6.3.4", "6.3.6"], nil, nil, .applePushServices, both),
        Case(["6.1.16"], nil, nil, .passTypeID, [.production]),
        Case(["6.1.16", "6.3.1", "6.3.6"], nil, nil, .passTypeID, [.sandbox]),
        Case(["6.3.3"], nil, nil, .notPush, [], "not-push"),
        Case([], nil, nil, .notPush, [], "not-push"),
        Case(["6.3.20", "6.3"], nil, nil, .notPush, [], "not-push"),
        // The name chooses among what the extensions allow.
        Case(["6.3.1", "6.3.2"], "VoIP Services: com.a", nil, .voip, both),
        Case(["6.3.6"], "APSP:6f96", nil, .mdm, [.production]),
        Case(["6.3.2"], "VoIP Services: com.a", nil, .voip, [.production]),
        Case(["6.3.2"], "WatchKit Services: com.a", nil, .watchkit, [.production]),
        Case(["6.3.2"], "Pass Type ID: pass.a", nil, .passTypeID, [.production]),
        Case(["6.3.2"], "APPLE production ios PUSH services: com.a", nil, .apnsProduction, [.production]),
        // It cannot choose what they do not allow.
        Case(["6.3.2"], "Apple Push Services: com.a", nil, .apnsProduction, [.production], "kind-disagrees"),
        Case(["6.3.1"], "Apple Production IOS Push Services: a", nil, .apnsDevelopment, [.sandbox], "kind-disagrees"),
        Case(["6.3.1"], "VoIP Services: a", nil, .apnsDevelopment, [.sandbox], "kind-disagrees"),
        Case(["6.1.16"], "Website Push ID: web.a", nil, .passTypeID, [.production], "kind-disagrees"),
        Case(all, "Apple Development IOS Push Services: a", nil, .applePushServices, both, "kind-disagrees"),
        Case(["6.3.4"], "Apple Push Services: a", nil, .voip, both, "kind-disagrees"),
        // A name that says nothing, or nearly the right thing.
        Case(["6.3.1"], "node-apn Development Test: io.apn.test", "io.apn.test", .apnsDevelopment, [.sandbox]),
        Case(["6.3.2"], " VoIP Services: a", nil, .apnsProduction, [.production]),
        Case(["6.3.2"], "VoIP Services", nil, .apnsProduction, [.production]),
        Case(["6.3.2"], "", "", .apnsProduction, [.production]),
    ]

    @Test("the extensions decide, the name refines", arguments: extensionCases)
    func extensionsFirst(test: Case) { check(test) }

    static let userIDCases: [Case] = [
        Case(["6.3.2"], nil, "web.com.a", .websitePush, [.production]),
        Case(["6.3.2"], "Something else", "pass.com.a", .passTypeID, [.production]),
        Case(["6.3.2"], nil, "com.apple.mgmt.External.6f96", .mdm, [.production]),
        Case(["6.3.2"], nil, "website.a", .apnsProduction, [.production]),
        Case(["6.3.2"], nil, "webx", .apnsProduction, [.production]),
        // Not among what the extensions allow.
        Case(all, nil, "web.com.a", .applePushServices, both),
        Case(all, nil, "com.apple.mgmt.External.6f96", .mdm, both),
        Case(["6.3.1"], nil, "pass.com.a", .apnsDevelopment, [.sandbox]),
        // The name goes first.
        Case(["6.3.2"], "Apple Production IOS Push Services: a", "web.com.a", .apnsProduction, [.production]),
        Case([], nil, "com.apple.mgmt.External.6f96", .mdm, [.production]),
        Case([], nil, "web.com.a", .notPush, [], "not-push"),
    ]

    @Test("the user ID helps when the name says nothing", arguments: userIDCases)
    func userIDs(test: Case) { check(test) }

    @Test(
        "without an extension for push the name alone makes the kind",
        arguments: [
            Case([], "Apple Push Services: a", "a", .applePushServices, both, "push-extension-missing"),
            Case([], "Apple Sandbox Push Services: a", nil, .apnsDevelopment, [.sandbox], "push-extension-missing"),
            Case(["6.3.3"], "VoIP Services: a", nil, .voip, both, "push-extension-missing"),
            Case([], "WatchKit Services: a", nil, .watchkit, both, "push-extension-missing"),
            Case([], "Pass Type ID: pass.a", nil, .passTypeID, [.production], "push-extension-missing"),
            Case([], "Website Push ID: web.a", nil, .websitePush, [.production], "push-extension-missing"),
            Case([], "APSP:6f96", nil, .mdm, [.production]),
        ])
    func withoutExtension(test: Case) { check(test) }

    @Test("an authority is one, whatever else it says")
    func authorities() {
        let verdict = KindClassifier.classify(
            KindEvidence(
                extensions: ["1.2.840.113635.100.6.3.1", "1.2.840.113635.100.6.3.6"], commonName: "VoIP Services: a",
                userID: "a", isCA: true))
        #expect(verdict.kind == .ca && verdict.environments.isEmpty && verdict.finding == nil)
    }

    @Test(
        "what is not for push is called by its name",
        arguments: [
            ("Apple Distribution: A", ["6.1.7", "6.1.4"], ["3.3"], "a code signing certificate for distribution"),
            ("Apple Development: A", ["6.1.2", "6.1.12"], ["3.3"], "a code signing certificate for development"),
            (
                "Developer ID Application: A", ["6.1.13", "6.1.33"], ["3.3"],
                "a Developer ID certificate for signing apps"
            ),
            (
                "Developer ID Installer: A", ["6.1.14", "6.1.33"], [],
                "a Developer ID certificate for signing installer"
            ),
            ("3rd Party Mac Developer Installer: A", ["6.1.8"], [], "signing installer packages for the Mac App Store"),
            ("A", ["6.1.99"], [], "one of Apple's certificates for code signing"),
            ("A", [], ["3.3"], "a code signing certificate,"),
            ("MDM Vendor: A", ["6.1.13"], [], "an MDM vendor's certificate"),
            ("push.example.com", [], ["3.2", "3.1"], "a TLS server's certificate"),
            ("A", [], ["3.2"], "a TLS client's certificate"), ("A", [], ["3.2", "3.4"], "an e-mail certificate"),
            ("Apple Pay Merchant Identity:merchant.a", ["6.32"], ["3.2"], "a certificate for Apple Pay"),
            ("A", [], [], "Apple's push extensions are missing"),
            (nil, [], [], "Apple's push extensions are missing"),
        ] as [(String?, [String], [String], String)])
    func otherPurposes(name: String?, extensions: [String], usages: [String], text: String) throws {
        let verdict = KindClassifier.classify(
            KindEvidence(
                extensions: Set(extensions.map { "1.2.840.113635.100.\($0)" }), commonName: name,
                extendedKeyUsages: usages.map { "1.3.6.1.5.5.7.\($0)" }))
        #expect(verdict.kind == .notPush)
        let finding = try #require(verdict.finding)
        #expect(finding.sentence.utf8.firstRange(of: text.utf8) != nil, "\(finding.sentence)")
        #expect(finding.severity == .warning)
    }

    private func check(_ test: Case) {
        let verdict = Self.classify(test)
        #expect(verdict.kind == test.kind)
        #expect(verdict.environments == test.environments)
        #expect(verdict.finding?.code.rawValue == test.finding)
    }
}
