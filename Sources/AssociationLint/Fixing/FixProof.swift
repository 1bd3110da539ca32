internal import AppSiteAssociation
internal import Diagnostics

/// Proves that fixes have done what they should: their findings are gone, and there is no new error.
enum FixProof {
    /// The complaint about a round of fixes; nil if there is none.
    static func complaint(before: LintResult, after: LintResult, _ choice: FixChoice) -> String? {
        if before.isTreeReliable, !after.isTreeReliable { return "the fixed text is no longer valid JSON" }
        if let code = risenErrors(before, after, choice).first { return "the fixes cause a new '\(code)'" }
        // In a text of which nothing is certain, a comma that stays may take the place of the one that went.
        guard before.isTreeReliable else { return nil }
        let left = Set(after.everything.map { FixChoice.Location(code: $0.code, start: $0.range.start) })
        if let found = choice.locationsToBeFree.first(where: { left.contains($0.location) }) {
            return "the fix of '\(found.location.code)' does not remove its finding"
        }
        return nil
    }

    /// The faults of suggested fixes, and which of them are to blame; empty if there are none.
    ///
    /// They may move things, so that positions alone prove nothing: of each kind of finding there must be fewer by the number
    /// of fixes, and not more rules that have no effect.
    static func faults(before: LintResult, after: LintResult, _ choice: FixChoice) -> [FixFault] {
        if before.isTreeReliable, !after.isTreeReliable { return [FixFault("the result would not be valid JSON")] }
        let positions = FixedPositions(choice)
        var faults: [FixFault] = []
        let isReliable = before.isTreeReliable
        let risenErrors = Set(risenErrors(before, after, choice))
        let old = Dictionary(before.everything.map { ($0.code, 1) }, uniquingKeysWith: +)
        let new = Dictionary(after.everything.map { ($0.code, 1) }, uniquingKeysWith: +)
        let fixed = Dictionary(choice.fixes.map { ($0.diagnostic.code, 1) }, uniquingKeysWith: +)
        let kept = Set(fixed.filter { new[$0.key, default: 0] > old[$0.key, default: 0] - $0.value }.keys)
        let losesRules = isReliable && reachErrors(after) > reachErrors(before)
        guard !risenErrors.isEmpty || !kept.isEmpty || losesRules else {
            return staying(after, choice, isReliable)
        }
        let rules = Dictionary(
            (after.document?.appLinks?.details ?? []).flatMap { $0.rules + $0.rulesBesideComponents }.map {
                ($0.range, $0)
            },
            uniquingKeysWith: { first, _ in first })
        let seen = Set(
            before.everything.map { FixChoice.Location(code: $0.code, start: positions.shifted($0.range.start)) })
        for finding in after.everything where !seen.contains(FixChoice.Location(finding)) {
            let isReach = finding.severity == .error && reachCodes.contains(finding.code)
            guard risenErrors.contains(finding.code.rawValue) || kept.contains(finding.code) || losesRules && isReach
            else { continue }
            let ranges = [finding.range] + finding.labels.map(\.range)
            let culprits = Set(ranges.flatMap(positions.fixes)).sorted()
            faults.append(FixFault(reason(finding, rules), culprits, finding))
        }
        faults += staying(after, choice, isReliable)
        if faults.isEmpty {
            let codes = risenErrors.union(kept.map(\.rawValue)).sorted()
            let culprits = choice.fixes.indices.filter { kept.contains(choice.fixes[$0].diagnostic.code) }
            faults = [
                FixFault(
                    "the result would still have '\(codes.first ?? DeadExcludeRule.description.code.rawValue)'",
                    culprits)
            ]
        }
        return faults
    }

    /// Fixes whose finding is still where it was.
    private static func staying(_ after: LintResult, _ choice: FixChoice, _ isTreeReliable: Bool) -> [FixFault] {
        guard isTreeReliable else { return [] }
        let left = Set(after.everything.map(FixChoice.Location.init))
        return choice.locationsToBeFree.filter { left.contains($0.location) }.map {
            FixFault("the result would have the same finding", [$0.fix])
        }
    }

    private static func reachErrors(_ result: LintResult) -> Int {
        result.everything.count { $0.severity == .error && reachCodes.contains($0.code) }
    }

    /// The reason that a person has to know for a finding that fixes would cause.
    ///
    /// - Parameter rules: The rules of the text with the fixes, by their ranges.
    private static func reason(_ finding: Diagnostic, _ rules: [SourceRange: Rule]) -> String {
        guard reachCodes.contains(finding.code), finding.severity == .error, let rule = rules[finding.range],
            let earlier = finding.labels.first.flatMap({ rules[$0.range] })
        else { return "the result would have another \(finding.severity.rawValue): \(finding.message)" }
        let (later, first) = (RuleName(rule).bare, RuleName(earlier).bare)
        return "\(later) would still come after \(first), which matches first; move it up by hand"
    }

    /// Where a fix changes the meaning, so that other findings come into view: the value; the parent of a deleted value, whose
    /// later elements move up; or the whole file.
    private static func pointer(_ diagnostic: Diagnostic, _ fixIt: FixIt) -> String? {
        guard let pointer = diagnostic.pointer else { return nil }
        // A value that is read now can use variables, and name apps, that are elsewhere.
        if diagnostic.is(MisspeltKeyRule.description) { return "" }
        guard fixIt.deletes(diagnostic.range) || fixIt.applicability == .suggested,
            let slash = pointer.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return pointer }
        return String(pointer[..<slash])
    }

    /// The codes of which there are more errors than before outside of what fixes touch, sorted.
    private static func risenErrors(_ before: LintResult, _ after: LintResult, _ choice: FixChoice) -> [String] {
        let touched = PointerSet(choice.fixes.compactMap(pointer))
        // Where more is wrong than is kept, the next findings come into view.
        let isWhole = before.everything.count { $0.pointer == nil } < Linter.maxSyntaxFindings
        let kept = Dictionary(before.everything.map { ($0.code.rawValue, 1) }, uniquingKeysWith: +)
        func counts(_ result: LintResult) -> [String: Int] {
            let errors = result.everything.filter { finding in
                guard finding.severity == .error else { return false }
                guard let pointer = finding.pointer else { return isWhole }
                // What a rule is covered by changes with every pattern; and without a reliable tree no rule was applied
                // before.
                guard before.isTreeReliable, !reachCodes.contains(finding.code) else { return false }
                return !touched.contain(pointer)
            }
            return Dictionary(errors.map { ($0.code.rawValue, 1) }, uniquingKeysWith: +)
        }
        let old = counts(before)
        return counts(after).filter { code, count in
            count > old[code, default: 0] && kept[code, default: 0] < Linter.maxFindings
        }.keys.sorted()
    }

    private static let reachCodes = Set(RuleRegistry.reachRules.map { $0.description.code })
}

/// Something that is wrong after fixes.
struct FixFault {
    /// One clause that says what the result would be.
    let reason: String
    /// The indices of the fixes that are to blame, ascending; empty if that is not clear.
    let culprits: [Int]
    /// The finding that the fixes have caused; nil if it is something else.
    let finding: Diagnostic?

    init(_ reason: String, _ culprits: [Int] = [], _ finding: Diagnostic? = nil) {
        self.reason = reason
        self.culprits = culprits
        self.finding = finding
    }
}

/// Values in a document, each with all that is in it.
private struct PointerSet {
    private let pointers: Set<ArraySlice<UInt8>>
    /// There may be as many pointers as findings: only prefixes that can be one of them are looked up.
    private let lengths: Set<Int>

    init(_ pointers: [String]) {
        self.pointers = Set(pointers.map { Array($0.utf8)[...] })
        lengths = Set(self.pointers.map(\.count))
    }

    func contain(_ pointer: String) -> Bool {
        let bytes = Array(pointer.utf8)
        return (0...bytes.count).contains { end in
            (end == bytes.count || bytes[end] == UInt8(ascii: "/")) && lengths.contains(end)
                && pointers.contains(bytes[..<end])
        }
    }
}
