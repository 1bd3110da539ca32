import Android
import AppProjects
import AppSamples
import Diagnostics
import JSONSyntax
import Testing
import URLPatterns

/// Why a link does not open an Android app (docs/spec/android.md, section 4).
@Suite("Explanations for Android")
struct AndroidExplanationTests {
    private static func manifest(_ text: String, _ api: Int) throws -> AndroidRouter.Manifest {
        let file = try ManifestFile(Array(text.utf8), path: "AndroidManifest.xml")
        return AndroidRouter.Manifest(AppManifest(file.root, api: api), source: file.source)
    }

    private static func answer(
        _ filters: [String], _ url: String, more: String = "", rules: String? = nil, api: Int = 35, host: String? = nil
    ) throws -> AndroidAppAnswer {
        let extensions = rules.map {
            #", "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#($0)}}"#
        }
        let text = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
              "package_name": "a.b", "sha256_cert_fingerprints": ["\(fingerprint)"]}\(extensions ?? "")}]
            """
        let document = AssetLinksDocument(
            JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
        let manifest = try manifest(SampleApp.manifest(filters, more: more), api)
        let router = AndroidRouter(document, manifests: ["a.b": manifest], api: api) { host == nil || $0 == host }
        return try #require(router.answer(url, explains: true)?.apps.first)
    }

    private static let fingerprint = (1...32).map {
        $0 < 16 ? "0\(String($0, radix: 16, uppercase: true))" : String($0, radix: 16, uppercase: true)
    }
    .joined(separator: ":")

    private static func https(_ data: String, isVerified: Bool = true) -> String {
        SampleApp.filter(#"<data android:scheme="https" android:host="h.com" \#(data) />"#, isVerified: isVerified)
    }

    private static func groups(_ text: String) -> String {
        https("/>\(text)<data")
    }

    private static let path = #"android:pathPrefix="/buy/""#

    static let misses: [(filter: String, url: String, part: String, pattern: String?, value: String?, reason: String)] =
        [
            (https(""), "http://h.com/", "scheme", "https", "http", "scheme: 'http' is not 'https'"),
            (
                SampleApp.filter(#"<data android:host="h.com" />"#), "https://h.com/", "scheme", nil, "https",
                "it has no scheme"
            ),
            (https(""), "https://i.com/", "host", "h.com", "i.com", "host: 'i.com' is not 'h.com'"),
            (
                https(#"/><data android:host="*.k.com""#), "https://i.com/", "host", "h.com or *.k.com", "i.com",
                "host: 'i.com' is not 'h.com' or '*.k.com'"
            ),
            (https(#"android:port="8443""#), "https://h.com/", "port", "8443", nil, "port: none is not '8443'"),
            (https(#"android:port="8443""#), "https://h.com:1/", "port", "8443", "1", "port: '1' is not '8443'"),
            (
                https(path), "https://h.com/s%C3%BCll", "path", #"pathPrefix="/buy/""#, "/süll",
                #"path: '/süll' does not match pathPrefix="/buy/""#
            ),
            (
                https(
                    #"android:path="/1" /><data android:path="/2" /><data android:path="/3" /><data android:path="/4""#),
                "https://h.com/", "path", #"path="/1" or path="/2" or path="/3" or 1 more"#, "/",
                #"path: '/' does not match path="/1" or path="/2" or path="/3" or 1 more"#
            ),
            (
                groups(#"<uri-relative-filter-group><data android:query="a=1" /></uri-relative-filter-group>"#),
                "https://h.com/?b=1&c", "query", #"query="a=1""#, "b=1&c", #"query: 'b=1&c' does not match query="a=1""#
            ),
            (
                groups(#"<uri-relative-filter-group><data android:fragment="f" /></uri-relative-filter-group>"#),
                "https://h.com/", "fragment", #"fragment="f""#, nil, #"fragment: the URL has none for fragment="f""#
            ),
            (
                groups(
                    #"<uri-relative-filter-group android:allow="false"><data android:path="/x" android:query="a" /></uri-relative-filter-group>"#
                        + #"<uri-relative-filter-group><data android:pathPrefix="/" /></uri-relative-filter-group>"#),
                "https://h.com/x?a", "group", #"path="/x" query="a""#, nil, #"a group blocks it: path="/x" query="a""#
            ),
            (
                groups(
                    #"<uri-relative-filter-group android:allow="false"><data android:path="/x" /></uri-relative-filter-group>"#
                ),
                "https://h.com/y", "group", nil, nil, "none of its groups lets links through"
            ),
            (
                https(#"/><data android:ssp="//i.com/""#), "https://k.com/", "host", "h.com", "k.com",
                "host: 'k.com' is not 'h.com'"
            ),
            (
                SampleApp.filter(#"<data android:scheme="https" android:ssp="//i.com/" />"#), "https://h.com/", "ssp",
                #"ssp="//i.com/""#, "//h.com/", #"ssp: '//h.com/' does not match ssp="//i.com/""#
            ),
            (
                https(#"/><data android:mimeType="text/plain""#), "https://h.com/", "mime-type", nil, nil,
                "it is for a MIME type, which no link has"
            ),
            (
                https("").replacing("action.VIEW", with: "action.SEND"), "https://h.com/", "action", "VIEW", nil,
                "it does not have the action VIEW"
            ),
            (
                https("").replacing("category.BROWSABLE", with: "category.BROWSEABLE"), "https://h.com/", "category",
                "BROWSABLE", nil, "it does not have the category BROWSABLE"
            ),
            (
                https("").replacing("category.DEFAULT", with: "category.OTHER"), "https://h.com/", "category",
                "DEFAULT",
                nil, "it does not have the category DEFAULT"
            ),
            (
                https("", isVerified: false), "https://h.com/", "verification", nil, "h.com",
                "it takes it, but h.com is not verified"
            ),
        ]

    @Test("each filter says which part of a link it does not take", arguments: misses)
    func filters(
        miss: (filter: String, url: String, part: String, pattern: String?, value: String?, reason: String)
    ) throws {
        let app = try Self.answer([miss.filter], miss.url)
        #expect(app.outcome == .noMatch && app.filters.count == 1)
        let found = try #require(app.filters.first)
        #expect(found.evaluation.part?.rawValue == miss.part && found.evaluation.decision == .no)
        #expect(found.evaluation.pattern == miss.pattern && found.evaluation.value == miss.value)
        #expect(found.evaluation.reason == miss.reason)
        #expect(found.filter.activity == ".MainActivity" && found.filter.line > 1)
        #expect((found.groupLine != nil) == (miss.part == "group" && miss.pattern != nil))
    }

    @Test(
        "what gets no links, and what only a build tells, says so",
        arguments: [
            (#"<activity android:exported="false">"#, "exported", "its activity is not exported"),
            (#"<activity android:enabled="false">"#, "enabled", "its activity, or the app, is disabled"),
            (#"<activity android:enabled="@bool/x">"#, "enabled", "'@bool/x' is known only in a build"),
        ])
    func activities(start: String, part: String, reason: String) throws {
        let app = try Self.answer([], "https://h.com/", more: "\(start)\(Self.https(""))</activity>")
        #expect(app.filters.map(\.evaluation.part?.rawValue) == [part])
        #expect(app.filters.map(\.evaluation.reason) == [reason])
        #expect(app.outcome == (reason.contains("build") ? .unknown : .noMatch))
    }

    static let failures: [(filters: [String], api: Int, remark: String)] = [
        ([https("", isVerified: false)], 35, "no intent filter asks for the verification of h.com"),
        ([https("")], 22, "before API 23 Android verifies no host"),
        (
            [https(#"/><data android:scheme="shop""#)], 35,
            "the intent filter that asks for the verification of h.com has the scheme 'shop', too"
        ),
        (
            [
                https("", isVerified: false),
                SampleApp.filter(#"<data android:scheme="https" android:host="*h.com" />"#),
            ], 35,
            "'*h.com' is not a host that can be verified"
        ),
        (
            [https(""), SampleApp.filter(#"<data android:scheme="https" android:host="*" />"#, isVerified: false)], 30,
            "'*' is not a host that can be verified, and before API 31 all hosts of an app have to be"
        ),
        (
            [https("", isVerified: false), https("").replacing("category.DEFAULT", with: "category.OTHER")], 35,
            "the intent filter that asks for the verification of h.com does not have VIEW, BROWSABLE and DEFAULT"
        ),
    ]

    @Test("a host that is not verified has its reason", arguments: failures)
    func verification(filters: [String], api: Int, remark: String) throws {
        let app = try Self.answer(filters, "https://h.com/", api: api)
        #expect(app.outcome == .noMatch && app.refusal == .notVerified(host: "h.com"))
        #expect(app.remark == remark)
    }

    static let nearMisses: [(data: String, url: String, misses: [String])] = [
        ("", "http://h.com/x", ["scheme https://h.com/x"]),
        (path, "https://h.com/BUY/7", ["letter-case https://h.com/buy/7"]),
        (#"android:pathPattern="/Buy/.*/x""#, "https://h.com/buy/7/x", ["letter-case https://h.com/Buy/7/x"]),
        ("", "https://www.h.com/x", ["www https://h.com/x"]),
        (#"android:path="/x""#, "https://h.com/x/", ["trailing-slash https://h.com/x"]),
        (#"android:path="/x""#, "https://h.com/x/y", ["trailing-segment https://h.com/x"]),
        (#"android:path="/ä""#, "https://h.com/%25C3%25A4", ["percent-encoding https://h.com/%C3%A4"]),
        (path, "https://h.com/other", []),
        (path, "https://k.com/buy/7", []),
    ]

    @Test(
        "the links that would open are those that differ in one thing, as the matcher decides them",
        arguments: nearMisses)
    func nearMissesOfLinks(data: String, url: String, misses: [String]) throws {
        let app = try Self.answer([Self.https(data)], url)
        let found = try #require(app.nearMisses)
        #expect(found.map { "\($0.change.rawValue) \($0.url)" } == misses)
        for miss in found {
            let answer = try Self.answer([Self.https(data)], miss.url)
            #expect(answer.outcome == .open && answer.nearMisses == nil)
            #expect(miss.message.contains("AndroidManifest.xml:\(miss.line) opens \(miss.url)"))
        }
    }

    @Test(
        "a blocked query, a fragment and a dynamic rule have near misses, too, and the manifest does not hide the rules"
    )
    func nearMissesOfRules() throws {
        let blocking =
            #"<uri-relative-filter-group android:allow="false"><data android:query="a" /></uri-relative-filter-group>"#
            + #"<uri-relative-filter-group><data android:pathPrefix="/" /></uri-relative-filter-group>"#
        let blocked = try Self.answer([Self.groups(blocking)], "https://h.com/x?a")
        #expect(blocked.nearMisses?.map(\.change) == [.withoutQuery])
        let rules = #"[{"/": "/buy/*"}]"#
        let dynamic = try Self.answer([Self.https("")], "https://h.com/Buy/7", rules: rules)
        #expect(
            dynamic.nearMisses?.map(\.url) == ["https://h.com/buy/7"]
                && dynamic.nearMisses?.first?.path == "assetlinks.json")
        #expect(dynamic.filters.isEmpty && dynamic.trace.count == 1)
        let both = try Self.answer([Self.https(Self.path)], "https://h.com/other", rules: rules)
        #expect(both.filters.count == 1 && both.trace.map(\.isMatch) == [false] && both.basis == .manifest)
        let other = try Self.answer([Self.https("")], "https://www.h.com/", host: "h.com")
        #expect(other.refusal == .otherHost && other.nearMisses?.map(\.url) == ["https://h.com/"])
    }

    @Test("JSON has the filters before the rules, and an answer that opens has none of them")
    func json() throws {
        let rules = #"[{"/": "/buy/*"}]"#
        let missed = try Self.answer([Self.https(Self.path)], "https://h.com/x", rules: rules)
        #expect(missed.trace.count == 1 && missed.filters.count == 1)
        let opened = try Self.answer([Self.https(Self.path)], "https://h.com/buy/7", rules: rules)
        #expect(opened.filters.isEmpty && opened.nearMisses == nil && opened.trace.map(\.isMatch) == [true])
    }
}
