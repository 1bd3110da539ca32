import AppProjects
import AppSamples
import AssociationLint
import Diagnostics
import Testing

/// Statements that a manifest makes about sites, with `<meta-data android:name="asset_statements">`.
struct AssetStatementsTests {
    private func findings(_ text: String) throws -> [Diagnostic] {
        let file = try ManifestFile(Array(text.utf8), path: "AndroidManifest.xml")
        return Linter().checkManifest(file.root, source: file.source, isAsInFile: true).diagnostics
    }

    private func manifest(_ value: String, name: String = "asset_statements", attribute: String = "value") -> String {
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app"><application>
        <meta-data android:name="\(name)" android:\(attribute)='\(value)' />
        </application></manifest>
        """
    }

    @Test
    func `the examples of the rule are what it says`() throws {
        let rule = try #require(
            RuleRegistry.catalogue.rules.first { $0.code.rawValue == "manifest-asset-statements" })
        let marked = MarkedText(rule.bad)
        let found = try findings(String(decoding: marked.bytes, as: UTF8.self))
        #expect(found.map(\.code.rawValue) == ["manifest-asset-statements"])
        #expect(found.first?.range == marked.range && found.first?.severity == rule.severity)
        #expect(try findings(rule.good).isEmpty)
    }

    @Test(
        arguments: [
            (#"[{ \"include\": \"https://h.com/.well-known/assetlinks.json\" }]"#, true),
            (#"[{&quot;include&quot;: &quot;https://h.com/.well-known/assetlinks.json&quot;}]"#, true),
            (#"[{\"relation\": [\"a/b\"], \"target\": {}}]"#, true), ("@string/asset_statements", true),
            (#"[{ \"https://h.com/.well-known/assetlinks.json\" }]"#, false),
            (#"[\"https://h.com/.well-known/assetlinks.json\"]"#, false),
            (#"{\"include\": \"https://h.com/.well-known/assetlinks.json\"}"#, false),
            ("https://h.com/.well-known/assetlinks.json", false), ("", false), (#"[{\"includes\": \"x\"}]"#, false),
            (#"[{\"include\": \"x\"},]"#, false),
        ])
    func `a value is a list of statements or is reported`(value: String, isRight: Bool) throws {
        let found = try findings(manifest(value))
        #expect(found.map(\.code.rawValue) == (isRight ? [] : ["manifest-asset-statements"]))
        #expect(found.allSatisfy { $0.help?.contains("include") == true })
    }

    @Test
    func `other values and references are left alone`() throws {
        #expect(try findings(manifest("x", name: "other")).isEmpty)
        #expect(try findings(manifest("@string/asset_statements", attribute: "resource")).isEmpty)
    }

    @Test
    func `resources are not an app, and the advice names the manifest`() throws {
        let app = try AppFolder()
        let failure = try #require(try app.failure(Array("<resources></resources>".utf8), as: "strings.xml"))
        #expect(failure.help == "these are resources of an Android app; give its AndroidManifest.xml")
    }
}
