package import Diagnostics

/// Applies fixes that were chosen one by one.
package enum ChosenFixes {
    /// A finding, by its code and the offset of its first byte.
    package struct Choice: Hashable, Sendable {
        package let code: DiagnosticCode
        package let offset: Int

        package init(code: DiagnosticCode, offset: Int) {
            self.code = code
            self.offset = offset
        }
    }

    /// Why a choice cannot be applied.
    package struct Problem: Error {
        /// One clause, lower case, without a final period.
        package let message: String
    }

    /// Applies, of each finding, the first fix that has edits and no placeholder for a person to fill in.
    ///
    /// - Parameters:
    ///   - bytes: The text that was checked; positions of the result have to be its own.
    ///   - result: Its check.
    package static func apply(
        _ choices: [Choice], to bytes: [UInt8], _ result: LintResult
    ) throws(Problem) -> (bytes: [UInt8], fixed: [FileReport.Fixed]) {
        var chosen: [Diagnostic] = []
        for choice in choices {
            let found = result.diagnostics.filter { $0.code == choice.code && $0.range.start == choice.offset }
            guard !found.isEmpty else {
                throw Problem(message: "there is no finding '\(choice.code)' at offset \(choice.offset)")
            }
            guard let fixable = found.first(where: { Self.fix(of: $0) != nil }) else {
                throw Problem(
                    message: "the finding '\(choice.code)' at offset \(choice.offset) has no fix that can be applied")
            }
            if !chosen.contains(fixable) { chosen.append(fixable) }
        }
        let order = Dictionary(
            result.diagnostics.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        chosen.sort { order[$0, default: 0] < order[$1, default: 0] }
        let fixes = FixChoice(chosen, fix: Self.fix)
        guard fixes.fixes.count == chosen.count else {
            throw Problem(message: "the fixes change the same text; apply them one after the other")
        }
        return (fixes.applied(to: bytes), fixes.records(in: result.source))
    }

    /// Notes about links that do something else with the chosen fixes.
    ///
    /// - Parameters:
    ///   - before: The check of the text before the fixes.
    ///   - after: The check of the text with them.
    package static func notes(
        _ fixed: [FileReport.Fixed], from before: LintResult, to after: LintResult
    ) -> [Report.Note] {
        let isAutomatic = fixed.allSatisfy { $0.fixIt.applicability == .automatic }
        return ChangedLinks(from: before, isAutomatic ? nil : before, to: after, minimumIOS: nil)
            .notes(path: after.source.path)
    }

    private static func fix(of finding: Diagnostic) -> FixIt? {
        finding.fixIts.first { !$0.edits.isEmpty && $0.applicability != .displayOnly }
    }
}
