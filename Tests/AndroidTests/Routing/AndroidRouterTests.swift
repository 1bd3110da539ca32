import Android
import AppProjects
import AppSamples
import Diagnostics
import JSONSyntax
import Testing

/// Asset links and manifests together (docs/spec/android.md, section 4).
@Suite("Android links")
struct AndroidRouterTests {
    private static let https = #"<data android:scheme="https" android:host="h.com" android:pathPrefix="/app" />"#

    private static func statement(_ package: String, rules: String? = nil) -> String {
        let fingerprint = Array(repeating: "AB:12", count: 16).joined(separator: ":")
        let extensions = rules.map {
            #", "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#($0)}}"#
        }
        return #"{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app", "#
            + #""package_name": "\#(package)", "sha256_cert_fingerprints": ["\#(fingerprint)"]}\#(extensions ?? "")}"#
    }

    private static func document(_ statements: String...) -> AssetLinksDocument {
        let text = "[\(statements.joined(separator: ",\n"))]"
        return AssetLinksDocument(JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
    }

    private static func manifest(
        _ filters: String..., api: Int = 35, values: [String: String] = [:]
    ) throws -> AndroidRouter.Manifest {
        let file = try ManifestFile(Array(SampleApp.manifest(filters).utf8), path: "AndroidManifest.xml")
        return AndroidRouter.Manifest(
            AppManifest(file.root, api: api, values: BuildValues(values)), source: file.source)
    }

    private static let buy = #"[{"/": "/app/help/*", "exclude": true}, {"/": "/app/*"}]"#

    private func answer(
        _ document: AssetLinksDocument, _ url: String, manifest: AndroidRouter.Manifest? = nil, api: Int = 35
    ) throws -> AndroidAnswer {
        let router = AndroidRouter(document, manifests: manifest.map { ["a.b": $0] } ?? [:], api: api)
        return try #require(router.answer(url, explains: true))
    }

    @Test("dynamic rules decide what the manifest lets through, and open nothing else")
    func dynamic() throws {
        let document = Self.document(Self.statement("a.b", rules: Self.buy))
        let manifest = try Self.manifest(SampleApp.filter(Self.https))
        let cases: [(String, AndroidOutcome, AndroidAppAnswer.Basis)] = [
            ("/app/7", .open, .dynamic), ("/app/help/7", .excluded, .dynamic), ("/app", .noMatch, .dynamic),
            ("/other", .noMatch, .manifest),
        ]
        for (path, outcome, basis) in cases {
            let found = try answer(document, "https://h.com\(path)", manifest: manifest)
            #expect(found.outcome == outcome && found.apps.first?.basis == basis, "\(path)")
            #expect(found.isCertain && found.packages == (outcome == .open ? ["a.b"] : []))
            #expect((found.apps.first?.component != nil) == (outcome == .open || outcome == .excluded))
            #expect((found.apps.first?.filter != nil) == (basis == .dynamic))
        }
        let found = try answer(document, "https://h.com/app/7")
        #expect(found.outcome == .open && found.apps.first?.filter == nil)
        #expect(found.apps.first?.trace.map(\.isMatch) == [false, true])
    }

    @Test("without rules in force the manifest decides, and without one it is not known")
    func withoutRules() throws {
        let plain = Self.document(Self.statement("a.b"))
        let manifest = try Self.manifest(SampleApp.filter(Self.https))
        let opened = try answer(plain, "https://h.com/app/7", manifest: manifest)
        #expect(opened.outcome == .open && opened.apps.first?.basis == .manifest && opened.apps.first?.reason == nil)
        let unknown = try answer(plain, "https://h.com/app/7")
        #expect(unknown.outcome == .unknown && unknown.apps.first?.reason == .noManifest && unknown.isCertain)
        #expect(unknown.apps.first?.basis == nil)

        let discarded = Self.document(Self.statement("a.b", rules: #"[{"/": 1}]"#))
        #expect(try answer(discarded, "https://h.com/app/7").apps.first?.reason == .rulesDiscarded)
        let byManifest = try answer(discarded, "https://h.com/app/7", manifest: manifest)
        #expect(byManifest.outcome == .open && byManifest.apps.first?.reason == .rulesDiscarded)

        let rules = Self.document(Self.statement("a.b", rules: Self.buy))
        let old = try answer(rules, "https://h.com/app/help/7", manifest: manifest, api: 34)
        #expect(old.outcome == .open && old.apps.first?.reason == .api && old.apps.first?.basis == .manifest)
        #expect(try answer(rules, "https://h.com/app/help/7", api: 34).apps.first?.reason == .api)
    }

    @Test("an answer is uncertain if the readings of '*' differ, an app has two lists, or the host is a wildcard")
    func certainty() throws {
        let stars = Self.document(Self.statement("a.b", rules: #"[{"/": "/a/*/b"}]"#))
        #expect(try answer(stars, "https://h.com/a/1/b").isCertain)
        let differs = try answer(stars, "https://h.com/a/1/2/b")
        #expect(!differs.isCertain && differs.outcome == .noMatch && differs.apps.first?.doubt == .wildcards)

        let two = Self.document(
            Self.statement("a.b", rules: Self.buy), Self.statement("a.b", rules: #"[{"/": "*"}]"#))
        #expect(try answer(two, "https://h.com/app/7").apps.first?.doubt == .twoLists)

        let rules = Self.document(Self.statement("a.b", rules: Self.buy))
        let wildcard = try Self.manifest(
            SampleApp.filter(#"<data android:scheme="https" android:host="*.h.com" />"#))
        let below = try answer(rules, "https://www.h.com/app/7", manifest: wildcard)
        #expect(below.outcome == .open && below.apps.first?.doubt == .hostWildcard)
        let plain = Self.document(Self.statement("a.b"))
        #expect(try answer(plain, "https://www.h.com/app/7", manifest: wildcard).isCertain)
    }

    @Test("a value that only a build tells leaves open what it could change, and nothing else")
    func unresolved() throws {
        let filter = SampleApp.filter(#"<data android:scheme="https" android:host="@string/host" />"#)
        let unknown = try Self.manifest(filter)
        let plain = Self.document(Self.statement("a.b"))
        let found = try answer(plain, "https://h.com/", manifest: unknown)
        #expect(found.outcome == .unknown && !found.isCertain && found.apps.first?.reason == .unresolvedValue)
        #expect(found.apps.first?.filter?.activity == ".MainActivity")
        let given = try Self.manifest(filter, values: ["host": "h.com"])
        #expect(try answer(plain, "https://h.com/", manifest: given).outcome == .open)
        let rules = Self.document(Self.statement("a.b", rules: Self.buy))
        #expect(try answer(rules, "https://h.com/app/7", manifest: unknown).outcome == .unknown)
        let excluded = try answer(rules, "https://h.com/app/help/7", manifest: unknown)
        #expect(excluded.outcome == .excluded && !excluded.isCertain)
    }

    @Test("an app that is not verified for the host opens nothing, and that is said")
    func verification() throws {
        let rules = Self.document(Self.statement("a.b", rules: Self.buy))
        let manifest = try Self.manifest(SampleApp.filter(Self.https, isVerified: false))
        let found = try answer(rules, "https://h.com/app/7", manifest: manifest)
        #expect(found.outcome == .noMatch && found.apps.first?.refusal == .notVerified(host: "h.com"))
        #expect(found.apps.first?.remark?.contains("verification") == true)
        #expect(found.json(explains: true).text.contains(#""failed":"verification""#))
        #expect(!found.json(explains: false).text.contains("trace"))
    }

    @Test("all apps decide together: one that opens wins, then what is not known, then what excludes")
    func whole() throws {
        let open = Self.statement("a.b", rules: #"[{"/": "*"}]"#)
        let excluded = Self.statement("c.d", rules: #"[{"/": "*", "exclude": true}]"#)
        let unknown = Self.statement("e.f")
        let none = Self.statement("g.h", rules: #"[{"/": "/none"}]"#)
        let include = #"{"include": "https://h.com/more.json"}"#
        let cases: [([String], AndroidOutcome)] = [
            ([excluded, unknown, open, include], .open), ([excluded, unknown], .unknown),
            ([none, excluded], .excluded),
            ([none], .noMatch), ([none, include], .unknown), ([], .noMatch), ([include], .unknown),
        ]
        for (statements, outcome) in cases {
            let text = "[\(statements.joined(separator: ","))]"
            let document = AssetLinksDocument(
                JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
            #expect(try answer(document, "https://h.com/").outcome == outcome, "\(statements.count)")
        }
    }

    @Test("another host than that of the file, and another app than those that are asked about, open nothing")
    func restrictions() throws {
        let document = Self.document(
            Self.statement("a.b", rules: #"[{"/": "*"}]"#), Self.statement("c.d", rules: #"[{"/": "*"}]"#))
        let router = AndroidRouter(document, packages: ["c.d"], isForHost: { $0 == "h.com" })
        #expect(router.answer("https://h.com/")?.packages == ["c.d"])
        #expect(router.answer("https://H.com:8443")?.packages == ["c.d"])
        let other = try #require(router.answer("https://i.com/"))
        #expect(other.outcome == .noMatch && other.apps.first?.basis == nil && other.isCertain)
        #expect(router.answer("ftp://h.com/") == nil && router.answer("h.com") == nil)
        #expect(router.components.count == 1)
    }

    @Test("a value that is missing is named with the option that gives it")
    func missingValue() throws {
        let plain = Self.document(Self.statement("a.b"))
        let unknown = try Self.manifest(SampleApp.filter(#"<data android:scheme="https" android:host="${host}" />"#))
        let app = try #require(try answer(plain, "https://h.com/", manifest: unknown).apps.first)
        #expect(app.remark == "'${host}' of a filter is known only in a build: give it with --define host=VALUE")
    }

    @Test("before Android 12 the other hosts are named that have to be verified as well")
    func otherHosts() throws {
        let plain = Self.document(Self.statement("a.b"))
        let filters =
            SampleApp.filter(Self.https)
            + SampleApp.filter(#"<data android:scheme="https" android:host="*.i.com" />"#, isVerified: false)
        let old = try #require(
            try answer(plain, "https://h.com/app/7", manifest: Self.manifest(filters, api: 30), api: 30).apps.first)
        #expect(old.outcome == .open && old.otherHosts == ["i.com"])
        #expect(old.remark == "if Android verifies i.com as well: before API 31 all hosts of an app count together")
        #expect(old.isCertain)
        let new = try answer(plain, "https://h.com/app/7", manifest: Self.manifest(filters, api: 31), api: 31)
        #expect(new.apps.first?.otherHosts == [] && new.apps.first?.remark == nil)
    }
}
