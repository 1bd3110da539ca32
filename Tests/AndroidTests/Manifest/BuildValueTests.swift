import Android
import AppSamples
import Testing

@Suite("Values that a build gives to a manifest")
struct BuildValueTests {
    static let cases: [(data: String, values: [String: String], url: String, decision: Decision)] = [
        (#"android:host="@string/host""#, [:], "https://h.com/", .undecided),
        (#"android:host="@string/host""#, ["host": "h.com"], "https://h.com/", .yes),
        (#"android:host="@string/host""#, ["host": "i.com"], "https://h.com/", .no),
        (#"android:host="@com.shop:string/host""#, ["host": "h.com"], "https://h.com/", .yes),
        (#"android:host="${host}""#, ["host": "h.com"], "https://h.com/", .yes),
        (#"android:host="www.${domain}.${top}""#, ["domain": "h", "top": "com"], "https://www.h.com/", .yes),
        (#"android:host="www.${domain}.${top}""#, ["domain": "h"], "https://www.h.com/", .undecided),
        (#"android:host="${host""#, ["host": "h.com"], "https://h.com/", .undecided),
        (#"android:host="@dimen/host""#, ["host": "h.com"], "https://h.com/", .undecided),
        // What is written around a name is known.
        (#"android:host="${id}.h.com""#, [:], "https://h.org/", .no),
        (#"android:host="${id}.h.com""#, [:], "https://a.h.com/", .undecided),
        (#"android:host="www.${id}""#, [:], "https://h.com/", .no),
        (#"android:host="*.${id}""#, [:], "https://h.com/", .undecided),
        (#"android:host="*.${d}""#, ["d": "h.com"], "https://a.h.com/", .yes),
        (#"android:host="h.com" android:pathPattern="@string/p""#, ["p": #"/a\*"#], "https://h.com/a*", .yes),
        (#"android:host="h.com" android:path="@string/p""#, [:], "https://h.com/a", .undecided),
        (#"android:host="h.com" android:path="@string/p""#, [:], "https://i.com/a", .no),
        (#"android:host="h.com" android:port="${p}""#, ["p": "1"], "https://h.com:1/a", .yes),
        (#"android:host="h.com" android:port="${p}""#, [:], "https://h.com:1/a", .undecided),
        (#"android:host="h.com" android:port="${p}""#, [:], "https://h.com/a", .no),
    ]

    @Test("a value is unknown until it is given, and then it is what the app has", arguments: cases)
    func values(data: String, values: [String: String], url: String, decision: Decision) throws {
        let text = SampleApp.manifest([SampleApp.filter(#"<data android:scheme="https" \#(data) />"#)])
        #expect(try ManifestSample.decision(text, url, values: values) == decision)
    }

    @Test("an unknown group leaves open only what it could change")
    func groups() throws {
        let group =
            #"<uri-relative-filter-group android:allow="@bool/x"><data android:path="/a" /></uri-relative-filter-group>"#
        let text = ManifestSample.filter("/>\(group)<data")
        #expect(try ManifestSample.decision(text, "https://h.com/a") == .undecided)
        #expect(try ManifestSample.decision(text, "https://h.com/b") == .no)
        let given = try ManifestSample.decision(
            ManifestSample.filter(
                #"/><uri-relative-filter-group><data android:path="@string/p" /></uri-relative-filter-group><data"#),
            "https://h.com/a", values: ["p": "/a"])
        #expect(given == .yes)
    }

    /// Places for a value that only a build tells; `#` is the value.
    static let flags: [(place: String, isFilter: Bool)] = [
        ("<application android:enabled=\"#\"><activity>", false),
        ("<application><activity android:enabled=\"#\">", false),
        ("<application><activity android:exported=\"#\">", false),
        ("<application><activity><intent-filter android:autoVerify=\"#\">", true),
    ]

    @Test(
        "autoVerify, exported and enabled are unknown until their value is given", arguments: flags,
        ["@bool/x", "${x}"])
    func unknownFlags(place: (place: String, isFilter: Bool), raw: String) throws {
        let filter = SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />"#)
        let start = place.place.replacing("#", with: raw)
        let text = SampleApp.manifest(
            [],
            more: "</application>" + start
                + (place.isFilter ? String(filter.dropFirst(filter.prefix { $0 != ">" }.count + 1)) : filter)
                + "</activity>")
        let unknown = try ManifestSample.verdict(text, "https://h.com/")
        #expect(unknown.decision == .undecided && unknown.unresolved == raw)
        #expect(try ManifestSample.decision(text, "https://h.com/", values: ["x": "true"]) == .yes)
        #expect(try ManifestSample.decision(text, "https://h.com/", values: ["x": "false"]) == .no)
        #expect(try ManifestSample.decision(text, "https://i.com/") == .no)
    }

    /// Filters beside one that is decided, and whether `http://i.com/x` is decided with them.
    static let logins: [(data: String, decision: Decision)] = [
        (#"<data android:scheme="@string/fb_login" />"#, .no),
        (#"<data android:scheme="${appAuthRedirectScheme}" />"#, .no),
        (#"<data android:scheme="@string/fb_login" android:path="@string/path" />"#, .no),
        // The host could be that of the link, and the scheme that of the web.
        (#"<data android:scheme="${scheme}" android:host="i.com" />"#, .undecided),
        (#"<data android:scheme="${scheme}" android:host="@string/host" />"#, .undecided),
        (#"<data android:scheme="${scheme}" android:host="k.com" />"#, .no),
        // A build does not make the web's schemes of these.
        (#"<data android:scheme="fb${id}" android:host="i.com" />"#, .no),
        (#"<data android:scheme="${id}.auth" android:host="i.com" />"#, .no),
        (#"<data android:scheme="h${t}p" android:host="i.com" />"#, .undecided),
    ]

    @Test("the scheme of a login, which only a build tells, leaves other links decided", arguments: logins)
    func schemesOfLogins(data: String, decision: Decision) throws {
        let decided = SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />"#)
        let asking = SampleApp.filter(#"<data android:scheme="http" android:host="i.com" android:path="/y" />"#)
        let text = SampleApp.manifest([decided, asking, SampleApp.filter(data, isVerified: false)])
        #expect(try ManifestSample.decision(text, "https://h.com/") == .yes)
        #expect(try ManifestSample.decision(text, "http://i.com/x") == decision)
        let root = try ManifestSample.root(text)
        if case .unresolved = AppManifest(root).rules(for: "h.com"), !data.contains("@string/host") {
            Issue.record("the rules are not known")
        }
    }

    static let causes: [(data: String, values: [String: String], raw: String, advice: String)] = [
        (#"android:host="@string/host""#, [:], "@string/host", "give it with --define host=VALUE"),
        (
            #"android:host="h.com" android:path="/x/${a}/${b}""#, ["a": "1"], "/x/${a}/${b}",
            "give it with --define b=VALUE"
        ),
        // Not a value that would not change anything.
        (
            #"android:host="@string/i" /><data android:host="h.com" android:path="@string/p""#, [:], "@string/p",
            "give it with --define p=VALUE"
        ),
        (
            #"android:host="${i}.i.com" /><data android:host="${h}.com""#, [:], "${h}.com",
            "give it with --define h=VALUE"
        ),
        (
            #"android:host="h.com" android:path="?attr/x" /><data android:path="@dimen/x""#, [:], "@dimen/x",
            "give the merged manifest"
        ),
    ]

    @Test("the value that a build has to tell is named, with what to do", arguments: causes)
    func namedCauses(data: String, values: [String: String], raw: String, advice: String) throws {
        let text = SampleApp.manifest([
            SampleApp.filter(#"<data android:scheme="https" \#(data) />"#),
            SampleApp.filter(#"<data android:scheme="https" android:host="h.com" android:path="/only" />"#),
        ])
        let verdict = try ManifestSample.verdict(text, "https://h.com/x", values: values)
        #expect(verdict.decision == .undecided && verdict.unresolved == raw)
        let manifest = AppManifest(try ManifestSample.root(text), values: BuildValues(values))
        #expect(manifest.advice(about: raw) == advice)
        #expect(manifest.advice(about: "@bool/x") == "give it with --define x=true")
    }

    @Test("the name of the app is that of the manifest, with its values")
    func packageName() throws {
        let root = try ManifestSample.root(
            #"<manifest package="${applicationId}"><application /></manifest>"#)
        #expect(AppManifest(root).package == nil)
        let values = BuildValues(["applicationId": "com.shop.app"])
        #expect(AppManifest(root, values: values).package == "com.shop.app")
    }

    @Test("values that refer to long ones many times cost no more than their length")
    func longValues() throws {
        let placeholders = String(repeating: "${x}", count: 10_000)
        let text = ManifestSample.filter(#"android:path="\#(placeholders)""#)
        let values = ["x": String(repeating: "a", count: 10_000)]
        #expect(try ManifestSample.decision(text, "https://h.com/a", values: values) == .undecided)
    }

    @Test("a manifest and a URL that are too large together stay undecided, and that is said")
    func tooLarge() throws {
        let data = String(repeating: #"<data android:pathPattern="/.*x" />"#, count: 2_000)
        let text = SampleApp.manifest([
            SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />\#(data)"#)
        ])
        let verdict = try ManifestSample.verdict(text, "https://h.com/\(String(repeating: "a", count: 100_000))")
        #expect(verdict.decision == .undecided && verdict.isTooLarge)
    }
}
