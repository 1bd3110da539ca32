import AppProjects
import AppSamples
import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite("Xcode projects")
struct ProjectTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    private func write(
        _ configurations: [SampleApp.Configuration], inherited: [(String, String)] = [],
        to path: String = "Shop.xcodeproj/project.pbxproj"
    ) throws {
        try app.folder.write(SampleApp.project(configurations, inherited: inherited), to: path)
    }

    private func project(_ path: String = "Shop.xcodeproj") throws -> AppProject {
        try AppProject.read("\(app.path)/\(path)")
    }

    private static let settings = [
        ("CODE_SIGN_ENTITLEMENTS", "Shop/Shop.entitlements"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.shop.app"),
        ("DEVELOPMENT_TEAM", "7K3QWZ9PLM"),
    ]

    @Test("each configuration has its entitlements and app ID, and shares what is the same")
    func configurations() throws {
        try app.folder.write(
            SampleApp.entitlements(["applinks:a.com", "applinks:https://b.com"]), to: "Shop/Shop.entitlements")
        try write([
            .init("Shop", "Debug", Self.settings),
            .init("Shop", "Release", Self.settings),
            .init("ShopTests", "Debug", [("PRODUCT_BUNDLE_IDENTIFIER", "com.t")]),
        ])
        for path in ["Shop.xcodeproj", "Shop.xcodeproj/", "Shop.xcodeproj/project.pbxproj"] {
            let project = try project(path)
            #expect(project.kind == .project && project.appIDs == [SampleApp.appID])
            #expect(project.apps.map(\.name) == ["Shop, Debug", "Shop, Release"])
            #expect(project.entries == ["applinks:a.com", "applinks:https://b.com"])
            let found = AppChecks(project).findings(now: now)
            #expect(
                found.map(\.description) == [
                    "\(app.path)/Shop/Shop.entitlements:10:11: error: 'applinks:https://b.com' has a scheme [entitlement-scheme]"
                ])
        }
    }

    @Test("settings are taken over from the project, and those of another build are not known")
    func inheritance() throws {
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "a.entitlements")
        for (own, ids) in [
            ([("PRODUCT_BUNDLE_IDENTIFIER", "com.shop.app")], [SampleApp.appID]),
            ([("PRODUCT_BUNDLE_IDENTIFIER", "com.shop.$(SUFFIX)")], []), ([], []),
            (
                [("PRODUCT_BUNDLE_IDENTIFIER", "com.shop.app"), ("DEVELOPMENT_TEAM", "OTHERTEAM1")],
                ["OTHERTEAM1.com.shop.app"]
            ),
        ] as [([(String, String)], [String])] {
            try write(
                [.init("Shop", "Release", own + [("CODE_SIGN_ENTITLEMENTS", "a.entitlements")])],
                inherited: [("DEVELOPMENT_TEAM", "7K3QWZ9PLM")])
            #expect(try project().appIDs == ids)
        }
    }

    @Test("settings for one system count, too")
    func conditions() throws {
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "a.entitlements")
        try app.folder.write(SampleApp.entitlements(["applinks:b.com"]), to: "b.entitlements")
        try write([
            .init(
                "Shop", "Release",
                [
                    ("CODE_SIGN_ENTITLEMENTS", "a.entitlements"),
                    ("CODE_SIGN_ENTITLEMENTS[sdk=macosx*]", "b.entitlements"),
                ])
        ])
        #expect(try project().entries == ["applinks:a.com", "applinks:b.com"])
    }

    @Test("a configuration that has lost its domains is reported, and an extension that never had any is not")
    func lostDomains() throws {
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "a.entitlements")
        try app.folder.write(SampleApp.entitlements(nil), to: "b.entitlements")
        try write([
            .init("Shop", "Debug", [("CODE_SIGN_ENTITLEMENTS", "a.entitlements")]),
            .init("Widget", "Debug", [("CODE_SIGN_ENTITLEMENTS", "b.entitlements")]),
        ])
        #expect(try AppChecks(project()).codes() == [])
        try write([
            .init("Shop", "Debug", [("CODE_SIGN_ENTITLEMENTS", "a.entitlements")]),
            .init("Shop", "Release", [("CODE_SIGN_ENTITLEMENTS", "b.entitlements")]),
        ])
        let found = AppChecks(try project()).findings(now: now)
        #expect(
            found.map(\.description) == [
                "\(app.path)/b.entitlements:4:1: error: the entitlements have no associated domains [no-associated-domains]"
            ])
        try write([.init("Shop", "Release", [])])
        #expect(try AppChecks(project()).codes() == ["no-associated-domains"])
    }

    @Test("only files below the folder of the project are read")
    func outside() throws {
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "outside.entitlements")
        try app.folder.link("in", to: app.path)
        for name in [
            "../outside.entitlements", "/etc/passwd", "link.entitlements", "$(SRCROOT)/../outside.entitlements",
        ] {
            try write(
                [.init("Shop", "Release", [("CODE_SIGN_ENTITLEMENTS", name)])],
                to: "inner/Shop.xcodeproj/project.pbxproj")
            try? app.folder.link("inner/link.entitlements", to: "../outside.entitlements")
            let error = try #require(app.failure("\(app.path)/inner/Shop.xcodeproj"))
            #expect(error.code == .unusable && error.message.contains("which are not below the folder of the project"))
        }
        try write([.init("Shop", "Release", [("CODE_SIGN_ENTITLEMENTS", "missing.entitlements")])])
        let error = try #require(app.failure("\(app.path)/Shop.xcodeproj"))
        #expect(
            error.code == .unreadable
                && error.message
                    == "'Shop, Release' names the entitlements 'missing.entitlements', which cannot be read: "
                    + "no such file or directory"
        )
        #expect(error.help?.contains("CODE_SIGN_ENTITLEMENTS") == true)
    }

    @Test(
        "a project that is not well-formed has the position of the mistake",
        arguments: [
            ("{", 2, 1, "a '{' is not closed"), ("{ a = b }", 2, 9, "';' was expected"),
            ("{ a b; }", 2, 5, "'=' was expected"),
            ("{ a = (b c); }", 2, 10, "',' or ')' was expected"), ("{ a = \"b; }", 2, 7, "a string does not end"),
            ("{ a = /* b; }", 2, 7, "a comment does not end"), ("{} x", 2, 4, "something follows the end of the list"),
            ("{ a = <00; }", 2, 13, "a '<' is not closed"), ("{ a = ; }", 2, 7, "a value or a key was expected"),
            ("{ a = ", 2, 7, "the file ends within a value"),
        ])
    func malformed(text: String, line: Int, column: Int, message: String) throws {
        let error = try #require(try app.failure(Array("// !$*UTF8*$!\n\(text)".utf8)))
        #expect(error.message == "the project cannot be read: \(message)")
        #expect(error.position?.line == line && error.position?.column == column)
    }

    @Test("what would be read again and again is read once, and too many names are refused")
    func limits() throws {
        try app.folder.write(SampleApp.entitlements(["applinks:a.com"]), to: "a.entitlements")
        func names(_ count: Int) -> [SampleApp.Configuration] {
            (0..<count).map { number in
                let name = String(repeating: "./", count: number) + "a.entitlements"
                return .init("Shop", "C\(number)", [("CODE_SIGN_ENTITLEMENTS", name)])
            }
        }
        try write(names(150))
        let project = try project()
        #expect(project.domains.count == 1 && project.apps.count == 150)
        try write(names(1_001))
        #expect(
            app.failure("\(app.path)/Shop.xcodeproj")?.message
                == "the project names more than 1000 files with entitlements")
    }

    @Test("a project with more entries in all its files than in one is refused")
    func manyEntries() throws {
        for name in ["a", "b"] {
            let entries = (0..<3_000).map { "applinks:\(name)\($0).example" }
            try app.folder.write(SampleApp.entitlements(entries), to: "\(name).entitlements")
        }
        try write([.init("Shop", "Debug", [("CODE_SIGN_ENTITLEMENTS", "a.entitlements")])])
        #expect(try project().entries.count == 3_000)
        try write([
            .init("Shop", "Debug", [("CODE_SIGN_ENTITLEMENTS", "a.entitlements")]),
            .init("Shop", "Release", [("CODE_SIGN_ENTITLEMENTS", "b.entitlements")]),
        ])
        #expect(
            app.failure("\(app.path)/Shop.xcodeproj")?.message == "it has more than 5000 associated domains")
    }

    @Test("512 levels are read, and not more")
    func levels() throws {
        func nested(_ count: Int) -> [UInt8] {
            let text = String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
            return Array("// !$*UTF8*$!\n{ x = \(text); }".utf8)
        }
        #expect(try app.failure(nested(510)) == nil)
        #expect(try app.failure(nested(511))?.message.contains("512 levels") == true)
        #expect(try app.failure(nested(1_000_000))?.message.contains("512 levels") == true)
    }
}
