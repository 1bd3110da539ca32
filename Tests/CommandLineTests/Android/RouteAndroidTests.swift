import Foundation
import TestSupport
import Testing

/// The contract of `aasa route --android` (docs/spec/android.md, section 4).
@Suite("aasa route for Android", .waiting)
struct RouteAndroidTests {
    private let sample: AndroidSample

    init() throws { sample = try AndroidSample() }

    private func route(_ arguments: String..., input: String = "") throws -> Shell.Outcome {
        try sample.run(["route"] + arguments, input: Array(input.utf8))
    }

    private func answer(_ arguments: String...) throws -> [String: Any] {
        let outcome = try sample.run(["route", "--format", "json"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any])
    }

    @Test("JSON has the answer about Android beside that about iOS")
    func json() throws {
        let outcome = try route(
            "aasa", "--android", "assetlinks.json", "--manifest", "AndroidManifest.xml", "--format", "json",
            "--explain",
            "https://shop.example/buy/7")
        #expect(outcome.status == 0)
        let line = try #require(outcome.text.firstRange(of: #""android":"#))
        let android = outcome.text[line.lowerBound...].prefix { $0 != "\n" }
        let pointer = "/0/relation_extensions/delegate_permission~1common.handle_all_urls/dynamic_app_link_components/1"
        let expected = [
            #""android":{"apps":[{"by":"dynamic","certain":true,"filter":{"activity":".Links","line":4,"#,
            #""path":"AndroidManifest.xml"},"otherHosts":[],"outcome":"open","package":"com.shop.app","reason":null,"#,
            #""rule":{"component":1,"excludes":false,"line":11,"pointer":"\#(pointer)","statement":0},"#,
            #""trace":[{"component":0,"failed":"path","matched":false,"pattern":"/buy/old/*","statement":0,"#,
            #""value":"/buy/7"},{"component":1,"failed":null,"matched":true,"pattern":null,"statement":0,"#,
            #""value":null}]}],"certain":true,"include":false,"outcome":"open","packages":["com.shop.app"]}"#,
        ].joined()
        #expect(android.hasPrefix(expected), "\(android)")
        #expect(outcome.text.contains(#""appIDs":["7K3QWZ9PLM.com.shop.app"]"#))
    }

    @Test("a manifest alone is decided as if the host's file let the app handle links")
    func manifestAlone() throws {
        let open = try route("AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(open.status == 0)
        #expect(
            open.text == """
                https://shop.example/buy/7
                android   open              com.shop.app  AndroidManifest.xml:4  \
                (depends on the host's assetlinks.json, which has to let the app handle links: give it with --android)

                """)
        let missed = try route("AndroidManifest.xml", "https://shop.example/Buy/7", "--explain")
        #expect(
            missed.status == 0 && missed.text.contains("stays in browser  com.shop.app  (no intent filter takes it)"))
        #expect(missed.text.contains("hint:"))
        let answer = try answer("AndroidManifest.xml", "https://shop.example/buy/7")
        let android = try #require(answer["android"] as? [String: Any])
        #expect(android["outcome"] as? String == "open" && android["certain"] as? Bool == false)
        // With the file of the host the answer is that of the same command with --manifest.
        let files = try route("AndroidManifest.xml", "--android", "assetlinks.json", "https://shop.example/buy/7")
        let named = try route("assetlinks.json", "--manifest", "AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(files.status == 0 && files.text == named.text)
        let two = try route("AndroidManifest.xml", "--manifest", "AndroidManifest.xml", "https://shop.example/")
        #expect(two.status == 64 && two.errors.contains("give an asset links file with --android"))
        let standardInput = try route(
            "-", "https://shop.example/buy/7", input: try sample.tool.text("AndroidManifest.xml"))
        #expect(standardInput.status == 0 && standardInput.text.contains("open              com.shop.app"))
        try sample.writeManifest(package: nil)
        let unnamed = try route("AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(unnamed.status == 0 && unnamed.text.contains("open              the app  AndroidManifest.xml:4"))
    }

    @Test("a file of asset links alone is decided for Android only")
    func alone() throws {
        let answer = try answer("assetlinks.json", "https://shop.example/buy/old/7")
        #expect(answer["outcome"] is NSNull && answer["rule"] is NSNull && answer["userActivity"] is NSNull)
        #expect((answer["appIDs"] as? [String]) == [] && answer["reason"] is NSNull)
        let android = try #require(answer["android"] as? [String: Any])
        #expect(android["outcome"] as? String == "excluded")
        let app = try #require((android["apps"] as? [[String: Any]])?.first)
        #expect(Set(app.keys) == ["package", "outcome", "by", "certain", "reason", "rule", "filter", "otherHosts"])
        // By its content, too.
        let text = try sample.tool.text("assetlinks.json")
        try sample.tool.write(text, to: "links")
        #expect(try self.answer("links", "https://shop.example/")["outcome"] is NSNull)
        let both = try route("assetlinks.json", "--android", "assetlinks.json", "https://shop.example/")
        #expect(both.status == 64)
    }

    @Test("text has a line per app under the answer for iOS, and with --explain the components that were tried")
    func text() throws {
        let outcome = try route("aasa", "--android", "assetlinks.json", "https://shop.example/buy/old/7")
        #expect(
            outcome.text == """
                open              https://shop.example/buy/old/7
                                  7K3QWZ9PLM.com.shop.app
                                  aasa:1:82: /buy/*
                android   excluded          com.shop.app  assetlinks.json:10

                """)
        let explained = try route(
            "assetlinks.json", "--explain", "--manifest", "AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(
            explained.text == """
                https://shop.example/buy/7
                android   open              com.shop.app  assetlinks.json:11
                  AndroidManifest.xml:4  intent filter of .Links takes it
                  ✗ assetlinks.json:10  exclude  /buy/old/*  path does not match
                  ✓ assetlinks.json:11  open     /buy/*  matches

                """)
        let brief = try route("assetlinks.json", "-", input: "https://shop.example/buy/7\nhttps://shop.example/x\n")
        #expect(
            brief.text == """
                https://shop.example/buy/7  android: open  com.shop.app  assetlinks.json:11
                https://shop.example/x  android: stays in browser

                """)
    }

    @Test("--explain says for each filter what it does not take, and which links would open")
    func misses() throws {
        let explained = try route(
            "assetlinks.json", "--explain", "--manifest", "AndroidManifest.xml", "https://shop.example/Buy/7")
        #expect(
            explained.text == """
                https://shop.example/Buy/7
                android   stays in browser  com.shop.app  (no intent filter takes it)
                  ✗ AndroidManifest.xml:4  intent filter of .Links  path: '/Buy/7' does not match pathPrefix="/buy/"
                  ✗ assetlinks.json:10  exclude  /buy/old/*  path does not match
                  ✗ assetlinks.json:11  open     /buy/*  path does not match
                  hint: assetlinks.json:11 opens https://shop.example/buy/7: uppercase and lowercase letters differ

                """)
        let answer = try answer(
            "assetlinks.json", "--explain", "--manifest", "AndroidManifest.xml", "https://shop.example/Buy/7")
        let app = try #require(((answer["android"] as? [String: Any])?["apps"] as? [[String: Any]])?.first)
        let trace = try #require(app["trace"] as? [[String: Any]])
        #expect(trace.count == 3 && trace.first?["failed"] as? String == "path")
        #expect(
            trace.first?["pattern"] as? String == #"pathPrefix="/buy/""# && trace.first?["value"] as? String == "/Buy/7"
        )
        #expect((trace.first?["filter"] as? [String: Any])?["activity"] as? String == ".Links")
        let misses = try #require(app["nearMisses"] as? [[String: Any]])
        #expect(misses.map { $0["url"] as? String } == ["https://shop.example/buy/7"])
        #expect(misses.first?["change"] as? String == "letter-case" && misses.first?["line"] as? Int == 11)
    }

    @Test("a value that is missing is named, with the option that gives it")
    func missingValues() throws {
        try sample.writeLinks(rules: nil)
        try sample.writeManifest(host: "@string/host")
        let unknown = try route("assetlinks.json", "--manifest", "AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(
            unknown.text.contains(
                "'@string/host' of a filter is known only in a build: give it with --define host=VALUE"))
    }

    @Test("text says why an answer is not known or not certain")
    func remarks() throws {
        try sample.writeLinks(rules: nil)
        let unknown = try route("assetlinks.json", "https://shop.example/buy/7")
        #expect(unknown.text.contains("android   unknown           com.shop.app  (no dynamic rules"))
        #expect(unknown.text.contains("--manifest") && unknown.status == 0)
        try sample.writeLinks(rules: #"[{"/": "/a/*/b"}]"#)
        let stars = try route("assetlinks.json", "https://shop.example/a/1/2/b")
        #expect(stars.text.contains("(depends on how '*' is read)"))
        try sample.writeLinks(rules: #"[{"/": 1}]"#)
        let discarded = try answer("assetlinks.json", "https://shop.example/")
        let app = ((discarded["android"] as? [String: Any])?["apps"] as? [[String: Any]])?.first
        #expect(app?["reason"] as? String == "rules-discarded" && app?["outcome"] as? String == "unknown")
    }

    @Test("values that a build gives are taken with --define")
    func values() throws {
        try sample.writeLinks(rules: nil)
        try sample.writeManifest(host: "@string/host", prefix: "/${area}/")
        func outcome(_ defines: String...) throws -> [String?] {
            let answer = try sample.run(
                ["route", "--format", "json", "assetlinks.json", "--manifest", "AndroidManifest.xml"]
                    + defines.flatMap { ["--define", $0] } + ["https://shop.example/buy/7"])
            let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
            let android = object?["android"] as? [String: Any]
            let app = (android?["apps"] as? [[String: Any]])?.first
            return [android?["outcome"] as? String, app?["reason"] as? String]
        }
        #expect(try outcome() == ["unknown", "unresolved-value"])
        #expect(try outcome("host=shop.example", "area=buy") == ["open", nil])
        #expect(try outcome("host=shop.example", "area=sell") == ["noMatch", nil])
        #expect(try route("assetlinks.json", "--define", "host", "https://shop.example/").status == 64)
    }

    @Test("--api is the device: older ones have neither dynamic rules nor new attributes")
    func device() throws {
        let old = try answer(
            "assetlinks.json", "--manifest", "AndroidManifest.xml", "--api", "34", "https://shop.example/buy/old/7")
        let android = try #require(old["android"] as? [String: Any])
        let app = (android["apps"] as? [[String: Any]])?.first
        #expect(android["outcome"] as? String == "open" && app?["reason"] as? String == "api")
        #expect(app?["by"] as? String == "manifest")
        #expect(try route("assetlinks.json", "--api", "0", "https://shop.example/").status == 64)
    }

    @Test("--domain and --package restrict the answer")
    func restrictions() throws {
        let other = try answer(
            "aasa", "--android", "assetlinks.json", "--domain", "shop.example", "https://other.example/buy/7")
        #expect((other["android"] as? [String: Any])?["outcome"] as? String == "noMatch")
        let wildcard = try answer("assetlinks.json", "--domain", "*.shop.example", "https://www.shop.example/buy/7")
        #expect((wildcard["android"] as? [String: Any])?["outcome"] as? String == "open")
        let unknown = try route("assetlinks.json", "--package", "com.other", "https://shop.example/")
        #expect(unknown.status == 64 && unknown.errors.contains("'com.shop.app'"))
    }

    @Test("a manifest belongs to the app that it or the option names, or to the only one")
    func manifests() throws {
        let other = try route("assetlinks.json", "--manifest", "com.other=AndroidManifest.xml", "https://shop.example/")
        #expect(other.status == 64)
        try sample.writeManifest(package: nil)
        #expect(try route("assetlinks.json", "--manifest", "AndroidManifest.xml", "https://shop.example/").status == 0)
        try sample.writeLinks(packages: ["com.shop.app", "com.shop.beta"], rules: nil)
        let unnamed = try route("assetlinks.json", "--manifest", "AndroidManifest.xml", "https://shop.example/")
        #expect(unnamed.status == 64 && unnamed.errors.contains("PACKAGE=AndroidManifest.xml"))
        let named = try route(
            "assetlinks.json", "--manifest", "com.shop.beta=AndroidManifest.xml", "https://shop.example/buy/7")
        #expect(named.status == 0 && named.text.contains("open              com.shop.beta"))
        #expect(named.text.contains("unknown           com.shop.app"))
    }

    @Test(
        "files that cannot be used are refused, with the reason",
        arguments: [
            ("[", 65), ("{}", 65), (#"[{"relation": [],}]"#, 65), ("<html>", 65),
        ])
    func files(text: String, status: Int32) throws {
        try sample.tool.write(text, to: "assetlinks.json")
        #expect(try route("aasa", "--android", "assetlinks.json", "https://shop.example/").status == status)
        #expect(try route("assetlinks.json", "https://shop.example/").status == status)
    }

    @Test("a manifest that cannot be read, and options without a file, are refused")
    func usage() throws {
        try sample.tool.write([0x03, 0x00, 0x08, 0x00], to: "compiled.xml")
        let compiled = try route("assetlinks.json", "--manifest", "compiled.xml", "https://shop.example/")
        #expect(compiled.status == 65 && compiled.errors.contains("the manifest is compiled"))
        #expect(compiled.errors.contains("help: give the manifest of the source code"))
        #expect(try route("assetlinks.json", "--manifest", "none.xml", "https://shop.example/").status == 66)
        #expect(try route("aasa", "--manifest", "AndroidManifest.xml", "https://shop.example/").status == 64)
        #expect(try route("aasa", "--api", "35", "https://shop.example/").status == 64)
        #expect(try route("-", "--android", "-", "https://shop.example/").status == 64)
        #expect(try route("aasa", "--android", "-", "-").status == 64)
        #expect(try route("assetlinks.json", "shop.example").status == 64)
        let piped = try route("aasa", "--android", "-", "https://shop.example/", input: "[]")
        #expect(piped.status == 0 && piped.text.contains("lets no app handle links"))
    }
}
