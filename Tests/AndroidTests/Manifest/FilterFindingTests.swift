import Android
import AppSamples
import Diagnostics
import Testing

/// The findings in manifests with one mistake each, and in as many that are right.
@Suite("Findings about filters as a whole")
struct FilterFindingTests {
    private static func findings(_ text: String, minimumAPI: Int? = nil) throws -> [Diagnostic] {
        ManifestChecker.findings(in: try ManifestSample.root(text), minimumAPI: minimumAPI)
    }

    private static func codes(_ text: String, minimumAPI: Int? = nil) throws -> [String] {
        try findings(text, minimumAPI: minimumAPI).map(\.code.rawValue)
    }

    /// A manifest whose application has these elements.
    private static func application(_ elements: String, attributes: String = "") -> String {
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b">
        <application \(attributes)>\(elements)</application></manifest>
        """
    }

    private static func activity(_ filters: String..., attributes: String = "", name: String = "activity") -> String {
        "<\(name) android:name=\".A\" \(attributes)>\(filters.joined())</\(name)>"
    }

    private static let link = SampleApp.filter(#"<data android:scheme="https" android:host="h.com" />"#)
    private static let noLinks = "manifest-no-links"
    private static let ignored = "manifest-attribute-ignored"

    static let places: [(name: String, text: String, codes: [String])] = [
        ("not exported", application(activity(link, attributes: #"android:exported="false""#)), [noLinks]),
        ("exported", application(activity(link, attributes: #"android:exported="TRUE""#)), []),
        (
            "exported is a resource", application(activity(link, attributes: #"android:exported="@bool/a""#)),
            ["manifest-unresolved-value"]
        ),
        ("exported is a number", application(activity(link, attributes: #"android:exported="1""#)), [ignored]),
        ("disabled", application(activity(link, attributes: #"android:enabled="false""#)), [noLinks]),
        ("enabled", application(activity(link, attributes: #"android:enabled="true""#)), []),
        (
            "enabled is a placeholder", application(activity(link, attributes: #"android:enabled="${a}""#)),
            ["manifest-unresolved-value"]
        ),
        ("the app is disabled", application(activity(link), attributes: #"android:enabled="false""#), [noLinks]),
        ("the app is enabled", application(activity(link), attributes: #"android:enabled="true""#), []),
        (
            "links within the app",
            application(
                activity(
                    SampleApp.filter(
                        #"<data android:scheme="https" android:host="h.com" />"#, isVerified: false,
                        categories: ["DEFAULT"]), attributes: #"android:exported="false""#)),
            ["manifest-category-missing"]
        ),
        (
            "two aliases, one of them disabled: the app chooses its icon",
            application(
                activity(link, name: "activity-alias")
                    + activity(link, attributes: #"android:enabled="false""#, name: "activity-alias")), []
        ),
        (
            "an activity without links is neither exported nor enabled",
            application(activity(attributes: #"android:exported="false" android:enabled="false""#) + activity(link)), []
        ),
        ("in a receiver", application("<receiver>\(link)</receiver>"), [noLinks]),
        ("in the application", application(link), [noLinks]),
        ("in the manifest", application("").replacing("</manifest>", with: "\(link)</manifest>"), [noLinks]),
        (
            "a receiver of something else",
            application(#"<receiver><intent-filter><action android:name="a.B" /></intent-filter></receiver>"#), []
        ),
        (
            "<intent> for a filter",
            application(activity(link.replacing("intent-filter", with: "intent"))), [noLinks]
        ),
        (
            "<intent> among the queries",
            application(activity(link)).replacing(
                "</manifest>",
                with: #"<queries><intent><action android:name="android.intent.action.VIEW" />"#
                    + #"<data android:scheme="https" /></intent></queries></manifest>"#), []
        ),
        (
            "autoVerify on the activity", application(activity(link, attributes: #"android:autoVerify="true""#)),
            [ignored]
        ),
        (
            "autoVerify on the application", application(activity(link), attributes: #"android:autoVerify="true""#),
            [ignored]
        ),
        ("no VIEW", application(activity(link.replacing("VIEW", with: "MAIN"))), [noLinks]),
        ("a misspelt VIEW", application(activity(link.replacing("VIEW", with: "VEIW"))), [noLinks]),
        (
            "a misspelt VIEW without autoVerify",
            application(
                activity(
                    link.replacing("VIEW", with: "view").replacing(#" android:autoVerify="true""#, with: ""))),
            [noLinks]
        ),
        (
            "an action of NFC",
            application(
                activity(
                    link.replacing("android.intent.action.VIEW", with: "android.nfc.action.NDEF_DISCOVERED").replacing(
                        #" android:autoVerify="true""#, with: ""))), []
        ),
        (
            "VIEW beside an action of NFC",
            application(
                activity(
                    link.replacing(
                        "<action", with: #"<action android:name="android.nfc.action.NDEF_DISCOVERED" /><action"#))), []
        ),
        (
            "without the prefix",
            application(activity(link.replacing("android:host", with: "host"))), [ignored]
        ),
        (
            "an action without the prefix",
            application(activity(link.replacing("android:name", with: "name"))), [ignored, ignored, ignored]
        ),
        (
            "with another prefix",
            application(activity(link)).replacing("android:", with: "a:").replacing(
                "http://schemas.a:", with: "http://schemas.android:"), []
        ),
        (
            "autoVerify is 1", application(activity(link.replacing("\"true\"", with: "\"1\""))),
            [
                "manifest-auto-verify", ignored,
            ]
        ),
        (
            "autoVerify is a placeholder",
            application(activity(link.replacing("\"true\"", with: "\"${v}\""))), ["manifest-unresolved-value"]
        ),
        (
            "a misspelt category", application(activity(link.replacing("BROWSABLE", with: "BROWSEABLE"))),
            [
                "manifest-category-missing"
            ]
        ),
    ]

    @Test("a filter that gets no links is reported", arguments: places)
    func placesOfFilters(name: String, text: String, codes: [String]) throws {
        #expect(try Self.codes(text) == codes, "\(name)")
    }

    static let filters: [(name: String, data: String, isVerified: Bool, codes: [String])] = [
        ("only a scheme", #"<data android:scheme="https" />"#, true, ["manifest-whole-web"]),
        ("only a scheme, as browsers have it", #"<data android:scheme="https" />"#, false, []),
        ("a scheme and a path", #"<data android:scheme="https" android:pathPrefix="/a" />"#, true, [ignored]),
        ("every host", #"<data android:scheme="https" android:host="*" />"#, true, ["manifest-whole-web"]),
        (
            "every host, for one kind of files",
            #"<data android:scheme="https" android:host="*" android:pathSuffix=".torrent" />"#, false, []
        ),
        ("autoVerify without a web scheme", #"<data android:scheme="shop" android:host="a" />"#, true, [ignored]),
        ("a scheme of the app's own", #"<data android:scheme="shop" android:host="a" />"#, false, []),
        ("only http", #"<data android:scheme="http" android:host="h.com" />"#, true, ["manifest-no-https"]),
        (
            "http and https", #"<data android:scheme="http" android:host="h.com" /><data android:scheme="https" />"#,
            true, []
        ),
        ("http for a device at home", #"<data android:scheme="http" android:host="192.168.1.1" />"#, false, []),
        (
            "a type beside a host",
            #"<data android:scheme="https" android:host="h.com" android:mimeType="text/html" />"#,
            false, [noLinks]
        ),
        (
            "a type for every host", #"<data android:scheme="https" android:host="*" android:mimeType="video/*" />"#,
            false, []
        ),
        ("a type of content", #"<data android:scheme="content" android:mimeType="video/*" />"#, false, []),
        (
            "'://' in a scheme", #"<data android:scheme="https://" android:host="h.com" />"#, true,
            ["manifest-scheme-form"]
        ),
        (
            "capitals in a scheme", #"<data android:scheme="HTTPS" android:host="h.com" />"#, true,
            ["manifest-scheme-form"]
        ),
        (
            "white space in a scheme", #"<data android:scheme=" https" android:host="h.com" />"#, true,
            ["manifest-scheme-form"]
        ),
        (
            "no scheme", #"<data android:scheme="https" android:host="h.com" /><data android:scheme="" />"#, true,
            [
                "manifest-scheme-form"
            ]
        ),
        (
            "an identifier as a scheme",
            #"<data android:scheme="com.googleusercontent.apps.1-a" android:host="oauth" />"#,
            false, []
        ),
        (
            "codes to scan are in capitals",
            #"<data android:scheme="shop" /><data android:scheme="SHOP" /><data android:scheme="Shop" />"#, false, []
        ),
        (
            "only a scheme that a build tells", #"<data android:scheme="${scheme}" />"#, true,
            [
                "manifest-unresolved-value"
            ]
        ),
        ("capitals in a scheme of its own", #"<data android:scheme="myApp" />"#, false, ["manifest-scheme-form"]),
        (
            "MAIN and VIEW",
            #"<action android:name="android.intent.action.MAIN" />"#
                + #"<category android:name="android.intent.category.LAUNCHER" />"#
                + #"<data android:scheme="https" android:host="h.com" />"#, true, ["manifest-main-and-view"]
        ),
        (
            "SEND and VIEW",
            #"<action android:name="android.intent.action.SEND" />"#
                + #"<data android:scheme="https" android:host="h.com" />"#, true, []
        ),
        (
            "an attribute that <data> does not have",
            #"<data android:scheme="https" android:host="h.com" android:pathprefix="/a" />"#, true, [ignored]
        ),
        (
            "exclude",
            #"<data android:scheme="https" android:host="h.com" /><data android:path="/a" />"#
                + #"<data android:path="/b" exclude="true" />"#, true, [ignored]
        ),
        (
            "an attribute of the build tools",
            #"<data android:scheme="https" android:host="h.com" tools:ignore="AppLinkUrlError" />"#, true, []
        ),
    ]

    @Test("what a filter asks for is checked", arguments: filters)
    func wholeFilters(name: String, data: String, isVerified: Bool, codes: [String]) throws {
        let text = SampleApp.manifest([SampleApp.filter(data, isVerified: isVerified)])
        #expect(try Self.codes(text).filter { $0 != "manifest-auto-verify" } == codes, "\(name)")
    }

    static let hosts: [(host: String, isRight: Bool)] = [
        (".h.com", false), ("h.com", true), ("h.com.", false), ("*.h.com", true), ("&lt;h.com&gt;", false),
        ("xn--bcher-kva.com", true), ("bücher.com", false), ("_", false), ("a_b.h.com", true), ("192.168.0.1", false),
        ("[::1]", false), ("localhost", true), ("h.com/dl", false), ("Shop.Example.COM", true), ("*..h.com", false),
        ("a-1.h.com", true), ("h com", false), ("h.*", false), ("1.com", true), ("{host}", false),
    ]

    @Test("a host that no link has is reported", arguments: hosts)
    func hostNames(host: String, isRight: Bool) throws {
        let data = #"<data android:scheme="https" android:host="\#(host)" />"#
        let found = try Self.findings(SampleApp.manifest([SampleApp.filter(data)]))
        #expect(found.map(\.code.rawValue) == (isRight ? [] : ["manifest-host-form"]))
        #expect(found.allSatisfy { $0.advice?.hasPrefix("write ") == true }, "\(found)")
    }

    @Test("the advice about a host is the host that is meant")
    func hostAdvice() throws {
        let pairs = [
            (".h.com", "write 'h.com', or '*.h.com'"), ("h.com.", "write 'h.com'"), ("&lt;h.com&gt;", "write 'h.com'"),
            ("https://h.com/a", "write 'h.com'"), ("*.bücher.com", "write '*.xn--bcher-kva.com'"),
            ("_", "write the host alone, as in 'shop.example'"),
        ]
        for (host, advice) in pairs {
            let data = #"<data android:scheme="https" android:host="\#(host)" />"#
            #expect(try Self.findings(SampleApp.manifest([SampleApp.filter(data)])).map(\.advice) == [advice])
        }
    }

    static let ports: [(port: String, codes: [String])] = [
        ("8443", []), ("443", ["manifest-host-form"]), ("*", ["manifest-host-form"]), ("65536", ["manifest-host-form"]),
        ("80", []), ("-1", ["manifest-host-form"]),
    ]

    @Test("a port that no link has is reported", arguments: ports)
    func portNumbers(port: String, codes: [String]) throws {
        let text = ManifestSample.filter(#"android:port="\#(port)""#)
        #expect(try Self.codes(text) == codes)
    }

    @Test("the value that was probably meant to be a category is shown")
    func misspeltCategory() throws {
        let text = SampleApp.manifest([Self.link]).replacing("BROWSABLE", with: "BROWSEABLE")
        let finding = try #require(Self.findings(text).first)
        let label = try #require(finding.labels.first)
        let bytes = Array(text.utf8)[label.range.start..<label.range.end]
        #expect(String(decoding: bytes, as: UTF8.self) == "android.intent.category.BROWSEABLE")
    }

    @Test("a host that is not verified leaves others unverified on old devices")
    func oldDevices() throws {
        let data = #"<data android:scheme="https" android:host="h.com" /><data android:host="*" />"#
        let text = SampleApp.manifest([SampleApp.filter(data)])
        for (api, count) in [(30, 1), (31, 0)] {
            let finding = try #require(
                Self.findings(text, minimumAPI: api).first { $0.code.rawValue == "manifest-whole-web" })
            #expect(finding.notes.count == count)
        }
    }

    @Test("several hosts are verified together before Android 12")
    func verifiedTogether() throws {
        func found(_ hosts: [String], _ minimumAPI: Int?) throws -> [Diagnostic] {
            let data = hosts.map { #"<data android:scheme="https" android:host="\#($0)" />"# }.joined()
            return try Self.findings(SampleApp.manifest([SampleApp.filter(data)]), minimumAPI: minimumAPI)
        }
        let finding = try #require(found(["a.com", "b.com", "*.c.com"], 24).first)
        #expect(finding.code.rawValue == "manifest-auto-verify" && finding.severity == .note)
        #expect(finding.message.contains("all 3 hosts") && finding.notes == ["the hosts are a.com, b.com, c.com"])
        #expect(try found(["a.com", "b.com"], 31).isEmpty && found(["a.com", "b.com"], nil).isEmpty)
        #expect(try found(["a.com"], 24).isEmpty)
    }

    @Test("a finding about verification names all hosts of a filter, and what else is wrong with it")
    func unverified() throws {
        func message(_ data: String, _ others: String...) throws -> [String] {
            let filters = [SampleApp.filter(data, isVerified: false)] + others.map { SampleApp.filter($0) }
            return try Self.findings(SampleApp.manifest(filters)).filter { $0.code.rawValue == "manifest-auto-verify" }
                .map(\.message)
        }
        func host(_ host: String) -> String { #"<data android:scheme="https" android:host="\#(host)" />"# }
        let lacks = "does not have android:autoVerify=\"true\""
        #expect(try message(host("a.com")) == ["the intent filter for a.com \(lacks)"])
        #expect(
            try message(host("a.com") + host("b.com") + host("*.c.com") + host("d.com"))
                == ["the intent filter for a.com, b.com, *.c.com and 1 more \(lacks)"])
        #expect(
            try message(host("a.com") + #"<data android:scheme="shop" android:host="a.com" />"#)
                == ["the intent filter for a.com \(lacks), and has the scheme 'shop', too"])
        // What is not a scheme, or not a host, is reported as that.
        let blank = SampleApp.manifest([
            SampleApp.filter(host("a.com") + #"<data android:scheme=" " android:host=" " />"#)
        ])
        #expect(try Self.codes(blank) == ["manifest-scheme-form", "manifest-host-form"])
        // Every host is verified by nothing, and verifies nothing.
        #expect(try message(host("*")) == [])
        #expect(try message(host("a.com"), host("*")) == ["the intent filter for a.com \(lacks)"])
        #expect(try message(host("a.com"), host("*.com")) == [])
        #expect(try message(host("a.com"), host("b.com")) == ["the intent filter for a.com \(lacks)"])
    }
}
