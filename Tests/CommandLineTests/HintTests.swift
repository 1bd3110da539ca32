import Foundation
import TestSupport
import Testing

/// Arguments that another command wants, each answered with that command (cli.md).
@Suite("Hints at the right command", .waiting)
struct HintTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        // The first bytes tell; no archive is unpacked.
        for name in ["app.apk", "app.aab", "Shop.ipa", "site.zip"] { try tool.write([0x50, 0x4B, 3, 4, 0], to: name) }
        try tool.write([0x30, 0x82, 1, 0], to: "push.p12")
        try tool.write("<manifest/>", to: "AndroidManifest.xml")
        try tool.write(BuiltTool.sound, to: "a/apple-app-site-association")
    }

    @Test(
        "the hint is one line, with the words that were given",
        arguments: [
            (
                "validate example.com", 66,
                "try: aasa doctor example.com; or: curl -fsS https://example.com/.well-known/apple-app-site-association | aasa validate -"
            ),
            ("validate www.shop.example", 66, "try: aasa doctor www.shop.example; or: "),
            (
                "route example.com https://example.com/", 66,
                "try: aasa doctor example.com; or: curl -fsS https://example.com/.well-known/apple-app-site-association | aasa route - URL"
            ),
            ("validate app.apk", 1, "aasa validate --fingerprint-of app.apk assetlinks.json"),
            ("validate app.aab", 1, "aasa android fingerprint app.aab"),
            ("validate Shop.ipa", 1, "aasa doctor --app Shop.ipa"),
            ("validate site.zip", 1, "unpack it"),
            ("validate push.p12", 1, "certcheck push.p12"),
            ("route app.apk https://a.example/", 65, "aasa android fingerprint app.apk"),
            (
                "diff AndroidManifest.xml a/apple-app-site-association", 65,
                "aasa route AndroidManifest.xml URL; mistakes in it: aasa validate AndroidManifest.xml"
            ),
            ("console example.com https://a.example/x", 64, "2 domains or links are named; name one"),
            (
                "doctor a/apple-app-site-association", 64,
                "is a file; to check it: aasa validate a/apple-app-site-association"
            ),
        ] as [(String, Int32, String)])
    func hints(line: String, status: Int32, hint: String) throws {
        let outcome = try tool.shell("\"$tool\" \(line)")
        #expect(outcome.status == status, "\(outcome)")
        #expect((outcome.errors + outcome.text).split(separator: "\n").contains { $0.contains(hint) }, "\(outcome)")
    }

    @Test(
        "a name that is rather that of a file gets no hint",
        arguments: ["nosuch", "nosuch.json", "a/example.com", "app.xml", "1.2.3.4", "x.y1", "Shop.entitlements"])
    func files(name: String) throws {
        let outcome = try tool.run("validate", name)
        #expect(outcome.status == 66 && !outcome.text.contains("doctor"), "\(outcome)")
    }

    @Test("a URL keeps its own hints, and no domain is where an app may be")
    func others() throws {
        let url = try tool.run("validate", "https://example.com/x")
        #expect(url.text.contains("try: aasa doctor https://example.com/x; or: curl -fsS https://example.com/x |"))
        let app = try tool.run("android", "fingerprint", "example.com")
        #expect(app.status == 66 && !app.errors.contains("help:"), "\(app)")
    }

    @Test("a file that has the name of a domain is checked")
    func namedLikeDomain() throws {
        try tool.write(BuiltTool.sound, to: "example.com")
        #expect(try tool.run("validate", "example.com").text == "1 file is fine.\n")
    }
}
