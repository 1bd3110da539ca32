import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import TestSupport
import Testing
import URLPatterns

@Suite("Entries of the associated domains")
struct EntryTests {
    struct Row: CustomTestStringConvertible {
        let entry: String
        /// The code without `entitlement-`; nil for an entry with nothing wrong.
        let code: String?
        /// The text that was meant; nil if that is not evident.
        let correction: String?

        init(_ entry: String, _ code: String?, _ correction: String? = nil) {
            (self.entry, self.code, self.correction) = (entry, code, correction)
        }

        var testDescription: String { entry }
    }

    static let good = [
        "applinks:www.example.com", "webcredentials:example.com", "appclips:example.com",
        "activitycontinuation:example.com", "authsrv:example.com", "applinks:*.example.com",
        "messagefilter:example.com", "classificationreport:example.com",
        "webcredentials:*.example.com", "applinks:example.com?mode=developer", "applinks:example.com?mode=managed",
        "applinks:*.example.com?mode=developer+managed", "applinks:localhost", "applinks:WWW.Example.COM",
        "applinks:xn--bcher-kva.example", "applinks:a-b.example.com", "applinks:a_b.example.com",
        "applinks:1.example.com",
        "applinks:$(DOMAIN)", "applinks:${SUB}.example.com", "$(SERVICE):example.com", "applinks:bücher.example",
        "applinks:नी\u{200D}.example", "applinks:例え.example",
    ].map { Row($0, nil) }

    static let malformed: [Row] = [
        Row("", "service"), Row("   ", "service"), Row(":", "service"), Row("applinks", "service"),
        Row("www.example.com", "service", "applinks:www.example.com"),
        Row("https://www.example.com", "service", "applinks:www.example.com"),
        Row("https://www.example.com/buy", "service", "applinks:www.example.com"),
        Row("www.example.com:443", "service", "applinks:www.example.com"),
        Row("localhost:8443", "service", "applinks:localhost"),
        Row("*.example.com", "service", "applinks:*.example.com"), Row("*", "service"),
        Row(":www.example.com", "service", "applinks:www.example.com"),
        Row("applink:www.example.com", "service", "applinks:www.example.com"),
        Row("Applinks:www.example.com", "service", "applinks:www.example.com"),
        Row("APPLINKS:www.example.com", "service", "applinks:www.example.com"),
        Row("webcredential:www.example.com", "service", "webcredentials:www.example.com"),
        Row("appclip:www.example.com", "service", "appclips:www.example.com"),
        Row("universallinks:www.example.com", "service", "applinks:www.example.com"),
        Row("mailto:someone@example.com", "service"), Row("www.example.com:applinks", "service"),
        Row("applinks=www.example.com", "service"), Row("applinks;www.example.com", "service"),
        Row("[2001:db8::1]:443", "service"),
        Row("applinks.www.example.com", "service", "applinks:applinks.www.example.com"),
        Row("applinks:https://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:http://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:HTTPS://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:https://www.example.com/buy/*", "scheme", "applinks:www.example.com"),
        Row("applinks:https://www.example.com:8443/", "scheme", "applinks:www.example.com"),
        Row("applinks://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:https:www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:shop://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:https://*.example.com", "scheme", "applinks:*.example.com"),
        Row("applinks: https://www.example.com", "scheme", "applinks:www.example.com"),
        Row("applinks:https://www.example.com?mode=developer", "scheme", "applinks:www.example.com?mode=developer"),
        Row("applinks:https://", "scheme"),
        Row("applinks:www.example.com/", "path", "applinks:www.example.com"),
        Row("applinks:www.example.com/buy", "path", "applinks:www.example.com"),
        Row("applinks:www.example.com/*", "path", "applinks:www.example.com"),
        Row("applinks:*.example.com/*", "path", "applinks:*.example.com"),
        Row("applinks:www.example.com#top", "path", "applinks:www.example.com"),
        Row("applinks:www.example.com/buy?mode=developer", "path", "applinks:www.example.com?mode=developer"),
        Row("applinks:www.example.com:443/buy", "path", "applinks:www.example.com"),
        Row("applinks:/buy", "path"),
        Row("applinks:", "domain"), Row("applinks: ", "domain"), Row("applinks:?mode=developer", "domain"),
        Row("applinks:*.", "domain"), Row("applinks:*", "domain"), Row("applinks:.", "domain"),
        Row(" applinks:www.example.com", "domain", "applinks:www.example.com"),
        Row("applinks:www.example.com ", "domain", "applinks:www.example.com"),
        Row("applinks:www.example.com\n", "domain", "applinks:www.example.com"),
        Row("applinks: www.example.com", "domain", "applinks:www.example.com"),
        Row("applinks :www.example.com", "domain", "applinks:www.example.com"),
        Row("applinks:www. example.com", "domain", "applinks:www.example.com"),
        Row("applinks:www.example.com\u{A0}", "domain", "applinks:www.example.com"),
        Row("applinks:192.0.2.1", "domain"), Row("applinks:192.0.2.1:8443", "domain"), Row("applinks:127.1", "domain"),
        Row("applinks:2130706433", "domain"), Row("applinks:0x7f.1", "domain"), Row("applinks:[::1]", "domain"),
        Row("applinks:[2001:db8::1]:8443", "domain"), Row("applinks:2001:db8::1", "domain"),
        Row("applinks:www.*.com", "domain"), Row("applinks:*example.com", "domain"),
        Row("applinks:*.*.example.com", "domain"),
        Row("applinks:www*.example.com", "domain"), Row("applinks:example.*", "domain"),
        Row("appclips:*.example.com", "domain"), Row("applinks:www..example.com", "domain"),
        Row("applinks:.example.com", "domain"), Row("applinks:www.example.com.", "domain", "applinks:www.example.com"),
        Row("applinks:user@example.com", "domain"), Row("applinks:a.example.com,b.example.com", "domain"),
        Row("applinks:www.example.com\\buy", "domain"), Row("applinks:www.example%2Ecom", "domain"),
        Row("applinks:<domain>", "domain"), Row("applinks:{domain}", "domain"),
        Row("applinks:www.example.com:", "domain"),
        Row("applinks:www.example.com:port", "domain"),
        Row("applinks:\(String(repeating: "a", count: 64)).com", "domain"),
        Row("applinks:\(String(repeating: "a.", count: 130))com", "domain"),
        Row("applinks:ex\u{202E}ample.com", "domain"), Row("applinks:ex\u{200B}ample.com", "domain"),
        Row("applinks:ex\u{AD}ample.com", "domain"), Row("applinks:\u{E000}.example", "domain"),
        Row("applinks:www.example.com:443", "port", "applinks:www.example.com"),
        Row("applinks:www.example.com:8443", "port", "applinks:www.example.com"),
        Row("applinks:*.example.com:8443", "port", "applinks:*.example.com"),
        Row("applinks:www.example.com:8443?mode=developer", "port", "applinks:www.example.com?mode=developer"),
        Row("applinks:www.example.com:99999", "port", "applinks:www.example.com"),
        Row("applinks:www.example.com?", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=debug", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=Developer", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=managed+developer", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=developer&a=b", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?nowww=1", "mode", "applinks:www.example.com"),
        Row("applinks:www.example.com?mode=developer#x", "mode", "applinks:www.example.com"),
    ]

    @Test("each mistake has its code, and where it is evident the entry as it should be", arguments: good + malformed)
    func entries(row: Row) throws {
        let text = row.entry.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\n", with: "&#10;")
        let other = "applinks:other.example?mode=managed"
        let project = try AppFolder().read(SampleApp.entitlements([other, text], appID: SampleApp.appID))
        // What is right about development is another code.
        let found = AppChecks(project).findings(now: now).filter {
            $0.diagnostic.code.rawValue != "developer-mode-only"
        }
        // What only a build tells is another one, too.
        guard !row.entry.contains("$(") && !row.entry.contains("${") else {
            #expect(found.map(\.diagnostic.code.rawValue) == ["build-setting-unknown"])
            return
        }
        #expect(found.map(\.diagnostic.code.rawValue) == (row.code.map { ["entitlement-\($0)"] } ?? []))
        guard let diagnostic = found.first?.diagnostic else { return }
        let source = try #require(found.first?.source)
        let isWarning = row.code == "port" || row.code == "mode"
        #expect(diagnostic.severity == (isWarning ? .warning : .error))
        #expect(diagnostic.fixIts.first?.edits.first?.replacement == row.correction)
        #expect(diagnostic.help != nil)
        if !row.entry.isEmpty {
            #expect(
                String(decoding: source.bytes[diagnostic.range.start..<diagnostic.range.end], as: UTF8.self) == text)
        }
        if let correction = row.correction {
            #expect(diagnostic.help == "write '\(correction)'")
            let fixed = try AppFolder().read(SampleApp.entitlements([correction], appID: SampleApp.appID))
            #expect(try AppChecks(fixed).codes().filter { $0.hasPrefix("entitlement-") } == [])
        }
    }

    @Test("there are more than seventy kinds of malformed entries")
    func table() { #expect(Set(Self.malformed.map(\.entry)).count > 70) }

    @Test("a string in place of the list is reported as that, also where a project names the file")
    func notAList() throws {
        let app = try AppFolder()
        let text = """
            <plist><dict>
            <key>com.apple.developer.associated-domains</key><string>applinks:a.com</string>
            </dict></plist>
            """
        try app.folder.write(text, to: "a.entitlements")
        try app.folder.write(
            SampleApp.project([
                .init(
                    "Shop", "Release",
                    [("CODE_SIGN_ENTITLEMENTS", "a.entitlements"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.shop")])
            ]), to: "Shop.xcodeproj/project.pbxproj")
        for path in ["a.entitlements", "Shop.xcodeproj"] {
            let found = AppChecks(try AppProject.read("\(app.path)/\(path)")).findings(now: now)
            #expect(
                found.map(\.description) == [
                    "\(app.path)/a.entitlements:2:58: error: the entitlements have associated domains that are not a list "
                        + "[no-associated-domains]"
                ])
            #expect(
                found.first?.diagnostic.help
                    == "write them as a list: '<array><string>applinks:example.com</string></array>'")
        }
    }

    @Test("what is not a string is not an entry")
    func otherTypes() throws {
        let list = "<key>com.apple.developer.associated-domains</key><array><integer>1</integer><dict/></array>"
        let project = try AppFolder().read("<plist><dict>\(list)</dict></plist>")
        #expect(try AppChecks(project).codes() == ["entitlement-service", "entitlement-service"])
        #expect(AppChecks(project).findings(now: now).first?.diagnostic.message == "an entry is not a string")
    }

    @Test(
        "an entry covers its own host, and a wildcard its parent and all below it",
        arguments: [
            ("applinks:example.com", "example.com", true), ("applinks:example.com", "www.example.com", false),
            ("applinks:EXAMPLE.com", "example.com", true), ("applinks:*.example.com", "example.com", true),
            ("applinks:*.example.com", "a.b.example.com", true), ("applinks:*.example.com", "badexample.com", false),
            ("applinks:example.com?mode=developer", "example.com", true),
            ("applinks:example.com:8443", "example.com", true),
            ("applinks:https://example.com", "example.com", false), ("example.com", "example.com", false),
            ("applinks:bücher.example", "xn--bcher-kva.example", true), ("applinks:$(DOMAIN)", "example.com", nil),
        ] as [(String, String, Bool?)])
    func coverage(entry: String, host: String, expected: Bool?) throws {
        let project = try AppFolder().read(SampleApp.entitlements([entry]))
        let name = try #require(HostName(host))
        #expect(project.domains.first?.entries.first?.covers(name) == expected)
    }

    @Test("the same entry twice is reported at the second, with the first")
    func duplicates() throws {
        let entries = [
            "applinks:example.com", "webcredentials:example.com", "applinks:example.com?mode=managed",
            "applinks:Example.COM",
            "applinks:*.example.com",
        ]
        let project = try AppFolder().read(SampleApp.entitlements(entries, appID: SampleApp.appID))
        let found = AppChecks(project).findings(now: now)
        #expect(found.map(\.diagnostic.message) == ["'applinks:Example.COM' is there twice"])
        let label = try #require(found.first?.diagnostic.labels.first)
        let source = try #require(found.first?.source)
        #expect(String(decoding: source.bytes[label.range.start..<label.range.end], as: UTF8.self) == entries[0])
    }

    @Test(
        "an entry for development alone is reported, and not where another makes up for it",
        arguments: [
            (["applinks:a.com?mode=developer"], 1), (["applinks:a.com?mode=developer", "applinks:a.com"], 0),
            (["applinks:a.com", "applinks:a.com?mode=developer"], 0),
            (["applinks:a.com?mode=developer", "webcredentials:a.com"], 1),
            (["applinks:a.com?mode=developer", "applinks:a.com?mode=managed"], 1),
            (["applinks:b.a.com?mode=developer", "applinks:*.a.com"], 0),
            (["applinks:*.a.com?mode=developer", "applinks:a.com"], 1),
            (["applinks:a.com?mode=developer+managed"], 0),
            (["applinks:a.com?mode=developer", "applinks:https://a.com"], 1),
        ])
    func developerMode(entries: [String], count: Int) throws {
        let project = try AppFolder().read(SampleApp.entitlements(entries))
        #expect(try AppChecks(project).codes().count { $0 == "developer-mode-only" } == count)
    }
}
