internal import Diagnostics

/// Says what a certificate is for (push-certificates.md, section 2): the extensions decide, the name refines, and the user
/// ID helps when the name says nothing.
package enum KindClassifier {
    package static func classify(_ evidence: KindEvidence) -> KindVerdict {
        if evidence.isCA { return KindVerdict(kind: .ca, environments: []) }
        let candidates = candidates(evidence.extensions)
        guard let first = candidates.first else { return withoutExtension(evidence) }
        let named = evidence.commonName.flatMap(CommonName.kind)
        let kind: CertificateKind
        var finding: Finding?
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

    /// What the extensions allow, the likeliest first; empty without one for push.
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
        let finding = Finding(
            .pushExtensionMissing, .warning,
            "the name \(quotedIdentifier(evidence.commonName ?? "")) is that of a push certificate, but Apple's extensions for push are "
                + "missing: Apple's servers do not accept it; download it again from Apple, unless it is for a test server"
        )
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
    ) -> Finding {
        Finding(
            .kindDisagrees, .warning,
            "the name \(quotedIdentifier(name)) is that of the kind \(named.rawValue), but the extensions make it \(kind.rawValue), and "
                + "Apple's servers go by these; if notifications do not arrive, make a new one in Apple's developer portal"
        )
    }
}
