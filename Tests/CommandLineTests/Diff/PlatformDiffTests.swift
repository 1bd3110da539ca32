import AppSamples
import Foundation
import TestSupport
import Testing

/// The contract of `aasa diff` for asset links files and for both platforms (android.md, section 7).
@Suite("aasa diff for Android", .waiting)
struct PlatformDiffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable, "diff"] + arguments)
    }

    private func association(_ components: String) throws -> String {
        try folder.write(
            """
            { "applinks": { "details": [{
              "appIDs": ["ABCDE12345.com.example.app"],
              "components": [
                \(components)
              ] }] } }

            """, to: "apple-app-site-association")
    }

    private func assetLinks(_ components: String?, to name: String, package: String = "com.example.app") throws
        -> String
    {
        let fingerprint = ([String](repeating: "AB", count: 31) + ["01"]).joined(separator: ":")
        let rules = components.map {
            """
            ,
              "relation_extensions": { "delegate_permission/common.handle_all_urls": { "dynamic_app_link_components": [
                \($0)
              ] } }
            """
        }
        return try folder.write(
            """
            [{ "relation": ["delegate_permission/common.handle_all_urls"],
              "target": { "namespace": "android_app", "package_name": "\(package)",
                "sha256_cert_fingerprints": ["\(fingerprint)"] }\(rules ?? "")
            }]

            """, to: name)
    }

    @Test("--platforms shows what opens on one platform only, and what it leaves out")
    func platforms() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(#"{ "/": "/x/*" }"#, to: "assetlinks.json")
        let outcome = try run(["--platforms", ios, android])
        #expect(outcome.status == 1)
        #expect(
            outcome.text.hasPrefix(
                """
                - only on iOS      https://example.com/x
                    \(ios):4:5: /x/*  ABCDE12345.com.example.app
                    \(android): no rule matches
                note: compared are URLs as they usually are
                """), "\(outcome.text)")
        #expect(outcome.text.hasSuffix("1 difference\n"))
    }

    private func manifest(_ host: String, _ paths: String) throws -> String {
        try folder.write(
            SampleApp.manifest([SampleApp.filter(#"<data android:scheme="https" android:host="\#(host)" />\#(paths)"#)]
            ),
            to: "AndroidManifest.xml")
    }

    @Test("with --manifest the intent filters decide, for the host that they are for")
    func manifests() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(nil, to: "assetlinks.json", package: "com.shop.app")
        let manifest = try manifest("shop.example", #"<data android:pathPrefix="/x/" /><data android:path="/y" />"#)
        let outcome = try run(["--platforms", ios, android, "--manifest", manifest])
        #expect(outcome.status == 1, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(
            Array(lines.prefix(6)) == [
                "- only on iOS      https://shop.example/x",
                "    \(ios):4:5: /x/*  ABCDE12345.com.example.app",
                "    \(manifest): no intent filter takes it",
                "+ only on Android  https://shop.example/y",
                "    \(ios): no rule matches",
                "    \(manifest):11:1: an intent filter of .MainActivity: path=\"/y\"  com.shop.app",
            ], "\(outcome.text)")
        let json = try run(["--platforms", ios, android, "--manifest", manifest, "--format", "json"])
        #expect(
            json.text.contains(
                #""by":"manifest","condition":"path=\"/y\"","line":11,"outcome":"open","packages":["com.shop.app"],"#
                    + #""pointer":null"#))
        // Dynamic rules never open what the manifest does not.
        let both = try assetLinks(#"{ "/": "*" }"#, to: "rules.json", package: "com.shop.app")
        let narrowed = try run(["--platforms", ios, both, "--manifest", manifest, "--format", "json"])
        #expect(
            narrowed.text.contains(
                #""by":"dynamic","condition":null,"line":5,"outcome":"open","packages":["com.shop.app"]"#))
        #expect(narrowed.text.contains(#""by":"manifest","condition":null,"line":null,"outcome":"noMatch""#))
    }

    @Test("what a manifest leaves open is asked for")
    func openManifests() throws {
        let ios = try association(#"{ "/": "/x*" }"#)
        let android = try assetLinks(nil, to: "assetlinks.json", package: "com.shop.app")
        var manifest = try manifest("${host}", #"<data android:pathPrefix="/x" />"#)
        var outcome = try run(["--platforms", ios, android, "--manifest", manifest, "--domain", "shop.example"])
        #expect(
            outcome.status == 65 && outcome.errors.contains("give it with --define host=VALUE"), "\(outcome.errors)")
        #expect(outcome.errors.contains("'${host}' of the filters is known only in a build"), "\(outcome.errors)")
        outcome = try run(["--platforms", ios, android, "--manifest", manifest])
        #expect(outcome.status == 64 && outcome.errors.contains("set the host with --domain"), "\(outcome.errors)")
        #expect(outcome.errors.contains("or give '${host}' its value with --define host=VALUE"), "\(outcome.errors)")
        outcome = try run(["--platforms", ios, android, "--manifest", manifest, "--define", "host=shop.example"])
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        manifest = try self.manifest("*.shop.example", #"<data android:pathPrefix="/x" />"#)
        outcome = try run(["--platforms", ios, android, "--manifest", manifest, "--domain", "www.shop.example"])
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(try run([ios, android, "--manifest", manifest]).errors.contains("--manifest needs --platforms"))
    }

    @Test("--platforms writes one line of JSON with both decisions")
    func platformsAsJSON() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(#"{ "/": "/x/*" }"#, to: "assetlinks.json")
        let outcome = try run([
            "--platforms", ios, android, "--format", "json", "--domain", "shop.example", "--app",
            "ABCDE12345.com.example.app", "--package", "com.example.app",
        ])
        #expect(outcome.status == 1)
        #expect(
            outcome.text.hasPrefix(
                #"{"changes":[{"android":{"by":"dynamic","condition":null,"line":null,"outcome":"noMatch","packages":[],"#
                    + #""pointer":null},"#
                    + #""ios":{"appIDs":["ABCDE12345.com.example.app"],"line":4,"outcome":"open","#
                    + #""pointer":"/applinks/details/0/components/0"},"#
                    + #""kind":"only on iOS","more":0,"witness":"https://shop.example/x"}],"leftOut":""#),
            "\(outcome.text)")
        #expect(outcome.text.hasSuffix(#""platforms":true,"undecided":[],"version":1}"# + "\n"))
    }

    @Test("of many paths of a filter twenty are listed, and the rest is counted")
    func manyPaths() throws {
        let ios = try association(#"{ "/": "/b" }"#)
        let android = try assetLinks(nil, to: "assetlinks.json", package: "com.shop.app")
        let paths = (10..<33).map { #"<data android:pathPrefix="/p\#($0)/" />"# }.joined()
        let arguments = ["--platforms", ios, android, "--manifest", try manifest("shop.example", paths)]
        let text = try run(arguments).text
        #expect(text.contains("pathPrefix=\"/p29/\"") && !text.contains("/p30/"), "\(text)")
        #expect(text.contains("\n    and 3 more of this rule and this filter\n"), "\(text)")
        let junit = try run(arguments + ["--format", "junit"]).text
        #expect(junit.contains("and 3 more of this rule and this filter"), "\(junit)")
    }

    @Test("without a usable statement no app of Android is compared, and the text says so")
    func noUsableStatement() throws {
        let ios = try association(#"{ "/": "/b" }"#)
        let android = try folder.write("[]", to: "assetlinks.json")
        let outcome = try run(["--platforms", ios, android])
        #expect(
            outcome.text.contains("\(android): no statement that Android can use lets an app open links\n"),
            "\(outcome.text)\(outcome.errors)")
    }

    @Test("platforms that agree are exit code 0")
    func agreement() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(#"{ "/": "/x" }, { "/": "/x/*" }"#, to: "assetlinks.json")
        let outcome = try run(["--platforms", ios, android])
        #expect(outcome.status == 0 && outcome.text.hasSuffix("no differences\n"), "\(outcome.text)")
        #expect(try run(["--platforms", ios, android, "--format", "junit"]).text.contains(#"name="no differences""#))
    }

    @Test("without dynamic rules nothing is known, and the message says what to do")
    func unknown() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(nil, to: "assetlinks.json")
        let outcome = try run(["--platforms", ios, android])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors == """
                error: '\(android)' has no dynamic rules for 'com.example.app'
                help: without dynamic rules the manifest decides: give --manifest

                """)
        let old = try run([
            "--platforms", ios, try assetLinks(#"{ "/": "*" }"#, to: "assetlinks.json"), "--api", "34",
        ])
        #expect(old.status == 65 && old.errors.contains("API level 34"), "\(old.errors)")
    }

    @Test("what does not fit together is exit code 64, with a hint")
    func usage() throws {
        let ios = try association(#"{ "/": "/x/*" }"#)
        let android = try assetLinks(#"{ "/": "/x/*" }"#, to: "assetlinks.json")
        let mixed = try run([ios, android])
        #expect(mixed.status == 64 && mixed.errors.contains("aasa diff --platforms FILE ASSETLINKS"), "\(mixed.errors)")
        #expect(try run(["--platforms", android, ios]).status == 64)
        #expect(try run([ios, ios, "--app", "A.b"]).status == 64)
        let app = try run(["--platforms", ios, android, "--app", "A.b"])
        #expect(app.status == 64 && app.errors.contains("it names 'ABCDE12345.com.example.app'"), "\(app.errors)")
        #expect(try run(["--platforms", ios, android, "--package", "com.example.other"]).status == 64)
    }

    @Test("two asset links files: apps and links")
    func assetLinks() throws {
        let old = try assetLinks(#"{ "/": "/help/*" }, { "/": "/buy/*" }"#, to: "old.json")
        let new = try assetLinks(#"{ "/": "/help/*", "exclude": true }, { "/": "/buy/*" }"#, to: "new.json")
        let outcome = try run([old, new])
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                - now excluded        https://example.com/help/
                    \(old):5:5: /help/*  com.example.app
                    \(new):5:5: excludes /help/*
                1 change

                """)
        #expect(try run([old, old]).text == "no link changes\n")
        let other = try run([old, try assetLinks(nil, to: "other.json", package: "com.example.b"), "--format", "json"])
        #expect(
            other.text.hasPrefix(#"{"apps":[{"fingerprintsAdded":["AB:AB:"#)
                && other.text.hasSuffix(
                    #""package":"com.example.app"}],"changes":[],"undecided":[],"version":1}"# + "\n"),
            "\(other.text)")
    }

    @Test("rules that appear are said to be compared with the manifest")
    func appearingRules() throws {
        let old = try assetLinks(nil, to: "old.json")
        let new = try assetLinks(#"{ "/": "/a*" }"#, to: "new.json")
        let outcome = try run([old, new, "--format", "json"])
        #expect(
            outcome.text
                == #"{"apps":[],"changes":[{"kind":"no longer opens","new":{"line":null,"outcome":"noMatch","pointer":null},"#
                + #""old":{"line":null,"outcome":"open","pointer":null},"oldRules":false,"package":"com.example.app","#
                + #""witness":"https://example.com/"}],"undecided":[],"version":1}"# + "\n")
        #expect(try run([old, new]).text.contains("no dynamic rules, so the manifest decides"))
    }
}
