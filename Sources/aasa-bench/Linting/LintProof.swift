import AssociationLint
import Diagnostics

/// What must hold of every answer of the validator.
enum LintProof {
    static func complaint(about result: LintResult) -> String? {
        let count = result.source.bytes.count
        var previous: Diagnostic?
        for finding in result.diagnostics {
            let name = "\(finding.code) at \(finding.range.start)"
            guard 0 <= finding.range.start, finding.range.start <= finding.range.end, finding.range.end <= count else {
                return "\(name): the range is not in the file"
            }
            if let previous, isBefore(finding, previous) { return "\(name): not in order" }
            if let previous, previous.code == finding.code, previous.range.start == finding.range.start {
                return "\(name): said twice"
            }
            previous = finding
            if RuleRegistry.description(of: finding.code.rawValue) == nil { return "\(name): no such code" }
            let texts = [finding.message] + finding.notes + finding.fixIts.map(\.title)
            if texts.contains(where: { $0.isEmpty || $0.unicodeScalars.contains { $0.value < 0x20 } }) {
                return "\(name): not a clause"
            }
            if let complaint = complaint(about: finding.fixIts, count) { return "\(name): \(complaint)" }
        }
        return nil
    }

    /// Fixing is never a bug of ours, takes nothing away but findings, and is done with one run.
    static func complaint(aboutFixesOf text: [UInt8], _ linter: Linter) -> String? {
        let outcome = Fixer(linter).fix(text, path: "file")
        if let failure = outcome.failure { return "fix: \(failure)" }
        let again = Fixer(linter).fix(outcome.bytes, path: "file")
        if let failure = again.failure { return "second fix: \(failure)" }
        if again.bytes != outcome.bytes { return "fixing twice is not fixing once" }
        if outcome.fixed.isEmpty != (outcome.bytes == text) { return "the fixes are not what has changed" }
        return nil
    }

    private static func isBefore(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.range.start, left.range.end, left.code.rawValue)
            < (right.range.start, right.range.end, right.code.rawValue)
    }

    private static func complaint(about fixIts: [FixIt], _ count: Int) -> String? {
        for fixIt in fixIts {
            var end = 0
            for edit in fixIt.edits {
                guard edit.range.start >= end, edit.range.end >= edit.range.start, edit.range.end <= count else {
                    return "the edits of '\(fixIt.title)' overlap or are not in the file"
                }
                end = edit.range.end
            }
        }
        return nil
    }
}
