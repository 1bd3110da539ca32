internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// The fixes of one file, within the work that they may take together.
///
/// Each check of the file counts by what it takes (`LintResult.work`), which is the same on every machine: so the same
/// fixes are made everywhere, and within 2 seconds of CPU time on one that is not slow.
struct FixRun {
    /// A text between two rounds.
    private struct State {
        var text: [UInt8]
        var result: LintResult
        var fixed: [FileReport.Fixed] = []
    }

    private typealias Fix = FixChoice.Fix

    /// Fixes can bring others into reach; a text that still changes after so many rounds is left as it is then.
    private static let rounds = 10
    /// The number of fixes in a row that may be necessary to cure what the first one has brought into view.
    private static let cures = 3
    /// The most that all checks of a file may cost together.
    static let work = 28_000_000

    private let linter: Linter
    private let kind: FileKind
    private let path: String
    private let original: LintResult
    /// The check of the text before the first suggested fix; nil if none is asked for.
    private var beforeSuggested: LintResult?
    private var state: State
    private var budget: WorkBudget
    /// The suggested fixes that were refused in the text as it is now.
    private(set) var refused: [Fixer.Refused] = []
    /// Whether fixes were left because the work was spent.
    private(set) var isStopped = false
    /// The fault of the automatic fixes; nil if there is none.
    private(set) var failure: String?

    var text: [UInt8] { state.text }
    var result: LintResult { state.result }
    var fixed: [FileReport.Fixed] { state.fixed }

    init(_ linter: Linter, _ kind: FileKind, _ text: [UInt8], path: String, work: Int) {
        self.linter = linter
        budget = WorkBudget(work)
        self.kind = kind
        self.path = path
        original = linter.checkAll(text, path: path, as: kind)
        state = State(text: text, result: original)
        budget.spend(original.work)
    }

    /// Applies automatic fixes as long as there are any.
    mutating func applyAutomatic() {
        for _ in 0..<Self.rounds {
            let choice = FixChoice(state.result.diagnostics)
            guard !choice.fixes.isEmpty, let next = applied(choice, to: state) else { return }
            // Zero bytes among what is left can make another encoding of it: such a file is for a person.
            guard next.result.isAsInFile else { return }
            // A longer text can be more than the system reads: then it is for a person, too.
            guard state.result.isTooLarge || !next.result.isTooLarge else { return }
            if let complaint = FixProof.complaint(before: state.result, after: next.result, choice) {
                // In a text of which nothing is certain, two valid fixes can make something else together: `{,,{`.
                if state.result.isTreeReliable { failure = complaint }
                return
            }
            state = next
        }
    }

    /// Applies suggested fixes as long as there are any that work, with the automatic ones that they bring into view.
    mutating func applySuggested() {
        beforeSuggested = state.result
        for _ in 0..<Self.rounds {
            guard failure == nil, applyRound() else { return }
        }
    }

    /// Examples of links that do something else with the fixes.
    func changedLinks() -> ChangedLinks {
        ChangedLinks(from: original, beforeSuggested, to: state.result, minimumIOS: linter.minimumIOS)
    }

    /// The text with some fixes, and what is wrong with it; nil if the work for that is spent.
    private mutating func applied(_ choice: FixChoice, to state: State) -> State? {
        // The next check takes about what the last one did, and what people are shown may take one more.
        let checks = Linter.isShownWhole(state.result, as: kind) ? 1 : 2
        guard budget.left >= checks * state.result.work else {
            isStopped = true
            return nil
        }
        let text = choice.applied(to: state.text)
        let result = linter.checkAll(text, path: path, as: kind)
        budget.spend(result.work)
        return State(text: text, result: result, fixed: state.fixed + choice.records(in: state.result.source))
    }
}

// One round of suggested fixes.
extension FixRun {
    /// The result of fixes that were tried.
    private enum Trial {
        case holds(State)
        /// - isCertain: Whether each fault is there whatever is done about others.
        case fails([FixFault], isCertain: Bool)
        case stopped
    }

    /// The largest set of fixes that was found to hold, while it is looked for.
    private struct Round {
        let fixes: [Fix]
        /// The indices of those that hold together, ascending.
        var accepted: [Int] = []
        /// The text with them.
        var state: State?
        /// Why fixes do not hold.
        var reasons: [Int: String] = [:]
        /// Those that were refused together with others that a failure names: alone they may hold.
        var suspects: [Int] = []
    }

    /// - Returns: Whether there may be more to do.
    private mutating func applyRound() -> Bool {
        // Those that were in the way of others are out of it once they are refused.
        let known = Set(refused.map(\.diagnostic))
        var round = Round(fixes: FixChoice(state.result.diagnostics.filter { !known.contains($0) }, .suggested).fixes)
        if round.fixes.isEmpty { return false }
        select(Array(round.fixes.indices), &round)
        for suspect in round.suspects where !isStopped { select([suspect], &round) }
        guard let next = round.state else {
            refused += round.reasons.sorted { $0.key < $1.key }.map { index, reason in
                let fix = round.fixes[index]
                return Fixer.Refused(diagnostic: fix.diagnostic, title: fix.fixIt.title, reason: reason)
            }
            return !isStopped
        }
        // What does not work now may work then, so it is tried again.
        refused = []
        state = next
        applyAutomatic()
        return true
    }

    /// Tries fixes together with those that are accepted. Where that fails, those that the failure names are dropped; if it
    /// names none, or all, each half is tried.
    private mutating func select(_ candidates: [Int], _ round: inout Round) {
        var candidates = candidates
        while !candidates.isEmpty {
            let tried = (round.accepted + candidates).sorted()
            let (faults, isCertain): ([FixFault], Bool)
            switch attempt(FixChoice(tried.map { round.fixes[$0] })) {
            case .stopped: return
            case .holds(let state):
                round.state = state
                round.accepted = tried
                for index in candidates { round.reasons[index] = nil }
                return
            case .fails(let found, let certainty): (faults, isCertain) = (found, certainty)
            }
            // What a fix does by itself is no reason to try it again.
            let own = isCertain ? faults.filter { $0.culprits.count == 1 } : []
            let isNew = !own.contains { round.accepted.contains(tried[$0.culprits[0]]) }
            if isNew, !own.isEmpty {
                let reasons = Dictionary(
                    own.map { (tried[$0.culprits[0]], $0.reason) }, uniquingKeysWith: { first, _ in first })
                round.reasons.merge(reasons) { _, new in new }
                candidates.removeAll { reasons[$0] != nil }
                continue
            }
            var named: [Int: FixFault] = [:]
            for fault in faults {
                for culprit in fault.culprits where named[tried[culprit]] == nil { named[tried[culprit]] = fault }
            }
            let dropped = candidates.filter { named[$0] != nil }
            if candidates.count == 1 {
                round.reasons[candidates[0]] = (named[candidates[0]] ?? faults[0]).reason
                return
            }
            guard !dropped.isEmpty, dropped.count < candidates.count else {
                let middle = candidates.count / 2
                select(Array(candidates[..<middle]), &round)
                return select(Array(candidates[middle...]), &round)
            }
            for index in dropped {
                guard let fault = named[index] else { continue }
                round.reasons[index] = fault.reason
                if fault.culprits.count > 1 { round.suspects.append(index) }
            }
            candidates.removeAll { named[$0] != nil }
        }
    }

    /// Applies fixes, and those of the errors that they bring into view.
    private mutating func attempt(_ choice: FixChoice) -> Trial {
        guard var current = applied(choice, to: state) else { return .stopped }
        let first = faults(of: choice, from: state, to: current)
        var pending = first
        let shown = Set(current.result.diagnostics.map(FixChoice.Location.init))
        let incurable = first.filter { !($0.finding.map { isCurable($0, shown) } ?? false) }
        if !incurable.isEmpty { return .fails(incurable, isCertain: true) }
        for _ in 0..<Self.cures where !pending.isEmpty {
            let locations = Set(pending.compactMap { $0.finding.map(FixChoice.Location.init) })
            let cures = FixChoice(
                current.result.diagnostics.filter { locations.contains(FixChoice.Location($0)) }, upTo: .suggested)
            // Each of them, and nothing else.
            guard pending.allSatisfy({ $0.finding != nil }), cures.fixes.count == locations.count else { break }
            guard let next = applied(cures, to: current) else { return .stopped }
            pending = faults(of: cures, from: current, to: next)
            current = next
        }
        return pending.isEmpty ? .holds(current) : .fails(first, isCertain: false)
    }

    /// Whether a finding has a fix itself, and is not suppressed.
    private func isCurable(_ finding: Diagnostic, _ shown: Set<FixChoice.Location>) -> Bool {
        finding.fix(upTo: .suggested) != nil && shown.contains(FixChoice.Location(finding))
    }

    private func faults(of choice: FixChoice, from before: State, to after: State) -> [FixFault] {
        guard after.result.isAsInFile else { return [FixFault("the result would not be UTF-8")] }
        guard before.result.isTooLarge || !after.result.isTooLarge else {
            return [FixFault("the file would exceed Apple's size limit")]
        }
        return FixProof.faults(before: before.result, after: after.result, choice)
    }
}

extension LintResult {
    fileprivate var isTooLarge: Bool {
        everything.contains { $0.is(.fileTooLarge) }
    }
}
