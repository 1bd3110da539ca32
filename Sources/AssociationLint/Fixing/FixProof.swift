internal import Diagnostics
internal import JSONSyntax

/// Proves that fixes have done what they should: their findings are gone, and there is no new error.
enum FixProof {
    /// What is wrong with a round of fixes; nil if nothing is.
    static func complaint(before: LintResult, after: LintResult, _ choice: FixChoice) -> String? {
        if before.isTreeReliable, !after.isTreeReliable { return "the fixed text is not valid JSON any more" }
        let touched = PointerSet(choice.fixes.compactMap(pointer))
        // Where more is wrong than is kept, the next findings come into view.
        let isWhole = before.everything.count { $0.pointer == nil } < Linter.mostSyntaxFindings
        func counts(_ result: LintResult) -> [String: Int] {
            self.counts(result, outside: touched, isTreeReliable: before.isTreeReliable, isWhole: isWhole)
        }
        let (old, new) = (counts(before), counts(after))
        let kept = Dictionary(before.everything.map { ($0.code.rawValue, 1) }, uniquingKeysWith: +)
        for (code, count) in new.sorted(by: { $0.key < $1.key })
        where count > old[code, default: 0] && kept[code, default: 0] < Linter.mostFindings {
            return "the fixes cause a new '\(code)'"
        }
        // In a text of which nothing is certain, a comma that stays may take the place of the one that went.
        guard before.isTreeReliable else { return nil }
        let left = Set(after.everything.map { FixChoice.Location(code: $0.code, start: $0.range.start) })
        if let found = choice.locationsToBeFree.first(where: left.contains) {
            return "the fix of '\(found.code)' does not remove its finding"
        }
        return nil
    }

    /// What is wrong with suggested fixes besides; nil if nothing is.
    ///
    /// They may move things, so that positions prove nothing: of each kind of finding there must be fewer by the number of
    /// fixes, and not more rules that have no effect.
    static func complaintAboutSuggested(before: LintResult, after: LintResult, _ choice: FixChoice) -> String? {
        func counts(_ findings: [Diagnostic]) -> [DiagnosticCode: Int] {
            Dictionary(findings.map { ($0.code, 1) }, uniquingKeysWith: +)
        }
        let (old, new) = (counts(before.everything), counts(after.everything))
        for (code, count) in counts(choice.fixes.map(\.diagnostic)).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where new[code, default: 0] > old[code, default: 0] - count {
            return "the fix of '\(code)' does not remove its finding"
        }
        guard before.isTreeReliable else { return nil }
        func reachErrors(_ result: LintResult) -> Int {
            result.everything.count { $0.severity == .error && reachCodes.contains($0.code) }
        }
        return reachErrors(after) > reachErrors(before) ? "the fix leaves another rule without effect" : nil
    }

    /// Where a fix changes the meaning, so that other findings come into view: the value; the parent of a deleted value, whose
    /// later elements move up; or the whole file.
    private static func pointer(_ diagnostic: Diagnostic, _ fixIt: FixIt) -> String? {
        guard let pointer = diagnostic.pointer else { return nil }
        // A value that is read now can use variables, and name apps, that are elsewhere.
        if diagnostic.code.rawValue == "misspelt-key" { return "" }
        guard fixIt.deletes(diagnostic.range) || fixIt.applicability == .suggested,
            let slash = pointer.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return pointer }
        return String(pointer[..<slash])
    }

    private static func counts(
        _ result: LintResult, outside touched: PointerSet, isTreeReliable: Bool, isWhole: Bool
    ) -> [String: Int] {
        let errors = result.everything.filter { finding in
            guard finding.severity == .error else { return false }
            guard let pointer = finding.pointer else { return isWhole }
            // What a rule is covered by changes with every pattern; and without a reliable tree no rule was applied before.
            guard isTreeReliable, !reachCodes.contains(finding.code) else { return false }
            return !touched.contain(pointer)
        }
        return Dictionary(errors.map { ($0.code.rawValue, 1) }, uniquingKeysWith: +)
    }

    private static let reachCodes = Set(RuleRegistry.reachRules.map { $0.description.code })
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
