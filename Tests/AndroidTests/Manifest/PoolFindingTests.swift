import Android
import AppSamples
import Diagnostics
import Testing

@Suite("Findings about values that combine, and about groups")
struct PoolFindingTests {
    private static func findings(_ data: String) throws -> [Diagnostic] {
        let text = SampleApp.manifest([SampleApp.filter(data)])
        return ManifestChecker.findings(in: try ManifestSample.root(text))
    }

    private static let host = #"<data android:scheme="https" android:host="h.com" />"#
    private static let mixed = "manifest-mixed-data"
    private static let dead = "manifest-dead-exclude"

    private static func data(_ host: String, _ rest: String = "") -> String {
        #"<data android:scheme="https" android:host="\#(host)" \#(rest) />"#
    }

    private static func path(_ path: String) -> String { "<data android:\(path) />" }

    static let pools: [(data: String, codes: [String])] = [
        (data("h.com") + data("i.com", #"android:pathPrefix="/l/""#), [mixed]),
        (data("h.com") + data("i.com") + path(#"pathPrefix="/l/""#), []),
        (data("h.com") + data("h.com", #"android:pathPrefix="/l/""#), [mixed]),
        (data("h.com", #"android:pathPrefix="/l/""#) + data("h.com", #"android:path="/m""#), []),
        (
            data("h.com", #"android:pathPrefix="/l/""#) + data("h.com").replacing("https", with: "http"), []
        ),
        (data("h.com") + data("i.com", #"android:pathPrefix="/""#), []),
        (data("h.com", #"android:path="/a""#) + #"<data android:host="www.h.com" />"#, []),
        (data("h.com", #"android:pathPattern="/.*/.*" android:pathAdvancedPattern="/[a-z]+/[a-z]+""#), [mixed]),
        (data("h.com") + path(#"pathPattern="/.*/.*""#) + path(#"pathAdvancedPattern="/[a-z]+/[a-z]+""#), []),
        (data("h.com") + #"<data android:scheme="shop" android:host="open" />"#, [mixed, "manifest-auto-verify"]),
        (data("h.com") + #"<data android:scheme="shop" android:host="h.com" />"#, ["manifest-auto-verify"]),
        (#"<data android:scheme="https" /><data android:scheme="http" />"# + path(#"host="h.com""#), []),
        (host + path(#"pathPrefix="/a""#) + path(#"pathPrefix="/""#), ["manifest-path-covers-all"]),
        (host + path(#"pathPrefix="/a""#) + path(#"pathPattern="/.*""#), ["manifest-path-covers-all"]),
        (host + path(#"pathPrefix="/a""#) + path(#"pathAdvancedPattern="/.*""#), ["manifest-path-covers-all"]),
        (host + path(#"pathPrefix="/a""#) + path(#"pathPattern=".*""#), ["manifest-path-covers-all"]),
        (host + path(#"pathPrefix="/a""#) + path(#"pathSuffix="b""#), []),
        (host + path(#"pathPrefix="/a""#) + path(#"pathAdvancedPattern="/.+""#), []),
        (host + path(#"pathPrefix="/""#), []), (host + path(#"path="/""#) + path(#"pathPrefix="/a""#), []),
    ]

    @Test("values of one filter that combine against what is written are reported", arguments: pools)
    func combining(data: String, codes: [String]) throws {
        #expect(try Self.findings(data).map(\.code.rawValue).sorted() == codes.sorted())
    }

    private static func group(_ data: String..., allows: Bool = true) -> String {
        "<uri-relative-filter-group\(allows ? "" : #" android:allow="false""#)>"
            + data.map { "<data \($0) />" }.joined() + "</uri-relative-filter-group>"
    }

    private static let all = group(#"android:pathPrefix="/""#)
    private static let oauth = group(#"android:pathPrefix="/oauth""#, allows: false)

    static let groups: [(data: String, codes: [String])] = [
        (host + oauth + all, []),
        (host + all + oauth, [dead]),
        (host + path(#"pathPrefix="/""#) + oauth + all, [dead]),
        (host + path(#"pathPattern="/o.*""#) + oauth + all, [dead]),
        (host + path(#"pathSuffix="x""#) + oauth + all, []),
        (host + oauth + all + oauth, []),
        (host + path(#"pathPrefix="/buy""#) + oauth + all, []),
        (host + oauth, ["manifest-only-exclusions"]),
        (host + oauth + group(allows: true), ["manifest-only-exclusions"]),
        (host + path(#"pathPrefix="/oauth/x""#) + oauth, [dead]),
        (host + group(#"android:pathPrefix="/buy""#) + group(#"android:pathPrefix="/""#, allows: false), []),
        // Two groups together take all that the third one excludes.
        (
            host + group(#"android:pathAdvancedPattern="/[a-m].*""#) + group(#"android:pathAdvancedPattern="/[n-z].*""#)
                + group(#"android:pathAdvancedPattern="/[a-z]+""#, allows: false) + all, [dead]
        ),
        (
            host + group(#"android:pathAdvancedPattern="/[a-m].*""#)
                + group(#"android:pathAdvancedPattern="/[a-z]+""#, allows: false) + all, []
        ),
        // Conditions on other parts count, too.
        (
            host + group(#"android:query="a=1""#) + group(#"android:query="a=1""#, #"android:path="/x""#, allows: false)
                + all, [dead]
        ),
        (host + group(#"android:query="a=1""#) + group(#"android:path="/x""#, allows: false) + all, []),
        (host + group(#"android:queryPrefix="a=""#) + group(#"android:query="a=1""#, allows: false) + all, [dead]),
        (host + group(#"android:query="a=1""#) + group(#"android:queryPrefix="a=""#, allows: false) + all, []),
        (host + group(#"android:pathPrefix="/a""#, #"android:pathPrefix="/b""#), [mixed]),
        (host + group(#"android:pathPrefix="/a""#, #"android:pathSuffix="b""#), []),
        (host + group(#"android:pathPattern="/a.*""#, #"android:pathSuffix=".html""#), []),
        (host + group(#"android:pathAdvancedPattern="/[0-9]+""#, #"android:pathSuffix="x""#), [mixed]),
        // Each item of a query is compared.
        (host + group(#"android:query="a=1""#, #"android:query="b=2""#), []),
        (host + group(#"android:scheme="https" android:path="/x""#), ["manifest-attribute-ignored"]),
        (host + group(#"android:path="/x" android:exclude="true""#), ["manifest-attribute-ignored"]),
        (host + path(#"path="${a}""#) + oauth + all, ["manifest-unresolved-value"]),
        (host + oauth.replacing("\"false\"", with: "\"@bool/a\""), ["manifest-unresolved-value"]),
    ]

    @Test("a group that excludes or takes nothing is reported, as automata prove it", arguments: groups)
    func exclusions(data: String, codes: [String]) throws {
        #expect(try Self.findings(data).map(\.code.rawValue) == codes)
    }

    @Test("what a group cannot exclude is taken, and what it can is not")
    func agreement() throws {
        for (data, codes) in Self.groups {
            guard codes == [Self.dead] || codes.isEmpty, data.contains("/oauth\"") else { continue }
            let text = SampleApp.manifest([SampleApp.filter(data)])
            let opens = try ManifestSample.decision(text, "https://h.com/oauth/x/y") == .yes
            #expect(opens == codes.contains(Self.dead), "\(data)")
        }
    }

    @Test("large patterns take bounded work")
    func work() throws {
        let paths = (0..<20).map { Self.path(#"pathAdvancedPattern="/.{0,\#(19_000 + $0)}""#) }.joined()
        let groups = (0..<20).map {
            Self.group(#"android:pathAdvancedPattern="/[a-z]{1,\#(19_000 + $0)}""#, allows: false)
        }
        _ = try Self.findings(Self.host + paths + groups.joined() + Self.all)
    }
}
