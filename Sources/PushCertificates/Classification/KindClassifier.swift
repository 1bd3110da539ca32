package import Diagnostics
internal import OpenSSL

/// The facts of a certificate that decide about its kind.
package struct KindEvidence {
    package var extensions: Set<String>
    package var commonName: String?
    package var userID: String?
    package var isCA = false
    package var extendedKeyUsages: [String] = []

    package init(
        extensions: Set<String>, commonName: String? = nil, userID: String? = nil, isCA: Bool = false,
        extendedKeyUsages: [String] = []
    ) {
        self.extensions = extensions
        self.commonName = commonName
        self.userID = userID
        self.isCA = isCA
        self.extendedKeyUsages = extendedKeyUsages
    }
}

extension KindEvidence {
    init(_ parsed: ParsedCertificate) {
        self.init(
            extensions: Set(parsed.x509.extensions.map(\.oid)), commonName: parsed.commonName,
            userID: parsed.userID, isCA: parsed.isCA, extendedKeyUsages: parsed.extendedKeyUsages)
    }
}

/// The kind of a certificate, with the finding about that.
package struct KindVerdict {
    package let kind: CertificateKind
    /// The environments in the order sandbox, production.
    package let environments: [APNsEnvironment]
    package internal(set) var finding: Diagnostic?
}

/// Says what a certificate is for (push-certificates.md, section 2): the extensions decide, the name refines, and the user
/// ID helps when the name says nothing.
package enum KindClassifier {
    package static func classify(_ evidence: KindEvidence) -> KindVerdict {
        if evidence.isCA { return KindVerdict(kind: .ca, environments: []) }
        let candidates = candidates(evidence.extensions)
        guard let first = candidates.first else { return withoutExtension(evidence) }
        let named = evidence.commonName.flatMap(CommonName.kind)
        let kind: CertificateKind
        var finding: Diagnostic?
        if let named {
            kind = candidates.contains(named) ? named : first
            if kind != named { finding = disagreement(evidence.commonName ?? "", named, kind) }
        } else if let suggested = evidence.userID.flatMap(self.kind(ofUserID:)), candidates.contains(suggested) {
            kind = suggested
        } else {
            kind = first
        }
        return KindVerdict(kind: kind, environments: environments(of: kind, evidence.extensions), finding: finding)
    }

    /// The kinds that the extensions allow, the likeliest first; empty without one for push.
    private static func candidates(_ extensions: Set<String>) -> [CertificateKind] {
        let isDevelopment = extensions.contains(ObjectIdentifier.pushDevelopment)
        let isProduction = extensions.contains(ObjectIdentifier.pushProduction)
        if extensions.contains(ObjectIdentifier.passTypeID) { return [.passTypeID] }
        if extensions.contains(ObjectIdentifier.topics) { return [.applePushServices, .voip, .watchkit, .mdm] }
        if extensions.contains(ObjectIdentifier.voipTopics) { return [.voip] }
        return switch (isDevelopment, isProduction) {
        case (true, true): [.applePushServices, .voip, .watchkit, .mdm]
        case (false, true): [.apnsProduction, .websitePush, .passTypeID, .mdm, .voip, .watchkit]
        case (true, false): [.apnsDevelopment]
        case (false, false): []
        }
    }

    private static func withoutExtension(_ evidence: KindEvidence) -> KindVerdict {
        let named = evidence.commonName.flatMap(CommonName.kind)
        // Which extensions those for MDM have is not known for certain, so there the user ID is enough.
        if named == .mdm || named == nil && evidence.userID.flatMap(kind(ofUserID:)) == .mdm {
            return KindVerdict(kind: .mdm, environments: environments(of: .mdm, evidence.extensions))
        }
        guard let named else {
            return KindVerdict(kind: .notPush, environments: [], finding: OtherPurpose.finding(evidence))
        }
        let finding = RuleDescription.pushExtensionMissing.finding(
            "the name \(quotedIdentifier(evidence.commonName ?? "")) is that of a push certificate, but Apple's push extensions "
                + "are missing: Apple's servers do not accept it",
            advice: "download it again from developer.apple.com, unless it is for a test server")
        return KindVerdict(kind: named, environments: environments(of: named, evidence.extensions), finding: finding)
    }

    private static func kind(ofUserID userID: String) -> CertificateKind? {
        if userID.utf8.starts(with: "com.apple.mgmt.".utf8) { return .mdm }
        if userID.utf8.starts(with: "pass.".utf8) { return .passTypeID }
        if userID.utf8.starts(with: "web.".utf8) { return .websitePush }
        return nil
    }

    private static func environments(of kind: CertificateKind, _ extensions: Set<String>) -> [APNsEnvironment] {
        var said: [APNsEnvironment] = []
        if extensions.contains(ObjectIdentifier.pushDevelopment) { said.append(.sandbox) }
        if extensions.contains(ObjectIdentifier.pushProduction) { said.append(.production) }
        guard said.isEmpty else { return said }
        return switch kind {
        case .applePushServices, .voip, .watchkit: [.sandbox, .production]
        case .apnsDevelopment: [.sandbox]
        case .apnsProduction, .websitePush, .passTypeID, .mdm: [.production]
        case .tokenKey, .ca, .notPush: []
        }
    }

    private static func disagreement(
        _ name: String, _ named: CertificateKind, _ kind: CertificateKind
    ) -> Diagnostic {
        RuleDescription.kindDisagrees.finding(
            "the name \(quotedIdentifier(name)) indicates the kind \(named.rawValue), but the extensions indicate "
                + "\(kind.rawValue), and Apple's servers use the extensions",
            advice: "if notifications do not arrive, create a new one in Apple's developer portal")
    }
}

/// The common name of a subject and what it says (push-certificates.md, section 2).
enum CommonName {
    private static let beginnings: [(text: String, kind: CertificateKind)] = [
        ("Apple Push Services:", .applePushServices),
        ("Apple Development IOS Push Services:", .apnsDevelopment),
        ("Apple Development Mac Push Services:", .apnsDevelopment),
        ("Apple Sandbox Push Services:", .apnsDevelopment),
        ("Apple Production IOS Push Services:", .apnsProduction),
        ("Apple Production Mac Push Services:", .apnsProduction),
        ("VoIP Services:", .voip),
        ("WatchKit Services:", .watchkit),
        ("Website Push ID:", .websitePush),
        ("Pass Type ID:", .passTypeID),
        ("APSP:", .mdm),
    ]

    /// The kind that Apple gives such a name; nil for all others.
    static func kind(_ name: String) -> CertificateKind? {
        beginnings.first { ASCIICase.begins(name.utf8, with: $0.text) }?.kind
    }

    /// The text after the first `: `; nil if there is none, or nothing after it.
    static func identifier(_ name: String) -> String? {
        let bytes = name.utf8
        var index = bytes.startIndex
        while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = bytes.index(after: colon)
            guard index < bytes.endIndex, bytes[index] == UInt8(ascii: " ") else { continue }
            let rest = bytes[bytes.index(after: index)...]
            return rest.isEmpty ? nil : String(rest)
        }
        return nil
    }
}
