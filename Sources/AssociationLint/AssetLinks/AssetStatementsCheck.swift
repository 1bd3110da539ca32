internal import Android
internal import Diagnostics
internal import JSONSyntax

/// Checks the statements that an Android manifest makes about sites.
enum AssetStatementsCheck {
    static func findings(in root: XMLElement) -> [Diagnostic] {
        root.assetStatements.compactMap { attribute, value in
            let json = JSONReader.read(Array(value.utf8), path: "asset_statements", limits: .assetLinksFile)
            let error = json.findings.first { $0.severity == .error }
            let isList = json.root?.array?.allSatisfy { isStatement($0) } ?? false
            guard error != nil || !isList else { return nil }
            return Diagnostic(
                .manifestAssetStatements, "'asset_statements' is not a list of statements", range: attribute.range,
                advice:
                    #"write [{"include": "https://HOST/.well-known/assetlinks.json"}], with a backslash before each "#
                    + "quote that is inside",
                notes: error.map { ["its value is read as JSON: \($0.message)"] } ?? [])
        }
    }

    private static func isStatement(_ node: JSONNode) -> Bool {
        ["include", "relation"].contains { node.object?.member($0) != nil }
    }
}

extension RuleDescription {
    static let manifestAssetStatements = RuleDescription(
        "manifest-asset-statements", .warning, subject: .manifest,
        summary: "'asset_statements' of an Android manifest is not a list of statements",
        reason: """
            Android reads the meta-data 'asset_statements' as JSON: a list of statements, each of which includes the file \
            of a site or has relations and a target. It ignores a value that it cannot read, so that passwords and \
            passkeys of the site are not offered in the app. Links do not need this value.
            """, basis: [.google],
        bad: file(#"⟦[{ \"https://shop.example/.well-known/assetlinks.json\" }]⟧"#),
        good: file(#"[{ \"include\": \"https://shop.example/.well-known/assetlinks.json\" }]"#))

    private static func file(_ value: String) -> String {
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app">
          <application>
            <meta-data android:name="asset_statements" android:value='\(value)' />
          </application>
        </manifest>

        """
    }
}
