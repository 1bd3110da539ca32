internal import Diagnostics
internal import JSONSyntax

/// An app bundle, whose certificate is not the one of the app that people install.
enum UploadKeyFingerprintRule: AssetLinksRule {
    static let description = RuleDescription(
        "upload-key-fingerprint", .warning, subject: .comparedBundle,
        summary: "the certificate of an app bundle is not the one of the installed app",
        reason: """
            Nothing installs an app bundle itself: Google Play makes APKs of it and signs them with the app signing key. The \
            bundle has only the certificate of the upload key, so it does not tell whether the right fingerprint is listed. \
            The upload key's own is needed only if you give out APKs that are signed with it. This is reported only for a \
            bundle that is given with 'aasa validate --fingerprint-of'.
            """, basis: [.google],
        bad: AssetLinksRules.target(
            """
            "namespace": "android_app", "package_name": "com.shop.app",
                            "sha256_cert_fingerprints": [
                                ⟦"\(AssetLinksRules.fingerprint)"⟧
                            ]
            """),
        good: AssetLinksRules.good)

    /// The place from which the right fingerprint is to be had.
    static let source = "\(AppSigner.playConsole), or from an APK that was installed from Play"

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for signer in file.signers where signer.isBundle {
            let targets = FingerprintNotListedRule.targets(of: signer, in: file)
            guard
                let target = targets.first(where: { !$0.fingerprints.isDisjoint(with: signer.accepted) })
                    ?? targets.first
            else { continue }
            diagnostics.beginGroup()
            let listed = target.listed(signer.accepted)
            let isAlone = listed != nil && target.fingerprints.count == 1
            diagnostics.report(
                description, listed?.node.range ?? target.range, listed?.pointer ?? target.pointer,
                listed == nil
                    ? "'\(signer.path)' does not tell whether the right fingerprint is listed: Google Play signs what users "
                        + "install with another key"
                    : "this is \(isAlone ? "only " : "")the fingerprint of the upload key of '\(signer.path)'; Google Play "
                        + "signs what users install with another key",
                advice: "take the fingerprint \(source)", notes: signer.notes)
        }
    }
}
