import AssociationLint
import Diagnostics
import Testing

/// Remains of templates in an assetlinks.json, and lists without a usable fingerprint.
@Suite("Placeholders in assetlinks.json")
struct PlaceholderTests {
    private static let fingerprint: String =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    private static let sha1 = String(fingerprint.prefix(59))

    private static func statement(_ package: String, _ fingerprints: String) -> String {
        #"{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app", "#
            + #""package_name": "\#(package)", \#(fingerprints)}}"#
    }

    private static func list(_ fingerprints: String...) -> String {
        #""sha256_cert_fingerprints": [\#(fingerprints.map { "\"\($0)\"" }.joined(separator: ", "))]"#
    }

    private func check(_ statements: String...) -> [Diagnostic] {
        Linter().checkAssetLinks(Array("[\(statements.joined(separator: ",\n"))]".utf8)).diagnostics
    }

    @Test(
        "a package name of a template is one",
        arguments: [
            "com.placeholder", "com.example", "com.example.shopapp", "com.Example.App", "your.package.name",
            "my.package.name", "com.your.app", "com.yourcompany.yourapp", "com.mycompany.shop", "com.companyname.app",
            "com.shop.placeholder",
        ])
    func packages(name: String) {
        let found = check(Self.statement(name, Self.list(Self.fingerprint)))
        #expect(found.map(\.code.rawValue) == ["placeholder-package-name"])
        #expect(found.first?.message == "'\(name)' is a placeholder, not the package name of an app in a store")
        #expect(found.first?.pointer == "/0/target/package_name" && found.first?.severity == .warning)
    }

    @Test(
        "other package names are no placeholders",
        arguments: [
            "com.shop.app", "com.examples.app", "org.example_shop.app", "com.u23devs.flutter_ddl_example",
            "com.foo.example",
            "com.yours.app", "md.your.health", "com.packages.name", "com.my.app",
        ])
    func realPackages(name: String) { #expect(check(Self.statement(name, Self.list(Self.fingerprint))).isEmpty) }

    @Test(
        "a fingerprint of a template is called a placeholder, and any other text is not valid",
        arguments: [
            ("YOUR_SHA256_FINGERPRINT", true), ("your-sha256-fingerprint-here", true), ("<SHA-256>", true),
            ("XX:XX:XX:XX", true), ("AA:BB:CC:...", true), ("AA:BB:CC:…:FF", true), ("REPLACE:WITH:SHA-256", true),
            ("${FINGERPRINT}", true), ("TODO", true), ("B A D", false), ("", false), ("GG:11", false),
            ("not a digest", false), (sha1, false),
        ])
    func fingerprints(text: String, isPlaceholder: Bool) {
        let found = check(Self.statement("com.shop.app", Self.list(text)))
        #expect(found.map(\.code.rawValue) == ["invalid-fingerprint"])
        #expect(found.first?.message.contains("is a placeholder; expected 32 pairs") == isPlaceholder)
    }

    @Test(
        "a package name that is not valid is called a placeholder if it is one",
        arguments: [
            ("YOUR_PACKAGE_NAME", true), ("<package>", true), ("{{package}}", true), ("PACKAGE_NAME", true),
            ("shop", false), ("com.my-package", false), ("com.your-shop.app", false),
        ])
    func invalidPackages(text: String, isPlaceholder: Bool) {
        let found = check(Self.statement(text, Self.list(Self.fingerprint)))
        let finding = found.first { $0.code.rawValue == "invalid-package-name" }
        #expect(finding?.message.contains("is a placeholder, '") == isPlaceholder, "\(found)")
    }

    @Test(
        "a statement without one usable fingerprint is an error, also beside others",
        arguments: [
            list(sha1), list(sha1, "YOUR_SHA256_FINGERPRINT"), #""sha256_cert_fingerprints": []"#,
            #""sha256_cert_fingerprints": "x""#, #""sha256_cert_fingerprints": [{}]"#, #""sha1": []"#,
            #""sha256_cert_fingerprint": ["\#(fingerprint)"]"#,
        ])
    func unusable(fingerprints: String) {
        let good = Self.statement("com.shop.app", Self.list(Self.fingerprint))
        let found = check(good, Self.statement("org.shop.other", fingerprints))
        let errors = found.filter { $0.code.rawValue == "invalid-fingerprint" }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.severity == .error }, "\(found)")
    }

    @Test("beside a usable fingerprint a wrong one is a warning")
    func beside() {
        let found = check(Self.statement("com.shop.app", Self.list(Self.sha1, Self.fingerprint)))
        #expect(found.map(\.severity) == [.warning] && found.map(\.code.rawValue) == ["invalid-fingerprint"])
        // Android takes it in any case.
        #expect(
            check(Self.statement("com.shop.app", Self.list(Self.fingerprint.lowercased()))).map(\.severity) == [
                .warning
            ])
    }
}
