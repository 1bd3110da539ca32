import Android
import AppProjects
import AppSamples
import Diagnostics
import Testing

@Suite("Findings in manifests")
struct ManifestFindingTests {
    private static func findings(_ text: String, minimumAPI: Int? = nil) throws -> [Diagnostic] {
        ManifestChecker.findings(in: try ManifestSample.root(text), minimumAPI: minimumAPI)
    }

    private static func codes(_ text: String, minimumAPI: Int? = nil) throws -> [String] {
        try findings(text, minimumAPI: minimumAPI).map(\.code.rawValue)
    }

    @Test(
        "a bad example yields its code at the marked range, and a good one nothing",
        arguments: ManifestRules.all.map(\.code.rawValue))
    func examples(code: String) throws {
        let rule = try #require(ManifestRules.all.first { $0.code.rawValue == code })
        let marked = MarkedText(rule.bad)
        let found = try Self.findings(String(decoding: marked.bytes, as: UTF8.self))
        #expect(found.map(\.code.rawValue) == [code], "\(found.map(\.message))")
        let finding = try #require(found.first)
        #expect(finding.range == marked.range && finding.severity == rule.severity)
        #expect(finding.fixIts.first?.applicability == rule.fix)
        for text in [finding.message, rule.summary, finding.help ?? ""] + finding.notes {
            #expect(text.first?.isUppercase != true || text.hasPrefix("Android"), "\(text)")
            #expect(!text.hasSuffix("."), "\(text)")
        }
        #expect(finding.help != nil && rule.reason.hasSuffix("."))
        #expect(try Self.codes(rule.good) == [])
    }

    /// Data of a filter for `https`, and the codes that are found.
    static let data: [(data: String, codes: [String])] = [
        (#"<data android:host="h.com" />"#, []),
        (#"<data android:host="h.com" android:pathPrefix="" />"#, []),
        (#"<data android:host="h.com" android:path="" />"#, ["manifest-path-without-slash"]),
        (#"<data android:host="h.com" android:pathPattern=".*x" />"#, ["manifest-star-stops-early"]),
        (#"<data android:host="h.com" android:pathPattern="\\/x" />"#, []),
        (#"<data android:host="h.com" android:pathPattern="x.*" />"#, ["manifest-path-without-slash"]),
        (#"<data android:host="h.com" android:pathAdvancedPattern="[/]x" />"#, []),
        (#"<data android:host="h.com" android:pathAdvancedPattern="x+" />"#, ["manifest-path-without-slash"]),
        (#"<data android:host="h.com" android:pathSuffix=".html" />"#, []),
        (#"<data android:host="h.com" android:path="/50%" />"#, []),
        (#"<data android:host="h.com" android:pathSuffix="%2f" />"#, ["manifest-encoded-path"]),
        (#"<data android:host="*.h.com" />"#, []), (#"<data android:host="*" />"#, ["manifest-whole-web"]),
        (#"<data android:host="[::1]" />"#, ["manifest-host-form"]),
        (#"<data android:host="h.*.com" />"#, ["manifest-host-form"]),
        (#"<data android:host="*h.com" />"#, ["manifest-host-form"]),
        (#"<data android:host="h.com/x" />"#, ["manifest-host-form"]),
        (#"<data android:host="h.com:8443" />"#, ["manifest-host-form"]),
        (#"<data android:host=" h.com" />"#, ["manifest-host-form"]),
        (#"<data android:host="" />"#, ["manifest-host-form"]),
        (#"<data android:path="/x" />"#, ["manifest-attribute-ignored"]),
        (#"<data android:port="1" /><data android:host="h.com" />"#, ["manifest-attribute-ignored"]),
        (#"<data android:host="h.com" android:fragmentPrefix="x" />"#, ["manifest-attribute-ignored"]),
        (#"<data android:host="${host}" />"#, ["manifest-unresolved-value"]),
        (#"<data android:host="h.com" android:port="${p}" />"#, ["manifest-unresolved-value"]),
        // Hosts and paths that are written apart are meant to combine.
        (
            #"<data android:host="h.com" /><data android:host="i.com" /><data android:path="/a" /><data android:path="/b" />"#,
            []
        ),
        (#"<data android:host="h.com" android:path="/a" /><data android:host="h.com" android:path="/b" />"#, []),
        (#"<data android:host="h.com" android:path="/a" /><data android:host="i.com" android:path="/a" />"#, []),
        (
            #"<data android:host="h.com" android:path="/a" /><data android:host="i.com" android:path="/b" />"#,
            ["manifest-mixed-data"]
        ),
        // Another finding says all about a filter for content.
        (#"<data android:host="h.com:1" android:mimeType="text/plain" />"#, ["manifest-no-links"]),
        (
            #"<data android:host="h.com" /><uri-relative-filter-group><data android:query="a=%20" android:path="x" /></uri-relative-filter-group>"#,
            ["manifest-encoded-path", "manifest-path-without-slash"]
        ),
    ]

    @Test("data of a filter are checked value by value", arguments: data)
    func pooled(data: String, codes: [String]) throws {
        let text = SampleApp.manifest([SampleApp.filter(#"<data android:scheme="https" />\#(data)"#)])
        #expect(try Self.codes(text).sorted() == codes)
    }

    @Test("a host without a scheme is ignored, and a filter for another scheme is left alone")
    func schemes() throws {
        #expect(
            try Self.codes(SampleApp.manifest([SampleApp.filter(#"<data android:host="h.com" />"#)]))
                == ["manifest-attribute-ignored"])
        let custom = SampleApp.filter(
            #"<data android:scheme="shop" android:host="open" android:path="x%20" />"#, isVerified: false)
        #expect(try Self.codes(SampleApp.manifest([custom])) == [])
    }

    @Test("a filter that lacks both categories is reported once")
    func categories() throws {
        let text = SampleApp.manifest([
            SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />"#, categories: [])
        ])
        let found = try Self.findings(text)
        #expect(found.map(\.code.rawValue) == ["manifest-category-missing"])
        #expect(found.first?.message.contains("categories DEFAULT and BROWSABLE") == true)
    }

    @Test("a host is verified if one of its filters asks for it")
    func verification() throws {
        func filter(_ host: String, _ isVerified: Bool) -> String {
            SampleApp.filter(#"<data android:scheme="https" android:host="\#(host)" />"#, isVerified: isVerified)
        }
        let pairs: [([String], Int)] = [
            ([filter("h.com", false)], 1), ([filter("h.com", false), filter("h.com", true)], 0),
            ([filter("h.com", false), filter("*.com", true)], 0),
            ([filter("h.com", false), filter("i.com", false)], 2),
            ([filter("h.com", false), filter("h.com", false)], 1), ([filter("*.h.com", false)], 1),
        ]
        for (filters, count) in pairs {
            let codes = try Self.codes(SampleApp.manifest(filters))
            #expect(codes == Array(repeating: "manifest-auto-verify", count: count), "\(filters)")
        }
    }

    @Test("what the oldest device does not know is reported if that device is named")
    func minimumAPI() throws {
        let suffix = ManifestSample.filter(#"android:pathSuffix=".pdf""#)
        #expect(try Self.codes(suffix) == [])
        #expect(try Self.codes(suffix, minimumAPI: 31) == [])
        let found = try Self.findings(suffix, minimumAPI: 24)
        #expect(found.map(\.code.rawValue) == ["manifest-attribute-ignored"])
        #expect(found.first?.notes == ["without it the filter takes every path"])
        let both = try Self.findings(
            ManifestSample.filter(#"android:pathSuffix=".pdf" android:path="/""#), minimumAPI: 24)
        #expect(both.first?.notes == ["without it the filter takes fewer paths"])
        let group = ManifestSample.filter(
            #"/><uri-relative-filter-group><data android:path="/x" /></uri-relative-filter-group><data"#)
        #expect(try Self.codes(group, minimumAPI: 34) == ["manifest-attribute-ignored"])
        #expect(try Self.codes(group, minimumAPI: 35) == [])
    }

    @Test("of very many findings the first are listed, and the last of them says how many more there are")
    func many() throws {
        let data = String(repeating: #"<data android:path="x" />"#, count: 1_500)
        let text = SampleApp.manifest([
            SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />\#(data)"#)
        ])
        let found = try Self.findings(text)
        #expect(found.count == 1_000)
        #expect(found.last?.notes == ["500 more findings like this are not listed"])
    }

    @Test("a compiled manifest and other files are refused, with what to do")
    func files() throws {
        let compiled = #expect(throws: AppProjectError.self) {
            try ManifestFile([0x03, 0x00, 0x08, 0x00, 0x10], path: "AndroidManifest.xml")
        }
        #expect(compiled?.message == "the manifest is compiled" && compiled?.help?.contains("merged") == true)
        for text in ["{}", "<resources />", "<manifest>", ""] {
            let error = #expect(throws: AppProjectError.self) {
                try ManifestFile(Array(text.utf8), path: "AndroidManifest.xml")
            }
            #expect(error?.code == .unusable)
        }
    }
}
