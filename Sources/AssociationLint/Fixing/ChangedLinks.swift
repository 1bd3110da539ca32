internal import Android
internal import AppSiteAssociation
internal import Diagnostics
internal import PatternAnalysis
internal import URLPatterns

/// Links that do something else after fixes than before: of each kind of change a realistic example.
///
/// Links that only a mistake in a pattern made, such as `https://example.com/https://shop.example/x`, are none of them.
package struct ChangedLinks: Sendable {
    /// The ways in which links change.
    package enum Change: Sendable, CaseIterable {
        case closed, opened, otherApps
    }

    /// An example.
    package struct Link: Sendable {
        package let url: String
        package let change: Change
        /// Whether this is so on iOS 12 and older, which read `paths` only.
        package let isOld: Bool
    }

    package private(set) var links: [Link] = []
    /// The rest of the work that all comparisons may take.
    private var budget = 9_500_000

    /// - Parameters:
    ///   - original: The text before all fixes.
    ///   - before: The text before the first fix that a person has to agree to; nil without such a fix. What automatic ones
    ///     open was meant to open.
    ///   - after: The text with the fixes.
    init(from original: LintResult, _ before: LintResult?, to after: LintResult, minimumIOS: SystemVersion?) {
        if after.assetLinks != nil {
            find(.closed, inAssetLinks: original.assetLinks == nil ? before ?? original : original, after)
            if let before { find(.opened, inAssetLinks: before, after) }
            return
        }
        let first = original.document == nil ? before ?? original : original
        find(.closed, first, after, isOld: false)
        if let before { find(.opened, before, after, isOld: false) }
        guard minimumIOS.map({ $0 < SystemVersion(13) }) ?? true else { return }
        find(.closed, first.document?.forOldSystems == nil ? before ?? first : first, after, isOld: true)
        if let before { find(.opened, before, after, isOld: true) }
    }

    /// Looks for a link that is closed; or for one that is opened, and one that other apps open.
    private mutating func find(_ wanted: Change, _ before: LintResult, _ after: LintResult, isOld: Bool) {
        // What a file that is refused would do is nothing that a fix closes or opens.
        guard let old = isOld ? before.document?.forOldSystems : before.document,
            let new = isOld ? after.document?.forOldSystems : after.document
        else { return }
        // A corrected app ID is another app for every link.
        let isSame = Self.apps(old) == Self.apps(new)
        var missing: [Change] = wanted == .closed ? [.closed] : isSame ? [.opened, .otherApps] : [.opened]
        let mistakes = (Self.literalMistakes(before), Self.literalMistakes(after))
        func isMistaken(_ change: LinkChange) -> Bool {
            change.old.rule.map(mistakes.0.contain) ?? false || change.new.rule.map(mistakes.1.contain) ?? false
        }
        // After an inner `//` something else follows; without the `?` the pattern would take its own parent, `*`.
        for excluded in [nil, "*//?*"] where !missing.isEmpty {
            let comparison = compare(old.excluding(excluded), new.excluding(excluded))
            if comparison.isWithoutChange { return }
            for change in comparison.changes {
                guard let kind = Change(change), missing.contains(kind), Self.isPlausible(change.witness),
                    !isMistaken(change)
                else { continue }
                missing.removeAll { $0 == kind }
                // A change that newer systems see as well is reported once.
                if links.contains(where: { $0.url == change.witness && $0.change == kind }) { continue }
                links.append(Link(url: change.witness, change: kind, isOld: isOld))
            }
        }
    }

    /// Looks for a link that dynamic rules close, or open, for an app that is in both files.
    private mutating func find(_ wanted: Change, inAssetLinks before: LintResult, _ after: LintResult) {
        guard let old = before.assetLinks, let new = after.assetLinks else { return }
        let mistakes = (Self.literalMistakes(before), Self.literalMistakes(after))
        let change = AssetLinksComparison(old: old, new: new, limits: limits).changes.first { change in
            Change(change.kind, wasOpen: change.old.outcome == .open) == wanted && Self.isPlausible(change.witness)
                && !(change.old.component.map { mistakes.0.contain($0.range) } ?? false)
                && !(change.new.component.map { mistakes.1.contain($0.range) } ?? false)
        }
        budget -= limits.work
        if let change { links.append(Link(url: change.witness, change: wanted, isOld: false)) }
    }

    private mutating func compare(_ old: AssociationDocument, _ new: AssociationDocument) -> LinkComparison {
        let comparison = LinkComparison(old: old, new: new, limits: limits)
        budget -= comparison.work
        return comparison
    }

    /// The rules with a mistake in the letters of a pattern: every link that they decide about has it too.
    private static func literalMistakes(_ result: LintResult) -> FaultyRules {
        FaultyRules(result.everything.lazy.filter { mistakes.contains($0.code) }.map(\.range))
    }

    private static let mistakes: Set<DiagnosticCode> = {
        let rules: [any LintRule.Type] = [
            URLInPathRule.self, HostInPathRule.self, QueryInPathRule.self, LeadingQuestionMarkInQueryRule.self,
            LeadingHashInFragmentRule.self,
            DoubleSlashInPatternRule.self, DotSegmentInPatternRule.self, MalformedNotRule.self, NotInComponentRule.self,
            RouterPlaceholderRule.self, RegexInPatternRule.self, UnclosedVariableRule.self,
            InvalidPercentEscapeRule.self,
        ]
        return Set(rules.map { $0.description.code })
    }()

    private var limits: ComparisonLimits {
        var limits = ComparisonLimits()
        limits.states = 5_000
        limits.automata = 50_000
        limits.held = 500_000
        limits.work = min(4_700_000, max(budget, 0))
        return limits
    }

    private static func apps(_ document: AssociationDocument) -> Set<String> {
        Set(document.appLinks?.details.appIDs ?? [])
    }

    /// Whether a link may be in a page: without characters that are always percent-encoded, and without segments that are
    /// empty, or that browsers take out.
    private static func isPlausible(_ witness: String) -> Bool {
        guard !witness.utf8.contains(where: \.isUnencoded), let url = WebURL(witness.utf8), !url.hasEmptySegment else {
            return false
        }
        return !url.path.split(separator: UInt8(ascii: "/")).contains {
            $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
        }
    }

    /// A note for each example.
    func notes(path: String) -> [Report.Note] {
        links.map { link in
            let effect =
                switch link.change {
                case .closed: "no longer open an app"
                case .opened: "now open an app"
                case .otherApps: "open other apps than before"
                }
            let systems = link.isOld ? " on iOS 12 and older" : ""
            return Report.Note(
                path: path,
                message: "with the fixes, links such as \(quoted(link.url, limit: 200)) \(effect)\(systems)")
        }
    }
}

extension ChangedLinks.Change {
    fileprivate init?(_ change: LinkChange) { self.init(change.kind, wasOpen: change.old.outcome == .open) }

    fileprivate init?(_ kind: LinkChange.Kind, wasOpen: Bool) {
        switch kind {
        case .opens: self = .opened
        case .otherApps: self = .otherApps
        case .noLongerOpens: self = .closed
        case .nowExcluded where wasOpen: self = .closed
        case .nowExcluded, .noLongerExcluded: return nil
        }
    }
}

extension AssociationDocument {
    /// The same file with a path that none of its apps opens.
    fileprivate func excluding(_ path: String?) -> AssociationDocument {
        guard let path, let appLinks else { return self }
        let details = appLinks.details.map { detail in
            let exclusion = Rule(path: path, excludes: true, detail: detail.index, index: -1)
            return Detail(detail, rules: [exclusion] + detail.rules)
        }
        return AssociationDocument(appLinks: AppLinks(details, appLinks.substitutionVariables), source: source)
    }
}
