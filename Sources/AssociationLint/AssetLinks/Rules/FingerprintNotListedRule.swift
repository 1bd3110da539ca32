internal import AssetLinks
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
            This is reported only for an app that is given with 'aasa validate --fingerprint-of'.
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
        for signer in file.signers { check(file, for: signer, &diagnostics) }
    }

    private static func check(
        _ file: AssetLinksFile, for signer: AppSigner, _ diagnostics: inout DiagnosticCollector
    ) {
        let targets = file.statements.compactMap { statement in
            statement.target.flatMap { isApp($0, signer.package) ? Target(statement, $0) : nil }
        }
        guard !targets.contains(where: { !$0.fingerprints.isDisjoint(with: signer.accepted) }) else { return }
        // Two apps can be missing in one list.
        diagnostics.beginGroup()
        let app = signer.package.map { quoted($0) } ?? "an app"
        guard !targets.isEmpty else {
            return diagnostics.report(
                description.code, file.root.range, JSONPointer(),
                "the file has no statement about \(app), so the certificate of '\(signer.path)' is not listed: \(signer.fingerprint)",
                advice:
                    "add one: 'aasa android fingerprint --statement --package \(signer.package ?? "NAME") \(signer.path)' writes it",
                notes: signer.notes)
        }
        for target in targets {
            diagnostics.report(
                description.code, target.range, target.pointer,
                "the certificate of '\(signer.path)' is not listed: \(signer.fingerprint)",
                advice: target.list == nil ? "add \"\(key)\": [\"\(signer.fingerprint)\"]" : nil,
                notes: signer.notes,
                fixIts: target.fix(adding: signer.fingerprint, in: file.source).map { [$0] } ?? [])
        }
    }

    private static func isApp(_ target: SchemaObject, _ package: String?) -> Bool {
        guard target["namespace"]?.string?.text == "android_app" else { return false }
        return package == nil || target["package_name"]?.string?.text == package
    }

    /// The list of fingerprints of an app.
    private struct Target {
        let fingerprints: Set<String>
        /// The list, or the target if there is none.
        let range: SourceRange
        let pointer: JSONPointer
        let list: JSONNode?

        init(_ statement: AssetLinksFile.Statement, _ target: SchemaObject) {
            fingerprints = Set(statement.fingerprints.map(\.text))
            list = target[key]
            range = list?.range ?? statement.object["target"]?.range ?? statement.statement.range
            pointer = list == nil ? target.pointer : target.pointer.member(key)
        }

        func fix(adding fingerprint: String, in source: SourceText) -> FixIt? {
            guard let list, let elements = list.array else { return nil }
            let text = "\"\(fingerprint)\""
            let edit =
                elements.isEmpty
                ? TextEdit(range: list.range, replacement: "[\(text)]")
                : JSONEdits.insert(element: text, after: elements.count - 1, in: elements, source: source)
            return FixIt(title: "add it to the list", applicability: .suggested, edits: [edit])
        }
    }
}
