/// The profiles of certificates, by kind (push-certificates.md, section 2).
public enum SampleProfile: String, CaseIterable, Sendable {
    /// A certificate of today, from G4.
    case universal
    /// The same with Push to Talk.
    case pushToTalk
    /// A universal certificate of old, with `app` for `topic`, and another order of extensions.
    case universalOfOld
    case development, macDevelopment, sandbox
    case production, macProduction
    case voip
    /// 6.3.4 with the list of 6.3.6.
    case voipWithList
    case watchkit
    case website
    case pass
    case mdm
    case codeSigning, tlsServer, mdmVendor

    /// The name that `certcheck` gives the kind.
    public var kind: String {
        switch self {
        case .universal, .pushToTalk, .universalOfOld: "apple-push-services"
        case .development, .macDevelopment, .sandbox: "apns-development"
        case .production, .macProduction: "apns-production"
        case .voip, .voipWithList: "voip"
        case .watchkit: "watchkit"
        case .website: "website-push"
        case .pass: "pass-type-id"
        case .mdm: "mdm"
        case .codeSigning, .tlsServer, .mdmVendor: "not-push"
        }
    }

    /// The UUID in the topic of `mdm`.
    public static let deviceManagementUUID = "6f9619ff-8b86-4011-b42d-00c04fc964ff"

    /// One that is valid for a year more.
    ///
    /// - Parameters:
    ///   - bundleID: Gets `web.` or `pass.` in front where need be.
    ///   - team: The first organizational unit.
    ///   - key: Its private key.
    public func certificate(
        _ bundleID: String = "com.example.app", team: String = "TEAM123456", key: SampleKey = .p256()
    ) -> SampleCertificate {
        SampleCertificate(
            subject: subject(bundleID, team), issuer: isOld ? .g3 : .g4, extensions: common + extensions(bundleID),
            key: key)
    }

    private var isOld: Bool {
        switch self {
        case .universalOfOld, .development, .macDevelopment, .production, .macProduction: true
        default: false
        }
    }

    private var common: [SampleExtension] {
        let usage: SampleExtension =
            switch self {
            case .codeSigning: .extendedKeyUsage("1.3.6.1.5.5.7.3.3", isCritical: true)
            case .tlsServer: .extendedKeyUsage("1.3.6.1.5.5.7.3.1")
            case .pass: .extendedKeyUsage("1.3.6.1.5.5.7.3.2", "1.2.840.113635.100.4.14")
            default: .clientAuthentication
            }
        return [
            .basicConstraints(isCA: false, isCritical: !isOld || self == .universalOfOld), .authorityKeyIdentifier,
            usage, .subjectKeyIdentifier, .digitalSignature,
        ]
    }

    private func extensions(_ bundleID: String) -> [SampleExtension] {
        switch self {
        case .universal, .watchkit: [.topics(of: bundleID), .sandbox, .production]
        case .pushToTalk:
            [
                .topics([
                    (bundleID, ["topic"]), (bundleID + ".voip", ["voip"]),
                    (bundleID + ".complication", ["complication"]), (bundleID + ".voip-ptt", [".voip-ptt"]),
                ]), .sandbox, .production,
            ]
        case .universalOfOld: [.sandbox, .production, .topics(of: bundleID, app: "app")]
        case .development, .macDevelopment, .sandbox: [.sandbox]
        case .production, .macProduction, .website, .mdm: [.production]
        case .voip:
            [
                .sandbox, .production, .apple("6.3.3", DER.utf8(bundleID)),
                .apple("6.3.4", DER.utf8("\(bundleID),\(bundleID).voip")),
            ]
        case .voipWithList:
            [.sandbox, .production, .topics([(bundleID, ["app"]), (bundleID + ".voip", ["voip"])], arc: "6.3.4")]
        case .pass: [.apple("6.1.16", DER.utf8("pass.\(bundleID)")), .production]
        case .codeSigning: [.apple("6.1.7", isCritical: true)]
        case .mdmVendor: [.apple("6.1.13", isCritical: true)]
        case .tlsServer: []
        }
    }

    private func subject(_ bundleID: String, _ team: String) -> SampleName {
        let organization: [SampleName.Attribute] = [
            .organizationalUnit(team), .organization("Example GmbH"), .country("DE"),
        ]
        func name(_ prefix: String, _ id: String) -> SampleName {
            SampleName([.userID(id), .commonName(prefix + id)] + organization)
        }
        return switch self {
        case .universal, .pushToTalk, .universalOfOld: name("Apple Push Services: ", bundleID)
        case .development: name("Apple Development IOS Push Services: ", bundleID)
        case .macDevelopment: name("Apple Development Mac Push Services: ", bundleID)
        case .sandbox: name("Apple Sandbox Push Services: ", bundleID)
        case .production: name("Apple Production IOS Push Services: ", bundleID)
        case .macProduction: name("Apple Production Mac Push Services: ", bundleID)
        case .voip, .voipWithList: name("VoIP Services: ", bundleID)
        case .watchkit: name("WatchKit Services: ", bundleID + ".complication")
        case .website: name("Website Push ID: ", "web." + bundleID)
        case .pass: name("Pass Type ID: ", "pass." + bundleID)
        case .mdm:
            [
                .userID("com.apple.mgmt.External.\(Self.deviceManagementUUID)"),
                .commonName("APSP:\(Self.deviceManagementUUID)"), .country("US"),
            ]
        case .codeSigning:
            SampleName([.userID(team), .commonName("Apple Distribution: Example GmbH (\(team))")] + organization)
        case .mdmVendor:
            SampleName([.userID(team), .commonName("MDM CSR Signing Certificate: \(team)")] + organization)
        case .tlsServer: SampleName([.commonName("push.example.com")] + organization)
        }
    }
}
