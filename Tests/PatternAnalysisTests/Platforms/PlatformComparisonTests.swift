import Android
import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import PatternAnalysis
import Testing
import URLPatterns

/// The comparison of the platforms (android.md, section 7).
@Suite("Comparing the platforms")
struct PlatformComparisonTests {
    private func compare(_ ios: String, _ android: String) throws -> PlatformComparison {
        let apps = SmallLinks.apps(SmallLinks.assetLinks(android))
        return PlatformComparison(
            try SmallLinks.association(ios),
            android: apps.map { ComparedAndroidApp($0.package, components: $0.components) })
    }

    @Test(
        "what looks the same on both platforms is not",
        arguments: [
            (#"{"/": "/x/*"}"#, "only on iOS", ["https://example.com/x"]),
            (#"{"/": "/buy"}"#, "only on iOS", ["https://example.com/buy/"]),
            (#"{"/": "/x*", "?": {"k": "*"}}"#, "only on iOS", ["https://example.com/x"]),
            (##"{"/": "/x*", "#": "*"}"##, "only on iOS", ["https://example.com/x"]),
            (#"{"/": "/a*/b"}"#, "only on iOS", ["https://example.com/a/a/b", "https://example.com/a/b/"]),
        ])
    func examples(component: String, kind: String, witnesses: [String]) throws {
        let comparison = try compare(component, component)
        #expect(comparison.changes.map(\.kind.rawValue) == [kind])
        #expect(
            comparison.changes.allSatisfy { witnesses.contains($0.witness) }, "\(comparison.changes.map(\.witness))")
        #expect(comparison.undecided.isEmpty)
    }

    @Test(
        "equal meaning is no difference",
        arguments: [
            (#"{"/": "/x/*"}"#, #"{"/": "/x"}, {"/": "/x/*"}"#),
            (#"{"/": "/buy"}"#, #"{"/": "/buy"}, {"/": "/buy/"}"#),
            (#"{"/": "/x/?*"}"#, #"{"/": "/x/?*"}"#),
            (#"{"/": "/c/caf%C3%A9"}"#, #"{"/": "/c/café"}, {"/": "/c/café/"}"#),
            (#"{"/": "/x*", "?": {"k": "?*"}}"#, #"{"/": "/x*", "?": {"k": "?*"}}"#),
            (#"{"/": "/x*", "?": {"k": "*"}}"#, #"{"/": "/x*"}"#),
            (#"{"/": "/x*", "exclude": true}, {}"#, #"{"/": "/x*", "exclude": true}, {"/": "*"}"#),
        ])
    func equality(ios: String, android: String) throws {
        let comparison = try compare(ios, android)
        #expect(comparison.isWithoutDifference, "\(comparison.changes.map(\.witness))")
    }

    @Test("one change per pair of deciding rules, with the apps and the rules of both platforms")
    func members() throws {
        let comparison = try compare(#"{"/": "/a"}, {"/": "/b", "exclude": true}"#, #"{"/": "/b"}, {"/": "/c"}"#)
        #expect(comparison.changes.map(\.kind) == [.onlyIOS, .onlyAndroid, .onlyAndroid])
        #expect(comparison.changes.map(\.witness) == ["a", "b", "c"].map { "https://example.com/\($0)" })
        #expect(comparison.changes.map(\.ios.outcome) == [.open, .excluded, .noMatch])
        #expect(comparison.changes.map(\.android.component?.component) == [nil, 0, 1])
        #expect(comparison.changes[0].ios.appIDs == [SmallLinks.app] && comparison.changes[0].android.packages == [])
        #expect(comparison.changes[1].android.packages == ["com.example.app"])
    }

    @Test("random rules against every small URL", arguments: TestSeeds.of(1...2))
    func agreement(seed: UInt64) throws {
        var (changeCount, lengths) = (0, 0)
        for index in 0..<25 as Range<UInt64> {
            var small = SmallLinks(seed: seed &* 1_000_003 &+ index)
            let ios = try small.association()
            let links = SmallLinks.apps(small.assetLinks())
            guard let app = links.first else { continue }
            let comparison = PlatformComparison(
                ios, android: links.map { ComparedAndroidApp($0.package, components: $0.components) })
            let files = Comment(
                rawValue:
                    "\(String(decoding: ios.source.bytes, as: UTF8.self)) \(app.components.map { "\($0.path?.text ?? "-") \($0.query.map(\.pattern.text)) \($0.fragment?.text ?? "-") \($0.excludes)" })"
            )
            #expect(comparison.undecided.isEmpty, files)
            changeCount += comparison.changes.count
            let (apple, android) = (ReferenceMatcher(ios), DynamicRuleMatcher(app.components))
            var witnesses: [Pair: String] = [:]
            for change in comparison.changes {
                let decision = apple.decide(try #require(WebURL(change.witness.utf8)))
                let other = try android.decide(change.witness)
                #expect((decision.outcome == .open) != (other.outcome == .open), files)
                #expect((decision.outcome == .open) == (change.kind == .onlyIOS), files)
                let pair = Pair(decision.rule, other.component)
                #expect(pair == Pair(change.ios.rule, change.android.component), files)
                #expect(witnesses.updateValue(change.witness, forKey: pair) == nil, files)
            }
            for text in SmallLinks.ordinary {
                let decision = apple.decide(try #require(WebURL(text.utf8)))
                let other = try android.decide(text)
                guard (decision.outcome == .open) != (other.outcome == .open) else { continue }
                let witness = witnesses[Pair(decision.rule, other.component)]
                #expect(witness != nil, "\(text) \(files)")
                if let witness { #expect(witness.utf8.count <= text.utf8.count, "\(witness) \(text) \(files)") }
                lengths += 1
            }
        }
        #expect(changeCount > 0 && lengths > 0)
    }

    private struct Pair: Hashable {
        let ios: String?
        let android: Int?

        init(_ rule: Rule?, _ component: DynamicComponent?) {
            ios = rule?.pointer
            android = component?.component
        }
    }

    @Test("a hundred rules on each side are decided within the budget")
    func size() throws {
        let ios = (0..<100).map { #"{"/": "/section\#($0)/*/item"}"# }.joined(separator: ", ")
        let android = (0..<100).map { #"{"/": "/section\#($0)/*"}"# }.joined(separator: ", ")
        let comparison = try compare(ios, android)
        #expect(comparison.undecided.isEmpty)
        #expect(comparison.changes.count == 200 || comparison.changes.count == 100)
        #expect(comparison.work < ComparisonLimits().work / 2, "\(comparison.work)")
    }
}
