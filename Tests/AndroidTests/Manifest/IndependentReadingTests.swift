import Android
import AppSamples
import FuzzingSupport
import Testing

/// The product's decisions, and those of a second reader that was written from Android's documentation alone.
struct IndependentReadingTests {
    @Test(arguments: TestSeeds.of(1...1))
    func `both readings of random manifests agree, and links meet every rule`(seed: UInt64) throws {
        var comparison = ManifestComparison(seed: seed)
        while comparison.decisions < 5_000 {
            let difference = try comparison.round(urls: 10) { text, api in
                let manifest = AppManifest(try ManifestSample.root(text), api: api)
                return { url in
                    switch AndroidLink(url).map({ manifest.verdict(on: $0).decision }) {
                    case .yes: .yes
                    case .no: .no
                    case .undecided: .undecided
                    case nil: nil
                    }
                }
            }
            if let difference { Issue.record("seed \(seed): \(difference)") }
        }
        let unmet = SlowMatcher.Step.allCases.filter { comparison.counts[$0] == nil }
        #expect(unmet.isEmpty)
        #expect(comparison.counts[.opens] ?? 0 > 500)
    }

    @Test(arguments: TestSeeds.of(1...1))
    func `the hosts that are verified together are all that have to list the app`(seed: UInt64) throws {
        var manifests = RandomManifests(seed: seed)
        var opened = 0
        for _ in 0..<400 {
            let manifest = manifests.manifest()
            let url = manifests.url(near: manifest)
            var matcher = SlowMatcher(api: 30)
            guard manifest.unknownNames.isEmpty, matcher.answer(manifest, url) == .yes else { continue }
            opened += 1
            let sites = AppManifest(try ManifestSample.root(manifest.xml()), api: 30).hostsVerifiedTogether
            var exact = SlowMatcher(api: 30, lists: sites.contains)
            #expect(exact.answer(manifest, url) == .yes, "\(sites) \(manifest.xml())")
            for site in sites {
                var without = SlowMatcher(api: 30) { $0 != site }
                #expect(without.answer(manifest, url) == .no, "\(site) \(manifest.xml())")
            }
        }
        #expect(opened > 10)
    }

    // What the documentation says of a set of sites, of which the product knows one.
    @Test(
        arguments: [
            (35, ["example.com"], true), (35, ["shop.example"], false), (35, ["example.com", "shop.example"], true),
            (31, ["example.com"], true), (30, ["example.com"], false), (30, ["example.com", "shop.example"], true),
            (23, ["example.com", "shop.example"], true), (22, ["example.com", "shop.example"], false),
        ])
    func `on Android 11 and older all hosts have to list the app`(api: Int, sites: [String], opens: Bool) {
        func filter(_ host: String, _ attributes: [(String, String)]) -> SlowElement {
            SlowElement(
                "intent-filter", attributes,
                [
                    SlowElement("action", [("android:name", "android.intent.action.VIEW")]),
                    SlowElement("category", [("android:name", "android.intent.category.DEFAULT")]),
                    SlowElement("category", [("android:name", "android.intent.category.BROWSABLE")]),
                    SlowElement("data", [("android:scheme", "https"), ("android:host", host)]),
                ])
        }
        let activity = SlowElement(
            "activity", [],
            [filter("example.com", [("android:autoVerify", "true")]), filter("*.shop.example", [])])
        var matcher = SlowMatcher(api: api, lists: sites.contains)
        let manifest = SlowElement("manifest", [], [SlowElement("application", [], [activity])])
        #expect(matcher.answer(manifest, "https://example.com/a") == (opens ? .yes : .no))
        // No filter asks for it; on Android 11 and older one of the app is enough.
        let other = opens && api < 31
        #expect(matcher.answer(manifest, "https://a.shop.example/") == (other ? .yes : .no))
    }
}
