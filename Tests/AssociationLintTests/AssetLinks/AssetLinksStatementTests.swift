import AssociationLint
import Diagnostics
import Testing

/// The findings about the statements of a file together.
@Suite("Statements of assetlinks.json")
struct AssetLinksStatementTests {
    private static let first =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    private static let second = String(first.reversed())
    private static let links = "delegate_permission/common.handle_all_urls"
    private static let shares = "delegate_permission/common.get_login_creds"
    private static let debug =
        "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C"
    private static let zeros = Array(repeating: "00", count: 32).joined(separator: ":")

    private static func app(_ package: String = "com.a.b", _ relation: String = links, _ prints: String...) -> String {
        let list = (prints.isEmpty ? [first] : prints).map { "\"\($0)\"" }.joined(separator: ", ")
        return
            #"{"relation": ["\#(relation)"], "target": {"namespace": "android_app", "package_name": "\#(package)", "sha256_cert_fingerprints": [\#(list)]}}"#
    }

    private static func site(_ relation: String) -> String {
        #"{"relation": ["\#(relation)"], "target": {"namespace": "web", "site": "https://a.example"}}"#
    }

    private func codes(_ statements: [String]) -> [String] {
        Linter().checkAssetLinks(Array("[\(statements.joined(separator: ",\n"))]".utf8)).diagnostics
            .map { "\($0.severity.rawValue) \($0.code.rawValue)" }
    }

    @Test(
        "statements are compared with each other",
        arguments: [
            ([app()], []), ([app(), app("com.a.b", links, second)], []), ([app(), app("com.a.b", shares)], []),
            ([app(), app()], ["warning duplicate-statement"]),
            (
                [app("com.a.b", links, first, second), app("com.a.b", links, second, first)],
                ["warning duplicate-statement"]
            ),
            ([app("com.a.b", links, first, first)], ["warning duplicate-fingerprint"]),
            ([app("com.a.b", links, debug)], ["warning debug-fingerprint"]),
            ([app("com.a.b", links, debug, first)], []),
            ([app("com.a.b", links, zeros)], ["warning example-fingerprint"]),
            ([app("com.shop.app"), app("com.shop.aqp")], ["warning similar-package-names"]),
            ([app("com.shop.app"), app("com.shop.App")], ["warning similar-package-names"]),
            ([app("com.shop.app"), app("com.shop.ap")], ["warning similar-package-names"]),
            ([app("com.shop.app"), app("com.shpo.app")], ["warning similar-package-names"]),
            ([app("com.shop.app1"), app("com.shop.app2")], []), ([app("com.shop.app"), app("com.shop.app2")], []),
            ([app("com.shop.app"), app("com.shop.app.debug")], []), ([app("com.shop.app"), app("com.shop.web")], []),
            ([app("com.a.b", shares)], ["note no-link-statement"]),
            ([app("com.a.b", shares), #"{"include": "https://a.example/more.json"}"#], []),
            ([site(links)], ["warning site-handles-urls"]), ([site(shares)], []),
        ])
    func statements(list: [String], expected: [String]) { #expect(codes(list) == expected) }

    @Test("thousands of packages are compared quickly")
    func many() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let apps = letters.flatMap { first in
            letters.flatMap { second in letters.prefix(5).map { Self.app("com.shop.\(first)\(second)\($0)") } }
        }
        #expect(codes(apps).count >= 1_000)
    }
}
