import Android
import AppProjects
import AppSamples
import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import PatternAnalysis
import Testing
import URLPatterns

/// The comparison of the platforms where manifests decide on Android (android.md, section 7).
@Suite("Comparing the platforms by manifests")
struct ManifestComparisonTests {
    private typealias Manifest = (manifest: AppManifest, source: SourceText)

    private static func manifest(_ data: String) throws -> Manifest {
        let head = #"<data android:scheme="https" android:host="example.com" />"#
        return try manifest([SampleApp.filter("\(head)\(data)")])
    }

    private static func manifest(_ filters: [String]) throws -> Manifest {
        let file = try ManifestFile(Array(SampleApp.manifest(filters).utf8), path: "AndroidManifest.xml")
        return (AppManifest(file.root), file.source)
    }

    private func compare(_ ios: String, _ data: String, components: String? = nil) throws -> PlatformComparison {
        let rules = components.map { SmallLinks.apps(SmallLinks.assetLinks($0))[0].components }
        return PlatformComparison(
            try SmallLinks.association(ios),
            android: [
                ComparedAndroidApp("com.example.app", components: rules, manifest: try Self.manifest(data))
            ])
    }

    @Test(
        "equal meaning is no difference",
        arguments: [
            (#"{"/": "/x/*"}"#, #"<data android:pathPrefix="/x/" /><data android:path="/x" />"#),
            (#"{"/": "*"}"#, ""), (#"{"/": "/x*"}"#, #"<data android:pathPrefix="/x" />"#),
            (#"{"/": "/buy"}"#, #"<data android:path="/buy" /><data android:path="/buy/" />"#),
            (#"{"/": "/b/?*"}"#, #"<data android:pathAdvancedPattern="/b/.+" />"#),
            (
                #"{"/": "/x*", "?": {"k": "?*"}}"#,
                """
                <uri-relative-filter-group><data android:pathPrefix="/x" /><data android:queryPattern="k=..*" />
                </uri-relative-filter-group>
                """
            ),
        ])
    func equality(ios: String, data: String) throws {
        let comparison = try compare(ios, data)
        #expect(comparison.isWithoutDifference, "\(comparison.changes.map(\.witness)) \(comparison.undecided)")
    }

    @Test("a difference names the filter, or that none takes the link, or the dynamic rule behind it")
    func deciders() throws {
        let data = #"<data android:pathPrefix="/a" />"#
        let other = try compare(#"{"/": "/b*"}"#, data)
        #expect(other.changes.map(\.witness) == ["https://example.com/b", "https://example.com/a"])
        #expect(other.changes.map(\.android.isByManifest) == [true, true])
        #expect(other.changes[0].android.decider == nil && other.changes[0].android.packages.isEmpty)
        guard case .filter(let filter)? = other.changes[1].android.decider else {
            Issue.record("no filter: \(other.changes[1])")
            return
        }
        #expect(filter.activity == ".MainActivity" && filter.path == "AndroidManifest.xml")
        let both = try compare(#"{"/": "/b*"}"#, data, components: #"{"/": "/ab"}, {"/": "/b"}"#)
        #expect(both.changes.map(\.witness) == ["https://example.com/b", "https://example.com/ab"])
        #expect(both.changes.map(\.android.isByManifest) == [true, false])
        #expect(both.changes[1].android.component?.component == 0)
    }

    @Test("each path of a filter has a witness of its own, and of many the rest is counted", arguments: [3, 20, 25])
    func conditions(count: Int) throws {
        let names = (0..<count).map { "/p\($0 + 10)/" }
        let comparison = try compare(
            #"{"/": "/b"}"#, names.map { #"<data android:pathPrefix="\#($0)" />"# }.joined())
        let android = comparison.changes.filter { $0.kind == .onlyAndroid }
        #expect(android.map(\.witness) == names.prefix(20).map { "https://example.com\($0)" })
        #expect(android.map(\.android.condition) == names.prefix(20).map { "pathPrefix=\"\($0)\"" })
        #expect(android.map(\.more) == (0..<min(20, count)).map { $0 == 19 ? max(0, count - 20) : 0 })
        #expect(comparison.changes.count == android.count + 1 && comparison.undecided.isEmpty)
        #expect(comparison.changes[0].android.condition == nil && comparison.changes[0].more == 0)
    }

    @Test("a path that an earlier one covers decides nothing, and a group is named as it is written")
    func coveredConditions() throws {
        let covered = try compare(
            #"{"/": "/b"}"#, #"<data android:pathPrefix="/a" /><data android:path="/a/b" />"#)
        #expect(covered.changes.map(\.android.condition) == [nil, #"pathPrefix="/a""#])
        let group = """
            <uri-relative-filter-group><data android:path="/a" /><data android:query="k=1" /></uri-relative-filter-group>
            """
        let grouped = try compare(#"{"/": "/b"}"#, group)
        #expect(grouped.changes.map(\.witness) == ["https://example.com/b", "https://example.com/a?k=1"])
        #expect(grouped.changes.map(\.android.condition) == [nil, #"path="/a" and query="k=1""#])
    }

    @Test("without a usable statement there is no app")
    func withoutApps() throws {
        let apps: [ComparedAndroidApp] = []
        let comparison = PlatformComparison(try SmallLinks.association(#"{"/": "/b"}"#), android: apps)
        #expect(comparison.changes.map(\.android.hasApps) == [false])
        #expect(try compare(#"{"/": "/b"}"#, "").changes.allSatisfy { $0.android.hasApps })
    }

    @Test("a filter that has no automaton is not decided, and nothing wrong is said of it")
    func undecided() throws {
        let comparison = try compare(#"{"/": "/b*"}"#, #"<data android:pathAdvancedPattern="/[à-ü]+" />"#)
        #expect(comparison.undecided.contains { if case .filter? = $0.android { true } else { false } })
        #expect(comparison.changes.map(\.witness) == ["https://example.com/b"])
    }

    @Test(
        "a path beyond the basic plane is a difference",
        arguments: ["path", "pathPrefix", "pathPattern", "pathAdvancedPattern"])
    func surrogates(attribute: String) throws {
        let data = #"<data android:path="/x" /><data android:\#(attribute)="/😀" />"#
        #expect(
            try compare(#"{"/": "/x"}"#, data).changes.map(\.witness).contains("https://example.com/%F0%9F%98%80"))
    }

    @Test(
        "texts of the whole URL and two conditions on one part are not decided",
        arguments: [
            #"<data android:ssp="//example.com/b" />"#,
            """
            <uri-relative-filter-group><data android:pathPrefix="/b" /><data android:pathSuffix="c" />
            </uri-relative-filter-group>
            """,
        ])
    func undivided(data: String) throws {
        let comparison = try compare(#"{"/": "/b*"}"#, data)
        #expect(comparison.undecided.contains { if case .filter? = $0.android { true } else { false } })
    }

    @Test("a pattern that is too large is not decided, and the rest is compared", arguments: ["", "Prefix", "Suffix"])
    func large(form: String) throws {
        let data = #"<data android:path\#(form)="/\#(String(repeating: "a", count: 30_000))" />"#
        let comparison = try compare(#"{"/": "/b"}"#, data)
        #expect(comparison.undecided.contains { if case .filter? = $0.android { true } else { false } })
        #expect(comparison.changes.map(\.witness) == ["https://example.com/b"])
    }

    @Test("many large patterns end the work before they take the memory", arguments: [".", "[a-z]", "[^a-z]"])
    func enormous(token: String) throws {
        let data = (0..<60).map { #"<data android:pathAdvancedPattern="/\#($0)\#(token){19000}" />"# }.joined()
        let comparison = try compare(#"{"/": "/b"}"#, data)
        #expect(!comparison.undecided.isEmpty && comparison.work == ComparisonLimits().work)
    }

    @Test("random filters against every small URL", arguments: TestSeeds.of(1...2))
    func agreement(seed: UInt64) throws {
        var (changeCount, opening) = (0, 0)
        for index in 0..<20 as Range<UInt64> {
            var small = SmallLinks(seed: seed &* 2_000_003 &+ index)
            var random = SplitMix64(seed: seed &* 7_919 &+ index)
            let ios = try small.association()
            let filters = (0..<random.number(1...2)).map { _ in Self.filter(&random) }
            let (manifest, source) = try Self.manifest(filters)
            let components = random.chance(40) ? SmallLinks.apps(small.assetLinks()).first?.components : nil
            let comparison = PlatformComparison(
                ios,
                android: [
                    ComparedAndroidApp("com.example.app", components: components, manifest: (manifest, source))
                ])
            let files = Comment(
                rawValue: "\(String(decoding: ios.source.bytes, as: UTF8.self)) \(filters) \(components ?? [])")
            #expect(comparison.undecided.isEmpty, files)
            changeCount += comparison.changes.count
            let apple = ReferenceMatcher(ios)
            let matcher = components.map { DynamicRuleMatcher($0) }
            func opensOnAndroid(_ text: String) throws -> Bool {
                let verdict = manifest.verdict(on: try #require(AndroidLink(text)))
                guard verdict.decision == .yes else { return false }
                return try matcher.map { try $0.decide(text).outcome == .open } ?? true
            }
            var kinds = Set<String>()
            for change in comparison.changes {
                let opens = apple.decide(try #require(WebURL(change.witness.utf8))).outcome == .open
                #expect(opens == (change.kind == .onlyIOS), files)
                #expect(try opensOnAndroid(change.witness) != opens, files)
                kinds.insert(change.kind.rawValue)
            }
            for text in SmallLinks.ordinary {
                let opens = apple.decide(try #require(WebURL(text.utf8))).outcome == .open
                let other = try opensOnAndroid(text)
                if other { opening += 1 }
                guard opens != other else { continue }
                #expect(kinds.contains(opens ? "only on iOS" : "only on Android"), "\(text) \(files)")
            }
        }
        #expect(changeCount > 0 && opening > 0)
    }

    private static func filter(_ random: inout SplitMix64) -> String {
        func pattern() -> String {
            "/" + (0..<random.number(0...3)).map { _ in random.pick(["a", "b", "ab", "/"]) }.joined()
        }
        func attribute(_ part: String) -> String {
            switch random.number(0...4) {
            case 0: #"\#(part)="\#(pattern())""#
            case 1: #"\#(part)Prefix="\#(pattern())""#
            case 2: #"\#(part)Suffix="\#(pattern().dropFirst())""#
            case 3: #"\#(part)Pattern="/\#(random.pick([".*", "a*b", ".", "a.*", ".*b", "ab*"]))""#
            default: #"\#(part)AdvancedPattern="/\#(random.pick(["[ab]+", "a*", "[^b]{1,2}/?", ".{2}", "a{0,1}b"]))""#
            }
        }
        var data = #"<data android:scheme="https" android:host="example.com" />"#
        for _ in 0..<random.number(0...2) { data += "<data android:\(attribute("path")) />" }
        if random.chance(30) {
            for _ in 0..<random.number(1...2) {
                let path = random.chance(80) ? "<data android:\(attribute("path")) />" : ""
                let query =
                    random.chance(50)
                    ? #"<data android:query\#(random.pick([#"="k=a""#, #"Prefix="k=""#, #"Suffix="=a""#, #"Pattern="k=.*b""#])) />"#
                    : ""
                let fragment = random.chance(20) ? #"<data android:fragment="a" />"# : ""
                data +=
                    "<uri-relative-filter-group android:allow=\"\(random.chance(60))\">\(path)\(query)\(fragment)</uri-relative-filter-group>"
            }
        }
        return SampleApp.filter(data)
    }
}
