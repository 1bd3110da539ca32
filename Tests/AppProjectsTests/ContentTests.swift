import Android
import AppProjects
import AppSamples
import Diagnostics
import Foundation
import FuzzingSupport
import TestSupport
import Testing

@Suite("The kinds of --app files")
struct ContentTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private static let entries = ["applinks:www.example.com", "webcredentials:example.com"]

    private static func binaryEntitlements(_ id: String? = SampleApp.appID) -> [UInt8] {
        SamplePropertyList.dictionary(
            [("aps-environment", .string("production"))] + (id.map { [("application-identifier", .string($0))] } ?? [])
                + [("com.apple.developer.associated-domains", .array(entries.map { .string($0) }))]
        ).bytes
    }

    @Test("entitlements are read from XML and from binary property lists, whatever the file is called")
    func entitlements() throws {
        let xml = try app.read(SampleApp.entitlements(Self.entries, appID: SampleApp.appID), as: "x.json")
        let binary = try app.read(Self.binaryEntitlements(), as: "y.xml")
        for project in [xml, binary] {
            #expect(project.kind == .entitlements)
            #expect(project.appIDs == [SampleApp.appID])
            #expect(project.entries == Self.entries)
        }
        #expect(xml.domains.first?.source != nil && binary.domains.first?.source == nil)
        let mac = "<plist><dict><key>com.apple.application-identifier</key><string>A.b</string></dict></plist>"
        #expect(try app.read(mac).appIDs == ["A.b"])
    }

    @Test(
        "a name that only a build tells is not known",
        arguments: ["$(AppIdentifierPrefix)com.shop", "A.$(B)", "A.*", "A"])
    func unknownNames(id: String) throws {
        #expect(try app.read(SampleApp.entitlements([], appID: id)).appIDs == [])
    }

    @Test("strings of binary property lists are read in ASCII and in UTF-16")
    func wideStrings() throws {
        let list = SamplePropertyList.dictionary([
            ("Bücher", .string("x")),
            ("com.apple.developer.associated-domains", .array([.string("applinks:bücher.example")])),
        ])
        #expect(try app.read(list.bytes).entries == ["applinks:bücher.example"])
    }

    @Test("a provisioning profile is read without its signature, and decoded ones too")
    func profiles() throws {
        let profile = try app.read(SampleApp.profile())
        let decoded = try app.read(SampleApp.profileList())
        for project in [profile, decoded] {
            #expect(project.kind == .profile)
            #expect(project.appIDs == [SampleApp.appID])
            #expect(project.entries == ["*"])
            #expect(project.expires == 1_814_356_800)
            #expect(project.isDevelopment == false)
            #expect(try AppChecks(project).codes("anything.example") == [])
        }
        let expired = try app.read(SampleApp.profile(expires: "2026-11-21T12:00:00Z"))
        #expect(try AppChecks(expired).codes() == ["profile-expired"])
        #expect(
            AppChecks(expired).findings(now: now).first?.description.hasSuffix(
                "expired on 2026-11-21 [profile-expired]")
                == true)
        #expect(AppChecks(expired).findings(now: now - 1).isEmpty)
        #expect(try AppChecks(app.read(SampleApp.profile(domains: nil))).codes("a.com") == ["no-associated-domains"])
        let listed = try app.read(SampleApp.profile(domains: "<array><string>applinks:a.com</string></array>"))
        #expect(listed.entries == ["applinks:a.com"])
        #expect(try app.read(SampleApp.profile(appID: "7K3QWZ9PLM.*")).appIDs == [])
    }

    @Test("a profile that openssl has signed is read", .waiting)
    func signedProfile() throws {
        let request = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=x", "-keyout", "\(app.path)/key", "-out", "\(app.path)/certificate",
        ]
        #expect(try Shell.run(request).status == 0)
        let outcome = try Shell.run(
            [
                "openssl", "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-signer",
                "\(app.path)/certificate",
                "-inkey", "\(app.path)/key",
            ], input: Data(SampleApp.profileList().utf8))
        #expect(try app.read(Array(outcome.output)).appIDs == [SampleApp.appID])
    }

    static let executableCases: [(String, SampleExecutable)] = {
        let signed = SampleExecutable(Array(SampleApp.entitlements(entries, appID: SampleApp.appID).utf8))
        var (narrow, big, both) = (signed, signed, signed)
        narrow.isWide = false
        big.isBigEndian = true
        both.isWide = false
        both.isBigEndian = true
        return [("64 bits", signed), ("32 bits", narrow), ("64 bits, big endian", big), ("32 bits, big endian", both)]
    }()

    @Test("entitlements are read from signatures of all kinds of executables", arguments: executableCases)
    func executables(name: String, executable: SampleExecutable) throws {
        let forms = [
            executable.bytes, SampleExecutable.fat([executable]), SampleExecutable.fat([executable, executable]),
            SampleExecutable.fat([executable, executable], isWide: true),
        ]
        for (number, bytes) in forms.enumerated() {
            let project = try app.read(SampleApp.archive(executable: bytes).bytes, as: "\(number).zip")
            #expect(project.kind == .app && project.appIDs == [SampleApp.appID])
            #expect(project.entries == Self.entries)
            #expect(try AppChecks(project).codes("www.example.com") == [])
        }
    }

    @Test("the folder of an app is read, for iOS and for the Mac")
    func folders() throws {
        let executable = Data(Self.executableCases[0].1.bytes)
        try app.folder.write(Data(SampleApp.info()), to: "i/Shop.app/Info.plist")
        try app.folder.write(executable, to: "i/Shop.app/Shop")
        try app.folder.write(Data(SampleApp.profile()), to: "i/Shop.app/embedded.mobileprovision")
        try app.folder.write(Data(SampleApp.info()), to: "m/Shop.app/Contents/Info.plist")
        try app.folder.write(executable, to: "m/Shop.app/Contents/MacOS/Shop")
        for path in ["i/Shop.app", "i/Shop.app/", "m/Shop.app"] {
            let project = try AppProject.read("\(app.path)/\(path)")
            #expect(project.kind == .app && project.entries == Self.entries && project.appIDs == [SampleApp.appID])
            #expect((project.expires == nil) == path.hasPrefix("m"))
        }
    }

    @Test("the executable is a file in the app, whatever the Info.plist says")
    func executableNames() throws {
        for name in ["../Shop", "/etc/passwd", "a/b", "", ".", ".."] {
            try app.folder.write(Data(SampleApp.info(executable: name)), to: "Shop.app/Info.plist")
            #expect(
                app.failure("\(app.path)/Shop.app")?.message == "the Info.plist of the app does not name its executable"
            )
            let archive = SampleApp.archive(
                executable: Self.executableCases[0].1.bytes, info: SampleApp.info(executable: name)
            ).bytes
            #expect(try app.failure(archive)?.code == .unusable)
        }
        try app.folder.write(Data(SampleApp.info()), to: "Shop.app/Info.plist")
        #expect(app.failure("\(app.path)/Shop.app")?.code == .unreadable)
        try app.folder.link("Shop.app/Shop", to: "/etc/passwd")
        #expect(app.failure("\(app.path)/Shop.app")?.code == .unreadable)
    }

    @Test("an app whose signature has no domains was stripped when it was signed")
    func strippedApps() throws {
        var unsigned = SampleExecutable(nil)
        unsigned.isSigned = false
        let other = SampleExecutable(Array(SampleApp.entitlements(nil, appID: SampleApp.appID).utf8))
        for (executable, message) in [
            (unsigned, "the app is not signed, so it has no associated domains"),
            (SampleExecutable(nil), "the signature of the app has no entitlements, so it has no associated domains"),
            (other, "the signature of the app has no associated domains"),
        ] {
            let project = try app.read(SampleApp.archive(executable: executable.bytes).bytes)
            #expect(try AppChecks(project).codes("a.com") == ["no-associated-domains"])
            #expect(AppChecks(project).findings(now: now).first?.diagnostic.message == message)
            #expect(project.appIDs == [SampleApp.appID])
        }
    }

    @Test(
        "a signature and a profile have to name the same app",
        arguments: [
            ("7K3QWZ9PLM.com.shop.app", []), ("ABCDE12345.com.shop.app", ["app-identity-conflict"]),
            ("7K3QWZ9PLM.*", []), ("ABCDE12345.*", ["app-identity-conflict"]), ("7K3QWZ9PLM.com.shop.*", []),
            ("7K3QWZ9PLM.com.other.*", []), ("7K3QWZ9PLM.com.other", ["app-identity-conflict"]),
        ])
    func identity(profile: String, codes: [String]) throws {
        let archive = SampleApp.archive(
            executable: Self.executableCases[0].1.bytes, profile: SampleApp.profile(appID: profile))
        #expect(try AppChecks(app.read(archive.bytes)).codes() == codes)
    }

    @Test("an Expo configuration is read for both systems, with positions")
    func expo() throws {
        let text = """
            {
              "expo": {
                "ios": {
                  "appleTeamId": "7K3QWZ9PLM", "bundleIdentifier": "com.shop.app",
                  "associatedDomains": ["applinks:www.example.com", "applinks:https://a.com"],
                  "entitlements": { "com.apple.developer.associated-domains": ["webcredentials:b.com"] }
                },
                "android": {
                  "package": "com.shop.android",
                  "intentFilters": [{
                    "action": "VIEW", "autoVerify": true, "category": ["BROWSABLE", "DEFAULT"],
                    "data": [{ "scheme": "https", "host": "*.example.com", "pathPrefix": "/buy" }]
                  }, { "action": "VIEW", "data": { "scheme": "shop" }, "category": "BROWSABLE" }]
                }
              }
            }
            """
        let project = try app.read(text, as: "app.txt")
        #expect(
            project.kind == .expo && project.appIDs == [SampleApp.appID] && project.packages == ["com.shop.android"])
        #expect(project.entries == ["applinks:www.example.com", "applinks:https://a.com", "webcredentials:b.com"])
        #expect(project.filters.count == 1 && project.filters.first?.isVerified == true)
        let finding = try #require(AppChecks(project).findings(now: now).first)
        #expect(finding.description.contains("app.txt:5:58: error: 'applinks:https://a.com' has a scheme"))
        #expect(finding.diagnostic.pointer == "/expo/ios/associatedDomains/1")
        let wrong = try app.read(#"{"ios": {"associatedDomains": "applinks:a.com"}}"#, as: "d")
        #expect(
            AppChecks(wrong).findings(now: now).map(\.description) == [
                "\(app.path)/d:1:31: error: 'associatedDomains' is not a list [no-associated-domains]"
            ])
        #expect(try AppChecks(wrong).codes("a.com") == ["no-associated-domains"])
        let bare = try app.read(#"{"ios":{"associatedDomains":["applinks:a.com"]}, // comment"# + "\n}", as: "b")
        #expect(bare.kind == .expo && bare.entries == ["applinks:a.com"] && bare.appIDs.isEmpty)
        #expect(try app.read(#"{"android":{"package":"a.b"}}"#, as: "c").isForApple == false)
        let broken = try #require(try app.failure(Array(#"{"ios": {"associatedDomains": [}}"#.utf8)))
        #expect(
            broken.description.hasSuffix(
                "file:1:31: error: the JSON cannot be read: '[' is not closed before '}' on line 1"))
    }

    static let otherCases: [(String, [UInt8])] = [
        ("nothing", []), ("text", Array("hello".utf8)), ("an association file", Array(#"{"applinks":{}}"#.utf8)),
        ("an array", Array("[1]".utf8)), ("a page", Array("<html><body/></html>".utf8)),
        ("a list", Array("<plist><array/></plist>".utf8)), ("a binary list", SamplePropertyList.array([]).bytes),
        ("an Info.plist", SampleApp.info()), ("a compiled manifest", [0x03, 0, 0x08, 0, 0x10, 0, 0, 0]),
        ("another signed file", SampleApp.signed(Array("<plist><dict/></plist>".utf8))),
        ("an old property list", Array(#"{ "com.apple" = (a); }"#.utf8)),
        (
            "an archive of something else",
            {
                var archive = SampleArchive()
                archive.add("a.txt", [1])
                return archive.bytes
            }()
        ),
    ]

    @Test("anything else is not an app", arguments: otherCases)
    func others(name: String, bytes: [UInt8]) throws {
        let path = try app.folder.write(Data(bytes), to: "file")
        let error = try #require(app.failure(path))
        #expect(error.code == .unusable)
        guard name != "an old property list" else { return }
        #expect(
            error.description == "\(path): error: not an entitlements file, profile, app, project, app.json or manifest"
        )
    }

    @Test("what is not there, or not a file, cannot be read")
    func missing() throws {
        let missing = try #require(app.failure("\(app.path)/missing"))
        #expect(missing.code == .unreadable && missing.message == "no such file or directory")
        #expect(app.failure("/dev/null")?.message == "not a regular file")
        #expect(app.failure(app.path)?.code == .unusable)
    }

    @Test("a file that is too large is refused", arguments: [("<a>", 4), ("// !$*UTF8*$!\n{", 16)])
    func large(start: String, limit: Int) throws {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0x20, count: limit << 20)
        let error = try #require(try app.failure(bytes))
        #expect(error.message == "larger than \(limit) MiB, which is more than is read of such a file")
    }

    @Test("a profile that is larger than any is refused before it is unpacked")
    func largeProfile() throws {
        let error = try #require(try app.failure(SampleApp.signed([UInt8](repeating: 0x20, count: 1 << 20))))
        #expect(error.message == "larger than 1 MiB, which is more than is read of such a file")
    }

    @Test("filters of Expo are written as the manifest is, with two backslashes for one")
    func expoFilters() throws {
        let list =
            #"[{"action":"VIEW","autoVerify":true,"category":["BROWSABLE","DEFAULT"],"data":{"scheme":"https","#
            + #""host":"a.com","port":8443,"pathPattern":"/.*\\\\.html"}},{"action":"SEND","category":"BROWSABLE"}]"#
        let checks = AppChecks(try app.read(#"{"expo":{"android":{"intentFilters":\#(list)}}}"#, as: "app.json"))
        #expect(checks.findings(for: try #require(AndroidLink("https://a.com:8443/x.html"))).isEmpty)
        #expect(checks.findings(for: try #require(AndroidLink("https://a.com:8443/xyhtml"))).count == 1)
        #expect(checks.findings(for: try #require(AndroidLink("https://a.com/x.html"))).count == 1)
    }

    @Test("an '&' that is not written as XML wants it is explained")
    func ampersands() throws {
        for text in ["applinks:a.com?mode=developer&b=c", "a & b", "a&b;"] {
            let error = try #require(try app.failure(Array(SampleApp.entitlements([text]).utf8)))
            #expect((error.help == "write '&amp;' for '&'") == (text != "a&b;"), "\(text) \(error.message)")
        }
    }

    @Test("damaged XML has the position of its damage")
    func damagedXML() throws {
        let error = try #require(try app.failure(Array("<plist>\n<dict>\n</plist>".utf8)))
        #expect(error.description.hasSuffix("file:3:3: error: the XML cannot be read: mismatched tag"))
    }
}
