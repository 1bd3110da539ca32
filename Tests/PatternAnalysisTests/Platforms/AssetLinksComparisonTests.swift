import Android
import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import PatternAnalysis
import Testing

/// The comparison of two asset links files (android.md, section 7).
@Suite("Comparing asset links files")
struct AssetLinksComparisonTests {
    @Test("apps come, go and change their certificates")
    func apps() {
        let (one, other) = (SmallLinks.assetLinks(nil), SmallLinks.assetLinks(nil, package: "com.example.other"))
        let comparison = AssetLinksComparison(old: one, new: other)
        #expect(comparison.apps.map(\.kind) == [.added, .removed])
        #expect(comparison.apps.map(\.package) == ["com.example.other", "com.example.app"])
        let renewed = AssetLinksComparison(old: one, new: SmallLinks.assetLinks(nil, pair: "CD"))
        #expect(renewed.apps.map(\.kind) == [.fingerprints])
        #expect(renewed.apps.first?.fingerprintsAdded.first?.hasPrefix("CD:CD") == true)
        #expect(renewed.apps.first?.fingerprintsRemoved.first?.hasPrefix("AB:AB") == true)
        #expect(AssetLinksComparison(old: one, new: one).isWithoutChange)
    }

    @Test("rules that appear are compared with everything the manifest takes")
    func appearance() {
        let (without, with) = (SmallLinks.assetLinks(nil), SmallLinks.assetLinks(#"{"/": "/a*"}"#))
        let comparison = AssetLinksComparison(old: without, new: with)
        #expect(comparison.changes.map(\.kind) == [.noLongerOpens])
        #expect(comparison.changes.map(\.witness) == ["https://example.com/"])
        #expect(comparison.changes.first?.old.hasRules == false && comparison.changes.first?.new.hasRules == true)
        #expect(AssetLinksComparison(old: with, new: without).changes.map(\.kind) == [.opens])
        #expect(AssetLinksComparison(old: without, new: SmallLinks.assetLinks(#"{"/": "*"}"#)).isWithoutChange)
    }

    @Test(
        "rules that do the same are no change, however they are written",
        arguments: [
            (#"{"/": "/a"}, {"/": "/b"}"#, #"{"/": "/b"}, {"/": "/a"}"#),
            (#"{"/": "/a*"}, {"/": "/ab"}"#, #"{"/": "/a*"}"#),
            (#"{"/": "/a"}, {}"#, #"{"/": "/a"}"#),
            (#"{"/": "*", "?": {"k": "a*"}}"#, #"{"?": {"k": "a*"}}"#),
        ])
    func equality(old: String, new: String) {
        let comparison = AssetLinksComparison(old: SmallLinks.assetLinks(old), new: SmallLinks.assetLinks(new))
        #expect(comparison.isWithoutChange, "\(comparison.changes.map(\.witness))")
    }

    @Test(
        "URLs that are not ordinary are compared too",
        arguments: [
            (#"{"/": "*"}"#, #"{"/": "/a//b", "exclude": true}, {"/": "*"}"#, "https://example.com/a//b"),
            (##"{"#": "*"}"##, ##"{"#": "?*"}"##, "https://example.com/#"),
            (
                #"{"?": {"k": "a"}}"#, #"{"?": {"k": "b"}, "exclude": true}, {"?": {"k": "a"}}"#,
                "https://example.com/?k=a&k=b"
            ),
            (#"{"/": "/a%"}"#, #"{"/": "/b"}"#, "https://example.com/a%25"),
            (#"{"/": "/é"}"#, #"{"/": "/b"}"#, "https://example.com/%C3%A9"),
        ])
    func oddities(old: String, new: String, witness: String) {
        let comparison = AssetLinksComparison(old: SmallLinks.assetLinks(old), new: SmallLinks.assetLinks(new))
        let witnesses = comparison.changes.map(\.witness)
        #expect(witnesses.contains { $0.utf8.count == witness.utf8.count }, "\(witnesses)")
        #expect(comparison.undecided.isEmpty)
    }

    @Test("random files against every small URL", arguments: TestSeeds.of(1...2))
    func agreement(seed: UInt64) throws {
        var changeCount = 0
        for index in 0..<25 as Range<UInt64> {
            var small = SmallLinks(seed: seed &* 1_000_033 &+ index)
            let (old, new) = (small.assetLinks(), small.assetLinks())
            let comparison = AssetLinksComparison(old: old, new: new)
            let files = Comment(
                rawValue: [old, new].map { String(decoding: $0.source.bytes, as: UTF8.self) }.joined(separator: "\n"))
            #expect(comparison.undecided.isEmpty, files)
            changeCount += comparison.changes.count
            var witnesses: [[Int?]: String] = [:]
            for change in comparison.changes {
                let (before, after) = (try decide(old, change.witness), try decide(new, change.witness))
                #expect(before.outcome == change.old.outcome && after.outcome == change.new.outcome, files)
                witnesses[[before.component, after.component]] = change.witness
            }
            for text in SmallLinks.every {
                let (before, after) = (try decide(old, text), try decide(new, text))
                guard before.outcome != after.outcome else { continue }
                let witness = witnesses[[before.component, after.component]]
                #expect(witness != nil, "\(text) \(files)")
                if let witness { #expect(witness.utf8.count <= text.utf8.count, "\(witness) \(text) \(files)") }
            }
        }
        #expect(changeCount > 0)
    }

    private func decide(_ document: AssetLinksDocument, _ url: String) throws -> (
        outcome: AndroidOutcome, component: Int?
    ) {
        let app = try #require(document.apps.first)
        guard let matcher = DynamicRuleMatcher(app) else { return (.open, nil) }
        let decision = try matcher.decide(url)
        return (decision.outcome, decision.component?.component)
    }
}
