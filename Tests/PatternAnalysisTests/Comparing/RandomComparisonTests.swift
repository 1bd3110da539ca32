import AppSiteAssociation
import Fuzzing
import FuzzingSupport
import PatternAnalysis
import Testing
import URLPatterns

/// The comparison against URLs that are tried out.
@Suite("Comparing random files")
struct RandomComparisonTests {
    @Test("every witness proves its change, and no URL changes without being said", arguments: TestSeeds.of(1...1))
    func agreement(seed: UInt64) throws {
        var (changeCount, sameCount) = (0, 0)
        for index in 0..<30 as Range<UInt64> {
            var random = RandomFiles(seed: seed &* 1_000_003 &+ index)
            let (old, new) = random.pair()
            let (before, after) = (try AssociationDocument(old), try AssociationDocument(new))
            let comparison = LinkComparison(old: before, new: after)
            changeCount += comparison.changes.count
            if comparison.isWithoutChange { sameCount += 1 }
            let (oldMatcher, newMatcher) = (ReferenceMatcher(before), ReferenceMatcher(after))
            let files = Comment(rawValue: "pair \(index)\n\(old)\n\(new)")
            for change in comparison.changes {
                let url = try #require(WebURL(change.witness.utf8))
                check(change.old, oldMatcher.decide(url), change.witness, files)
                check(change.new, newMatcher.decide(url), change.witness, files)
                #expect(change.kind == expectedKind(oldMatcher.decide(url), newMatcher.decide(url)), files)
                #expect(!change.witness.utf8.contains { $0 <= 0x20 || $0 >= 0x7F })
            }
            guard comparison.undecided.isEmpty else { continue }
            let hasOneApp =
                Set((before.appLinks?.details ?? []).flatMap(\.appIDs).map(\.value))
                .union((after.appLinks?.details ?? []).flatMap(\.appIDs).map(\.value)).count == 1
            let pairs = comparison.changes.map { [$0.old.rule?.pointer, $0.new.rule?.pointer] }
            #expect(Set(pairs).count == pairs.count, files)
            for _ in 0..<200 {
                let text = random.url()
                let url = try #require(WebURL(text.utf8))
                let (a, b) = (oldMatcher.decide(url), newMatcher.decide(url))
                for (matcher, decision) in [(oldMatcher, a), (newMatcher, b)] {
                    var work = WorkBudget()
                    let quick = try #require(matcher.decide(url, &work))
                    #expect(quick.outcome == decision.outcome && quick.appIDs == decision.appIDs, "\(text) \(files)")
                    #expect(quick.rule?.pointer == decision.rule?.pointer, "\(text) \(files)")
                }
                guard expectedKind(a, b) != nil else { continue }
                #expect(!comparison.changes.isEmpty, "\(text) \(files)")
                if hasOneApp { #expect(pairs.contains([a.rule?.pointer, b.rule?.pointer]), "\(text) \(files)") }
            }
        }
        // Both have been met.
        #expect(changeCount > 0 && sameCount > 0)
    }

    private func check(_ answer: LinkChange.Answer, _ decision: ReferenceDecision, _ witness: String, _ files: Comment)
    {
        #expect(answer.outcome == decision.outcome && answer.appIDs == decision.appIDs, files)
        guard let rule = answer.rule else {
            #expect(answer.outcome == .noMatch, files)
            return
        }
        let trial = decision.trace.first { $0.rule.pointer == rule.pointer }
        #expect(trial != nil && trial?.failure == nil, "\(witness) \(files)")
    }

    private func expectedKind(_ old: ReferenceDecision, _ new: ReferenceDecision) -> LinkChange.Kind? {
        switch (old.outcome, new.outcome) {
        case (.open, .open): Set(old.appIDs) == Set(new.appIDs) ? nil : .otherApps
        case (.open, .excluded), (.noMatch, .excluded): .nowExcluded
        case (.open, .noMatch): .noLongerOpens
        case (.excluded, .noMatch): .noLongerExcluded
        case (.excluded, .open), (.noMatch, .open): .opens
        case (.excluded, .excluded), (.noMatch, .noMatch), (.notDecided, _), (_, .notDecided): nil
        }
    }
}
