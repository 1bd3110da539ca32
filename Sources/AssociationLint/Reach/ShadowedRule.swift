internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import PatternAnalysis

/// A rule that an earlier one leaves nothing to decide, as the rules about that report it.
struct ShadowedRule {
    let rule: Rule
    let earlier: Rule
    private let found: ReachFinder.Shadowed
    private let entry: ReachEntry
    private let earlierEntry: ReachEntry
    /// Rules that do the same as `earlier` for others of the apps.
    private let alsoEarlier: [Rule]
    /// Whether iOS 12 decides by the rule: it can read it, and not the earlier ones.
    let isNeededByOld: Bool
    private let context: LintContext

    init(_ found: ReachFinder.Shadowed, _ finder: ReachFinder, _ entries: [ReachEntry], _ context: LintContext) {
        rule = finder.rules[found.rule]
        earlier = finder.rules[found.shadowedBy]
        entry = entries[finder.entries[found.rule]]
        earlierEntry = entries[finder.entries[found.shadowedBy]]
        alsoEarlier = found.alsoBy.map { finder.rules[$0] }
        isNeededByOld =
            entry.isReadByOld && !context.isOnly(for: SystemVersion(13))
            && ([found.shadowedBy] + found.alsoBy).contains { !entries[finder.entries[$0]].isReadByOld }
        self.found = found
        self.context = context
    }

    /// Whether both rules do the same with a URL.
    var isRedundant: Bool { earlier.excludes == rule.excludes }

    var pointer: JSONPointer { entry.pointer(of: rule) }

    var name: RuleName { entry.name(of: rule) }

    /// The earlier rule and its line, with its column too where both are in one line.
    var earlierName: String {
        let (line, column) = (earlier.position.line, earlier.position.column)
        let location = line == rule.position.line ? "line \(line), column \(column)," : "line \(line)"
        return "\(earlierEntry.name(of: earlier).text) on \(location)"
    }

    /// The apps for which the rule decides nothing, as a part of the message; empty for all of its entry.
    var forApps: String {
        guard let apps = found.apps, let first = apps.first.flatMap(entry.name(ofApp:)) else { return "" }
        return " for \(quoted(first))" + (apps.count > 1 ? " and \(counted(apps.count - 1, "more app"))" : "")
    }

    /// Nil for the usual severity. What works on some systems, as far as is known, is not an error.
    var severity: Severity? {
        found.proof == .provedByOpenTail || isOnlyOld && dependsOnSlash ? .warning : nil
    }

    /// A URL that both rules match, and what happens with it.
    func example(_ effect: String?, _ finder: inout ReachFinder) -> String? {
        guard let witness = finder.witness(found) else { return nil }
        let app = found.apps?.first.flatMap(entry.name(ofApp:)) ?? entry.app
        guard let app, found.apps != nil || finder.hasOtherApps(found) else {
            return "e.g. \(witness)" + (effect.map { " \($0) the app" } ?? "")
        }
        return "e.g. \(witness) \(effect ?? "for") \(quoted(app))"
    }

    /// The advice where no fix moves the rule, as the earlier one is in another entry.
    var advice: String? {
        guard earlier.detail != rule.detail else { return nil }
        let target = "\(earlierEntry.name(of: earlier).text) on line \(earlier.position.line)"
        return found.apps == nil ? "move it before \(target)" : "write it before \(target), too"
    }

    /// Moving the rule before the earlier one, unless both match the same URLs.
    private func move(_ finder: inout ReachFinder) -> FixIt? {
        finder.isSame(found) ? nil : entry.move(rule, before: earlier, in: context.source)
    }

    func report(_ finder: inout ReachFinder, _ diagnostics: inout DiagnosticCollector) {
        let fault = RuleOrderFault(excludes: rule.excludes, after: earlier.excludes)
        if case .unreachable = fault {
            diagnostics.report(
                fault.rule, rule.range, pointer, fault.message(name.subject, after: earlierName),
                label: example(fault.example, &finder), labels: [Diagnostic.Label(earlier.range, fault.effect)],
                // Not where iOS 12 may read it and not the earlier one.
                notes: notes, fix: mayBeReadAlone ? nil : entry.deletion(of: rule, in: context.source))
        } else {
            diagnostics.report(
                fault.rule, severity: severity, rule.range, pointer,
                fault.message(name.text, after: earlierName, forApps: forApps), label: example(fault.example, &finder),
                labels: ([earlier] + alsoEarlier).map { Diagnostic.Label($0.range, fault.effect) }, advice: advice,
                notes: notes, fix: move(&finder))
        }
    }
}

// What the finding rests on.
extension ShadowedRule {
    var notes: [String] {
        [oldNote, aloneNote, tailNote, slashNote, rootNote].compactMap { $0 } + openConditionNotes
    }

    /// Whether only iOS 12 and older read the rule: others look at the components beside it.
    private var isOnlyOld: Bool { rule.isLegacyPath && !entry.detail.rulesBesideComponents.isEmpty }

    /// Whether iOS 12 and older may read the rule.
    private var mayBeOld: Bool { rule.isLegacyPath && !context.isOnly(for: SystemVersion(13)) }

    private var oldNote: String? { isOnlyOld ? "only iOS 12 and older read 'paths' beside 'components'" : nil }

    /// Whether the rules are in two entries of an app, of which iOS 12 and older may read only one.
    private var mayBeReadAlone: Bool { mayBeOld && entry.isReadByOld && earlier.detail != rule.detail }

    private var aloneNote: String? {
        mayBeReadAlone ? "iOS 12 and older may read only one of the two entries of the app" : nil
    }

    private var tailNote: String? {
        switch found.proof {
        case .unproved, .proved: nil
        case .provedByParent: "\(quoted(earlier.path)) also matches the path without its tail '/*'"
        case .provedByOpenTail:
            "\(quoted(earlier.path)) is taken to match without its tail '/*' too; "
                + "that is recorded only for a '/*' after plain text"
        }
    }

    /// Whether the rule is covered only because a slash at the end of a path does not count.
    private var dependsOnSlash: Bool {
        earlier.path.hasSuffix("/")
            ? !rule.path.hasSuffix("/") : rule.path.hasSuffix("/") && !earlier.path.hasSuffix("*")
    }

    private var slashNote: String? {
        guard mayBeOld, dependsOnSlash else { return nil }
        return
            "that a '/' at the end does not count is recorded for current systems; for iOS 12 and older it is not known"
    }

    /// Whether iOS 9 needs the rule, as reports say (`root-not-matched`).
    var isRootForOldest: Bool {
        rule.isLegacyPath && !rule.excludes && rule.path == "/" && ["*", "/*"].contains(earlier.path)
    }

    private var rootNote: String? {
        guard isRootForOldest, context.minimumIOS == nil else { return nil }
        return "only iOS 9 may need it: there '*' did not open the root of the site, as reports say"
    }

    /// Says why the earlier rule matches URLs without the query or the fragment that it names.
    private var openConditionNotes: [String] {
        var notes: [String] = []
        if case .items(let items) = earlier.query {
            let own: [String] = if case .items(let items) = rule.query { items.map(\.name) } else { [] }
            if let item = items.first(where: { $0.value == "*" && !own.contains($0.name) }) {
                notes.append("'*' requires no item \(quoted(item.name)): it also accepts a URL without it")
            }
        }
        if earlier.query.isStar, !rule.query.isText { notes.append("query '*' also accepts a URL without a query") }
        let component = earlierEntry.lintEntry.component(earlier.component)
        if component?["#"]?.string?.text == "*", rule.fragment == "*" {
            notes.append("fragment '*' also accepts a URL without a fragment")
        }
        return notes
    }
}

extension QueryPattern {
    fileprivate var isStar: Bool { if case .text("*") = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
