internal import Android
internal import Diagnostics
internal import JSONSyntax

/// A signed app whose certificate no statement lists.
enum FingerprintNotListedRule: AssetLinksRule {
    static let description = RuleDescription(
        "fingerprint-not-listed", .error, subject: .comparedAssetLinks,
        summary: "the certificate of the given app is not listed",
        reason: """
            Android compares the certificate of the installed app with those in the file. If it is not among them, the app is \
            not verified, and links open in the browser. An earlier certificate of the app counts, too, if its key was rotated. \
            An APK with a post-quantum signature (v3.2) has one certificate for Android 17 and later and another one for older \
            systems: both have to be listed. This is reported only for an app that is given with 'aasa validate --fingerprint-of'.
            """, basis: [.google], fix: .suggested,
        bad: AssetLinksRules.target(
            """
            "namespace": "android_app", "package_name": "com.shop.app",
                            "sha256_cert_fingerprints": ⟦[
                                "\(otherFingerprint)"
                            ]⟧
            """),
        good: AssetLinksRules.good)

    private static let otherFingerprint =
        "8E:02:C7:5D:19:F4:6B:A0:37:D9:52:EC:81:4F:B6:2A:70:13:CD:9E:45:68:FB:07:A1:DC:3E:94:5F:26:B8:70"

    private static let key = "sha256_cert_fingerprints"

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        // What is no list names no app, and is reported as that.
        guard file.root.array != nil else { return }
        for signer in file.signers {
            let targets = targets(of: signer, in: file)
            // Of a bundle it is only known whether there is a statement about its app.
            if signer.isBundle, !targets.isEmpty { continue }
            check(file, targets, for: signer, &diagnostics)
        }
    }

    /// The apps of a file that a signer may be the one of.
    static func targets(of signer: AppSigner, in file: AssetLinksFile) -> [Target] {
        file.statements.compactMap { statement in
            statement.target.flatMap { isApp($0, signer.package) ? Target(statement, $0) : nil }
        }
    }

    private static func check(
        _ file: AssetLinksFile, _ targets: [Target], for signer: AppSigner, _ diagnostics: inout DiagnosticCollector
    ) {
        guard !targets.contains(where: { !$0.fingerprints.isDisjoint(with: signer.accepted) }) else { return }
        // Two apps can be missing in one list.
        diagnostics.beginGroup()
        let app = signer.package.map { quoted($0) } ?? "an app"
        let systems = signer.systems.map { " for \($0)" } ?? ""
        let certificate = "the certificate of '\(signer.path)'\(systems)"
        guard !targets.isEmpty else {
            let name = signer.package ?? "NAME"
            return diagnostics.report(
                description, file.root.range, JSONPointer(),
                "the file has no statement about \(app), so \(certificate) is not listed: \(signer.fingerprint)",
                advice: signer.isBundle
                    ? "add one with the fingerprint \(UploadKeyFingerprintRule.source)"
                    : "add one: 'aasa android fingerprint --statement --package \(name) \(signer.path)' writes it",
                notes: signer.notes)
        }
        for target in targets {
            diagnostics.report(
                description, target.range, target.pointer, "\(certificate) is not listed: \(signer.fingerprint)",
                advice: target.list == nil ? "add \"\(key)\": [\"\(signer.fingerprint)\"]" : nil,
                notes: signer.notes,
                fix: target.fix(adding: signer.fingerprint, in: file.source))
        }
    }

    private static func isApp(_ target: SchemaObject, _ package: String?) -> Bool {
        guard target["namespace"]?.string?.text == "android_app" else { return false }
        return package == nil || target["package_name"]?.string?.text == package
    }

    /// The list of fingerprints of an app.
    struct Target {
        let fingerprints: Set<String>
        private let elements: [AssetLinksFile.Fingerprint]
        /// The list, or the target if there is none.
        let range: SourceRange
        let pointer: JSONPointer
        let list: JSONNode?

        init(_ statement: AssetLinksFile.Statement, _ target: SchemaObject) {
            elements = statement.fingerprints
            fingerprints = Set(elements.map(\.text))
            list = target[key]
            range = list?.range ?? statement.object["target"]?.range ?? statement.statement.range
            pointer = list == nil ? target.pointer : target.pointer.member(key)
        }

        /// The first of some fingerprints that is in the list.
        func listed(_ accepted: Set<String>) -> AssetLinksFile.Fingerprint? {
            elements.first { accepted.contains($0.text) }
        }

        func fix(adding fingerprint: String, in source: SourceText) -> FixIt? {
            guard let list, let elements = list.array else { return nil }
            let text = "\"\(fingerprint)\""
            let edit =
                elements.isEmpty
                ? TextEdit(range: list.range, replacement: "[\(text)]")
                : JSONEdits.insert(element: text, after: elements.count - 1, in: elements, source: source)
            return FixIt("add it to the list", .suggested, edit)
        }
    }
}
