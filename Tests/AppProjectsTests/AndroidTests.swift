import Android
import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import Testing
import URLPatterns

@Suite("Android manifests")
struct AndroidTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private static let browsable = #"<data android:scheme="https" android:host="www.example.com" />"#

    private func checks(_ filters: String..., more: String = "") throws -> AppChecks {
        AppChecks(try app.read(SampleApp.manifest(filters, more: more), as: "AndroidManifest.xml"))
    }

    @Test("filters for web links are found, and others are not")
    func filters() throws {
        let project = try app.read(
            SampleApp.manifest(
                [
                    SampleApp.filter(Self.browsable), SampleApp.filter(#"<data android:scheme="shop" />"#),
                    SampleApp.filter(Self.browsable, categories: ["DEFAULT"]),
                ],
                more: "<activity-alias>\(SampleApp.filter(Self.browsable, isVerified: false))</activity-alias>"
                    + "<receiver>\(SampleApp.filter(Self.browsable))</receiver>"))
        #expect(project.kind == .manifest && project.packages == ["com.shop.app"] && project.appIDs.isEmpty)
        #expect(project.filters.map(\.isVerified) == [true, false])
        #expect(project.isForAndroid && !project.isForApple)
        let other =
            #"<manifest xmlns:a="http://schemas.android.com/apk/res/android" package="${id}"><application><activity>"#
            + SampleApp.filter(Self.browsable).replacing("android:", with: "a:")
            + "</activity></application></manifest>"
        #expect(try app.read(other).filters.count == 1)
        #expect(try app.read(other).packages.isEmpty)
    }

    @Test("a domain has to be named by a filter")
    func hosts() throws {
        let checks = try checks(SampleApp.filter(Self.browsable))
        #expect(try checks.codes("www.example.com") == [])
        #expect(try checks.codes("example.com") == ["manifest-host-missing"])
        #expect(try checks.codes("example.com", isTarget: false) == [])
        let wildcard = try self.checks(
            SampleApp.filter(#"<data android:scheme="https" android:host="*.example.com" />"#))
        #expect(try wildcard.codes("a.b.example.com") == [])
        #expect(try wildcard.codes("example.com") == ["manifest-host-missing"])
        let resource = try self.checks(
            SampleApp.filter(#"<data android:scheme="https" android:host="@string/host" />"#))
        #expect(try resource.codes("example.com") == [])
        #expect(checks.hosts.map(\.ascii) == ["www.example.com"])
        #expect(wildcard.hosts.map(\.ascii) == ["example.com"])
        #expect(try wildcard.codes("example.com", isTarget: false) == [])
        let unverified = SampleApp.filter(
            #"<data android:scheme="https" android:host="*.example.com" />"#, isVerified: false)
        for host in ["example.com", "www.example.com"] {
            #expect(try self.checks(unverified).codes(host, isTarget: false) == ["manifest-auto-verify"])
        }
        #expect(try self.checks().codes("example.com") == ["manifest-host-missing"])
    }

    @Test("a host whose filters do not ask for verification is reported at the first of them")
    func verification() throws {
        let one = SampleApp.filter(Self.browsable, isVerified: false)
        #expect(try checks(one).codes("www.example.com") == ["manifest-auto-verify"])
        #expect(try checks(one, SampleApp.filter(Self.browsable)).codes("www.example.com") == [])
        let name = try #require(HostName("www.example.com"))
        let found = try checks(one, one).findings(for: name, isTarget: true)
        #expect(found.count == 1 && found.first?.diagnostic.labels.count == 1)
        let diagnostic = try #require(found.first?.diagnostic)
        let source = try #require(found.first?.source)
        #expect(source.bytes[diagnostic.range.start..<diagnostic.range.end].elementsEqual("<intent-filter>".utf8))
    }

    @Test("a filter with another scheme is not verified, and another one for the host makes up for it")
    func otherSchemes() throws {
        let mixed = SampleApp.filter(#"\#(Self.browsable)<data android:scheme="shop" />"#)
        #expect(try checks(mixed, SampleApp.filter(Self.browsable)).codes("www.example.com") == ["manifest-mixed-data"])
        let name = try #require(HostName("www.example.com"))
        let found = try #require(try checks(mixed).findings(for: name, isTarget: true).first?.diagnostic)
        #expect(found.code.rawValue == "manifest-auto-verify" && found.message.contains("has the scheme 'shop', too"))
        let resource = SampleApp.filter(Self.browsable).replacing("\"true\"", with: "\"@bool/verify\"")
        #expect(try checks(resource).codes("www.example.com") == [])
    }

    @Test("a filter without the category DEFAULT gets no links, and is reported, whoever named the domain")
    func defaultCategory() throws {
        let filter = SampleApp.filter(Self.browsable, categories: ["BROWSABLE"])
        for isTarget in [true, false] {
            let codes = try checks(filter).codes("www.example.com", isTarget: isTarget)
            #expect(codes == ["manifest-category-missing", "manifest-host-missing"])
        }
        let checks = try checks(filter)
        let name = try #require(HostName("www.example.com"))
        let found = try #require(checks.findings(for: name, isTarget: true).first)
        #expect(found.diagnostic.message.contains("does not have the category DEFAULT") && found.source != nil)
        #expect(checks.findings(for: try #require(AndroidLink("https://www.example.com/"))).isEmpty)
        let both = try self.checks(filter, SampleApp.filter(Self.browsable))
        #expect(try both.codes("www.example.com") == ["manifest-category-missing"])
    }

    static let unread: [(name: String, filter: String, code: String)] = [
        ("a scheme in capitals", SampleApp.filter(browsable.replacing("https", with: "HTTPS")), "manifest-scheme-form"),
        ("no VIEW", SampleApp.filter(browsable).replacing("VIEW", with: "VEIW"), "manifest-no-links"),
        (
            "a wildcard of another scheme",
            SampleApp.filter(#"<data android:scheme="Https" android:host="*.example.com" />"#), "manifest-scheme-form"
        ),
    ]

    @Test("a host that only a filter without web links names is reported there, and why", arguments: unread)
    func unreadFilters(name: String, filter: String, code: String) throws {
        let checks = try checks(filter)
        #expect(checks.findings(now: 0).map(\.diagnostic.code.rawValue) == [code])
        let host = try #require(HostName("www.example.com"))
        let found = try #require(checks.findings(for: host, isTarget: true).first)
        #expect(found.diagnostic.code.rawValue == "manifest-host-missing")
        let source = try #require(found.source)
        #expect(source.bytes[found.diagnostic.range.start...].starts(with: "<data".utf8))
        // One that nothing names is reported for the file as a whole.
        let other = try #require(HostName("other.test"))
        #expect(checks.findings(for: other, isTarget: true).first?.diagnostic.range == SourceRange(start: 0, end: 0))
    }

    @Test("a filter in a receiver is reported, for the host that it names, too")
    func receivers() throws {
        let checks = try checks(more: "<receiver>\(SampleApp.filter(Self.browsable))</receiver>")
        #expect(checks.findings(now: 0).map(\.diagnostic.code.rawValue) == ["manifest-no-links"])
        let host = try #require(HostName("www.example.com"))
        #expect(
            checks.findings(for: host, isTarget: true).first?.diagnostic.message.contains("that gets web links") == true
        )
    }

    static let advice: [(data: String, link: String, advice: String)] = [
        ("", "http://h.com/", "add <data android:scheme=\"http\" />: the filters take it with https"),
        (#"android:path="/a""#, "https://h.com/b", "add <data> with a path, pathPrefix or pathPattern that takes it"),
        (#"android:path="/a""#, "http://h.com/b", "add <data> with a path, pathPrefix or pathPattern that takes it"),
    ]

    @Test("the advice about a link that no filter takes names the scheme if that is what differs", arguments: advice)
    func schemeAdvice(data: String, link: String, advice: String) throws {
        let checks = try checks(SampleApp.filter(#"<data android:scheme="https" android:host="h.com" \#(data) />"#))
        let found = checks.findings(for: try #require(AndroidLink(link)))
        #expect(found.map(\.diagnostic.advice) == [advice])
    }

    @Test("the filters of Expo have the findings of a manifest, at the positions of the JSON")
    func expoFindings() throws {
        func expo(_ data: String, more: String = "") throws -> [String] {
            let filter =
                #"{"action":"VIEW","autoVerify":true,"category":["BROWSABLE","DEFAULT"],"data":[\#(data)]\#(more)}"#
            let project = try app.read(#"{"expo":{"android":{"intentFilters":[\#(filter)]}}}"#, as: "app.json")
            return AppChecks(project).findings(now: 0).map { finding in
                let range = finding.diagnostic.range
                let text = finding.source.map { String(decoding: $0.bytes[range.start..<range.end], as: UTF8.self) }
                return "\(finding.diagnostic.code.rawValue) \(text?.prefix(12) ?? "")"
            }
        }
        #expect(try expo(#"{"scheme":"https","host":"h.com","pathPrefix":"/a"}"#) == [])
        #expect(try expo(#"{"scheme":"HTTPS","host":"h.com"}"#) == ["manifest-scheme-form HTTPS"])
        #expect(try expo(#"{"scheme":"https","host":"h.com/x","port":8443}"#) == ["manifest-host-form h.com/x"])
        #expect(try expo(#"{"scheme":"https","host":"h.com","mimeType":"a/b"}"#) == ["manifest-no-links a/b"])
        #expect(try expo(#"{"scheme":"https"}"#) == [#"manifest-whole-web {"action":"V"#])
        #expect(
            try expo(#"{"scheme":"https","host":"h.com","path":"/a"},{"scheme":"https","host":"h.com"}"#)
                == [#"manifest-mixed-data {"action":"V"#])
        #expect(
            try expo(#"{"scheme":"https","host":"h.com","pathPrefix":"/a"},{"pathPrefix":"/"}"#)
                == ["manifest-path-covers-all /"])
    }

    @Test("an Expo app for iOS without associated domains is reported, with a warning if it takes links on Android")
    func expoWithoutDomains() throws {
        func findings(_ ios: String, _ android: String = "") throws -> [String] {
            let text = #"{"expo":{"ios":{\#(ios)}\#(android)}}"#
            return AppChecks(try app.read(text, as: "app.json")).findings(now: 0).map {
                "\($0.diagnostic.severity) \($0.diagnostic.code.rawValue)"
            }
        }
        let id = #""appleTeamId":"7K3QWZ9PLM","bundleIdentifier":"a.b""#
        #expect(try findings(id) == ["error no-associated-domains"])
        #expect(try findings(id + #","associatedDomains":[]"#) == ["error no-associated-domains"])
        #expect(try findings(id + #","associatedDomains":["applinks:h.com"]"#) == [])
        #expect(try findings(#""supportsTablet":true"#) == [])
        let android =
            #","android":{"intentFilters":[{"action":"VIEW","autoVerify":true,"category":["BROWSABLE","DEFAULT"],"#
            + #""data":{"scheme":"https","host":"h.com"}}]}"#
        #expect(try findings(id, android) == ["warning no-associated-domains"])
    }

    @Test("a filter for content of a type takes no links", arguments: ["mimeType", "mimeGroup"])
    func contentTypes(attribute: String) throws {
        let filter = SampleApp.filter(Self.browsable.replacing("/>", with: #"android:\#(attribute)="image/png" />"#))
        #expect(try checks(filter).codes("www.example.com") == ["manifest-no-links", "manifest-host-missing"])
    }

    static let linkCases: [(data: String, link: String, outcome: String)] = [
        ("", "https://h.com/any/path?q#f", "yes"), ("", "http://h.com/", "no"), ("", "https://H.com", "yes"),
        ("", "https://h.com:443/", "yes"),
        (#"android:port="8443""#, "https://h.com:8443/", "yes"), (#"android:port="0443""#, "https://h.com:443/", "yes"),
        (#"android:port="8443""#, "https://h.com/", "no"),
        (#"android:path="/a""#, "https://h.com/a", "yes"), (#"android:path="/a""#, "https://h.com/a/", "no"),
        (#"android:path="/a b""#, "https://h.com/a%20b", "yes"), (#"android:path="/""#, "https://h.com", "yes"),
        (#"android:pathPrefix="/a""#, "https://h.com/ab/c", "yes"),
        (#"android:pathPrefix="/a""#, "https://h.com/b", "no"),
        (#"android:pathSuffix=".html""#, "https://h.com/x.html", "yes"),
        (#"android:pathSuffix=".html""#, "https://h.com/x", "no"),
        (#"android:pathPattern="/.*""#, "https://h.com/a/b", "yes"),
        (#"android:pathPattern="/a.*b""#, "https://h.com/axxb", "yes"),
        // The first `b` ends the run, and nothing is tried again.
        (#"android:pathPattern="/a.*bc""#, "https://h.com/abxbc", "no"),
        (#"android:pathPattern="/.*\\.html""#, "https://h.com/x.html", "yes"),
        (#"android:pathPattern="/.*\\.html""#, "https://h.com/x.y.html", "no"),
        (#"android:pathPattern="/.\\.html""#, "https://h.com/xyhtml", "no"),
        (#"android:pathPattern="/.\.html""#, "https://h.com/xyhtml", "yes"),
        (#"android:path="/\u00fc""#, "https://h.com/%C3%BC", "yes"),
        (#"android:pathPattern="/a*b""#, "https://h.com/aaab", "yes"),
        (#"android:pathPattern="/ab*""#, "https://h.com/a", "no"),
        (#"android:pathPattern="/ab*""#, "https://h.com/abb", "yes"),
        (#"android:pathPattern="/a.""#, "https://h.com/ax", "yes"),
        (#"android:pathPattern="/a.""#, "https://h.com/a", "no"),
        (#"android:pathPattern="/a\\*""#, "https://h.com/a*", "yes"),
        (#"android:pathPattern="/a\\*""#, "https://h.com/aa", "no"),
        (#"android:pathPattern="/a.*""#, "https://h.com/a", "yes"),
        (#"android:pathPattern="/a.*""#, "https://h.com/b", "no"),
        (#"android:pathPattern="""#, "https://h.com/b", "no"),
        (#"android:pathAdvancedPattern="/[a-z]+""#, "https://h.com/b", "yes"),
        (#"android:pathAdvancedPattern="/[a-z]+""#, "https://h.com/1", "no"),
        (#"android:path="@string/p""#, "https://h.com/b", "undecided"),
        (#"android:port="${p}""#, "https://h.com/b", "no"),
        (#"android:port="${p}""#, "https://h.com:1/b", "undecided"),
        (#"android:path="/c" /><data android:pathAdvancedPattern="/[a-z]+""#, "https://h.com/c", "yes"),
        (#"/><data android:port="8443""#, "https://h.com/", "yes"),
        (#"android:ssp="//h.com/x" android:path="/c""#, "https://h.com/c", "yes"),
        (#"android:ssp="//h.com/x" android:path="/c""#, "https://h.com/x", "yes"),
        (#"/><data android:scheme="http" android:host="i.com" android:path="/c""#, "http://h.com/c", "yes"),
        (#"/><data android:scheme="http" android:host="i.com" android:path="/c""#, "https://i.com/c", "yes"),
        (#"/><data android:scheme="http" android:host="i.com" android:path="/c""#, "https://h.com/d", "no"),
        (
            #"/><uri-relative-filter-group><data android:path="/x" /></uri-relative-filter-group><data"#,
            "https://h.com/y", "no"
        ),
    ]

    @Test("a link is taken if a scheme, a host and a path of one filter take it", arguments: linkCases)
    func links(data: String, link: String, outcome: String) throws {
        let checks = try checks(SampleApp.filter(#"<data android:scheme="https" android:host="h.com" \#(data) />"#))
        let found = checks.findings(for: try #require(AndroidLink(link)))
        #expect(found.map(\.diagnostic.code.rawValue) == (outcome == "yes" ? [] : ["manifest-link-missing"]))
        #expect(found.first?.diagnostic.severity == (outcome == "no" ? .error : outcome == "yes" ? nil : .note))
        #expect((found.first?.diagnostic.message.hasSuffix("is not decided") ?? false) == (outcome == "undecided"))
    }

    @Test("two filters do not help each other, and a host that nobody names is another finding")
    func severalFilters() throws {
        let checks = try checks(
            SampleApp.filter(#"<data android:scheme="https" android:host="h.com" android:path="/a" />"#),
            SampleApp.filter(#"<data android:scheme="https" android:host="i.com" android:path="/b" />"#))
        #expect(checks.findings(for: try #require(AndroidLink("https://h.com/a"))).isEmpty)
        #expect(checks.findings(for: try #require(AndroidLink("https://h.com/b"))).count == 1)
        #expect(checks.findings(for: try #require(AndroidLink("https://j.com/b"))).isEmpty)
        #expect(AndroidLink("ftp://h.com/") == nil && AndroidLink("h.com") == nil)
    }
}
