public import Diagnostics
internal import JSONSyntax

/// Applies fixes until nothing is left that has one: automatic ones, and suggested ones if that is asked for.
public struct Fixer: Sendable {
    private let linter: Linter
    private let kind: FileKind
    private let applicability: FixIt.Applicability
    /// Fixes can bring others into reach; a text that still changes after so many rounds is left as it is then.
    private static let rounds = 10

    /// - Parameter applicability: `.automatic`, or `.suggested` for suggested fixes too.
    public init(_ linter: Linter, upTo applicability: FixIt.Applicability = .automatic) {
        self.init(linter, kind: .association, upTo: applicability)
    }

    /// - Parameters:
    ///   - kind: What the file is checked as.
    ///   - applicability: `.automatic`, or `.suggested` for suggested fixes too.
    package init(_ linter: Linter, kind: FileKind, upTo applicability: FixIt.Applicability = .automatic) {
        self.linter = linter
        self.kind = kind
        self.applicability = applicability
    }

    /// The result for one file.
    public struct Outcome: Sendable {
        /// The text with the fixes; the file's own if there were none.
        public let bytes: [UInt8]
        /// What the fixes have removed, in the order in which they were applied.
        public let fixed: [FileReport.Fixed]
        /// What is left.
        public let result: LintResult
        /// The suggested fixes that were tried and not kept, as they do not work in this file.
        public let refused: [Refused]
        /// Why the file is left unchanged: an automatic fix did not work, which is a bug of this program.
        public let failure: String?
    }

    /// A suggested fix that was not kept.
    public struct Refused: Sendable {
        /// The finding, with positions in the text that is left.
        public let diagnostic: Diagnostic
        /// The title of the fix.
        public let title: String
        /// One clause that says what it would have done.
        public let reason: String
    }

    /// A text between two rounds.
    private struct State {
        var text: [UInt8]
        var result: LintResult
        var fixed: [FileReport.Fixed] = []
        var refused: [Refused] = []
        /// How often the file may still be checked to find out which of the suggested fixes are right.
        var trials: Int

        mutating func accept(_ choice: FixChoice, _ next: [UInt8], _ after: LintResult) {
            fixed += choice.records(in: result.source)
            text = next
            result = after
        }
    }

    /// Fixes a text. Signed and converted files are never fixed.
    public func fix(_ bytes: [UInt8], path: String) -> Outcome {
        let first = linter.check(bytes, path: path, as: kind)
        var state = State(
            text: bytes, result: linter.checkAll(bytes, path: path, as: kind),
            trials: SuggestedFixes.mostTrials(byteCount: bytes.count))
        func untouched(_ failure: String?) -> Outcome {
            Outcome(bytes: bytes, fixed: [], result: first, refused: [], failure: failure)
        }
        guard state.result.isAsInFile else { return untouched(nil) }
        if let failure = applyAutomatic(&state, path) { return untouched(failure) }
        if applicability != .automatic {
            for _ in 0..<Self.rounds {
                guard state.trials > 0, applySuggested(&state, path) else { break }
                if let failure = applyAutomatic(&state, path) { return untouched(failure) }
            }
        }
        let result = state.fixed.isEmpty ? first : linter.check(state.text, path: path, as: kind)
        return Outcome(
            bytes: state.text, fixed: state.fixed, result: result, refused: state.refused, failure: nil)
    }

    /// - Returns: What is wrong with the automatic fixes; nil if nothing is.
    private func applyAutomatic(_ state: inout State, _ path: String) -> String? {
        for _ in 0..<Self.rounds {
            let choice = FixChoice(state.result.diagnostics)
            guard !choice.fixes.isEmpty else { break }
            let next = choice.applied(to: state.text)
            let after = linter.checkAll(next, path: path, as: kind)
            // Zero bytes among what is left can make another encoding of it: such a file is for a person.
            guard after.isAsInFile else { break }
            // A longer text can be more than the system reads: then it is for a person, too.
            guard state.result.isTooLarge || !after.isTooLarge else { break }
            if let complaint = FixProof.complaint(before: state.result, after: after, choice) {
                // In a text of which nothing is certain, two valid fixes can make something else together: `{,,{`.
                guard state.result.isTreeReliable else { break }
                return complaint
            }
            state.accept(choice, next, after)
        }
        return nil
    }

    /// - Returns: Whether anything has changed.
    private func applySuggested(_ state: inout State, _ path: String) -> Bool {
        let (text, before) = (state.text, state.result)
        var suggested = SuggestedFixes(trials: state.trials)
        suggested.select(FixChoice(before.diagnostics, .suggested).fixes) { choice in
            let after = linter.checkAll(choice.applied(to: text), path: path, as: kind)
            guard after.isAsInFile else { return "the fixed text is not UTF-8 any more" }
            guard before.isTooLarge || !after.isTooLarge else {
                return "the fixed file is larger than Apple's systems read"
            }
            return FixProof.complaint(before: before, after: after, choice)
                ?? FixProof.complaintAboutSuggested(before: before, after: after, choice)
        }
        state.trials = suggested.trials
        state.refused = suggested.refused
        guard !suggested.accepted.isEmpty else { return false }
        let choice = FixChoice(suggested.accepted)
        let next = choice.applied(to: text)
        state.accept(choice, next, linter.checkAll(next, path: path, as: kind))
        return true
    }
}

/// Those of several suggested fixes that do what they should, together.
private struct SuggestedFixes {
    typealias Fix = (diagnostic: Diagnostic, fixIt: FixIt)

    private(set) var accepted: [Fix] = []
    private(set) var refused: [Fixer.Refused] = []
    private(set) var trials: Int

    init(trials: Int) {
        self.trials = trials
    }

    /// How often a file of so many bytes is checked: the larger it is, the longer each check takes.
    static func mostTrials(byteCount: Int) -> Int { min(200, max(4, 500_000 / max(byteCount, 1))) }

    /// Tries all at once, and where that is wrong each half.
    mutating func select(_ fixes: [Fix], _ complaint: (FixChoice) -> String?) {
        guard !fixes.isEmpty else { return }
        guard trials > 0 else {
            return refuse(fixes, "too many of the suggested fixes in this file do not work")
        }
        trials -= 1
        guard let reason = complaint(FixChoice(accepted + fixes)) else {
            accepted += fixes
            return
        }
        guard fixes.count > 1 else { return refuse(fixes, reason) }
        select(Array(fixes[..<(fixes.count / 2)]), complaint)
        select(Array(fixes[(fixes.count / 2)...]), complaint)
    }

    private mutating func refuse(_ fixes: [Fix], _ reason: String) {
        refused += fixes.map { Fixer.Refused(diagnostic: $0.diagnostic, title: $0.fixIt.title, reason: reason) }
    }
}

extension LintResult {
    fileprivate var isTooLarge: Bool {
        everything.contains { $0.code == SyntaxCode.fileTooLarge.diagnosticCode }
    }
}
