internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// Asks both matchers about URLs.
struct CounterexampleVerifier {
    let old: ReferenceMatcher
    let new: ReferenceMatcher
    let host: String
    let groups: [AppGroup]
    let budget: ComparisonBudget

    /// The decisions of the matchers that prove a difference.
    struct Proof {
        let text: String
        let url: WebURL
        let old: QuickDecision
        let new: QuickDecision
        /// The groups of apps about which some rule decides, and what it says.
        let groups: [Int]
        let decisions: GroupDecisions

        func change(
            _ kind: LinkChange.Kind, _ pair: GroupDecisions.Pair, _ oldFile: ComparedFile, _ newFile: ComparedFile
        ) -> LinkChange {
            LinkChange(
                kind: kind, witness: text,
                old: LinkChange.Answer(
                    outcome: old.outcome, appIDs: old.appIDs, rule: pair.old.map { oldFile.rules[$0] }),
                new: LinkChange.Answer(
                    outcome: new.outcome, appIDs: new.appIDs, rule: pair.new.map { newFile.rules[$0] }))
        }
    }

    /// - Parameter text: What stands behind the first slash of the path.
    func url(_ text: [UInt8]) -> String { "https://\(host)/" + String(text: text) }

    /// The decisions of both files; nil if the rules do not explain them, or finding out takes too much.
    ///
    /// - Parameters:
    ///   - oldGroups: The groups of each entry of the old file.
    ///   - newGroups: The groups of each entry of the new file.
    func prove(
        _ text: String, _ oldFile: ComparedFile, _ oldGroups: [[Int]], _ newFile: ComparedFile, _ newGroups: [[Int]]
    ) -> Proof? {
        guard let url = WebURL(text.utf8) else { return nil }
        let (before, after) = budget.lend { (old.decide(url, &$0), new.decide(url, &$0)) }
        guard let before, let after else { return nil }
        let oldRules = Self.firstRules(before, oldFile)
        let newRules = Self.firstRules(after, newFile)
        let concerned = Set(
            oldRules.keys.flatMap { oldGroups[$0] } + newRules.keys.flatMap { newGroups[$0] }
        ).sorted()
        let groups = concerned.map { self.groups[$0] }
        budget.spend(groups.count * 40 + (before.appIDs.count + after.appIDs.count) * 40)
        let decisions = GroupDecisions(
            old: Self.decisions(oldRules, groups.map(\.old), oldFile),
            new: Self.decisions(newRules, groups.map(\.new), newFile))
        // The matchers have the last word.
        let isSame = before.outcome == after.outcome && Self.apps(before) == Self.apps(after)
        guard (decisions.change(groups) == nil) == isSame else { return nil }
        return Proof(text: text, url: url, old: before, new: after, groups: concerned, decisions: decisions)
    }

    private static func apps(_ decision: QuickDecision) -> Set<[UInt8]> {
        Set(decision.appIDs.map { Array($0.utf8) })
    }

    /// The rule that matched first in each entry. Rules that were not tried are those of entries all of whose apps had been
    /// decided.
    private static func firstRules(_ decision: QuickDecision, _ file: ComparedFile) -> [Int: Int] {
        var first: [Int: Int] = [:]
        for rule in decision.matched {
            guard let rule = file.index(of: rule), first[file.entryOfRule[rule]] == nil else { continue }
            first[file.entryOfRule[rule]] = rule
        }
        return first
    }

    /// The rule that decided for each group of apps: the first that matched in one of its entries.
    private static func decisions(
        _ first: [Int: Int], _ groups: [[Int]], _ file: ComparedFile
    ) -> [RuleProgram.Step?] {
        groups.map { entries in
            guard let rule = entries.lazy.compactMap({ first[$0] }).first else { return nil }
            return RuleProgram.Step(condition: file.conditions[rule], rule: rule)
        }
    }

    /// Whether a rule of a file matches, by its index there; unknown is no.
    func matches(_ matcher: ReferenceMatcher, _ rule: Int, _ url: WebURL) -> Bool {
        budget.spend(100)
        return budget.lend { matcher.matches(rule, url, &$0) } ?? false
    }
}
