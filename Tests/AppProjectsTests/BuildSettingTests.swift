import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import Foundation
import TestSupport
import Testing
import URLPatterns

@Suite("Build settings")
struct BuildSettingTests {
    private let app: AppFolder

    init() throws {
        app = try AppFolder()
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "a.entitlements")
    }

    /// A project with one target in one configuration, whose bundle ID is a value.
    private func project(
        _ settings: [(String, String)], target: String = "Shop", file: String? = nil,
        inherited: [(String, String)] = [], inheritedFile: String? = nil, entitlements: String = "a.entitlements"
    ) throws -> AppProject {
        let all = [("CODE_SIGN_ENTITLEMENTS", entitlements), ("DEVELOPMENT_TEAM", "7K3QWZ9PLM")] + settings
        try app.folder.write(
            SampleApp.project(
                [.init(target, "Release", all, file: file)], inherited: inherited, inheritedFile: inheritedFile),
            to: "My Shop.xcodeproj/project.pbxproj")
        return try AppProject.read("\(app.path)/My Shop.xcodeproj")
    }

    /// The note that says why the app ID is not known.
    private func note(_ project: AppProject) throws -> (message: String, notes: [String], help: String?)? {
        let found = AppChecks([project]).findings(for: try #require(HostName("a.com")), isTarget: true)
        return found.first { $0.diagnostic.code.rawValue == "app-id-unknown" }.map {
            ($0.diagnostic.message, $0.diagnostic.notes, $0.diagnostic.help)
        }
    }

    @Test(
        "references are replaced as Xcode does it",
        arguments: [
            ("$(ORG_PREFIX).app", "com.shop.app"), ("${ORG_PREFIX}.app", "com.shop.app"),
            ("$[ORG_PREFIX].app", "com.shop.app"), ("$ORG_PREFIX.app", "com.shop.app"),
            ("com.$(TARGET_NAME:lower)", "com.my shop"), ("com.$(TARGET_NAME:upper)", "com.MY SHOP"),
            ("com.$(TARGET_NAME:rfc1034identifier)", "com.My-Shop"),
            ("com.$(PRODUCT_NAME:rfc1034identifier:lower)", "com.my-shop"),
            ("com.$(TARGET_NAME:identifier)", "com.My_Shop"), ("com.$(NUMBER:rfc1034identifier)", "com.-d-shop"),
            ("com.$(UMLAUT:c99extidentifier)", "com.Bücher_1"), ("com.$(UMLAUT:rfc1034identifier)", "com.B-cher-1"),
            ("com.$(PRODUCT_MODULE_NAME)", "com.My_Shop"), ("com.$(NOWHERE:default=x)", "com.x"),
            ("com.$(EMPTY:default=$(NOWHERE:default=y))", "com.y"), ("com.$(SUFFIX:default=x)", "com.beta"),
            ("com.$(EMPTY)x", "com.x"), ("com.$()x", "com.x"), ("com.$(A_$(WHICH))", "com.second"),
            ("com.$(PATH_NAME:file).$(PATH_NAME:base).$(PATH_NAME:dir:lower)", "com.c.d.c.a/b/"),
            ("$(PROJECT_NAME:identifier).$(CONFIGURATION).$(PLATFORM_NAME)", "My_Shop.Release.iphoneos"),
            ("com.$(CHAIN1)", "com.end"), ("com.$(SELF)", "com.below.self"),
        ])
    func references(value: String, expected: String) throws {
        let project = try project(
            [
                ("PRODUCT_BUNDLE_IDENTIFIER", value), ("ORG_PREFIX", "com.shop"), ("NUMBER", "3d.shop"),
                ("UMLAUT", "Bücher 1"), ("EMPTY", ""), ("SUFFIX", "beta"), ("WHICH", "B"), ("A_B", "second"),
                ("PATH_NAME", "A/B/c.d"), ("CHAIN1", "$(CHAIN2)"), ("CHAIN2", "$(CHAIN3)"), ("CHAIN3", "end"),
                ("SELF", "$(SELF).self"), ("SDKROOT", "iphoneos"),
            ], target: "My Shop", inherited: [("SELF", "below"), ("SUFFIX", "no")])
        #expect(project.appIDs == ["7K3QWZ9PLM.\(expected)"])
    }

    @Test("the target comes before its file, that before the project, and that before its file")
    func levels() throws {
        let names = ["target", "target's file", "project", "project's file"]
        for count in 1...4 {
            let own = (0..<4).map { $0 >= 4 - count ? [("LEVEL", "l\($0)")] : [] }
            func text(_ settings: [(String, String)]) -> String {
                settings.map { "\($0.0) = \($0.1)\n" }.joined()
            }
            try app.folder.write(text(own[1]), to: "Config/Target.xcconfig")
            try app.folder.write(text(own[3]), to: "Config/Project.xcconfig")
            let project = try project(
                [("PRODUCT_BUNDLE_IDENTIFIER", "com.$(LEVEL)")] + own[0], file: "Config/Target.xcconfig",
                inherited: own[2], inheritedFile: "Config/Project.xcconfig")
            #expect(project.appIDs == ["7K3QWZ9PLM.com.l\(4 - count)"], "\(names[4 - count])")
        }
    }

    @Test("$(inherited) is the value of the next level")
    func inherited() throws {
        try app.folder.write("NAME = $(inherited).file\nNAME = $(inherited).again // twice\n", to: "C/t.xcconfig")
        let project = try project(
            [("PRODUCT_BUNDLE_IDENTIFIER", "$(NAME)"), ("NAME", "$(inherited).target")], file: "C/t.xcconfig",
            inherited: [("NAME", "com$(inherited)")])
        #expect(project.appIDs == ["7K3QWZ9PLM.com.file.again.target"])
    }

    @Test("configuration files are read as Xcode reads them")
    func configurationFile() throws {
        let text = """
            \u{FEFF}// A comment
            #include "Base"
            #include? "missing.xcconfig"
              PREFIX = com.shop ; \r
            SCHEME = https://example.com
            LONG = one \\
                two \\
                three // comment
            KIND[sdk=macosx*] = mac
            KIND[config=Debug] = debug
            KIND[sdk=iphone*][arch=*] = phone
            KIND[variant=profile] = profile
            not a setting
            3 = 4
            [x] = y

            """
        try app.folder.write(text, to: "Config/App.xcconfig")
        try app.folder.write(
            "PREFIX = com.base\nBASE = base\n#include \"Sub/Deep.xcconfig\"\n", to: "Config/Base.xcconfig")
        // Found beside the file that includes it, or beside those that include that one.
        try app.folder.write(
            "#include \"Beside.xcconfig\"\n#include \"Base\"\nDEEP = deep\n", to: "Config/Sub/Deep.xcconfig")
        try app.folder.write("BESIDE = beside", to: "Config/Beside.xcconfig")
        let project = try project(
            [
                (
                    "PRODUCT_BUNDLE_IDENTIFIER",
                    "$(PREFIX).$(BASE).$(DEEP).$(BESIDE).$(KIND).$(LONG:rfc1034identifier).$(SCHEME)"
                ), ("SDKROOT", "iphoneos"),
            ], file: "Config/App.xcconfig")
        #expect(project.appIDs == ["7K3QWZ9PLM.com.shop.base.deep.beside.phone.one-two-three.https:"])
    }

    @Test("a configuration is resolved for each platform that it is built for, and differences count")
    func platforms() throws {
        let settings = [
            ("PRODUCT_BUNDLE_IDENTIFIER", "com.shop"), ("PRODUCT_BUNDLE_IDENTIFIER[sdk=macosx*]", "com.shop.mac"),
            ("PRODUCT_BUNDLE_IDENTIFIER[sdk=iphonesimulator*]", "com.shop.simulator"),
        ]
        for (more, ids) in [
            ([], ["com.shop", "com.shop.mac"]), ([("SDKROOT", "iphoneos")], ["com.shop"]),
            ([("SDKROOT", "macosx15.0")], ["com.shop.mac"]),
            ([("SDKROOT", "auto"), ("SUPPORTED_PLATFORMS", "xros xrsimulator")], ["com.shop"]),
            ([("SDKROOT", "iphoneos"), ("SUPPORTS_MACCATALYST", "YES")], ["com.shop", "com.shop.mac"]),
            (
                [("SUPPORTED_PLATFORMS", "macosx iphonesimulator iphoneos")], ["com.shop", "com.shop.mac"]
            ),
        ] as [([(String, String)], [String])] {
            #expect(try project(settings + more).appIDs == ids.map { "7K3QWZ9PLM.\($0)" }, "\(more)")
        }
        // As tools that sign by hand write it.
        #expect(
            try project([
                ("PRODUCT_BUNDLE_IDENTIFIER", "com.shop"), ("DEVELOPMENT_TEAM[sdk=iphoneos*]", "OTHERTEAM1"),
                ("SDKROOT", "iphoneos"),
            ]).appIDs == ["OTHERTEAM1.com.shop"])
    }

    @Test("the path of the entitlements, and the entries in them, are resolved for each configuration")
    func entitlements() throws {
        try app.folder.write(
            SampleApp.entitlements(["applinks:$(HOST)", "webcredentials:www.a.com", "applinks:$(HOST)/path"]),
            to: "Shop/Release.entitlements")
        func write(_ configurations: [(String, String)]) throws -> AppProject {
            try app.folder.write(
                SampleApp.project(
                    configurations.map {
                        .init(
                            "Shop", $0.0,
                            [
                                (
                                    "CODE_SIGN_ENTITLEMENTS",
                                    "$(SRCROOT)/$(TARGET_NAME)/$(FILE:default=$(CONFIGURATION)).entitlements"
                                ),
                                ("FILE", "Release"), ("HOST", $0.1),
                            ])
                    }), to: "Shop.xcodeproj/project.pbxproj")
            return try AppProject.read("\(app.path)/Shop.xcodeproj")
        }
        let project = try write([("Debug", "dev.a.com"), ("Release", "a.com"), ("Beta", "a.com")])
        #expect(
            project.entries == [
                "applinks:dev.a.com", "webcredentials:www.a.com", "applinks:dev.a.com/path", "applinks:a.com",
                "applinks:a.com/path",
            ])
        #expect(project.domains.count == 2, "Beta and Release have the same entries")
        let found = AppChecks(try write([("Release", "a.com")])).findings(now: now)
        #expect(
            found.map(\.description) == [
                "\(app.path)/Shop/Release.entitlements:11:11: error: 'applinks:a.com/path' has a path [entitlement-path]"
            ])
        #expect(found[0].diagnostic.notes.last == "it is written 'applinks:$(HOST)/path'")
        #expect(found[0].diagnostic.fixIts.isEmpty, "a fix would write the value in the place of the setting")
    }

    @Test("what stays unknown is named with its value, and what that refers to")
    func unknown() throws {
        var note = try #require(try note(project([("PRODUCT_BUNDLE_IDENTIFIER", "$(ORG_PREFIX).app")])))
        #expect(note.message == "PRODUCT_BUNDLE_IDENTIFIER is '$(ORG_PREFIX).app', which is not resolved here")
        #expect(
            note.notes == [
                "'ORG_PREFIX' is set neither in the project nor in a configuration file that was read",
                "only the presence of the service is checked",
            ])
        #expect(note.help == "give the app ID with --app-id")

        try app.folder.write("#include? \"Secrets.xcconfig\"\nBASE = $(ORG_PREFIX)\n", to: "Config/App.xcconfig")
        note = try #require(
            try self.note(project([("PRODUCT_BUNDLE_IDENTIFIER", "$(BASE).app")], file: "Config/App.xcconfig")))
        #expect(note.message == "PRODUCT_BUNDLE_IDENTIFIER is '$(BASE).app', which is not resolved here")
        #expect(note.notes[0].hasPrefix("'ORG_PREFIX' is set neither"))
        #expect(note.notes[1] == "'Secrets.xcconfig' is not there")

        for (value, why) in [
            ("$(A)", "'A' refers to itself"), ("$(X:md5)", "the operator ':md5' is not known"),
            ("$(X:dir=a)", "the operator ':dir=' is not known"), ("$(X", "a reference to a setting does not end"),
            ("$(BOMB1)", "the settings that it refers to make it too long, or refer to too many others"),
            ("$(DEEP1)", "the settings that it refers to make it too long, or refer to too many others"),
        ] {
            let bomb = (1...40).map { ("BOMB\($0)", "$(BOMB\($0 + 1))$(BOMB\($0 + 1))") } + [("BOMB41", "")]
            let deep = (1...100).map { ("DEEP\($0)", "$(DEEP\($0 + 1))") } + [("DEEP101", "x")]
            let settings = [("PRODUCT_BUNDLE_IDENTIFIER", value), ("A", "$(B)"), ("B", "$(A)"), ("X", "x")]
            #expect(try self.note(project(settings + bomb + deep))?.notes.first == why, "\(value)")
        }
    }

    @Test("an app without a Team ID is told from one without a bundle ID")
    func missingParts() throws {
        var note = try #require(
            try note(project([("PRODUCT_BUNDLE_IDENTIFIER", "com.shop.app"), ("DEVELOPMENT_TEAM", "")])))
        #expect(note.message == "the Team ID of 'com.shop.app' is not known: DEVELOPMENT_TEAM is not set")
        #expect(note.help == "set it, or give the app ID with --app-id, e.g. 'ABCDE12345.com.shop.app'")
        note = try #require(try self.note(project([])))
        #expect(note.message == "the app ID is not known: PRODUCT_BUNDLE_IDENTIFIER is not set")
    }

    @Test("an app.json of Expo says which key is missing")
    func expo() throws {
        for (ios, message) in [
            (
                #""bundleIdentifier":"com.shop.app","#,
                "the Team ID of 'com.shop.app' is not known: 'ios.appleTeamId' is not set"
            ),
            (#""appleTeamId":"7K3QWZ9PLM","#, "the app ID is not known: 'ios.bundleIdentifier' is not set"),
        ] {
            let project = try app.read(
                #"{"expo":{"ios":{\#(ios)"associatedDomains":["applinks:a.com"]}}}"#, as: "app.json")
            #expect(try note(project)?.message == message)
        }
        let script = try #require(try app.failure(Array("export default () => ({})".utf8), as: "app.config.ts"))
        #expect(
            script.help
                == "this configuration is code, which is not run here; run 'npx expo config --json >app.json', and give that file"
        )
    }

    @Test("entitlements whose name or entries are not known are reported")
    func unknownEntitlements() throws {
        var found = AppChecks(try project([], entitlements: "$(WHERE)/a.entitlements")).findings(now: now)
        #expect(
            found.map(\.description) == [
                "\(app.path)/My Shop.xcodeproj: note: CODE_SIGN_ENTITLEMENTS is '$(WHERE)/a.entitlements', "
                    + "which is not resolved here [build-setting-unknown]"
            ])
        try app.folder.write(SampleApp.entitlements(["applinks:$(HOST)"]), to: "a.entitlements")
        found = AppChecks(try project([])).findings(now: now)
        #expect(
            found.map(\.description) == [
                "\(app.path)/a.entitlements:9:11: note: 'applinks:$(HOST)' is not resolved here [build-setting-unknown]"
            ])
        #expect(
            found[0].diagnostic.notes == [
                "'HOST' is set neither in the project nor in a configuration file that was read"
            ])
        found = AppChecks(try AppProject.read("\(app.path)/a.entitlements")).findings(now: now)
        #expect(found.map(\.diagnostic.help) == ["give the Xcode project with --app, which sets it"])
    }

    @Test("only configuration files below the folder of the project are read, and cycles end")
    func bounds() throws {
        try app.folder.write("PREFIX = com.outside\n", to: "outside.xcconfig")
        try app.folder.write("", to: "inner/Config/App.xcconfig")
        try app.folder.link("inner/Config/Link.xcconfig", to: "../../outside.xcconfig")
        for name in ["../outside.xcconfig", "../../outside.xcconfig", "\(app.path)/outside.xcconfig", "Link.xcconfig"] {
            try app.folder.write("#include \"\(name)\"\n", to: "inner/Config/App.xcconfig")
            try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "inner/a.entitlements")
            try app.folder.write(
                SampleApp.project([
                    .init(
                        "Shop", "Release",
                        [("CODE_SIGN_ENTITLEMENTS", "a.entitlements"), ("PRODUCT_BUNDLE_IDENTIFIER", "$(PREFIX)")],
                        file: "Config/App.xcconfig")
                ]), to: "inner/Shop.xcodeproj/project.pbxproj")
            let project = try AppProject.read("\(app.path)/inner/Shop.xcodeproj")
            let reason = try #require(try note(project)).notes[1]
            #expect(project.appIDs.isEmpty)
            // The first leads to nothing from its folder.
            #expect(
                reason.hasSuffix("' is not read, as it is not below the folder of the project")
                    || reason == "'../outside.xcconfig' is not there", "\(name): \(reason)")
        }
        try app.folder.write("#include \"B.xcconfig\"\nA = a\n", to: "Config/A.xcconfig")
        try app.folder.write("#include \"A.xcconfig\"\nB = $(A).b\n", to: "Config/B.xcconfig")
        #expect(
            try project([("PRODUCT_BUNDLE_IDENTIFIER", "com.$(B)")], file: "Config/A.xcconfig").appIDs
                == ["7K3QWZ9PLM.com.a.b"])
        // Each includes the next twice.
        for number in 0..<14 {
            let line = "#include \"Bomb\(number + 1).xcconfig\"\n"
            try app.folder.write(line + line, to: "Config/Bomb\(number).xcconfig")
        }
        try app.folder.write("A = a\n", to: "Config/Bomb14.xcconfig")
        #expect(throws: AppProjectError.self) { try project([], file: "Config/Bomb0.xcconfig") }
        #expect(
            app.failure("\(app.path)/My Shop.xcodeproj")?.message
                == "the configuration files of the project name more than 1000 files")
        try app.folder.write(String(repeating: " ", count: 1 << 20 | 1), to: "Config/Large.xcconfig")
        #expect(throws: AppProjectError.self) { try project([], file: "Config/Large.xcconfig") }
        let reason = app.failure("\(app.path)/My Shop.xcodeproj")?.message ?? ""
        #expect(reason.hasPrefix("the configuration files of the project are too large: '"))
        #expect(reason.hasSuffix("Large.xcconfig' has more than 1 MiB"))
    }
}
