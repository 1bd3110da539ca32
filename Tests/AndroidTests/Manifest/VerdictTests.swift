import Android
import AppSamples
import Testing

@Suite("Verdicts of manifests")
struct VerdictTests {
    private static let https = #"<data android:scheme="https" android:host="h.com" />"#

    static let data: [(data: String, url: String, decision: Decision)] = [
        ("", "https://h.com/any/path?q#f", .yes), ("", "https://H.COM", .yes), ("", "http://h.com/", .no),
        ("", "https://i.com/", .no), ("", "https://h.com:8443/", .yes), ("", "HTTPS://h.com/", .yes),
        // The port is the one that the URL has written.
        (#"android:port="8443""#, "https://h.com:8443/", .yes), (#"android:port="443""#, "https://h.com/", .no),
        (#"android:port="x""#, "https://h.com:8443/", .no),
        // It belongs to the host of its own <data>.
        (#"android:port="1" /><data android:host="i.com""#, "https://i.com:2/", .yes),
        (#"android:port="1" /><data android:host="i.com""#, "https://h.com:2/", .no),
        (#"/><data android:port="1""#, "https://h.com:2/", .yes),
        // Everything else is pooled.
        (#"android:path="/a" /><data android:host="i.com" android:path="/b""#, "https://i.com/a", .yes),
        (#"android:path="/a" /><data android:path="/b""#, "https://h.com/b", .yes),
        (#"/><data android:scheme="http" android:host="i.com""#, "http://h.com/", .yes),
        // A type of content is what no link has.
        (#"/><data android:mimeType="text/plain""#, "https://h.com/", .no),
        (#"android:mimeGroup="g""#, "https://h.com/", .no),
        // Paths are compared decoded, and nothing is normalized.
        (#"android:path="/a b""#, "https://h.com/a%20b", .yes), (#"android:path="/ü""#, "https://h.com/%C3%BC", .yes),
        (#"android:path="/a""#, "https://h.com/a/", .no), (#"android:path="/""#, "https://h.com", .yes),
        (#"android:path="/a%20b""#, "https://h.com/a%20b", .no), (#"android:path="/A""#, "https://h.com/a", .no),
        (#"android:pathPrefix="/a""#, "https://h.com/ab", .yes), (#"android:pathPrefix="/a""#, "https://h.com/b", .no),
        (#"android:pathSuffix=".pdf""#, "https://h.com/x.pdf", .yes),
        (#"android:pathSuffix=".pdf""#, "https://h.com/x", .no),
        (#"android:pathPattern="/a.*b""#, "https://h.com/axb", .yes),
        (#"android:pathAdvancedPattern="/[a-z]+""#, "https://h.com/abc", .yes),
        (#"android:pathAdvancedPattern="/[a-z]+""#, "https://h.com/1", .no),
        (#"android:pathAdvancedPattern="/[""#, "https://h.com/[", .no),
        // The text after the scheme, with the host in it.
        (#"android:ssp="//h.com/x?y""#, "https://h.com/x?y#z", .yes),
        (#"android:sspPrefix="//i.com/""#, "https://i.com/x", .no),
        // Escapes of the build tools, once.
        (#"android:pathPattern="/a\\*""#, "https://h.com/a*", .yes),
        (#"android:pathPattern="/a\\*""#, "https://h.com/aa", .no),
        (#"android:pathPattern="/a\*""#, "https://h.com/aa", .yes),
        (#"android:pathPattern="/a\.b""#, "https://h.com/axb", .yes),
        (#"android:path="/a\\b""#, "https://h.com/a%5Cb", .yes), (#"android:path="/\u00fc""#, "https://h.com/ü", .yes),
        // Query and fragment count only in groups.
        (#"android:query="a""#, "https://h.com/?b", .yes),
    ]

    @Test("a link is taken if a scheme, a host with its port, and a path of one filter take it", arguments: data)
    func pooled(data: String, url: String, decision: Decision) throws {
        #expect(try ManifestSample.decision(ManifestSample.filter(data), url) == decision)
    }

    static let hosts: [(host: String, url: String, decision: Decision)] = [
        ("*.example.com", "https://a.example.com/", .yes), ("*.example.com", "https://a.b.example.com/", .yes),
        ("*.example.com", "https://example.com/", .no), ("*.example.com", "https://A.Example.COM/", .yes),
        // No file could say for these that the host is verified.
        ("*", "https://any.org/", .no), ("*example.com", "https://myexample.com/", .no),
        ("Example.com", "https://example.com/", .yes), ("xn--bcher-kva.example", "https://bücher.example/", .yes),
    ]

    @Test("a leading '*' of a host stands for the beginning of any", arguments: hosts)
    func leadingStar(host: String, url: String, decision: Decision) throws {
        let text = SampleApp.manifest([SampleApp.filter(#"<data android:scheme="https" android:host="\#(host)" />"#)])
        let verdict = try ManifestSample.verdict(text, url)
        #expect(verdict.decision == decision)
        #expect(verdict.isByWildcard == (verdict.filter != nil && host.hasPrefix("*")))
    }

    static let groups: [(groups: String, url: String, decision: Decision)] = [
        (#"<data android:path="/a" />"#, "https://h.com/a", .yes),
        (#"<data android:path="/a" />"#, "https://h.com/b", .no),
        // All of a group have to hold.
        (#"<data android:path="/a" /><data android:query="b=1" />"#, "https://h.com/a?b=1", .yes),
        (#"<data android:path="/a" /><data android:query="b=1" />"#, "https://h.com/a", .no),
        (#"<data android:path="/a" android:fragment="f" />"#, "https://h.com/a#f", .yes),
        (#"<data android:path="/a" android:fragment="f" />"#, "https://h.com/a", .no),
        // One item of the query, and the whole fragment.
        (#"<data android:query="b=1" />"#, "https://h.com/?a=2&b=1&c", .yes),
        (#"<data android:query="b=1" />"#, "https://h.com/?a=2;b=1", .yes),
        (#"<data android:query="b=1" />"#, "https://h.com/?a=2;b=1&c", .no),
        (#"<data android:query="b=1" />"#, "https://h.com/?b=12", .no),
        (#"<data android:query="" />"#, "https://h.com/?", .yes),
        (#"<data android:query="" />"#, "https://h.com/", .no),
        (#"<data android:query="b=ü" />"#, "https://h.com/?b=%C3%BC", .yes),
        (#"<data android:queryPrefix="b=" />"#, "https://h.com/?a&b=x", .yes),
        (#"<data android:querySuffix="=x" />"#, "https://h.com/?a&b=x", .yes),
        (#"<data android:queryPattern="b=.*" />"#, "https://h.com/?b=", .yes),
        (#"<data android:queryAdvancedPattern="b=[0-9]+" />"#, "https://h.com/?b=12", .yes),
        (#"<data android:fragmentPrefix="a" />"#, "https://h.com/#ab", .yes),
        (#"<data android:fragmentPattern=".*" />"#, "https://h.com/#", .yes),
        (#"<data android:fragmentPattern=".*" />"#, "https://h.com/", .no),
        // An empty group never matches.
        ("", "https://h.com/", .no), (#"<data android:host="h.com" />"#, "https://h.com/", .no),
        (
            #"<data android:path="/a" /></uri-relative-filter-group><uri-relative-filter-group android:allow="false"><data android:pathPrefix="/" />"#,
            "https://h.com/a", .yes
        ),
        (
            #"<data android:path="/a" /></uri-relative-filter-group><uri-relative-filter-group><data android:path="/b" />"#,
            "https://h.com/b", .yes
        ),
    ]

    @Test("a group takes a link if all that it has match", arguments: groups)
    func group(groups: String, url: String, decision: Decision) throws {
        let text = ManifestSample.filter("/><uri-relative-filter-group>\(groups)</uri-relative-filter-group><data")
        #expect(try ManifestSample.decision(text, url) == decision)
    }

    @Test("the first group that matches decides, and a pooled path wins over one that blocks")
    func blockingGroups() throws {
        let blocking = #"""
            /><uri-relative-filter-group android:allow="false"><data android:query="b=1" /></uri-relative-filter-group>
            <uri-relative-filter-group><data android:pathPrefix="/x" /></uri-relative-filter-group>
            <data android:path="/pooled"
            """#
        let cases: [(String, Decision)] = [
            ("/x", .yes), ("/x?b=1", .no), ("/y", .no), ("/pooled", .yes), ("/pooled?b=1", .yes),
        ]
        for (path, decision) in cases {
            let found = try ManifestSample.decision(ManifestSample.filter(blocking), "https://h.com\(path)")
            #expect(found == decision, "\(path)")
        }
        // Before API 35 there are no groups.
        let old = try ManifestSample.decision(ManifestSample.filter(blocking), "https://h.com/x", api: 34)
        #expect(old == .no)
        let alone = #"/><uri-relative-filter-group><data android:path="/x" /></uri-relative-filter-group><data"#
        #expect(try ManifestSample.decision(ManifestSample.filter(alone), "https://h.com/y", api: 34) == .yes)
        #expect(try ManifestSample.decision(ManifestSample.filter(alone), "https://h.com/y") == .no)
    }

    @Test(
        "an older device does not have the attributes of Android 12", arguments: ["pathSuffix", "pathAdvancedPattern"])
    func olderDevices(attribute: String) throws {
        let text = ManifestSample.filter(#"android:\#(attribute)="/x""#)
        #expect(try ManifestSample.decision(text, "https://h.com/y", api: 31) == .no)
        #expect(try ManifestSample.decision(text, "https://h.com/x", api: 31) == .yes)
        #expect(try ManifestSample.decision(text, "https://h.com/y", api: 30) == .yes)
    }

    @Test("a link opens only if a filter of the app asks for the verification of its host")
    func verification() throws {
        let unverified = SampleApp.filter(Self.https, isVerified: false)
        let refused = try ManifestSample.verdict(SampleApp.manifest([unverified]), "https://h.com/")
        #expect(refused.decision == .no && refused.filter != nil)
        // Another filter can do that, also with a wildcard.
        let path = #"<data android:scheme="https" android:host="h.com" android:path="/x" />"#
        let wildcard = #"<data android:scheme="https" android:host="*.com" android:path="/x" />"#
        for other in [path, wildcard] {
            let text = SampleApp.manifest([unverified, SampleApp.filter(other)])
            #expect(try ManifestSample.decision(text, "https://h.com/") == .yes)
        }
        // Not one that verifies nothing, or whose host is another.
        let cases = [
            SampleApp.filter(path, categories: ["BROWSABLE"]),
            SampleApp.filter(#"\#(path)<data android:scheme="shop" />"#),
            SampleApp.filter(#"<data android:scheme="https" android:host="i.com" />"#),
        ]
        for other in cases {
            let text = SampleApp.manifest([unverified, other])
            #expect(try ManifestSample.decision(text, "https://h.com/") == .no)
        }
        let hostless = SampleApp.filter(#"<data android:scheme="https" /><data android:path="/ignored" />"#)
        #expect(try ManifestSample.decision(SampleApp.manifest([hostless]), "https://h.com/") == .no)
        let both = SampleApp.manifest([hostless, SampleApp.filter(path)])
        #expect(try ManifestSample.decision(both, "https://h.com/any") == .yes)
        let none = try ManifestSample.verdict(both, "https://i.com/any")
        #expect(none.decision == .no && none.filter != nil)
    }

    @Test("aliases count, several applications too, and what is not exported, removed or for something else does not")
    func activities() throws {
        func decision(_ more: String) throws -> Decision {
            try ManifestSample.decision(SampleApp.manifest([], more: more), "https://h.com/")
        }
        let filter = SampleApp.filter(Self.https)
        #expect(try decision("<activity-alias>\(filter)</activity-alias>") == .yes)
        #expect(try decision("</application><application><activity>\(filter)</activity>") == .yes)
        #expect(try decision(#"<activity android:exported="true">\#(filter)</activity>"#) == .yes)
        #expect(try decision(#"<activity android:exported="false">\#(filter)</activity>"#) == .no)
        #expect(try decision(#"<activity android:enabled="false">\#(filter)</activity>"#) == .no)
        #expect(try decision(#"<activity-alias android:enabled="false">\#(filter)</activity-alias>"#) == .no)
        #expect(try decision(#"<activity android:enabled="TRUE">\#(filter)</activity>"#) == .yes)
        let disabled = #"</application><application android:enabled="false"><activity>\#(filter)</activity>"#
        #expect(try decision(disabled) == .no)
        #expect(try decision(#"<activity tools:node="remove">\#(filter)</activity>"#) == .no)
        #expect(try decision("<receiver>\(filter)</receiver>") == .no)
        #expect(try decision("<activity>\(SampleApp.filter(Self.https, categories: ["DEFAULT"]))</activity>") == .no)
        let removed = filter.replacing("<intent-filter", with: #"<intent-filter tools:node="remove""#)
        #expect(try decision("<activity>\(removed)</activity>") == .no)
        let otherAction = filter.replacing("action.VIEW", with: "action.SEND")
        #expect(try decision("<activity>\(otherAction)</activity>") == .no)
    }

    static let reach = [#"android:enabled="false""#, #"android:exported="false""#]

    @Test("a filter whose activity gets no links still has its hosts verified for the whole app", arguments: reach)
    func verificationBySomeOtherActivity(attribute: String) throws {
        let asking = "<activity \(attribute)>\(SampleApp.filter(Self.https))</activity>"
        let text = SampleApp.manifest([SampleApp.filter(Self.https, isVerified: false)], more: asking)
        #expect(try ManifestSample.decision(text, "https://h.com/") == .yes)
        let content = SampleApp.filter(#"\#(Self.https)<data android:mimeType="text/plain" />"#)
        let both = SampleApp.manifest([SampleApp.filter(Self.https, isVerified: false), content])
        #expect(try ManifestSample.decision(both, "https://h.com/") == .yes)
    }

    /// The filters of an app, and whether the link of `h.com` opens it by the version of Android.
    static let together: [(other: String, old: Decision, new: Decision)] = [
        // Another host that asks is enough.
        (SampleApp.filter(#"<data android:scheme="https" android:host="i.com" />"#), .yes, .no),
        (SampleApp.filter(#"<data android:scheme="http" android:host="*.i.com" />"#), .yes, .no),
        (
            SampleApp.filter(#"<data android:scheme="https" android:host="i.com" />"#, categories: ["BROWSABLE"]), .yes,
            .no
        ),
        (SampleApp.filter(#"<data android:scheme="https" android:host="i.com" />"#, isVerified: false), .no, .no),
        (SampleApp.filter(#"<data android:scheme="shop" android:host="i.com" />"#), .no, .no),
        (SampleApp.filter(#"\#(https)<data android:scheme="shop" />"#), .no, .no),
        // A host that cannot be verified leaves all others unverified.
        (SampleApp.filter(#"\#(https)<data android:host="*" />"#), .no, .yes),
        (
            SampleApp.filter(https)
                + SampleApp.filter(#"<data android:scheme="https" android:host="*i.com" />"#, isVerified: false), .no,
            .yes
        ),
        (
            SampleApp.filter(https) + SampleApp.filter(#"<data android:scheme="https" android:host="@string/i" />"#),
            .undecided, .yes
        ),
        // Whether such a host counts, only a build tells; where the filter with it is needed, none opens.
        (
            SampleApp.filter(https)
                + SampleApp.filter(#"<data android:scheme="@string/s" android:host="*" />"#, isVerified: false),
            .undecided, .yes
        ),
        (SampleApp.filter(#"\#(https)<data android:scheme="@string/s" /><data android:host="*" />"#), .no, .undecided),
        // One with another scheme is not looked at.
        (
            SampleApp.filter(https)
                + SampleApp.filter(#"<data android:scheme="https" android:host="*" /><data android:scheme="shop" />"#),
            .yes, .yes
        ),
    ]

    @Test(
        "before Android 12 one filter asks for all hosts of an app, and all or none of them are verified",
        arguments: together)
    func allOrNone(other: String, old: Decision, new: Decision) throws {
        let text = SampleApp.manifest([SampleApp.filter(Self.https, isVerified: false), other])
        for api in [23, 30] { #expect(try ManifestSample.decision(text, "https://h.com/", api: api) == old, "\(api)") }
        for api in [31, 35] { #expect(try ManifestSample.decision(text, "https://h.com/", api: api) == new, "\(api)") }
        #expect(try ManifestSample.decision(text, "https://h.com/", api: 22) == .no)
    }

    @Test(
        "the hosts that are verified together are named as Android looks for them, on the versions for which that counts"
    )
    func hostsVerifiedTogether() throws {
        let data = ["h.com", "*.i.com", "h.com", "i.com", "*"].map {
            SampleApp.filter(#"<data android:scheme="https" android:host="\#($0)" />"#, isVerified: $0 == "h.com")
        }
        let root = try ManifestSample.root(SampleApp.manifest(data))
        #expect(AppManifest(root, api: 30).hostsVerifiedTogether == ["h.com", "i.com", "*"])
        #expect(AppManifest(root, api: 31).hostsVerifiedTogether == [])
        // The star keeps all of them from being verified.
        #expect(AppManifest(root, api: 30).verifiedHosts == [] && AppManifest(root, api: 31).verifiedHosts == ["h.com"])
        let named = try ManifestSample.root(SampleApp.manifest(data.dropLast()))
        #expect(AppManifest(named, api: 30).verifiedHosts == ["h.com", "i.com"])
        #expect(AppManifest(named, api: 31).verifiedHosts == ["h.com"])
        #expect(AppManifest(named, api: 22).verifiedHosts == [])
        #expect(AppManifest(root, api: 22).hostsVerifiedTogether == [])
        let silent = try ManifestSample.root(
            SampleApp.manifest([SampleApp.filter(Self.https, isVerified: false)]))
        #expect(AppManifest(silent, api: 30).hostsVerifiedTogether == [])
    }

    @Test("the filter that is named is the first that takes the link, with its activity")
    func filter() throws {
        let text = SampleApp.manifest(
            [SampleApp.filter(#"<data android:scheme="https" android:host="h.com" android:path="/a" />"#)],
            more: #"<activity-alias android:name=".Alias">\#(SampleApp.filter(Self.https))</activity-alias>"#)
        #expect(try ManifestSample.verdict(text, "https://h.com/a").filter?.activity == ".MainActivity")
        #expect(try ManifestSample.verdict(text, "https://h.com/b").filter?.activity == ".Alias")
        #expect(try ManifestSample.verdict(text, "https://i.com/b").filter == nil)
    }
}
