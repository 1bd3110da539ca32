import Android
import AppProjects
import AppSamples
import Diagnostics
import Testing

/// Conditions on the path, the query and the fragment that do not mean what is written.
@Suite("Findings about paths in manifests")
struct PathFindingTests {
    private static func findings(_ data: String) throws -> [Diagnostic] {
        ManifestChecker.findings(in: try ManifestSample.root(ManifestSample.filter(data)))
    }

    /// In a group, where there are conditions on all parts.
    private static func inGroup(_ data: String) throws -> [Diagnostic] {
        try findings(#"/><uri-relative-filter-group><data \#(data) /></uri-relative-filter-group><data"#)
    }

    /// Attributes, the code without `manifest-`, the severity, and what to do.
    static let mistakes: [(data: String, code: String, severity: Severity, help: String)] = [
        (#"android:pathPattern="/buy/*""#, "star-after-literal", .error, "write '/buy/.*'"),
        (#"android:pathPattern="/buy*""#, "star-after-literal", .error, "write '/buy.*'"),
        (#"android:pathPattern="/*""#, "star-after-literal", .error, "write '/.*'"),
        (
            #"android:pathPattern="*/buy""#, "star-after-literal", .error,
            #"write android:pathSuffix="/buy" instead, which Android 12 and later read"#
        ),
        (#"android:pathPattern="/buy/**""#, "star-after-literal", .error, "write '/buy/.*'"),
        (#"android:pathPattern="/.*.*""#, "star-after-literal", .error, "write '/.*'"),
        (#"android:pathPattern="/a/*/b/*""#, "star-after-literal", .error, "write '/a/.*/b/.*'"),
        (#"android:pathAdvancedPattern="/buy/*""#, "star-after-literal", .warning, "write '/buy/.*'"),
        (#"android:pathPrefix="/buy/*""#, "pattern-in-text", .error, "write '/buy/'"),
        (#"android:pathPrefix="/buy/.*""#, "pattern-in-text", .error, "write '/buy/'"),
        (#"android:pathPrefix="/*""#, "pattern-in-text", .error, "write '/'"),
        (#"android:pathSuffix="*.html""#, "pattern-in-text", .error, "write '.html'"),
        (#"android:path="/buy/*""#, "pattern-in-text", .error, #"write android:pathPrefix="/buy/" instead"#),
        (
            #"android:path="/a/*/b.html""#, "pattern-in-text", .error,
            #"write android:pathPattern="/a/.*/b\\.html" instead"#
        ),
        (
            #"android:pathPrefix="/*/buy""#, "pattern-in-text", .error,
            #"write android:pathPattern="/.*/buy.*" instead"#
        ),
        (
            #"android:pathPrefix="/item/[0-9]+""#, "pattern-in-text", .error,
            #"write android:pathAdvancedPattern="/item/[0-9]+" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathPattern="/orders/[0-9]+""#, "regex-in-pattern", .error,
            #"write android:pathAdvancedPattern="/orders/[0-9]+" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathPattern="^/orders/.*$""#, "regex-in-pattern", .error,
            #"write android:pathAdvancedPattern="/orders/.*" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathPattern="/(de|fr)/.*""#, "regex-in-pattern", .warning, "write a <data> for each of the paths"
        ),
        (
            #"android:pathAdvancedPattern="/(?!admin/).*""#, "regex-in-pattern", .warning,
            "write a <data> for each of the paths"
        ),
        (
            #"android:pathAdvancedPattern="/orders/\\d+""#, "regex-in-pattern", .warning,
            #"write android:pathAdvancedPattern="/orders/[0-9]+" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathAdvancedPattern="/orders/?""#, "regex-in-pattern", .error,
            "write a <data> for each of the paths"
        ),
        (#"android:pathPattern="/user/:id""#, "router-placeholder", .warning, "write '/user/.*'"),
        (#"android:pathPattern="/user/{id}/a""#, "router-placeholder", .warning, "write '/user/.*/a'"),
        (#"android:pathPattern="/user/[id]""#, "router-placeholder", .warning, "write '/user/.*'"),
        (#"android:pathPrefix="/user/{id}""#, "router-placeholder", .warning, "write '/user/'"),
        (
            #"android:path="/user/&lt;id&gt;/a.b""#, "router-placeholder", .warning,
            #"write android:pathPattern="/user/.*/a\\.b" instead"#
        ),
        (#"android:pathAdvancedPattern="/user/{id}""#, "router-placeholder", .warning, "write '/user/[^/]+'"),
        (#"android:path="https://h.com/buy?x=1""#, "url-in-path", .error, "write '/buy'"),
        (#"android:pathPrefix="www.h.com""#, "url-in-path", .error, "write the path alone, as in '/buy/'"),
        (
            #"android:pathPattern="/login?data=.*""#, "url-in-path", .error,
            "write '/login', in a <uri-relative-filter-group> with 'android:query', which Android 15 and later read"
        ),
        (
            #"android:pathPattern="/login\\?data=.*""#, "url-in-path", .error,
            "write '/login', in a <uri-relative-filter-group> with 'android:query', which Android 15 and later read"
        ),
        (
            #"android:path="/reset?token""#, "url-in-path", .error,
            "write '/reset', in a <uri-relative-filter-group> with 'android:query', which Android 15 and later read"
        ),
        (
            #"android:pathPattern="/#/.*""#, "url-in-path", .error,
            "write '/', in a <uri-relative-filter-group> with 'android:fragment', which Android 15 and later read"
        ),
        (#"android:pathPrefix="/shop.com/buy""#, "url-in-path", .warning, "write '/buy'"),
        (#"android:pathPrefix=" /buy""#, "unusual-path", .warning, "write '/buy'"),
        (#"android:path="/buy ""#, "unusual-path", .warning, "write '/buy'"),
        (#"android:pathPrefix="//buy""#, "unusual-path", .warning, "write '/buy'"),
        (#"android:pathPattern="/a///b/.*""#, "unusual-path", .warning, "write '/a/b/.*'"),
        (#"android:path="/a/../b""#, "unusual-path", .warning, "write the path without it"),
        (
            #"android:pathAdvancedPattern="/[0-9""#, "malformed-pattern", .error,
            #"write '\\' before a character that stands for itself"#
        ),
        (
            #"android:pathAdvancedPattern="/a{}""#, "malformed-pattern", .error,
            #"write '\\' before a character that stands for itself"#
        ),
        (
            #"android:pathAdvancedPattern="/a*+""#, "malformed-pattern", .error,
            #"write '\\' before a character that stands for itself"#
        ),
        (
            #"android:pathAdvancedPattern="/.*/edit""#, "matches-nothing", .error,
            "write a repetition that stops, as '[^/]*' does at the end of a segment"
        ),
        (
            #"android:pathAdvancedPattern="/[a-z]+a""#, "matches-nothing", .error,
            "write a repetition that stops, as '[^/]*' does at the end of a segment"
        ),
        (#"android:pathAdvancedPattern="[A-Z]x""#, "matches-nothing", .error, "write '/' at its beginning"),
        (
            #"android:pathPattern=".*\.html""#, "star-stops-early", .warning,
            #"write android:pathSuffix=".html" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathPattern=".*\\.html""#, "star-stops-early", .warning,
            #"write android:pathSuffix=".html" instead, which Android 12 and later read"#
        ),
        (
            #"android:pathPattern=".*/terms/.*""#, "star-stops-early", .warning,
            "write a pattern for each form of the path"
        ),
        (
            #"android:pathAdvancedPattern="/[a-z]{1,3}a""#, "star-stops-early", .warning,
            "write a pattern for each form of the path"
        ),
    ]

    @Test("a value that does not mean what is written has one finding at its place", arguments: mistakes)
    func wrong(data: String, code: String, severity: Severity, help: String) throws {
        let found = try Self.findings(data)
        try #require(found.map(\.code.rawValue) == ["manifest-\(code)"], "\(found.map(\.message))")
        let finding = found[0]
        #expect(finding.severity == severity, "\(finding.message)")
        #expect(finding.help == help)
        let text = Array(ManifestSample.filter(data).utf8)
        let value = String(decoding: text[finding.range.start..<finding.range.end], as: UTF8.self)
        #expect(data.contains("\"\(value)\""))
        // A fix leaves a manifest with nothing to find.
        for edit in finding.fixIts.flatMap(\.edits) {
            let fixed =
                text[..<edit.range.start] + Array(edit.replacement.utf8) + text[edit.range.end...]
            let left = ManifestChecker.findings(
                in: try ManifestSample.root(String(decoding: fixed, as: UTF8.self)))
            #expect(left.allSatisfy { $0.code.rawValue == "manifest-path-without-slash" }, "\(left.map(\.message))")
        }
    }

    @Test(
        "a value that means what is written has none",
        arguments: [
            #"android:path="/buy""#, #"android:path="/a.b/c""#, #"android:path="/on sale""#, #"android:path="/(a)""#,
            #"android:path="/caf&#233;/""#, #"android:path="/a:b""#, #"android:path="/50%/[a""#,
            #"android:pathPrefix="/""#, #"android:pathPrefix="/buy/""#, #"android:pathPrefix="/com.shop.app/x""#,
            #"android:pathPrefix="/.well-known/""#, #"android:pathPrefix="/~user""#, #"android:pathPrefix="""#,
            #"android:pathSuffix=".html""#, #"android:pathSuffix="/edit""#, #"android:pathSuffix="-x""#,
            #"android:pathPattern="/buy/.*""#, #"android:pathPattern=".*""#, #"android:pathPattern="/.*/items""#,
            #"android:pathPattern="/.*/items/.*""#, #"android:pathPattern="/a..""#, #"android:pathPattern="/buy""#,
            #"android:pathPattern="/a\\*b""#, #"android:pathPattern="/.*-sale.*""#.replacing("-", with: "/"),
            #"android:pathPattern="/v./.*""#,
            #"android:pathPattern="/a\\[0-9\\]""#, #"android:pathPattern="/item/.*/.*/x""#,
            #"android:pathAdvancedPattern="/[a-z]+/[0-9]{1,8}""#, #"android:pathAdvancedPattern="/[^/]+/edit""#,
            #"android:pathAdvancedPattern="/0*[1-9][0-9]*""#, #"android:pathAdvancedPattern="/.+""#,
            #"android:pathAdvancedPattern="/path/[1-9][0-9]{0,14}/today""#, #"android:pathPattern="/b.*""#,
            #"android:pathAdvancedPattern="/x/.*""#, #"android:pathAdvancedPattern="/[a-z]*-[0-9]*""#,
            #"android:pathAdvancedPattern="/a\\?b""#.replacing("?", with: "+"), #"android:pathAdvancedPattern="/[*?]""#,
            #"android:pathAdvancedPattern="/[id]+""#, #"android:pathAdvancedPattern="/[à-ü]+""#,
            #"android:path="/${id}""#.replacing("${id}", with: "id"),
        ])
    func right(data: String) throws {
        let found = try Self.findings(data)
        #expect(found.isEmpty, "\(data): \(found.map(\.message))")
    }

    @Test(
        "conditions of a group are checked, too",
        arguments: [
            (#"android:query="?preview=1""#, "url-in-path"), (##"android:fragmentPrefix="#/item""##, "url-in-path"),
            (#"android:query="a=1&amp;b=2""#, "matches-nothing"), (#"android:queryPrefix="a=*""#, "pattern-in-text"),
            (#"android:queryPattern="a=1*""#, "star-after-literal"),
            (#"android:query="id={id}""#, "router-placeholder"),
            (#"android:queryAdvancedPattern="[""#, "malformed-pattern"),
            (#"android:queryPattern=".*1x""#, "star-stops-early"), (#"android:path="/a?b=1""#, "url-in-path"),
            (#"android:fragment=" x""#, "unusual-path"),
            (#"android:query="a=1""#, nil), (#"android:queryPrefix="q=""#, nil), (#"android:query="q=why?""#, nil),
            (#"android:fragmentPrefix="/item?id=""#, nil), (#"android:fragmentPattern="/item/.*""#, nil),
            (#"android:queryAdvancedPattern="id=[0-9]+""#, nil), (#"android:query="u=https://h.com//x""#, nil),
            (#"android:fragment="""#, nil), (#"android:queryPattern=".*=1""#, nil),
        ] as [(String, String?)])
    func groups(data: String, code: String?) throws {
        let found = try Self.inGroup(data)
        #expect(
            found.map(\.code.rawValue) == [code.map { "manifest-\($0)" }].compactMap { $0 }, "\(found.map(\.message))")
    }

    @Test(
        "a text that is said to be lost is one that the pattern does not match",
        arguments: [
            (#".*\\.html"#, "/a.a.html", "'.*' ends at the first '.', and does not try a later one"),
            (#".*/terms/.*"#, "/a/terms/", "'.*' ends at the first '/', and does not try a later one"),
            (#"/buy/*"#, "/buy/a", "'.*' is any text"),
        ])
    func lost(pattern: String, text: String, note: String) throws {
        let data = #"android:pathPattern="\#(pattern)""#
        let finding = try #require(try Self.findings(data).first)
        #expect(finding.message.contains("'\(text)'"), "\(finding.message)")
        #expect(finding.notes == [note])
        let manifest = ManifestSample.filter(data)
        #expect(try ManifestSample.decision(manifest, "https://h.com\(text)") == .no)
    }

    @Test("a manifest whose patterns take long is checked in bounded time, without the texts")
    func bounded() throws {
        let pattern = (0..<20).map { "[a-z]{0,9}\($0)[a-y]{0,9}" }.joined()
        let data = String(repeating: #"/><data android:pathAdvancedPattern="/\#(pattern)""#, count: 200)
        #expect(try Self.findings(data).count < 200)
    }
}
