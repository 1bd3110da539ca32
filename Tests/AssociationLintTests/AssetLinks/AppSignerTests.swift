import AssociationLint
import Diagnostics
import Testing

/// The findings about the apps that a file is compared with.
@Suite("Apps that an assetlinks.json is compared with")
struct AppSignerTests {
    private static let first =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    private static let second = String(first.reversed())

    private static func file(_ fingerprints: String...) -> String {
        let list = fingerprints.map { "\"\($0)\"" }.joined(separator: ", ")
        return #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app", "#
            + #""package_name": "com.shop.app", "sha256_cert_fingerprints": [\#(list)]}}]"#
    }

    private func check(_ text: String, _ signers: AppSigner...) -> [Diagnostic] {
        var options = LintOptions()
        options.signers = signers
        return Linter(options).checkAssetLinks(Array(text.utf8)).diagnostics
    }

    @Test("a certificate for some systems is missed on those systems, and added by its fix")
    func systems() throws {
        let signer = AppSigner(path: "a.apk", fingerprint: Self.second, systems: "Android 17 and later")
        let older = AppSigner(path: "a.apk", fingerprint: Self.first, systems: "systems before Android 17")
        let text = Self.file(Self.first)
        let found = check(text, signer, older)
        #expect(found.map(\.code.rawValue) == ["fingerprint-not-listed"])
        #expect(
            found.first?.message
                == "the certificate of 'a.apk' for Android 17 and later is not listed: \(Self.second)")
        let fix = try #require(found.first?.fixIts.first)
        let fixed = String(decoding: TextEdit.applied(fix.edits, to: Array(text.utf8)), as: UTF8.self)
        #expect(check(fixed, signer, older).isEmpty)
        #expect(check(Self.file(String(Self.first.dropLast()) + "0"), signer, older).count == 2)
    }

    private static func bundle(_ package: String? = nil) -> AppSigner {
        AppSigner(package: package, path: "a.aab", fingerprint: first, isBundle: true)
    }

    @Test("an app bundle is a warning, whatever is listed: Google Play signs it again")
    func bundles() {
        let cases = [
            (
                Self.file(Self.first), "/0/target/sha256_cert_fingerprints/0",
                "this is only the fingerprint of the upload key"
            ),
            (
                Self.file(Self.second, Self.first), "/0/target/sha256_cert_fingerprints/1",
                "this is the fingerprint of the upload"
            ),
            (Self.file(Self.second), "/0/target/sha256_cert_fingerprints", "'a.aab' does not tell whether the right"),
        ]
        for (text, pointer, message) in cases {
            let found = check(text, Self.bundle())
            #expect(found.map(\.code.rawValue) == ["upload-key-fingerprint"])
            #expect(found.first?.severity == .warning && found.first?.pointer == pointer)
            #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
            #expect(found.first?.help?.contains("Play Console") == true && found.first?.fixIts.isEmpty == true)
        }
    }

    @Test("that there is no statement about the app of a bundle is an error, with no word of the bundle's fingerprint")
    func bundleWithoutStatement() {
        let found = check(Self.file(Self.first), Self.bundle("com.other.app"))
        #expect(found.map(\.code.rawValue) == ["fingerprint-not-listed"] && found.first?.severity == .error)
        #expect(found.first?.help?.contains("Play Console") == true)
    }

    @Test("the examples of the rules about them yield their codes at the marked places, or nothing")
    func examples() {
        for rule in RuleRegistry.catalogue.rules {
            guard rule.subject == .comparedAssetLinks || rule.subject == .comparedBundle else { continue }
            let marked = MarkedText(rule.bad)
            let signer = rule.subject == .comparedBundle ? AppSigner.exampleBundle : AppSigner.example
            let found = check(String(decoding: marked.bytes, as: UTF8.self), signer)
            #expect(found.map(\.code) == [rule.code] && found.first?.range == marked.range, "\(found)")
            #expect(found.first?.severity == rule.severity && found.first?.fixIts.first?.applicability == rule.fix)
            #expect(check(rule.good, AppSigner.example).isEmpty)
        }
    }
}
